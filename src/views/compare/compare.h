/* compare.h: the Compare view: initialisation schemes in columns on one seed, theory next to
 * measurement. One of its parts is on screen. The parts share the computed columns and the studies
 * that take more than a frame. */
#ifndef HEADLIGHT_VIEWS_COMPARE_COMPARE_H
#define HEADLIGHT_VIEWS_COMPARE_COMPARE_H

#include <string.h>

#include "lab/std_grid.h"
#include "results/comparison.h"
#include "ui/axis.h"
#include "ui/chart.h"
#include "ui/scroll.h"
#include "views/shared/columns.h"
#include "views/shared/tools.h"
#include "views/view.h"

#define COMPARE_SEEDS_MAX  10000
#define COMPARE_LAYERS_MAX 48

typedef enum ComparePart {
    COMPARE_COLUMNS,
    COMPARE_DEPTH,
    COMPARE_MAP,
    COMPARE_SCALE,
    COMPARE_ROOT,
    COMPARE_TWICE,
    COMPARE_FUSED,
    COMPARE_QUIZ,
    COMPARE_PART_COUNT
} ComparePart;
typedef enum CompareMaps { MAPS_WEIGHTS, MAPS_DIFFERENCE, MAPS_WIPE, MAPS_HIDDEN } CompareMaps;
/* MEASURES_CASE: the fixed list of measures on the pages Fused QKV and Spot the bug. */
typedef enum CompareMeasures {
    MEASURES_FEW,
    MEASURES_ALL,
    MEASURES_GRADIENTS,
    MEASURES_CASE
} CompareMeasures;
typedef enum CompareMatrices { MATRICES_ALIKE, MATRICES_EACH } CompareMatrices;
typedef enum CompareColour { COLOUR_ENTROPY, COLOUR_GRADIENT } CompareColour;
typedef enum CompareRule { RULE_ON, RULE_OFF } CompareRule;

extern const Registry COMPARE_PARTS, COMPARE_MAPS, COMPARE_MEASURES, COMPARE_MATRICES;
extern const Registry COMPARE_COLOURS, COMPARE_RULES;

/* The jobs of Compare: three studies (lab/study.h), and the map (lab/std_grid.h). */
typedef enum CompareJobs {
    COMPARE_STACK, /* a stack of layers */
    COMPARE_SEEDS, /* one layer with many seeds, or the effective ranks of the shown seed */
    COMPARE_SWEEP, /* heads of several widths */
    COMPARE_GRID,  /* a grid of standard deviations of W_Q and W_K */
    COMPARE_JOB_COUNT
} CompareJobs;

/* The newest results of a job, and the previous ones, which stay on screen for a moment after a
 * change. Each is a Study or a StdGrid, owned, and may be NULL. */
typedef struct CompareJob {
    Job *now, *before;
    uint64_t key;         /* hash of the inputs of `now` */
    int seeds;            /* number of seeds that the user requested from this job */
    bool is_paused;       /* true if the user paused the seeds */
    uint64_t asked_frame; /* the last frame in which the part on screen needed this job */
    double begun_s;
    bool failed; /* err says why */
    Err err;
} CompareJob;

#define QUIZ_MOST 16

/* A histogram of a measure over the finished seeds. */
#define SEED_BINS 48
typedef struct SeedBins {
    /* Study.values of the counted study, and its key. If one of them changes, count all seeds
     * again. */
    const float *values;
    uint64_t key;
    int in; /* number of seeds counted so far */
    Axis axis;
    int counts[COMPARISON_MAX][SEED_BINS];
} SeedBins;

struct CompareMemory {
    Arena differences_arena;
    /* (columns*H*T, T): differences of each column's weights from those of the reference column. */
    Mat differences;
    CompareJob jobs[COMPARE_JOB_COUNT];
    SeedBins bins[STUDY_STAT_COUNT];
    /* Scroll position of the part and, in a low window, of the whole view. */
    Scroll scroll, view_scroll;
    float tools_h; /* height of the controls in the previous pass */
    /* Position of the line between the two heatmaps of MAPS_WIPE, from −0.5 (left edge) to 0.5. */
    float wipe;
    Session unit; /* set by the button Unit X; unit.text is NULL before its first use */
    int dragged;  /* the column that is dragged, from 1; 0 for none */
    Rect places[COMPARISON_MAX]; /* places of the columns in this pass */
    /* The user's answers in Spot the bug, counted from 1; 0 for none yet. */
    int guesses[QUIZ_MOST];
    float grid[STD_GRID_SIDE * STD_GRID_SIDE]; /* values by which the map is coloured */
    /* For each part, the hover that its charts share, because they have the same x axis. */
    ChartHover hover[COMPARE_PART_COUNT];
};

void compare_frame(const ViewContext *asked, Rect area);

/* Write the help of the part on screen, or only its first sentence if is_short. A hook of VIEWS. */
void compare_subtitle(char out[VIEW_SUBTITLE_MAX], const Session *session, const Settings *settings,
                      bool is_short);

/* If the job failed, show in area why, and return true. */
bool compare_job_fail_draw(const ViewContext *context, Rect area, CompareJobs which);

/* Stop the jobs that the part on screen does not need. Called at the end of a frame. */
void compare_jobs_stop_others(const ViewContext *context);

/* Request the comparison of the part on screen. A hook of VIEWS. */
void compare_request(ResultsRequest *request, const Session *session, const Settings *settings);

ComparisonKind compare_kind(const Settings *settings);

/* Return the comparison in the Results. The part on screen must have requested one. compare_is_of:
 * true if the comparison is of that kind. */
static inline const Comparison *compare_comparison(const ViewContext *context) {
    return &context->run->comparison->comparison;
}
static inline bool compare_is_of(const ViewContext *context, ComparisonKind kind) {
    return context->run->comparison != NULL && context->run->comparison->request.kind == kind;
}

/* Return the context with the columns that the Results contain. They may differ from the chosen
 * columns, whose results may still be missing. The returned context points to settings. */
ViewContext compare_shown(const ViewContext *context, Settings *settings);

/* Set *query and *key to the standard deviations of a column's W_Q and W_K. */
void compare_stds(const ViewContext *context, int column, double *query, double *key);

/* Return a measure of a column for the shown seed; NaN while an effective rank is computed.
 * compare_measures returns the list of measures in the table of the part on screen. */
double compare_value(const ViewContext *context, int column, StudyStat stat);

CompareMeasures compare_measures(const ViewContext *context);
void compare_clear(CompareMemory *memory, const JobPool *pool);

/* Return the plan of a study of the columns. parts: flags of StudyPart. */
StudyPlan compare_plan(const ViewContext *context, unsigned parts, int layers, int seeds);

/* Compute a study or the map for the columns that are chosen now. */
void compare_stack_run(const ViewContext *context);
void compare_seeds_run(const ViewContext *context);
void compare_sweep_run(const ViewContext *context);
void compare_grid_run(const ViewContext *context);

/* The widths of a head in the sweep, from the smallest. */
#define COMPARE_WIDTHS 8
static inline int compare_width(int i) {
    return 2 << i;
}

/* Set a statistic's value and its expected value, for a column at the i-th width. Return false if
 * they are not computed yet. */
bool compare_width_value(double *value, double *expected, const ViewContext *context, int column,
                         int i, StudyStat stat);

/* Return the study to show: the newest or, for a moment after a change, the previous one. Its field
 * `units` is 0 if it has no results. */
const Study *compare_study_shown(const ViewContext *context, CompareJobs which);

/* Return the study of the chosen number of seeds; NULL if that number is 1, or until two seeds are
 * computed. compare_seeds_gauge returns the study behind the gauges in a lecture hall; NULL until
 * 100 seeds are computed. */
const Study *compare_seeds_shown(const ViewContext *context);
const Study *compare_seeds_gauge(const ViewContext *context);

bool compare_memory_is_computing(CompareMemory *memory, const JobPool *pool);

/* Stop all jobs. They continue when their results are shown again. */
void compare_memory_stop(CompareMemory *memory);

/* Return the data of the map. Before its job exists, these are empty: the plan has no x. */
const StdGrid *compare_std_grid(const ViewContext *context);

#define COMPARE_SPREAD_H 124
/* Draw the heatmaps of a column. Return their height. */
float compare_maps_draw(const ViewContext *context, Rect place, int column);
void compare_map_of_draw(const ViewContext *context, Rect map, int column, int head);
void compare_spread_draw(const ViewContext *context, Rect place, int column);
void compare_table_draw(const ViewContext *context, Rect place, int column);

/* True if X is close to the X that theory assumes: rms near 1, and a mean cosine of its rows near
 * 0. */
bool compare_x_is_unit(const ViewContext *context);

/* Set *value to the value that theory expects on this X, and *chance to its standard deviation over
 * draws of the weights. Return false if theory has no expectation; then both are NaN. */
bool compare_theory(double *value, double *chance, const ViewContext *context, int column,
                    StudyStat stat);

/* Return the kind of heatmaps: the user's choice or, if the columns are not the chosen schemes
 * (Fused QKV, Spot the bug), weights. */
CompareMaps compare_maps_kind(const ViewContext *context);

/* Compute the differences between columns, if the heatmaps show them. Return false if memory runs
 * out. */
bool compare_maps_make(const ViewContext *context, Err *err);
float compare_maps_height(const ViewContext *context, float width);
float compare_table_height(const ViewContext *context, float width);

/* Draw the heading of a column: its name, formula and schemes of single matrices. Return the height
 * used. */
float compare_head_draw(const ViewContext *context, Rect place, int column);
float compare_head_height(const ViewContext *context, float width);

/* Write the results of the part on screen as text. Return false if the part has none yet, or if
 * memory runs out. */
bool compare_results(const ViewContext *context, ViewResult result, TextOut *out);

/* Set *out to the schemes of the Fused part. compare_quiz_bug returns the index in BROKEN_INITS of
 * the bug in the current question. */
void compare_fused_schemes(OptionList *out);
int compare_quiz_bug(const CompareSettings *chosen);

static inline int compare_scheme(const char *id) {
    return registry_find(&SCHEME_REGISTRY, id, strlen(id));
}

void compare_columns_draw(const ViewContext *context, Rect area);

void compare_depth_draw(const ViewContext *context, Rect area);
void compare_map_draw(const ViewContext *context, Rect area);
void compare_scale_draw(const ViewContext *context, Rect area);
void compare_root_draw(const ViewContext *context, Rect area);
void compare_twice_draw(const ViewContext *context, Rect area);
void compare_fused_draw(const ViewContext *context, Rect area);
void compare_quiz_draw(const ViewContext *context, Rect area);

/* Draw the charts of Y and of the gradient by layer. */
void compare_stack_charts(const ViewContext *context, Rect area);

#endif
