/* train.h: the Train view: the columns of Compare trained side by side on one task. What its parts
 * share: the race as it is computed, where the view stands in it, and what is drawn of that. At
 * step 0 nothing is trained yet; without threads the race is computed as far as the picture shows.
 * So that a picture is the same wherever it is made, no part looks further than the step on screen.
 */
#ifndef HEADLIGHT_VIEWS_TRAIN_TRAIN_H
#define HEADLIGHT_VIEWS_TRAIN_TRAIN_H

#include "base/text_out.h"
#include "lab/race_job.h"
#include "results/race_plan.h"
#include "ui/mark.h"
#include "ui/scroll.h"
#include "views/view.h"

typedef enum TrainPace { PACE_1, PACE_8, PACE_MOST } TrainPace;
extern const Registry TRAIN_PACES, TRAIN_SEEDS;

/* What a race is of: hash is of all that its numbers depend on. */
typedef struct TrainKey {
    uint64_t revision; /* of the Results; 0 for none */
    RaceRequest request;
    uint64_t hash;
    bool is_given; /* every matrix is the session's own: one start, without a scheme */
} TrainKey;

typedef struct TrainRace {
    RaceJob *job; /* owned; NULL for none */
    TrainKey key;
    double begun_s; /* or gone on */
} TrainRace;

/* Playing is a closed form of time: so many steps since it set off from one. */
typedef struct TrainPlay {
    bool is_on;
    int from, asked; /* asked: the step that it set last; another was set by a person */
    double since_s;
    uint64_t seen_frame;
} TrainPlay;

/* Of many tokens: the matrices that are drawn, made smaller; see train_maps.c. */
typedef struct TrainMap TrainMap;
typedef struct TrainMaps {
    uint64_t race; /* the hash of the race that they are of */
    TrainMap *at;  /* NULL without memory */
    Arena arena;
} TrainMaps;

/* A layer that a person asked to put in use. When the look is done its weights go to the App. */
typedef struct TrainUse {
    uint64_t hash; /* of its race */
    int column, step;
    bool is_asked;
    RaceLook *look; /* owned; NULL before it is started */
} TrainUse;

struct TrainMemory {
    TrainRace races[2]; /* the newest, and the one before, shown until that has its first step */
    int newest;
    bool is_stopped; /* by a person */
    Arena words;     /* scratch of a plan */
    Err err;         /* why there is no race, where failed */
    bool failed;
    double restarted_until_s; /* so long it is said that a race took another's place */
    uint64_t drawn_frame;
    TrainPlay play;
    TrainUse use;
    Scroll scroll;
    TrainMaps maps;
    int lit_step, found_step; /* of the map under the pointer, from 1, or 0 for none: as it is said,
                                 and as this pass finds it */
    TextOut copy;
};

/* One picture: the race that is shown, and where. */
typedef struct TrainScene {
    const ViewContext *c; /* with the columns that the race has in place of those that are chosen */
    const Race *race;
    const TrainRace *of;
    int columns, steps;
    int step;     /* where it stands */
    int frontier; /* so far every column has got that goes on; −1 where one has no step yet */
} TrainScene;

void train_frame(const ViewContext *context, Rect area);
void train_subtitle(char out[VIEW_SUBTITLE_MAX], const Session *session, const Settings *settings,
                    bool is_short);
bool train_press(const ViewContext *context, TransportButton button);
bool train_results(const ViewContext *context, ViewResult result, TextOut *out);

extern const ViewPosition TRAIN_POSITION;

/* What is asked of a race. is_given: see TrainKey. */
RaceRequest train_request(const Session *session, const Settings *settings, bool *is_given);

/* See to it that there is the race that is asked for, at least as far as the step, and that it goes
 * on. False where there is none: then memory->err says why. */
bool train_run(const ViewContext *context, int step);

/* Those that are shown. */
const TrainRace *train_shown(const TrainMemory *memory);
int train_frontier(const Race *race);

/* The last step up to that one which a column has: it overflowed where that is less. */
int train_last(const Race *race, int column, int step);

/* The step that is asked for as of now, and what a person does to it. */
int train_wanted(const ViewContext *context);
void train_go(const ViewContext *context, int step, uint64_t serial);
void train_play(const ViewContext *context, bool on);

/* What stands in a column's place. */
const char *train_name(const TrainScene *scene, int column);
/* The name of token i; empty if the race on screen is of a longer text than the Results. */
const char *train_token(const TrainScene *scene, int i, size_t *bytes);
void train_short_name(char out[64], const TrainScene *scene, int column);

/* Held-out loss and score of a start at a step, of the seed at that rank from 0: the seeds are
 * sorted by it. A seed that overflowed has an infinite loss and keeps its last score. */
typedef enum TrainCurve { TRAIN_HELD_OUT, TRAIN_SCORE } TrainCurve;
float train_ranked(const TrainScene *scene, TrainCurve curve, int start, int step, int rank);

/* The median over the seeds. */
float train_median(const TrainScene *scene, TrainCurve curve, int start, int step);

/* The parts. */
void train_charts_draw(const TrainScene *scene, Rect loss, Rect score);
void train_norms_draw(const TrainScene *scene, Rect area);
/* The transport with all controls, or without them, which then stand elsewhere. */
float train_bar_height(const ViewContext *context, float width);
void train_bar_draw(const TrainScene *scene, Rect area, bool with_tools);
float train_tools_height(const ViewContext *context, float width);
void train_tools_draw(const ViewContext *context, Rect area);

/* The menu of what can leave, to the clipboard or into a file. */
float train_leaving_width(const ViewContext *context);
void train_leaving_draw(const ViewContext *context, Rect place);

/* True while the race is computed. memory may be NULL, here and below. */
bool train_memory_is_computing(TrainMemory *memory, const JobPool *pool);

/* Stop the race, which continues when it is shown again. */
void train_memory_stop(TrainMemory *memory);
void train_memory_release(TrainMemory *memory, const JobPool *pool);

#endif
