#include "shell/picture.h"

#include <stdlib.h>

#include "document/state.h"
#include "export/png.h"
#include "export/svg.h"
#include "gfx/text.h"
#include "views/view.h"

#define STATE_SHOWN_MAX 4096 /* bytes of the state that a picture says */

bool picture_png(unsigned char **bytes, size_t *size, Soft *soft, Err *err) {
    int width, height;
    soft_pixels(soft, &width, &height);
    unsigned char *rgba = malloc((size_t)width * (size_t)height * 4);
    if (rgba == NULL)
        return err_fail(err, "memory", "too little for %d x %d pixels; use a smaller --size", width,
                        height);
    soft_read(soft, rgba);
    bool encoded = png_encode(bytes, size, rgba, width, height, err);
    free(rgba);
    return encoded;
}

bool picture_svg(unsigned char **bytes, size_t *size, const App *app, const DrawList *list,
                 GfxFonts *fonts, Err *err) {
    char state[STATE_SHOWN_MAX], *text = NULL;
    Settings settings = *app_settings(app);
    StateExtra extra = {
        .table = &PICTURE_OPTIONS, .values = &settings, .values_bytes = sizeof settings};
    state_write(state, sizeof state, app_session(app), &extra);
    TextMeasure measure = text_measure(fonts);
    SvgAbout about = {registry_entry(&VIEW_REGISTRY, settings.view)->help, state};
    bool wrote = svg_encode(&text, size, list, &measure, fonts, &about, err);
    *bytes = (unsigned char *)text;
    return wrote;
}
