#include "app/picture_open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/remember.h"
#include "base/picture_state.h"

#define BYTES_MAX ((size_t)64 << 20)

/* Ignore the state's size, which is the picture's and not the window's. */
static bool use_state(App *app, const char *state, Err *err) {
    Session changed;
    Settings settings = settings_fresh(app);
    if (!session_init(&changed, err))
        return false;
    if (!app_read_state(app, &changed, &settings, state, strlen(state), err)) {
        session_release(&changed);
        return false;
    }
    settings.size = app->settings.size;
    return app_take_session(app, &changed, &settings, err);
}

bool picture_open(App *app, const char *path, Err *err) {
    const AppFiles *files = &app->resources.files;
    char *bytes = NULL, *state = NULL;
    size_t size;
    if (files->read == NULL)
        return err_fail(err, path, "cannot be read here");
    if (!files->read(files->context, &bytes, &size, path, BYTES_MAX, err))
        return false;
    bool found = picture_state_find(&state, bytes, size, err);
    if (!found) {
        const char *slash = strrchr(path, '/');
        snprintf(err->what, sizeof err->what, "%s", slash != NULL ? slash + 1 : path);
    }
    bool taken = found && use_state(app, state, err);
    free(bytes);
    free(state);
    return taken;
}
