#include "shell/picture.h"

#include <stdlib.h>

#include "base/heap.h"
#include "document/state.h"
#include "export/png.h"
#include "gfx/text.h"
#include "views/view.h"

char *picture_state(const App *app) {
    Settings settings = *app_settings(app);
    settings.ui_scale = 1; /* the reader's own; a figure may have any */
    StateExtra extra = settings_extra(&settings, NULL);
    return state_make(app_session(app), &extra);
}

bool picture_png(unsigned char **bytes, size_t *size, const App *app, Soft *soft, Err *err) {
    int width, height;
    soft_pixels(soft, &width, &height);
    char *state = picture_state(app);
    unsigned char *rgba = heap_get((size_t)width * (size_t)height * 4);
    bool encoded = state != NULL && rgba != NULL;
    if (!encoded)
        err_fail(err, "memory", "too little for %d x %d pixels; use a smaller --size", width,
                 height);
    else
        soft_read(soft, rgba);
    encoded = encoded && png_encode(bytes, size, rgba, width, height, state, err);
    free(rgba);
    free(state);
    return encoded;
}

bool picture_svg(unsigned char **bytes, size_t *size, const App *app, const DrawList *list,
                 GfxFonts *fonts, const SvgAbout *about, Err *err) {
    char *text = NULL, *state = picture_state(app);
    TextMeasure measure = text_measure(fonts);
    SvgAbout all = *about;
    all.title = registry_entry(&VIEW_REGISTRY, app_settings(app)->view)->help;
    all.description = state;
    bool wrote = state != NULL ? svg_encode(&text, size, list, &measure, fonts, &all, err)
                               : err_fail(err, "memory", "too little for the state");
    free(state);
    *bytes = (unsigned char *)text;
    return wrote;
}
