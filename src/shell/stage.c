#include "shell/stage.h"

#include <epoxy/gl.h>
#include <stdlib.h>

#include "export/png.h"
#include "export/svg.h"
#include "gfx/text.h"
#include "session/state.h"
#include "views/view.h"

#define STATE_SHOWN_MAX 4096 /* bytes of the state string in a picture; a longer one is cut */

static bool create_app(Stage *stage, const Session *session, const Settings *settings, Err *err) {
    if (!assets_load_used(&stage->assets, session, err))
        return false;
    stage->measure = text_measure(stage->fonts);
    AppResources resources = {
        .run = stage->assets.run, .measure = &stage->measure, .tokens_max = TOKENS_MAX};
    stage->app = app_create(&resources, session, settings, err);
    return stage->app != NULL;
}

static bool create_renderer(Stage *stage, Err *err) {
    return offscreen_create(&stage->offscreen, stage->width_px, stage->height_px, err) &&
           renderer_create(&stage->renderer, stage->fonts, NULL, err);
}

static bool begin(Stage *stage, const Session *session, const Settings *settings, bool pixels,
                  Err *err) {
    *stage = (Stage){.width_px = settings->size.first, .height_px = settings->size.second};
    if (fonts_create(&stage->fonts, err) && (!pixels || create_renderer(stage, err)) &&
        create_app(stage, session, settings, err))
        return true;
    stage_end(stage);
    return false;
}

bool stage_begin(Stage *stage, const Session *session, const Settings *settings, Err *err) {
    return begin(stage, session, settings, true, err);
}

bool stage_begin_list(Stage *stage, const Session *session, const Settings *settings, Err *err) {
    return begin(stage, session, settings, false, err);
}

void stage_end(Stage *stage) {
    if (stage->app != NULL)
        app_destroy(stage->app);
    draw_release(&stage->list);
    if (stage->renderer != NULL)
        renderer_release(stage->renderer);
    if (stage->fonts != NULL)
        fonts_release(stage->fonts);
    if (stage->offscreen != NULL)
        offscreen_release(stage->offscreen);
    assets_release(&stage->assets);
    *stage = (Stage){0};
}

void stage_frame(Stage *stage, const InputEvent *events, int count, double time_s) {
    Input input = {.width_px = (float)stage->width_px,
                   .height_px = (float)stage->height_px,
                   .pointer_px = stage->pointer_px,
                   .pointer_inside = stage->pointer_inside,
                   .events = events,
                   .event_count = count};
    app_frame(stage->app, &input, time_s, &stage->list);
    if (stage->renderer == NULL)
        return;
    renderer_redraw(stage->renderer, &stage->list, stage->width_px, stage->height_px, stage->keeps);
    stage->keeps = true;
    glFinish();
}

bool stage_png(unsigned char **bytes, size_t *size, const Stage *stage, Err *err) {
    unsigned char *rgba = malloc((size_t)stage->width_px * (size_t)stage->height_px * 4);
    if (rgba == NULL)
        return err_fail(err, "memory", "too little for %d x %d pixels; use a smaller --size",
                        stage->width_px, stage->height_px);
    offscreen_read(stage->offscreen, rgba);
    bool encoded = png_encode(bytes, size, rgba, stage->width_px, stage->height_px, err);
    free(rgba);
    return encoded;
}

bool stage_svg(unsigned char **bytes, size_t *size, const Stage *stage, Err *err) {
    char state[STATE_SHOWN_MAX], *text = NULL;
    Settings settings = *app_settings(stage->app);
    StateExtra extra = {
        .table = &PICTURE_OPTIONS, .values = &settings, .values_bytes = sizeof settings};
    state_write(state, sizeof state, app_session(stage->app), &extra);
    SvgAbout about = {registry_entry(&VIEW_REGISTRY, settings.view)->help, state};
    bool wrote = svg_encode(&text, size, &stage->list, &stage->measure, &about, err);
    *bytes = (unsigned char *)text;
    return wrote;
}
