/* train.h: the Train view: the columns of Compare, trained on one task. A start is the initial
 * weights of a column. The view's parts share the race (the training runs of all columns) and
 * the step on screen. Step 0 is before training. Without threads the race is computed only up to
 * the step on screen. No part shows later steps, so a picture does not depend on how far the
 * race is. */
#ifndef HEADLIGHT_VIEWS_TRAIN_TRAIN_H
#define HEADLIGHT_VIEWS_TRAIN_TRAIN_H

#include "results/study_plan.h"
#include "ui/scroll.h"
#include "views/shared/columns.h"
#include "views/view.h"

typedef enum TrainPace { PACE_1, PACE_8, PACE_MOST } TrainPace;
extern const Registry TRAIN_PACES, TRAIN_SEEDS;

/* The inputs of a race. hash covers everything that its numbers depend on. */
typedef struct TrainKey {
    uint64_t revision; /* revision of the Results; 0 for none */
    RaceRequest request;
    uint64_t hash;
    /* True if every matrix comes from a file: then there is one column, without a scheme. */
    bool is_given;
} TrainKey;

typedef struct TrainRace {
    Race *race; /* owned; NULL for none */
    TrainKey key;
    double begun_s; /* time at which its computation started or continued */
} TrainRace;

/* The state of playing: the step is `from` plus the steps that were due since since_s. */
typedef struct TrainPlay {
    bool is_on;
    /* asked: the step that playing set last. If the setting has another step, the user has set
     * it. */
    int from, asked;
    double since_s;
    uint64_t seen_frame;
} TrainPlay;

/* A trained layer that the user wants to use in all views. When `look` is finished, its weights are
 * passed to the App. */
typedef struct TrainUse {
    uint64_t hash; /* hash of the layer's race */
    int column, step;
    bool is_asked;
    RaceLook *look; /* owned: the job that computes the layer; NULL before it is started */
} TrainUse;

struct TrainMemory {
    /* The newest race, races[newest], and the previous one, which is shown until the newest has a
     * step. */
    TrainRace races[2];
    int newest;
    bool is_stopped; /* true if the user stopped the race */
    Arena words;     /* scratch memory for the request of a race */
    Err err;         /* if failed: why there is no race */
    bool failed;
    double restarted_until_s; /* time until which the title says Restarted */
    uint64_t drawn_frame;
    TrainPlay play;
    TrainUse use;
    Scroll scroll;
    Arena pooled; /* pooled copies of this pass's matrices, if the text has many tokens */
    /* Step of the map under the pointer, from 1 (0 for none): as found in the previous pass, and as
     * found so far in this pass. */
    int lit_step, found_step;
};

/* The race and the step that all parts of the view show in a frame. */
typedef struct TrainScene {
    /* The context, with the columns of the race instead of the chosen columns. */
    const ViewContext *c;
    const Race *race;
    const TrainRace *of;
    int columns, steps;
    int step;     /* the step on screen */
    int frontier; /* last step that all columns with a finite loss have reached; −1 for none */
} TrainScene;

void train_frame(const ViewContext *context, Rect area);
void train_subtitle(char out[VIEW_SUBTITLE_MAX], const Session *session, const Settings *settings,
                    bool is_short);
bool train_press(const ViewContext *context, TransportButton button);
bool train_results(const ViewContext *context, ViewResult result, TextOut *out);

extern const ViewPosition TRAIN_POSITION;

/* Return the request for the race that session and settings describe. Set *is_given as in
 * TrainKey. */
RaceRequest train_request(const Session *session, const Settings *settings, bool *is_given);

/* Start or continue the race that the settings describe, at least up to this step. Return false if
 * there is none; then memory->err says why. */
bool train_run(const ViewContext *context, int step);

const TrainRace *train_shown(const TrainMemory *memory);
int train_frontier(const Race *race);

/* Return `step` or, if the column overflowed before it, the column's last step. */
int train_last(const Race *race, int column, int step);

/* Return the step to show now: the one in the settings or, while the view plays, the one that is
 * due. train_go sets the step. */
int train_wanted(const ViewContext *context);
void train_go(const ViewContext *context, int step, uint64_t serial);

/* Return the column whose chosen head is drawn large. */
int train_chosen_start(const TrainScene *scene);

const char *train_name(const TrainScene *scene, int column);
/* Return the name of token i; "" if the race on screen belongs to a longer text. */
TokenLabel train_token(const TrainScene *scene, int i);
const char *train_short_name(char out[64], const TrainScene *scene, int column);

/* Return the held-out loss of a column at the step on screen: the median over its seeds. */
float train_loss(const TrainScene *scene, int start);

void train_loss_draw(const TrainScene *scene, Rect loss);
void train_score_draw(const TrainScene *scene, Rect score);
/* The grid of columns, in rows of equal height; logical pixels. */
typedef struct TrainGrid {
    int columns, across, rows;
    float width, between, row_h, height;
    MapGrid heads;
    /* Side of the maps that show the chosen head at five moments, and the gap between them. */
    float moment, moment_gap;
} TrainGrid;

/* Reserve memory for the pooled heatmaps of a pass. Call before the heads are drawn. */
void train_heads_prepare(const TrainScene *scene);

/* Return a grid of this width whose heads are at most `most` px wide. */
TrainGrid train_grid(const TrainScene *scene, float width, float most);
void train_columns_draw(const TrainScene *scene, const TrainGrid *grid, Rect area);

/* Draw the chosen head of the chosen column at the step on screen, with the names of its tokens.
 * train_large_width returns the width that it needs. */
float train_large_width(const TrainScene *scene, float height);
void train_large_draw(const TrainScene *scene, Rect area);

void train_norms_draw(const TrainScene *scene, Rect area);
/* Return the smallest height of the gradient norms' chart at which its names are legible. */
float train_norms_least(const TrainScene *scene);
/* Return the height of the bar at the lower end of the view. train_bar_draw draws the bar;
 * with_tools: with the controls. */
float train_bar_height(const ViewContext *context, float width);
void train_bar_draw(const TrainScene *scene, Rect area, bool with_tools);
float train_tools_height(const ViewContext *context, float width);
void train_tools_draw(const ViewContext *context, Rect area);

/* Draw a button with a column's mark, or with the word Use. A click uses this column's layer, at
 * the step on screen, in all views. */
#define TRAIN_USE_W 54
void train_use_mark(const TrainScene *scene, Rect place, int column);
void train_use_draw(const TrainScene *scene, Rect line, int column);

/* Compute the layer that the user wants to use in all views, and pass its weights to the App when
 * they are ready. */
void train_use_go_on(const ViewContext *context);

bool train_memory_is_computing(TrainMemory *memory, const JobPool *pool);

/* Stop the race. It continues when the view is shown again. */
void train_memory_stop(TrainMemory *memory);
void train_clear(TrainMemory *memory, const JobPool *pool);

#endif
