#include "shell/stage.h"

#include <stdlib.h>
#include <string.h>

#include "gfx/text.h"
#include "shell/picture.h"
#include "shell/timing.h"

/* What a stage needs in addition to the App. */
typedef enum StageKind {
    STAGE_LIST,
    STAGE_PIXELS,
    STAGE_WINDOW /* pixels, threads and a clock */
} StageKind;

static bool create_app(Stage *stage, const Session *session, const Settings *settings,
                       StageKind kind, float motion_s, Err *err) {
    if (!assets_load_used(&stage->assets, session, err))
        return false;
    stage->measure = text_measure(stage->fonts);
    AppResources resources = {.run = stage->assets.run,
                              .measure = &stage->measure,
                              .tokens_max = TOKENS_MAX,
                              .load_tour = assets_tour,
                              .load_weights = assets_weights,
                              .motion_s = motion_s};
    if (kind == STAGE_WINDOW) {
        resources.now_s = timing_now_s;
        resources.pool = pool_jobs(&stage->pool, 0);
    }
    stage->app = app_create(&resources, session, settings, err);
    return stage->app != NULL;
}

static bool begin(Stage *stage, const Session *session, const Settings *settings, StageKind kind,
                  const StageOptions *options, Err *err) {
    *stage = (Stage){.width_px = settings->size.first, .height_px = settings->size.second};
    if (fonts_create(&stage->fonts, err) &&
        (kind == STAGE_LIST ||
         soft_create(&stage->soft, stage->fonts, pool_jobs(&stage->pool, options->threads), err)) &&
        create_app(stage, session, settings, kind, options->motion_s, err))
        return true;
    stage_end(stage);
    return false;
}

bool stage_begin(Stage *stage, const Session *session, const Settings *settings, Err *err) {
    return begin(stage, session, settings, STAGE_PIXELS, &(StageOptions){0}, err);
}

bool stage_begin_film(Stage *stage, const Session *session, const Settings *settings,
                      const StageOptions *options, Err *err) {
    return begin(stage, session, settings, STAGE_PIXELS, options, err);
}

bool stage_begin_list(Stage *stage, const Session *session, const Settings *settings, Err *err) {
    return begin(stage, session, settings, STAGE_LIST, &(StageOptions){0}, err);
}

bool stage_begin_window(Stage *stage, const Session *session, const Settings *settings, Err *err) {
    return begin(stage, session, settings, STAGE_WINDOW, &(StageOptions){0}, err);
}

void stage_end(Stage *stage) {
    if (stage->app != NULL)
        app_destroy(stage->app);
    /* Do not wait for cancelled jobs, because no window waits for their end. */
    while (!pool_end(&stage->pool))
        ;
    draw_release(&stage->list);
    soft_release(stage->soft);
    if (stage->fonts != NULL)
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

/* Keep the failure for later frames, which may lack the same: SDL_ttf remembers a glyph that it had
 * no memory for. */
static void note_failures(Stage *stage) {
    Err err;
    const Err *shown = app_failure(stage->app);
    if (stage->soft != NULL && !stage->is_unseen &&
        !soft_draw(stage->soft, &stage->list, stage->width_px, stage->height_px, &err))
        stage->failure = err;
    if (stage->list.dropped > 0 || fonts_has_failed(stage->fonts))
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

bool stage_png(unsigned char **bytes, size_t *size, const Stage *stage, Err *err) {
    return stage_check(stage, err) && picture_png(bytes, size, stage->app, stage->soft, err);
}

bool stage_svg(unsigned char **bytes, size_t *size, const Stage *stage, Err *err) {
    return stage_check(stage, err) &&
           picture_svg(bytes, size, stage->app, &stage->list, stage->fonts, &(SvgAbout){0}, err);
}
