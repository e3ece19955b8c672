/* stage.h: the whole program without a window: the App, its fonts and assets, and where pixels are
 * asked for a renderer that draws to memory. A frame is a function of (session, settings, events,
 * time). */
#ifndef HEADLIGHT_SHELL_STAGE_H
#define HEADLIGHT_SHELL_STAGE_H

#include "app/app.h"
#include "gfx/soft.h"
#include "shell/assets.h"
#include "shell/pool.h"

typedef struct Stage {
    Assets assets;
    GfxFonts *fonts;
    Soft *soft; /* NULL if no pixels are wanted */
    App *app;
    DrawList list;
    TextMeasure measure;
    int width_px, height_px;
    bool is_unseen;  /* the next frames need no pixels */
    Vec2 pointer_px; /* of the next frame; it is nowhere unless inside */
    bool pointer_inside;
    Pool pool;
    double drawn_s; /* when the last frame had its last pixel */
    Err failure;    /* why something is missing in a frame so far; else of kind ERR_NONE */
} Stage;

/* What a recording has of its own; zeroed is a picture's. */
typedef struct StageOptions {
    float motion_s; /* as in AppResources */
    int threads;    /* of each priority; 0: one for each processor */
} StageOptions;

/* Make everything ready for frames of settings->size pixels; stage_begin_list makes draw lists
 * alone. stage_begin_window computes in the background and has a clock, as the window does, so that
 * its frames depend on time. On failure there is nothing to end. stage must not be copied or moved
 * while in use. */
bool stage_begin(Stage *stage, const Session *session, const Settings *settings, Err *err);
bool stage_begin_film(Stage *stage, const Session *session, const Settings *settings,
                      const StageOptions *options, Err *err);
bool stage_begin_list(Stage *stage, const Session *session, const Settings *settings, Err *err);
bool stage_begin_window(Stage *stage, const Session *session, const Settings *settings, Err *err);
void stage_end(Stage *stage);

/* Where the pointer is in the next frames, in logical pixels. */
void stage_point_at(Stage *stage, Vec2 at);

/* The last drawn text that is exactly words: its first letter's left end, its baseline and its
 * width, in logical pixels. False if none was drawn. */
bool stage_find(Vec2 *at, float *width, const Stage *stage, const char *words);

/* One frame at time_s after these events, drawn to its last pixel. */
void stage_frame(Stage *stage, const InputEvent *events, int count, double time_s);

/* Fail if anything is missing in the last frame or in one before it. */
bool stage_check(const Stage *stage, Err *err);

/* The picture of the last frame as a PNG or SVG file in memory, to be freed by the caller. Fails if
 * anything is missing in it or in a frame before. */
bool stage_png(unsigned char **bytes, size_t *size, const Stage *stage, Err *err);
bool stage_svg(unsigned char **bytes, size_t *size, const Stage *stage, Err *err);

#endif
