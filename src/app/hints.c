#include <math.h>

#include "app/chrome.h"
#include "app/desk.h"
#include "app/tour.h"
#include "ui/button.h"
#include "ui/icon.h"
#include "ui/text.h"
#include "ui/toast.h"

#define PAD      16
#define CIRCLE   28
#define BETWEEN  10
#define TITLE_H  34
#define LEAVES_S 1.2 /* seconds that a done hint stays, with a tick */
#define MARGIN   8   /* px below and above the hint */

static const char *const HINTS[HINTS_COUNT] = {"Hover a cell", "Click a word and type another",
                                               "Press F to merge W_Q and W_K"};

static bool is_done(const App *app, int i) {
    return (app->hints.done & 1u << i) != 0;
}

/* True while the hint is shown: it is not done, or its tick is still visible. */
static bool is_shown(const App *app, int i) {
    return !is_done(app, i) || app->time_s < app->hints.done_s[i] + LEAVES_S;
}

void hints_notice(App *app) {
    AppHints *hints = &app->hints;
    const bool now[HINTS_COUNT] = {app->ui.pointer_inside && attn_cell_is_set(app->hover.lit),
                                   hints->has_edited, app->session.options.form.row == FORM_MERGED};
    if (!hints->is_on || tour_is_on(app))
        return;
    for (int i = 0; i < HINTS_COUNT; i++)
        if (!is_done(app, i) && now[i]) {
            hints->done |= 1u << i;
            hints->done_s[i] = app->time_s;
            remember_soon(app);
            app->ui.again = true;
        }
}

void hints_show(App *app, int argument) {
    (void)argument;
    app->hints = (AppHints){.is_on = true};
    remember_soon(app);
    app->ui.again = true;
}

static void hint_row(App *app, Rect *rest, int i, int number) {
    Ui *ui = &app->ui;
    const Theme *theme = ui->theme;
    float height = text_wrap_height(ui, TEXT_BODY, HINTS[i], rest->w - CIRCLE - 12);
    Rect row = rect_cut_top(rest, fmaxf(height, CIRCLE));
    Rect circle = rect_cut_left(&row, CIRCLE);
    circle.h = CIRCLE;
    rect_cut_left(&row, 12);
    if (is_done(app, i)) {
        icon_draw(ui, ICON_TICK, rect_centre(circle), 16, theme->ok);
        ui_wake(ui, app->hints.done_s[i] + LEAVES_S);
    } else {
        draw_fill(ui->list, circle, CIRCLE / 2, theme->hover);
        text_in(ui, circle, TEXT_STRONG | TEXT_CENTRE, "%d", number);
    }
    row.y += fmaxf(CIRCLE - height, 0) / 2;
    text_wrap(ui, &row, TEXT_BODY | TEXT_BRIGHT, HINTS[i]);
    rect_cut_top(rest, BETWEEN);
}

void hints_draw(App *app, Rect *rest) {
    int shown = 0;
    float height = 2 * PAD + TITLE_H + (app->tour.is_offered ? 6 + TOUR_OFFER_ROW_H : 0);
    for (int i = 0; i < HINTS_COUNT; i++)
        if (is_shown(app, i)) {
            float words_h =
                text_wrap_height(&app->ui, TEXT_BODY, HINTS[i], rest->w - 2 * PAD - CIRCLE - 12);
            height += BETWEEN + fmaxf(CIRCLE, words_h);
            shown++;
        }
    if (!app->hints.is_on || shown == 0 || tour_is_on(app))
        return;
    UiId id = ui_id("hide hints", 0);
    Rect card = rect_cut_top(rest, height);
    draw_fill(app->ui.list, card, 14, app->ui.theme->raised);
    Rect inside = rect_inset(card, PAD, PAD), line = rect_cut_top(&inside, TITLE_H);
    Rect hide = rect_cut_right(&line, 64);
    text_in(&app->ui, line, TEXT_STRONG, "Try this");
    if (button_text(&app->ui, id, hide, "Hide")) {
        app->hints.done = HINTS_ALL;
        app->tour.is_offered = false;
        for (int i = 0; i < HINTS_COUNT; i++)
            app->hints.done_s[i] = -LEAVES_S;
        remember_soon(app);
        app->ui.again = true;
    }
    tip_words(app, id, hide, "Hide these hints; Ctrl K, Show hints, brings them back.", "hints");
    for (int i = 0, number = 1; i < HINTS_COUNT; i++)
        if (is_shown(app, i))
            hint_row(app, &inside, i, number++);
    rect_cut_top(&inside, 6);
    if (app->tour.is_offered)
        tour_offer_row(app, &inside);
    rect_cut_top(rest, 20);
}

void hint_say(App *app, const char *words, const Text *about) {
    app->hint = (AppHint){.words = words,
                          .about = about,
                          .view = app->settings.view,
                          .part = app->settings.compare.part,
                          .since_s = app->time_s};
    app->ui.again = true;
}

bool hint_close(App *app) {
    bool was = app->hint.words != NULL;
    app->hint = (AppHint){0};
    app->ui.again |= was;
    return was;
}

void hint_draw(App *app) {
    UiId id = ui_id("close hint", 0);
    const AppHint *hint = &app->hint;
    bool holds = hint->about != NULL
                     ? hint->about == app->session.text
                     : hint->view == app->settings.view && hint->part == app->settings.compare.part;
    if (!holds)
        app->hint = (AppHint){0};
    if (hint->words == NULL)
        return;
    Toast line = {.text = hint->words,
                  .is_prose = true,
                  .passes = true,
                  .since_s = hint->since_s,
                  .until_s = INFINITY,
                  .above = MARGIN};
    ToastState state = toast(&app->ui, id, app->layout.view, &line);
    tip_words(app, id, state.close, "Close this hint.", "escape");
    rect_cut_bottom(&app->layout.view, state.rect.h + MARGIN);
    if (state.closed)
        hint_close(app);
}
