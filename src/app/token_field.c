/* The field of the text: its tokens as chips, or a line of text to edit. */
#include <math.h>

#include "app/chrome.h"
#include "app/sheets.h"
#include "draw/part.h"
#include "ui/icon.h"
#include "ui/label.h"
#include "ui/line_edit.h"
#include "ui/text.h"

#define FIELD_H      52
#define PENCIL_W     36
#define CHIP_H       40
#define CHIP_PAD     8
#define CHIP_BETWEEN 7
#define CHIP_CLOSE   3 /* px: smallest gap between chips; if they need more room, they scroll */
#define FADE_W       24
#define WORD_SIZE    18
#define INDEX_SIZE   15
#define WHEEL_PX     60
#define PLACEHOLDER  "Type a sentence\nType"

static UiId field_id(void) {
    return ui_id("token field", 0);
}

bool token_field_editing(const App *app) {
    return app->ui.focus == field_id();
}

void token_field_edit(App *app, int unused) {
    (void)unused;
    lecture_leave(app);
    if (app->sheet != SHEET_NONE)
        sheet_close(app);
    text_say_fixed(app);
    app->line_waits = false;
    ui_focus(&app->ui, field_id());
    line_edit_select_all(&app->line, app->session.text->size);
}

static void leave(App *app) {
    app->ui.focus = 0;
    app->ui.again = true;
}

/* Select the word of a token, so that typing replaces it. If the tokens of an edited text are not
 * known yet, put the caret at the text's end. waits: show the chips until the user types. */
static void field_focus_word(App *app, int token, bool waits) {
    bool is_stale = app->run.text != app->session.text;
    size_t from = is_stale ? app->session.text->size : app->run.tokens[token].at;
    size_t to = is_stale ? app->session.text->size : from + app->run.tokens[token].bytes;
    app->line.caret = to;
    app->line.anchor = from;
    app->line.word_serial++;
    app->line.drag_unit = 0; /* the press was on a chip, so it must not start a drag in the line */
    app->line_waits = waits;
    app->ui.focus = field_id();
    app->ui.again = true;
}

/* Draw one chip: position, word and underline, which is dotted if the vector is not the word's
 * own. */
static void chip_draw(App *app, Rect chip, int token) {
    Ui *ui = &app->ui;
    const Theme *theme = ui->theme;
    const ViewContext *c = app_context(app);
    AttnCell focus = view_focus(c), rest = view_rest(c);
    bool over = ui_over(ui, chip),
         lit = focus.query == token || focus.key == token || view_lit_token(c) == token;
    UiState state = ui_control(ui, ui_id("chip", token), chip, UI_NO_FOCUS);
    draw_fill(ui->list, chip, 8, over || lit ? theme->hover : theme->raised);
    Rect words = {chip.x + CHIP_PAD, chip.y - 1, chip.w - 2 * CHIP_PAD, chip.h};
    rect_cut_left(&words, text_in(ui, words, TEXT_COUNT, "%d", token + 1) + 6);
    bool marked = token == focus.query || token == focus.key;
    LabelStyle word = {marked ? FONT_SANS_BOLD : FONT_SANS, WORD_SIZE, theme->text_1, LABEL_LEFT};
    TokenLabel name = app->run.labels[token];
    words.w += 8;
    if (app->line_waits &&
        app->line.caret == app->run.tokens[token].at + app->run.tokens[token].bytes) {
        ui->caret = (Rect){words.x - 2, chip.y + 5, words.w - 4, chip.h - 16};
        draw_fill(ui->list, ui->caret, 3, theme->fill);
        word.colour = theme->text_on_fill;
    }
    view_token_tip(c, ui_id("chip", token), chip, over, &word, words.w, token);
    label_draw_bytes(ui, words, &word, name.bytes, name.size);
    Colour line = theme->tokens[token % THEME_TOKENS];
    Rect under = {chip.x + CHIP_PAD, rect_bottom(chip) - 7, chip.w - 2 * CHIP_PAD, 3};
    EmbedSource source = app->run.notes[token].source;
    bool is_own = source == EMBED_OWN || source == EMBED_TRAINED;
    if (is_own)
        draw_fill(ui->list, under, 1.5f, line);
    for (float x = under.x; !is_own && x < rect_right(under); x += 6)
        draw_fill(ui->list, (Rect){x, under.y, 3, 3}, 1.5f, line);
    if (token == rest.query)
        draw_ring(ui->list, chip, 8, 2.5f, theme->ring);
    else if (token == rest.key)
        draw_box(ui->list, &(DrawBox){.rect = chip,
                                      .radius = 8,
                                      .border = 2,
                                      .dash_on = 5,
                                      .dash_off = 4,
                                      .stroke = theme->ring});
    if (state.hovered)
        view_light(c, (AttnCell){0, app->session.options.head - 1, token, -1});
    if (state.pressed)
        ui->press_clicks = state.clicks;
    bool is_second = ui->press_clicks == 2;
    if (state.clicked && ui->press_clicks < 2)
        view_pin_token(c, token, (state.mods & KEY_MOD_SHIFT) != 0);
    if (is_second ? state.pressed && !text_say_fixed(app) : state.clicked && !text_is_fixed(app))
        field_focus_word(app, token, !is_second);
}

/* Measure all chips and return their total width. All digits of the mono font have the same
 * width. */
static float chip_widths(float width[TOKENS_MAX], const App *app, int T) {
    float digit = label_width(&app->ui, FONT_MONO, INDEX_SIZE, "0", 1), total = 0;
    int digits = 1, next = 10; /* next: the smallest position with more digits */
    for (int i = 0; i < T; i++) {
        if (i + 1 == next)
            digits++, next *= 10;
        TokenLabel label = app->run.labels[i];
        float word = label_width(&app->ui, FONT_SANS_BOLD, WORD_SIZE, label.bytes, label.size);
        width[i] = digit * (float)digits + 6 + fminf(word, 240) + 2 * CHIP_PAD;
        total += width[i] + CHIP_BETWEEN;
    }
    return total;
}

/* Draw the chips, which the wheel scrolls. They fade out at an end where more chips follow. Return
 * their right end. */
static float chips_draw(App *app, Rect field) {
    DrawList *list = app->ui.list;
    unsigned mods;
    Vec2 wheel = ui_wheel(&app->ui, field_id(), field, &mods);
    float widths[TOKENS_MAX];
    int T = app->run.valid ? app->run.T : 0;
    float total = chip_widths(widths, app, T), over = fmaxf(total - field.w, 0);
    float between = fmaxf(CHIP_BETWEEN - over / (float)(T > 0 ? T : 1), CHIP_CLOSE);
    total -= (CHIP_BETWEEN - between) * (float)T;
    app->chip_scroll -= (wheel.y + wheel.x) * WHEEL_PX;
    app->chip_scroll = fmaxf(fminf(app->chip_scroll, total - field.w), 0);
    Rect clip = draw_clip(list, (Rect){field.x - 2, field.y - 6, field.w + 4, field.h + 12});
    Rect chip = rect_inset(field, 0, (field.h - CHIP_H) / 2);
    chip.x -= app->chip_scroll;
    for (int i = 0; i < T; i++) {
        chip.w = widths[i];
        if (rect_right(chip) > field.x && chip.x < rect_right(field))
            chip_draw(app, chip, i);
        chip.x += widths[i] + between;
    }
    Colour ground = app->ui.theme->canvas, none = colour_fade(ground, 0);
    Rect fade = {field.x - 2, chip.y - 4, FADE_W, CHIP_H + 8};
    if (app->chip_scroll > 0)
        draw_box(list, &(DrawBox){.rect = fade, .fill = ground, .fill_right = none});
    fade.x = rect_right(field) - FADE_W + 2;
    if (app->chip_scroll < total - field.w - 1)
        draw_box(list, &(DrawBox){.rect = fade, .fill = none, .fill_right = ground});
    draw_clip_restore(list, clip);
    return fminf(chip.x, rect_right(field));
}

/* Draw the field's background, edge, and a pencil at its right end. Return the area inside. */
static Rect field_ground(App *app, Rect field, bool has_caret) {
    const Theme *theme = app->ui.theme;
    Rect box = {field.x - 8, field.y + (field.h - FIELD_H) / 2, field.w + 8, FIELD_H};
    draw_fill(app->ui.list, box, 10, theme->canvas);
    draw_ring(app->ui.list, box, 10, has_caret ? 2 : 1.5f,
              has_caret ? theme->ring : theme->control);
    Rect pencil = rect_cut_right(&box, PENCIL_W);
    icon_draw(&app->ui, ICON_PENCIL, rect_centre(pencil), 16, theme->text_2);
    return rect_inset(box, 8, 0);
}

static void field_keys(App *app) {
    LineChange change;
    LineAction action;
    const Text *text = app->session.text;
    line_edit_clamp(&app->line, text->bytes, text->size);
    while ((action = line_edit_next(&app->ui, &app->line, text->bytes, text->size, &change)) ==
           LINE_CHANGE) {
        size_t before = text->size, cut = change.to - change.from;
        uint64_t serial = change.serial * 2 + 1;
        if (app_edit_text(app, change.from, change.to, change.insert, change.bytes, serial)) {
            text = app->session.text;
            change.bytes = text->size + cut - before;
            line_edit_changed(&app->line, &change);
        }
    }
    app->ui.wants_paste |= action == LINE_PASTE;
    if (action == LINE_ENTER || action == LINE_ESCAPE)
        leave(app);
}

static void field_editing(App *app, Rect field) {
    UiState state = ui_control(&app->ui, field_id(), field, UI_NO_KEYS | UI_TEXT);
    field_keys(app);
    const Text *text = app->session.text;
    line_edit_clamp(&app->line, text->bytes, text->size);
    Rect box = field_ground(app, field, true);
    if (state.hovered)
        app->ui.cursor = 1;
    line_edit_draw(&app->ui, &app->line, rect_inset(box, 4, 0), state, FONT_SANS, 20, text->bytes,
                   text->size);
    if (text->size == 0 && app->line.composing[0] == '\0')
        text_in(&app->ui, rect_inset(box, 10, 0), TEXT_BODY | TEXT_FAINT, PLACEHOLDER);
}

/* Keep the selection of a clicked word until the user types, deletes, pastes or selects all. Any
 * other key returns the keyboard to the picture, where arrows move the pin. */
static void field_wait(App *app) {
    Ui *ui = &app->ui;
    ui->wants_text = true; /* typed letters must not run shortcuts */
    for (int i = 0; ui->first_pass && i < ui->input->event_count; i++) {
        const InputEvent *event = &ui->input->events[i];
        uint32_t key = event->kind == INPUT_KEY ? event->key : 0;
        bool is_letter = key < KEY_ESCAPE && (event->mods | KEY_MOD_SHIFT) == KEY_MOD_SHIFT;
        if (event->kind == INPUT_TEXT || (event->kind == INPUT_COMPOSE && event->text_bytes > 0) ||
            key == KEY_BACKSPACE || key == KEY_DELETE ||
            ((key == 'v' || key == 'a') && event->mods == KEY_MOD_COMMAND) ||
            (key == KEY_INSERT && event->mods == KEY_MOD_SHIFT)) {
            app->line_waits = false;
            return;
        }
        if (key != 0 && !is_letter) {
            leave(app);
            ui->wants_text = false;
            return;
        }
    }
}

/* Discard typed letters, because the tokens are fixed; otherwise the letters would run commands.
 * Escape and Enter leave the field. */
static void field_refuse(App *app) {
    LineChange change;
    LineAction action;
    app->ui.wants_text = true;
    line_edit_clamp(&app->line, "", 0);
    while ((action = line_edit_next(&app->ui, &app->line, "", 0, &change)) == LINE_CHANGE)
        text_say_fixed(app);
    if (action == LINE_PASTE)
        text_say_fixed(app);
    if (action == LINE_ENTER || action == LINE_ESCAPE)
        leave(app);
}

void token_field_draw(App *app, Rect field) {
    bool is_fixed = text_is_fixed(app);
    draw_part(app->ui.list, PART_RECT(field), "window.text");
    app->line_waits &= token_field_editing(app) && !is_fixed;
    if (app->line_waits)
        field_wait(app);
    if (token_field_editing(app) && !app->line_waits && !is_fixed) {
        field_editing(app, field);
        return;
    }
    if (token_field_editing(app) && is_fixed)
        field_refuse(app);
    Rect inside = field_ground(app, field, token_field_editing(app) && is_fixed);
    float end = chips_draw(app, inside);
    UiId chip = app->ui.hot; /* the hovered chip, which lies over the field */
    UiState state = ui_control(&app->ui, field_id(), field, UI_NO_KEYS | UI_TEXT);
    if (state.hovered)
        app->ui.cursor = chip != 0 ? 2 : 1;
    app->ui.hot = chip != 0 ? chip : app->ui.hot;
    app->line.composing[0] = '\0';
    if (is_fixed && (state.pressed || state.pasted)) {
        text_say_fixed(app);
        app->ui.again = true;
    } else if (state.pressed || state.pasted) {
        app->line_waits = false;
        app->line.caret = app->line.anchor = app->session.text->size;
        app->ui.wants_selection |= state.pasted;
        /* The line was not shown when the button was pressed, so the press must not start a drag in
         * it. */
        app->line.drag_unit = 0;
        app->ui.again = true;
    }
    Rect tail = {end + 6, field.y, rect_right(inside) - end - 6, field.h};
    bool is_empty = app->session.text->size == 0 && !is_fixed;
    if (results_session(&app->run) == NULL)
        return;
    if (is_empty || app->run.T == 0)
        text_in(&app->ui, tail, TEXT_BODY | TEXT_FAINT, PLACEHOLDER);
    else /* the second variant is empty, for too little room */
        text_in(&app->ui, tail, TEXT_BODY | TEXT_FAINT, "%d token%s\n", app->run.T,
                app->run.T == 1 ? "" : "s");
}
