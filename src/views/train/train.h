/* train.h: the Train view: the columns of Compare trained on one task. Its parts share the race
 * (the training runs of all columns) and the step on screen. Step 0 is before training. Without
 * threads the race is computed up to the step on screen. No part shows later steps, so a picture
 * does not depend on how far the race is. */
#ifndef HEADLIGHT_VIEWS_TRAIN_TRAIN_H
#define HEADLIGHT_VIEWS_TRAIN_TRAIN_H

#include "base/text_out.h"
#include "results/race_plan.h"
#include "ui/mark.h"
#include "ui/scroll.h"
#include "views/view.h"

typedef enum TrainPace { PACE_1, PACE_8, PACE_MOST } TrainPace;
extern const Registry TRAIN_PACES, TRAIN_SEEDS;

/* The inputs of a race. hash covers everything that its numbers depend on. */
typedef struct TrainKey {
    uint64_t revision; /* revision of the Results; 0 for none */
    RaceRequest request;
    uint64_t hash;
    bool is_given; /* true if every matrix is from a file: one start, without a scheme */
} TrainKey;

typedef struct TrainRace {
    Race *race; /* owned; NULL for none */
    TrainKey key;
    double begun_s; /* time when it started or continued */
} TrainRace;

/* Playing is a function of time: it shows `from` plus the steps since since_s. */
typedef struct TrainPlay {
    bool is_on;
    int from,
        asked; /* asked: the step that playing set last. Any other step was set by the user. */
    double since_s;
    uint64_t seen_frame;
} TrainPlay;

/* The drawn matrices of texts with many tokens, pooled: see train_maps.c. */
typedef struct TrainMap TrainMap;
typedef struct TrainMaps {
    uint64_t race; /* hash of the race they belong to */
    TrainMap *at;  /* NULL if memory ran out */
    Arena arena;
} TrainMaps;

/* A layer that the user wants in all views. When `look` is done, its weights go to the App. */
typedef struct TrainUse {
    uint64_t hash; /* hash of the layer's race */
    int column, step;
    bool is_asked;
    RaceLook *look; /* owned; NULL before it is started */
} TrainUse;

struct TrainMemory {
    TrainRace races[2]; /* newest and previous; the previous is shown until the newest has a step */
    int newest;
    bool is_stopped; /* true if the user stopped the race */
    Arena words;     /* scratch memory for a race's request */
    Err err;         /* why there is no race, if failed */
    bool failed;
    double restarted_until_s; /* until then the title says Restarted */
    uint64_t drawn_frame;
    TrainPlay play;
    TrainUse use;
    Scroll scroll;
    TrainMaps maps;
    int lit_step,
        found_step; /* step of the hovered map, from 1, 0 for none: last pass, this pass */
    TextOut copy;
};

/* What a frame of the view shows: a race at a step. */
typedef struct TrainScene {
    const ViewContext *c; /* with the columns of the race instead of the chosen ones */
    const Race *race;
    const TrainRace *of;
    int columns, steps;
    int step;     /* the step on screen */
    int frontier; /* last step that all finite columns have reached; −1 for none */
} TrainScene;

void train_frame(const ViewContext *context, Rect area);
void train_subtitle(char out[VIEW_SUBTITLE_MAX], const Session *session, const Settings *settings,
                    bool is_short);
bool train_press(const ViewContext *context, TransportButton button);
bool train_results(const ViewContext *context, ViewResult result, TextOut *out);

extern const ViewPosition TRAIN_POSITION;

/* Return the request for a race. *is_given is set as in TrainKey. */
RaceRequest train_request(const Session *session, const Settings *settings, bool *is_given);

/* Start or continue the race that the settings describe, at least to this step. Return false if
 * there is none; then memory->err says why. */
bool train_run(const ViewContext *context, int step);

const TrainRace *train_shown(const TrainMemory *memory);
int train_frontier(const Race *race);

/* Return the last step of a column up to this one. It is smaller if the column overflowed. */
int train_last(const Race *race, int column, int step);

/* Return the step to show now. train_press handles the keys that change it. */
int train_wanted(const ViewContext *context);
void train_go(const ViewContext *context, int step, uint64_t serial);

/* Return the start whose head is shown large. */
int train_chosen_start(const TrainScene *scene);

const char *train_name(const TrainScene *scene, int column);
/* Return the name of token i; "" if the race on screen belongs to a longer text. */
const char *train_token(const TrainScene *scene, int i, size_t *bytes);
void train_short_name(char out[64], const TrainScene *scene, int column);

/* Return the median over the seeds of a start's held-out loss at the step on screen. */
float train_loss(const TrainScene *scene, int start);

/* Draw a part. */
void train_loss_draw(const TrainScene *scene, Rect loss);
void train_score_draw(const TrainScene *scene, Rect score);
void train_norms_draw(const TrainScene *scene, Rect area);
/* Return the least height of the norms in which their names are legible. */
float train_norms_least(const TrainScene *scene);
/* The bar with the transport, with or without the controls: its height, and drawing it. */
float train_bar_height(const ViewContext *context, float width);
void train_bar_draw(const TrainScene *scene, Rect area, bool with_tools);
float train_tools_height(const ViewContext *context, float width);
void train_tools_draw(const ViewContext *context, Rect area);

extern const Registry TRAIN_LEAVING; /* see results_menu_draw */

/* Draw a column's mark, or a button with words. A click uses its layer of the step on screen in all
 * views. */
#define TRAIN_USE_W 54
void train_use_mark(const TrainScene *scene, Rect place, int column);
void train_use_draw(const TrainScene *scene, Rect line, int column);

/* Compute the requested weights, and pass them to the App when they are done. */
void train_use_go_on(const ViewContext *context);

/* True while the race is computed. memory may be NULL, also in the function below. */
bool train_memory_is_computing(TrainMemory *memory, const JobPool *pool);

/* Stop the race. It continues when the view shows it again. */
void train_memory_stop(TrainMemory *memory);
void train_memory_release(TrainMemory *memory, const JobPool *pool);

#endif
