#include "app/hint.h"

#include <math.h>

#include "app/tip.h"
#include "ui/toast.h"

#define MARGIN 8 /* px below and above the hint */

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

static bool holds(const App *app) {
    const AppHint *hint = &app->hint;
    return hint->about != NULL
               ? hint->about == app->session.text
               : hint->view == app->settings.view && hint->part == app->settings.compare.part;
}

void hint_draw(App *app) {
    UiId id = ui_id("close hint", 0);
    if (app->hint.words != NULL && !holds(app))
        app->hint = (AppHint){0};
    if (app->hint.words == NULL)
        return;
    Toast line = {.text = app->hint.words,
                  .is_prose = true,
                  .passes = true,
                  .since_s = app->hint.since_s,
                  .until_s = INFINITY,
                  .above = MARGIN};
    ToastState state = toast(&app->ui, id, app->layout.view, &line);
    tip_words(app, id, state.close, "Close this hint.", "escape");
    rect_cut_bottom(&app->layout.view, state.rect.h + MARGIN);
    if (state.closed)
        hint_close(app);
}
