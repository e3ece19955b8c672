#include "shell/stage.h"

#include <epoxy/gl.h>
#include <stdlib.h>

#include "export/png.h"
#include "gfx/text.h"

static bool create_app(Stage *stage, const Session *session, const Settings *settings, Err *err) {
    if (!assets_load_used(&stage->assets, session, err))
        return false;
    stage->measure = text_measure(stage->fonts);
    AppResources resources = {
        .run = stage->assets.run, .measure = &stage->measure, .tokens_max = TOKENS_MAX};
    stage->app = app_create(&resources, session, settings, err);
    return stage->app != NULL;
}

bool stage_begin(Stage *stage, const Session *session, const Settings *settings, Err *err) {
    *stage = (Stage){.width_px = settings->size.first, .height_px = settings->size.second};
    if (offscreen_create(&stage->offscreen, stage->width_px, stage->height_px, err) &&
        fonts_create(&stage->fonts, err) &&
        renderer_create(&stage->renderer, stage->fonts, NULL, err) &&
        create_app(stage, session, settings, err))
        return true;
    stage_end(stage);
    return false;
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
                   .events = events,
                   .event_count = count};
    app_frame(stage->app, &input, time_s, &stage->list);
    renderer_draw(stage->renderer, &stage->list, stage->width_px, stage->height_px);
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
