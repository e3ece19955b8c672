#include "app/lecture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
#include "app/commands.h"
#include "app/lecture.h"
#include "base/util.h"
#include "ui/label.h"
#include "views/heads/heads.h"
#include "views/shared/head_chips.h"
#include "views/shared/heatmap.h"

#define MARGIN     28
#define BAR_H      72
#define CHIPS_H    44
#define WORDMARK_W 210
#define LINE_MOST  720 /* largest width in px of a sentence shown in place of the picture */

static int heads_view(void) {
    int view = 0;
    while (VIEWS[view].frame != heads_frame)
        view++;
    return view;
}

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
    lecture->settings.view = heads_view();
}

/* Fill out with what a command did, by its word, in which {key} stands for an option's value. */
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

/* False if the key does nothing here: it belongs to views that play, and this view does not, or it
 * sets the size of the window's text or the theme, and a lecture has its own. */
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

static void stage_draw(App *app) {
    ViewContext context = app_view_context(app);
    const char *why = view_place_absent(app);
    Rect clip = draw_clip(app->ui.list, app->layout.view);
    if (why == NULL)
        lecture_frame(&context, app->layout.view);
    else if (why[0] != '\0') {
        /* Draw a text in place of the picture. */
        LabelStyle style = {FONT_SANS, LECTURE_CONTROL, app->ui.theme->text_1, LABEL_LEFT};
        Rect area = rect_inset(app->layout.view, MARGIN, 24);
        area.w = fminf(area.w, LINE_MOST);
        label_wrap(&app->ui, area, &style, why);
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
    ViewContext context = app_view_context(app);
    draw_fill(app->ui.list, bar, 0, app->ui.theme->chrome);
    wordmark_draw(app, bar);
    rect_cut_left(&bar, WORDMARK_W);
    rect_cut_right(&bar, MARGIN + 6);
    head_chips_large(&context, bar, CHIPS_H);
    stage_draw(app);
    work_draw(app);
    caption_draw(app, layout->status);
}
