#include "app/tour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/tour.h"

static bool path_of(char out[DOCUMENT_PATH_MAX], const char *session) {
    int bytes = snprintf(out, DOCUMENT_PATH_MAX, "%s" TOUR_SUFFIX, session);
    return session[0] != '\0' && bytes < DOCUMENT_PATH_MAX;
}

/* Return the text that is being typed into a field of the tour, or "". */
static const char *typed(const App *app) {
    const AppTourEditor *e = &app->tour_editor;
    return e->typed < TOUR_FIELDS ? e->texts[e->typed] : "";
}

bool keep_tour_can(const App *app) {
    const AppFiles *files = &app->resources.files;
    return files->read != NULL && files->places[PLACE_AUTOSAVE][0] != '\0' && !app->desk.failed;
}

bool keep_tour_needs(const App *app) {
    return tour_is_on(app) && app->tour_editor.is_unsaved;
}

bool keep_tour_is_stale(const App *app) {
    const AppKeptTour *kept = &app->desk.tour;
    return kept->is_kept != keep_tour_needs(app) ||
           (kept->is_kept &&
            (kept->changes != app->tour_editor.changes || strcmp(kept->words, typed(app)) != 0));
}

bool keep_tour_write(App *app, Err *err) {
    const AppFiles *files = &app->resources.files;
    AppKeptTour *kept = &app->desk.tour;
    char path[DOCUMENT_PATH_MAX];
    TextOut text = {0};
    bool needs = keep_tour_needs(app), was_kept = kept->is_kept;
    *kept = (AppKeptTour){.is_kept = needs, .changes = app->tour_editor.changes};
    snprintf(kept->words, sizeof kept->words, "%s", typed(app));
    if (!path_of(path, files->places[PLACE_AUTOSAVE]))
        return true;
    if (!needs && was_kept)
        files->remove(files->context, path);
    if (!needs)
        return true;
    tour_editor_write(&text, app);
    bool wrote = text.failed ? err_fail(err, "memory", "too little to keep the tour")
                             : files->write(files->context, path, text.at, text.used, true, err);
    text_out_release(&text);
    return wrote;
}

void keep_tour_recover(App *app, const char *session) {
    const AppFiles *files = &app->resources.files;
    char path[DOCUMENT_PATH_MAX], *bytes = NULL;
    size_t size;
    Err err;
    if (!path_of(path, session) || !files->exists(files->context, path))
        return;
    if (!app_told(app, files->read(files->context, &bytes, &size, path, TOUR_BYTES_MAX, &err),
                  &err))
        return;
    if (tour_editor_begin(app, bytes, size) && keep_tour_write(app, &err)) {
        files->remove(files->context, path);
        app_say(app, "Your unsaved tour is back; Ctrl S saves it");
    }
    free(bytes);
}
