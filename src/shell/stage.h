/* stage.h: the whole program without a window: the App, its fonts and assets and, if pixels are
 * wanted, a renderer that draws into memory. Except in a STAGE_WINDOW, a frame depends only on the
 * session, the settings, the events, the pointer and the time. */
#ifndef HEADLIGHT_SHELL_STAGE_H
#define HEADLIGHT_SHELL_STAGE_H

#include "app/app.h"
#include "gfx/soft.h"
#include "shell/assets.h"
#include "shell/pool.h"

#define STAGE_SETTLED_S 60.0 /* seconds after which all motion has ended */

typedef struct Stage {
    Assets assets;
    GfxFonts *fonts;
    Soft *soft; /* NULL if no pixels are wanted */
    App *app;
    DrawList list;
    TextMeasure measure;
    int width_px, height_px;
    bool is_unseen; /* true if the next frames need no pixels */
    /* The pointer's place in the next frames, valid if pointer_inside. */
    Vec2 pointer_px;
    bool pointer_inside;
    Pool pool;
    double drawn_s; /* time when the last frame was completely drawn */
    Err failure;    /* why an earlier frame was incomplete; kind ERR_NONE if none was */
} Stage;

typedef enum StageKind {
    STAGE_PIXELS, /* draw lists and pixels */
    STAGE_LIST,   /* draw lists only */
    STAGE_WINDOW  /* pixels, and threads and a clock for the App: frames depend on real time */
} StageKind;

/* Options of a stage. All zero is a stage for a picture. */
typedef struct StageOptions {
    StageKind kind;
    float motion_s; /* see AppResources.motion_s */
    bool changes;   /* true if the session may change, by keys or a tour */
    int threads;    /* number of threads of each priority; 0: one for each processor */
} StageOptions;

/* Prepare for frames of settings->size pixels. On failure there is nothing to end. stage must not
 * be copied or moved while in use. */
bool stage_begin(Stage *stage, const Session *session, const Settings *settings,
                 StageOptions options, Err *err);
void stage_end(Stage *stage);

/* Set the pointer's place for the next frames, in logical pixels. */
void stage_point_at(Stage *stage, Vec2 at);

/* Find the first text in the last frame that equals words. Set *at to the left end of its baseline
 * and *width to its width, in logical pixels. Return false if there is none. */
bool stage_find(Vec2 *at, float *width, const Stage *stage, const char *words);

void stage_frame(Stage *stage, const InputEvent *events, int count, double time_s);

/* Fail if anything is missing in the last frame or an earlier one. */
bool stage_check(const Stage *stage, Err *err);

#endif
