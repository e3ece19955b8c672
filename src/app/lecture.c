#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
#include "app/commands.h"
#include "app/desk.h"
#include "app/lecture.h"
#include "base/utf8.h"
#include "base/util.h"
#include "ui/line_edit.h"
#include "ui/text.h"
#include "views/heads/heads.h"
#include "views/shared/head_chips.h"

#define MARGIN      28
#define BAR_H       72
#define CHIPS_H     44
#define WORDMARK_W  210
#define LINE_MOST   720 /* px: largest width of a sentence shown in place of the picture */
#define CAPTION_H   88
#define LINES_PAD   6 /* px above plus below the lines */
#define SIZE        34
#define KEYS_W      264   /* px: width of the caption of keys at the right */
#define KEYS_SHARE  0.36f /* width of the keys as a share of the window's, in a narrow window */
#define KEYS_AWAY   16
#define CAP_H       48
#define CAP_PAD     13
#define WORD_AWAY   14
#define KEY_SHOWN_S 0.9 /* seconds until the picture of the key fades */
#define KEY_FADES_S 0.2

int app_view(const App *app) {
    return app->lecture.is_on ? app->lecture.settings.view : app->settings.view;
}

const Settings *app_shown_settings(const App *app) {
    return app->lecture.is_on ? &app->lecture.settings : &app->settings;
}

static void set_on(App *app, bool on) {
    AppLecture *lecture = &app->lecture;
    lecture->is_on = on;
    lecture->view_under = app->settings.view;
    lecture->is_editing = false;
    app->rail_open = app->drawer_open = false;
    app->hover.lit = app->hover.next = ATTN_CELL_NONE;
    app->memory.lecture = (LectureMemory){.is_resting = true};
    app->ui.focus = 0;
    app->ui.again = true;
    lecture_update(app);
}

void lecture_toggle(App *app, int unused) {
    (void)unused;
    set_on(app, !app->lecture.is_on);
}

void app_begin_lecture(App *app) {
    set_on(app, true);
}

bool lecture_leave(App *app) {
    bool was_on = app->lecture.is_on;
    if (was_on)
        set_on(app, false);
    return was_on;
}

void lecture_update(App *app) {
    AppLecture *lecture = &app->lecture;
    if (lecture->is_on && lecture->view_under != app->settings.view)
        lecture_leave(app);
    lecture->settings = app->settings;
    lecture->settings.view = 0;
    while (VIEWS[lecture->settings.view].frame != heads_frame)
        lecture->settings.view++;
}

/* Fill out with a command's word (Command.word), in which an option's value replaces {key}. */
static void word_write(char out[LECTURE_WORD_MAX], const App *app, const char *word) {
    const char *open = strchr(word, '{');
    char value[OPTION_TEXT_MAX] = "";
    if (open != NULL)
        app_value_text(value, app, option_lookup(open + 1, strcspn(open + 1, "}")));
    snprintf(out, LECTURE_WORD_MAX, "%.*s%.*s", (int)strcspn(word, "{"), word,
             (int)strcspn(value, ":"), value);
}

static bool is_one_of(const Binding *binding, const char *const *ids, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(COMMANDS[binding->command].entry.id, ids[i]) == 0)
            return true;
    return false;
}

/* False if the key has no effect: a play key, in a view without steps; in a lecture, also a key for
 * the theme or the text size. */
static bool does_something(const App *app, const Binding *binding) {
    static const char *const plays[] = {"play", "first", "last"};
    static const char *const looks[] = {"larger", "smaller", "normal-size", "theme"};
    if (is_one_of(binding, plays, ARRAY_COUNT(plays)))
        return VIEWS[app_view(app)].press != NULL;
    return !app->lecture.is_on || !is_one_of(binding, looks, ARRAY_COUNT(looks));
}

void lecture_pressed(App *app, const Binding *binding) {
    AppLecture *lecture = &app->lecture;
    if ((!lecture->is_on && !app->marks.has_keys) || !does_something(app, binding))
        return;
    if (binding->is_synonym) /* show the key that the help sheet lists */
        binding = keymap_shown(&app->keys, binding->command);
    key_name(lecture->key, binding->key, binding->mods);
    word_write(lecture->word, app, command_word(binding->command));
    lecture->key_s = app->time_s;
    app->ui.again = true;
}

static UiId field_id(void) {
    return ui_id("lecture caption", 0);
}

static bool is_same(const LectureSubject *a, const LectureSubject *b) {
    return a->head == b->head && a->query == b->query && a->key == b->key && a->show == b->show &&
           a->minus == b->minus && a->tokens == b->tokens;
}

static OwnCaption *own_of(AppLecture *lecture, const LectureSubject *about) {
    for (int i = 0; i < CAPTIONS_MAX; i++)
        if (lecture->own[i].text[0] != '\0' && is_same(&lecture->own[i].about, about))
            return &lecture->own[i];
    return NULL;
}

/* Store the user's caption. If it is empty, the sentence about the cell is shown again. */
static void remember(App *app) {
    AppLecture *lecture = &app->lecture;
    OwnCaption *own = own_of(lecture, &lecture->about);
    if (own == NULL) {
        own = &lecture->own[lecture->own_next];
        lecture->own_next = (lecture->own_next + 1) % CAPTIONS_MAX;
    }
    own->about = lecture->about;
    memcpy(own->text, lecture->text, sizeof own->text);
    remember_soon(app);
}

static float keys_width(const App *app) {
    return fminf(KEYS_W, app->layout.window.w * KEYS_SHARE);
}

static float words_width(const App *app) {
    return app->layout.window.w - 2 * MARGIN - KEYS_AWAY - keys_width(app);
}

/* Write the text that the caption shows while it is not edited. */
static void shown_text(App *app, char out[LECTURE_WORDS_MAX], LectureSubject *about) {
    out[0] = '\0';
    *about = (LectureSubject){.query = -1, .key = -1};
    if (view_place_absent(app) != NULL)
        return;
    lecture_sentence(out, about, app_context(app), words_width(app));
    const OwnCaption *own = own_of(&app->lecture, about);
    if (own == NULL)
        return;
    /* A caption that quotes a number ends when the number changes. */
    const char *was = own->about.value;
    if (was[0] == '\0' || strcmp(was, about->value) == 0 || strstr(own->text, was) == NULL)
        snprintf(out, LECTURE_WORDS_MAX, "%s", own->text);
}

/* Return the largest letter size, at least LECTURE_LABEL, at which text fits into height. Set
 * *taken to the height of the text at that size. */
static float fitting_size(const App *app, const char *text, float width, float height,
                          float *taken) {
    float size = SIZE;
    for (;; size -= 1) {
        LabelStyle style = {FONT_SANS_BOLD, size, 0, LABEL_LEFT};
        float one = label_width(&app->ui, style.font, size, text, strlen(text));
        int lines = one <= width ? 1 : label_lines(&app->ui, &style, text, width);
        *taken = (float)lines * size * LABEL_LINE;
        if (*taken <= height || size <= LECTURE_LABEL)
            return size;
    }
}

static float caption_height(App *app) {
    char text[LECTURE_WORDS_MAX];
    LectureSubject about;
    float taken;
    shown_text(app, text, &about);
    if (app->lecture.is_editing)
        return CAPTION_H;
    fitting_size(app, text, words_width(app), CAPTION_H - LINES_PAD, &taken);
    return fmaxf(CAPTION_H, taken + LINES_PAD);
}

/* Add an undo step; continuous typing is one step. */
static void step_take(AppLecture *lecture) {
    bool same_step =
        lecture->step > 0 && lecture->steps[lecture->step].serial == lecture->edit.word_serial;
    if (!same_step && lecture->step + 1 == CAPTION_STEPS)
        memmove(lecture->steps, lecture->steps + 1,
                sizeof lecture->steps - sizeof lecture->steps[0]);
    else if (!same_step)
        lecture->step++;
    CaptionStep *step = &lecture->steps[lecture->step];
    memcpy(step->text, lecture->text, sizeof step->text);
    step->caret = lecture->edit.caret;
    step->serial = lecture->edit.word_serial;
    lecture->step_count = lecture->step + 1;
}

static void step_go(App *app, int way) {
    AppLecture *lecture = &app->lecture;
    int to = lecture->step + way;
    if (to < 0 || to >= lecture->step_count)
        return;
    lecture->step = to;
    memcpy(lecture->text, lecture->steps[to].text, sizeof lecture->text);
    lecture->edit.caret = lecture->edit.anchor = lecture->steps[to].caret;
    lecture->edit.word_serial++;
    remember(app);
}

static void edit_begin(App *app, const char *text, const LectureSubject *about) {
    AppLecture *lecture = &app->lecture;
    lecture->is_editing = true;
    lecture->about = *about;
    size_t bytes = utf8_floor(text, strlen(text), CAPTION_MAX - 1);
    memcpy(lecture->text, text, bytes);
    lecture->text[bytes] = '\0';
    lecture->edit = (LineEdit){.caret = bytes, .anchor = app->ui.focus_visible ? 0 : bytes};
    lecture->step = 0;
    lecture->step_count = 1;
    memcpy(lecture->steps[0].text, lecture->text, sizeof lecture->text);
    lecture->steps[0].caret = bytes;
    app->ui.again = true;
}

static void edit_end(App *app) {
    app->lecture.is_editing = false;
    if (app->ui.focus == field_id()) /* unless Tab has moved the focus */
        app->ui.focus = 0;
    app->ui.again = true;
}

static void edit_keys(App *app) {
    AppLecture *lecture = &app->lecture;
    LineBuffer buffer = {lecture->text, lecture->copied, sizeof lecture->text, &lecture->edit};
    bool changed;
    while (ui_key(&app->ui, 'z', KEY_MOD_COMMAND))
        step_go(app, -1);
    while (ui_key(&app->ui, 'z', KEY_MOD_COMMAND | KEY_MOD_SHIFT) ||
           ui_key(&app->ui, 'y', KEY_MOD_COMMAND))
        step_go(app, 1);
    LineAction action = line_buffer_events(&app->ui, &buffer, &changed);
    if (changed) {
        step_take(lecture);
        remember(app);
    }
    if (action == LINE_ENTER || action == LINE_ESCAPE)
        edit_end(app);
}

static void field_draw(App *app, Rect field) {
    AppLecture *lecture = &app->lecture;
    char text[LECTURE_WORDS_MAX];
    LectureSubject about;
    shown_text(app, text, &about);
    Rect place = rect_inset(field, -8, 10);
    UiState state = ui_control(&app->ui, field_id(), place, UI_NO_KEYS | UI_TEXT);
    if (state.focused && !lecture->is_editing)
        edit_begin(app, text, &about);
    if (lecture->is_editing && (!state.focused || !is_same(&about, &lecture->about)))
        edit_end(app);
    if (lecture->is_editing)
        edit_keys(app);
    app->ui.cursor = state.hovered ? 1 : app->ui.cursor;
    if (!lecture->is_editing) {
        float taken, size = fitting_size(app, text, field.w, field.h - LINES_PAD, &taken);
        field.y += (field.h - taken) / 2;
        text_wrap(&app->ui, &field, TEXT_STRONG | TEXT_PLAIN | TEXT_PX((int)size), text);
        return;
    }
    draw_ring(app->ui.list, place, 8, 2, app->ui.theme->control);
    line_edit_draw(&app->ui, &lecture->edit, field, state, FONT_SANS_BOLD, SIZE, lecture->text,
                   strlen(lecture->text));
}

static float key_opacity(App *app) {
    const AppLecture *lecture = &app->lecture;
    double since_s = app->time_s - lecture->key_s;
    double fades_s = app->ui.reduced_motion ? 0 : KEY_FADES_S;
    if (lecture->key[0] == '\0' || since_s >= KEY_SHOWN_S + fades_s)
        return 0;
    ui_wake(&app->ui, since_s < KEY_SHOWN_S ? lecture->key_s + KEY_SHOWN_S : app->time_s);
    return since_s < KEY_SHOWN_S ? 1 : 1 - (float)((since_s - KEY_SHOWN_S) / fades_s);
}

/* Draw a key, and its command if there is room, at the right end of place. */
static void cap_draw(Ui *ui, Rect place, const char *key, const char *word, Colour ground,
                     Colour edge, Colour letters, Colour ink) {
    float key_w = label_width(ui, FONT_SANS_BOLD, LECTURE_CONTROL, key, strlen(key)) + 2 * CAP_PAD;
    float word_w = label_width(ui, FONT_SANS, LECTURE_LABEL, word, strlen(word));
    key_w = fminf(key_w, place.w);
    Rect cap = place;
    if (key_w + WORD_AWAY + word_w <= place.w + 1) {
        LabelStyle style = {FONT_SANS, LECTURE_LABEL, ink, LABEL_RIGHT};
        label_draw(ui, place, &style, word);
        rect_cut_right(&cap, word_w + WORD_AWAY);
    }
    cap = rect_cut_right(&cap, key_w);
    cap = (Rect){cap.x, cap.y + (cap.h - CAP_H) / 2, cap.w, CAP_H};
    draw_fill(ui->list, cap, 8, ground);
    draw_ring(ui->list, cap, 8, 2, edge);
    LabelStyle style = {FONT_SANS_BOLD, LECTURE_CONTROL, letters, LABEL_CENTRE};
    label_draw(ui, cap, &style, key);
}

/* Draw the button that leaves the lecture. While the last pressed key is visible, draw the key in
 * this place instead. */
static void leave_draw(App *app, Rect place) {
    Ui *ui = &app->ui;
    UiId id = ui_id("lecture leave", 0);
    Rect button = rect_inset(place, 0, (place.h - CAP_H) / 2);
    rect_cut_left(&button, button.w - fminf(button.w, 150));
    UiState state = ui_control(ui, id, button, 0);
    Colour ink = state.hovered ? ui->theme->text_1 : ui->theme->text_3;
    cap_draw(ui, place, "Esc", "leave", COLOUR_CLEAR, ui->theme->control, ink, ink);
    ui_focus_ring(ui, id, button, 8);
    if (state.clicked)
        app_do(app, lecture_toggle, 0);
}

static bool last_key_draw(App *app, Rect place) {
    const Theme *theme = app->ui.theme;
    float opacity = key_opacity(app);
    if (opacity > 0)
        cap_draw(&app->ui, place, app->lecture.key, app->lecture.word,
                 colour_fade(theme->text_1, opacity), COLOUR_CLEAR, theme->canvas,
                 colour_fade(theme->text_2, opacity));
    return opacity > 0;
}

/* The bar is black in every theme, so its letters have fixed colours. */
static Theme bar_theme(void) {
    Theme dark = THEMES[THEME_DARK];
    dark.canvas = dark.chrome = dark.casing = 0x000000FF;
    dark.text_1 = 0xFFFFFFFF;
    return dark;
}

void caption_key_draw(App *app, Rect place) {
    Theme dark = bar_theme();
    const Theme *theme = app->ui.theme;
    float opacity = key_opacity(app);
    app->ui.theme = &dark;
    if (opacity > 0)
        draw_fill(app->ui.list, place, 12, colour_fade(dark.canvas, opacity));
    last_key_draw(app, rect_inset(place, KEYS_AWAY, 0));
    app->ui.theme = theme;
}

static void caption_draw(App *app, Rect bar) {
    Theme dark = bar_theme();
    const Theme *theme = app->ui.theme;
    app->ui.theme = &dark;
    draw_fill(app->ui.list, bar, 0, dark.canvas);
    Rect field = rect_inset(bar, MARGIN, 0);
    Rect keys = rect_cut_right(&field, keys_width(app));
    rect_cut_right(&field, KEYS_AWAY);
    field_draw(app, field);
    if (!last_key_draw(app, keys))
        leave_draw(app, keys);
    app->ui.theme = theme;
}

static void stage_draw(App *app) {
    const char *why = view_place_absent(app);
    Rect clip = draw_clip(app->ui.list, app->layout.view);
    if (why == NULL)
        lecture_frame(app_context(app), app->layout.view);
    else if (why[0] != '\0') {
        Rect area = rect_inset(app->layout.view, MARGIN, 24);
        area.w = fminf(area.w, LINE_MOST);
        text_wrap(&app->ui, &area,
                  TEXT_BODY | TEXT_BRIGHT | TEXT_PLAIN | TEXT_PX((int)LECTURE_CONTROL), why);
    }
    draw_clip_restore(app->ui.list, clip);
}

void lecture_draw(App *app) {
    Layout *layout = &app->layout;
    Rect rest = layout->window;
    layout->text_row = rect_cut_top(&rest, BAR_H);
    layout->status = rect_cut_bottom(&rest, caption_height(app));
    layout->view = rest;
    layout->inspector = (Rect){0};
    layout->state_folded = true;
    Rect bar = app->layout.text_row;
    draw_fill(app->ui.list, bar, 0, app->ui.theme->chrome);
    wordmark_draw(app, bar);
    rect_cut_left(&bar, WORDMARK_W);
    rect_cut_right(&bar, MARGIN + 6);
    head_chips_large(app_context(app), bar, CHIPS_H);
    stage_draw(app);
    work_draw(app);
    caption_draw(app, layout->status);
}
