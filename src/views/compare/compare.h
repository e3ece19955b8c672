/* compare.h: the Compare view: schemes side by side on one seed, theory beside measurement.
 * What all of its parts share: the columns as they are computed, their colours and shapes, and
 * the studies that take more than a frame. */
#ifndef HEADLIGHT_VIEWS_COMPARE_COMPARE_H
#define HEADLIGHT_VIEWS_COMPARE_COMPARE_H

#include "base/text_out.h"
#include "lab/std_grid.h"
#include "lab/study_job.h"
#include "lab/width_sweep.h"
#include "results/comparison.h"
#include "ui/axis.h"
#include "ui/chart.h"
#include "ui/scroll.h"
#include "views/compare/compare_choices.h"
#include "views/shared/columns.h"
#include "views/view.h"

/* The inputs of the columns. */
typedef struct CompareKey {
    uint64_t revision;
    OptionList schemes, own[ATTN_WEIGHT_COUNT];
    unsigned parts;
    int layers, rule, seeds;
} CompareKey;

/* A job's results, and those of the job before, which are shown until there are new ones. Both jobs
 * are owned and may be NULL. */
typedef struct CompareJob {
    Job *now, *before;
    uint64_t asked_frame; /* the last frame in which the part on screen asked for it */
    double begun_s;
    bool failed; /* err says why */
    Err err;
} CompareJob;

/* A study of the columns. */
typedef struct CompareStudy {
    CompareJob job;
    CompareKey key; /* of the newest study */
    bool is_paused; /* by a person */
} CompareStudy;

/* Layers stacked; effective ranks of the seed that is shown; many seeds of one layer. */
typedef enum CompareStudies {
    COMPARE_STACK,
    COMPARE_RANKS,
    COMPARE_SEEDS,
    COMPARE_STUDY_COUNT
} CompareStudies;

/* The answers of Spot the bug, from 1; 0 where there is none yet. */
#define QUIZ_MOST 16
typedef struct QuizMemory {
    int guess[QUIZ_MOST];
} QuizMemory;

/* Of the map. */
typedef struct StdGridMemory {
    CompareJob job;    /* of StdGrid */
    uint64_t revision; /* of the Results that the newest is of; 0 for none */
    float shown[STD_GRID_SIDE * STD_GRID_SIDE]; /* as it is coloured */
} StdGridMemory;

/* Which measures a set's table has. */
typedef enum CompareTable { TABLE_FEW, TABLE_ALL, TABLE_CASE } CompareTable;

/* The maps of the columns, where they are not A itself. */
typedef struct CompareMapsKey {
    uint64_t revision; /* of the Results; 0 before the first time */
    ComparisonRequest request;
    CompareMaps kind;
    int against; /* a column, from 1 */
} CompareMapsKey;
typedef struct CompareMapsMade {
    CompareMapsKey key;
    Arena arena;
    Mat maps; /* (columns*H*T, T), or rows 0 */
    Err err;
    bool failed;
} CompareMapsMade;

/* A measure over the seeds, counted as they come in. */
#define SEED_BINS 48
typedef struct SeedBins {
    const float *values; /* of the study that they are of; NULL for none */
    int in;              /* seeds that are counted */
    Axis axis;
    unsigned counts[COMPARISON_MAX][SEED_BINS];
} SeedBins;

struct CompareMemory {
    CompareMapsMade maps;
    CompareStudy studies[COMPARE_STUDY_COUNT];
    SeedBins bins[STUDY_STAT_COUNT];
    Scroll scroll, view_scroll;  /* of a part; of all in a low window */
    float tools_h;               /* of the pass before */
    float wipe;                  /* where the wipe stands, less a half */
    Session unit;                /* what the button Unit X asks for; text NULL before */
    int dragged;                 /* the column whose head is dragged, from 1; 0 for none */
    Rect places[COMPARISON_MAX]; /* of the columns in this pass */
    QuizMemory quiz;
    StdGridMemory plane;
    CompareJob scale;                     /* of WidthSweep: the chart of 1/√d_k */
    ChartHover hover[COMPARE_PART_COUNT]; /* of each page's charts, which have the same x */
    TextOut copy;
};

void compare_frame(const ViewContext *asked, Rect area);

/* Show another job's results, which may be NULL. The newest so far become those before if keeps. */
void compare_job_replace(const ViewContext *context, CompareJob *job, Job *next, bool keeps);

/* Note that the part on screen asks for the job, start it unless it works or is over, and wait as
 * long as the frame can. */
void compare_job_run(const ViewContext *context, CompareJob *job, bool is_over);

/* True if the results before are still to be shown, so that quick changes do not flicker. */
bool compare_job_is_early(const ViewContext *context, const CompareJob *job);

/* Say in area why the job failed. False if it did not. */
bool compare_job_fail_draw(const ViewContext *context, Rect area, const CompareJob *job);

/* Stop what the part on screen does not ask for. Called at the end of a frame. */
void compare_jobs_stop_others(const ViewContext *context);

/* What it asks of the Results: the hook of its row in VIEWS. */
void compare_request(ResultsRequest *request, const Session *session, const Settings *settings,
                     const ViewMemory *memory);

/* What the Results has for the part that is shown, where that asks for any; and whether it is of
 * that kind. */
static inline const Comparison *compare_comparison(const ViewContext *context) {
    return &context->run->comparison->comparison;
}
static inline bool compare_is_of(const ViewContext *context, ComparisonKind kind) {
    return context->run->comparison != NULL && context->run->comparison->request.kind == kind;
}

/* The same context with the columns that the Results has in place of those that are chosen, which
 * may be on their way: what is drawn goes by these. settings holds them. */
ViewContext compare_shown(const ViewContext *context, Settings *settings);

/* The deviations of a column's W_Q and W_K as they are drawn. */
void compare_deviations(const ViewContext *context, int column, double *query, double *key);

/* A value of the column's one seed. */
double compare_value(const ViewContext *context, int column, StudyStat stat);

/* The table's measures in the part that is shown. */
CompareTable compare_table(const ViewContext *context);
void compare_memory_release(CompareMemory *memory, const JobPool *pool);

/* The study of the view's columns, with their overrides; parts of StudyPart. */
StudyPlan compare_plan(const ViewContext *context, unsigned parts, int layers, int seeds);

/* What a study of the columns is made from, and whether two are of the same. */
CompareKey compare_key(const ViewContext *context, unsigned parts);
bool compare_key_same(const CompareKey *a, const CompareKey *b);

/* Compute the study of the columns that are chosen now. */
void compare_stack_run(const ViewContext *context);
void compare_seeds_run(const ViewContext *context);
void compare_ranks_run(const ViewContext *context);

/* A row of the ranks of a column, or not a number while it is not known. */
float compare_rank(const ViewContext *context, int column, StudyStat stat);

/* Return the results to show of a study: the newest, or for a moment those before. units is 0 if
 * there are none. Of the plan only the counts may be used. */
const Study *compare_study_shown(const ViewContext *context, const CompareStudy *study);

/* The study over many seeds while it says more than the seed that is shown; else NULL. */
const Study *compare_seeds_shown(const ViewContext *context);

/* True while a job works. memory may be NULL, here and below. */
bool compare_memory_is_computing(CompareMemory *memory, const JobPool *pool);

/* Drop all jobs. */
void compare_jobs_release(CompareMemory *memory, const JobPool *pool);

/* Stop all jobs, which continue when they are shown again. */
void compare_memory_stop(CompareMemory *memory);

/* What the map, or the chart over the widths of a head, is drawn from; NULL for want of memory. */
const StdGrid *compare_plane(const ViewContext *context);
const WidthSweep *compare_widths(const ViewContext *context);

/* One column's parts: the maps, from place's top, return the height they took; the histogram fills
 * its place. */
#define COMPARE_SPREAD_H 124
float compare_maps_draw(const ViewContext *context, Rect place, int column);
void compare_spread_draw(const ViewContext *context, Rect place, int column);
void compare_table_draw(const ViewContext *context, Rect place, int column);

/* The distribution of a measure over the seeds, on the axis of the table's track; nothing for a
 * single seed. */
void compare_seeds_shape(const ViewContext *context, Rect track, StudyStat stat, int column,
                         const Axis *axis);

/* That of the chosen measure in the place of the histogram; false where there is none. */
bool compare_seeds_draw(const ViewContext *context, Rect place, int column);

/* True if X is near enough to that of theory: rms 1, and rows that have little in common. */
bool compare_x_is_unit(const ViewContext *context);

/* What is expected on this X, and how far one draw lies from it. False if nothing is known; then
 * both are NaN. */
bool compare_given(double *value, double *chance, const ViewContext *context, int column,
                   StudyStat stat);

/* "1.4 ± 0.2": to the chance's first figure, or to its second if the first is 1. No line ends
 * within it. */
void compare_given_text(char out[64], double value, double chance);

/* True if one draw seldom lies so far from what is expected. */
bool compare_is_news(const ViewContext *context, int column, StudyStat stat, double measured);

/* The same against what was measured, as sentences that begin with a blank; "" if nothing is
 * known. */
void compare_given_words(char out[200], const ViewContext *context, int column, StudyStat stat,
                         double measured);

/* Why nothing is expected of a number, as a sentence. */
void compare_why_none(char out[200], const ViewContext *context, int column, StudyStat stat);

/* What has to be said of a whole column, or "". */
const char *compare_words(const ViewContext *context, int column);

/* What the maps show: the kind is that of the columns alone. */
CompareMaps compare_maps_kind(const ViewContext *context);

/* Make that, when the columns or what is to be shown have changed. False, with the reason in the
 * memory, for want of memory. */
bool compare_maps_make(const ViewContext *context);
float compare_maps_height(const ViewContext *context, float width);
float compare_table_height(const ViewContext *context, float width);

/* Name, formula and the schemes of single matrices. */
float compare_head_draw(const ViewContext *context, Rect place, int column);
float compare_head_height(const ViewContext *context);

/* What the part that is shown has to give as text; false where it has nothing yet, or for want of
 * memory. And the same on the clipboard. */
bool compare_results(const ViewContext *context, ViewResult result, TextOut *out);
void compare_copy(const ViewContext *context, ViewResult result);

/* What the fused part and Spot the bug are about. */
void compare_fused_schemes(OptionList *out);
int compare_quiz_bug(const CompareSettings *chosen);

/* The parts of the view. */
void compare_columns_draw(const ViewContext *context, Rect area);

/* The line about X above the columns. */
float compare_input_height(float width);
void compare_input_draw(const ViewContext *context, Rect line);
void compare_depth_draw(const ViewContext *context, Rect area);
void compare_map_draw(const ViewContext *context, Rect area);
void compare_scale_draw(const ViewContext *context, Rect area);
void compare_fused_draw(const ViewContext *context, Rect area);
void compare_quiz_draw(const ViewContext *context, Rect area);

/* Y and the gradient, layer by layer, side by side. */
void compare_stack_charts(const ViewContext *context, Rect area);

#endif
