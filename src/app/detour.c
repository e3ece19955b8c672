#include "app/detour.h"

#include "app/remember.h"

void detour_begin(App *app) {
    if (detour_is_on(app))
        return;
    snapshot_take(&app->detour.before, app);
    app->detour.begun_at = history_position(&app->history);
}

void detour_end(App *app) {
    session_release(&app->detour.before.session);
}

bool detour_is_on(const App *app) {
    return app->detour.before.session.text != NULL;
}

/* Restore the session, but keep the current theme, sizes and motion. */
void detour_back(App *app) {
    Err err;
    if (!detour_is_on(app)) {
        app_say(app, "No question has changed the layer");
        return;
    }
    Session back = session_share(&app->detour.before.session);
    Settings settings = app->detour.before.settings;
    settings_keep_remembered(&settings, &app->settings);
    if (app_take_session(app, &back, &settings, &err))
        detour_end(app);
    else
        app_say_err(app, &err);
}

void detour_undone(App *app) {
    if (history_position(&app->history) <= app->detour.begun_at)
        detour_end(app);
}
