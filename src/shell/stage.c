#include "shell/stage.h"

#include <stdlib.h>
#include <string.h>

#include "gfx/text.h"
#include "shell/timing.h"

static bool create_app(Stage *stage, const Session *session, const Settings *settings,
                       StageOptions options, Err *err) {
    if (!assets_load_used(&stage->assets, session, err))
        return false;
    if (options.changes)
        assets_load_all(&stage->assets);
    stage->measure = text_measure(stage->fonts);
    AppResources resources = {.run = stage->assets.run,
                              .measure = &stage->measure,
                              .tokens_max = TOKENS_MAX,
                              .load_tour = assets_tour,
                              .load_weights = assets_weights,
                              .motion_s = options.motion_s};
    if (options.kind == STAGE_WINDOW) {
        resources.now_s = timing_now_s;
        resources.pool = pool_jobs(&stage->pool, 0);
    }
    stage->app = app_create(&resources, session, settings, err);
    return stage->app != NULL;
}

bool stage_begin(Stage *stage, const Session *session, const Settings *settings,
                 StageOptions options, Err *err) {
    *stage = (Stage){.pool = {.yields = options.kind == STAGE_WINDOW},
                     .width_px = settings->size.first,
                     .height_px = settings->size.second};
    if (fonts_create(&stage->fonts, err) &&
        (options.kind == STAGE_LIST ||
         soft_create(&stage->soft, stage->fonts, pool_jobs(&stage->pool, options.threads), err)) &&
        create_app(stage, session, settings, options, err))
        return true;
    stage_end(stage);
    return false;
}

void stage_end(Stage *stage) {
    app_destroy(stage->app);
    /* Wait for running jobs until they end: no window hangs meanwhile. */
    while (!pool_end(&stage->pool))
        ;
    draw_release(&stage->list);
    soft_release(stage->soft);
    fonts_release(stage->fonts);
    assets_release(&stage->assets);
    *stage = (Stage){0};
}

void stage_point_at(Stage *stage, Vec2 at) {
    stage->pointer_px = (Vec2){at.x * stage->list.scale, at.y * stage->list.scale};
    stage->pointer_inside = true;
}

bool stage_find(Vec2 *at, float *width, const Stage *stage, const char *words) {
    const DrawList *list = &stage->list;
    size_t bytes = strlen(words);
    for (size_t i = 0; i < list->command_count; i++) {
        const DrawText *text = &list->commands[i].as.text;
        if (list->commands[i].kind != DRAW_TEXT || text->text_bytes != bytes ||
            memcmp(list->text + text->text_at, words, bytes) != 0)
            continue;
        *at = text->at;
        *width = stage->measure.width(stage->measure.context, text->font, text->size, words, bytes);
        return true;
    }
    return false;
}

/* Remember the failure: later frames may lack the same thing without an error, because SDL_ttf does
 * not retry a glyph for which it had no memory. */
static void note_failures(Stage *stage) {
    Err err;
    const Err *shown = app_failure(stage->app);
    if (stage->soft != NULL && !stage->is_unseen &&
        !soft_draw(stage->soft, &stage->list, stage->width_px, stage->height_px, &err))
        stage->failure = err;
    if (!fonts_check(stage->fonts, &err))
        stage->failure = err;
    if (stage->list.dropped > 0)
        err_fail(&stage->failure, "memory",
                 "too little for all of the picture; close other programs");
    if (shown != NULL)
        stage->failure = *shown;
}

void stage_frame(Stage *stage, const InputEvent *events, int count, double time_s) {
    Input input = {.width_px = (float)stage->width_px,
                   .height_px = (float)stage->height_px,
                   .pointer_px = stage->pointer_px,
                   .pointer_inside = stage->pointer_inside,
                   .events = events,
                   .event_count = count};
    app_frame(stage->app, &input, time_s, &stage->list);
    note_failures(stage);
    stage->drawn_s = timing_now_s();
}

bool stage_check(const Stage *stage, Err *err) {
    *err = stage->failure;
    return stage->failure.kind == ERR_NONE;
}
