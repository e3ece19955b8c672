/* memory.h: what the views keep between frames but do not save: where a picture is panned to, which
 * node is dragged, what was expensive to compute. Every view starts with all zero, so that a
 * rendered picture never depends on it. One struct for each view that needs one. */
#ifndef HEADLIGHT_VIEWS_MEMORY_H
#define HEADLIGHT_VIEWS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/geom.h"
#include "base/job.h"
#include "base/option.h"
#include "document/session.h"
#include "results/by_hand.h"
#include "results/layer_stack.h"
#include "text/tokenizer.h"
#include "ui/cell_fade.h"
#include "ui/line_edit.h"
#include "ui/pan_zoom.h"
#include "ui/scroll.h"
#include "views/shared/edges.h"

#define GRAPH_EDGES_MAX  5000 /* most edges drawn at once: the heaviest of those chosen */
#define GRAPH_CURVE_MAX  64
#define GRAPH_PLACES_MAX (2 * TOKENS_MAX) /* twice, because columns show each token twice */

/* All inputs of GraphData. A number that the filter in use does not need is 0. */
typedef struct GraphKey {
    uint64_t revision;     /* revision of the Results; 0 before the first time */
    int head;              /* the head shown, from 1; 0 for all */
    int depth;             /* depth of the stack in the layered layout; 0 in other layouts */
    int value, nodes;      /* rows of GraphValue and GraphNodes */
    int filter, top;       /* row of EdgeFilterKind and the filter's number */
    int self, first, rest; /* which edges are hidden, how the others are shown */
    int is_forced;         /* true if the positions of the force layout are needed */
    float above, mass;
} GraphKey;

/* For each n, the share of the weight that a head's n heaviest edges carry. */
typedef struct GraphCurve {
    int count;
    float edges[GRAPH_CURVE_MAX], share[GRAPH_CURVE_MAX];
} GraphCurve;

/* Computed from the heads that are shown, by graph_data. */
typedef struct GraphData {
    GraphKey key;
    Edge edges[GRAPH_EDGES_MAX];
    int count, left_out;
    double share;  /* share of the attention that the drawn edges carry */
    float largest; /* largest magnitude of all values shown */
    int all;       /* number of existing edges, and the sum of their magnitudes */
    double sum;
    float size[TOKENS_MAX]; /* size of nodes: attention received or PageRank, by the setting */
    float size_most;
    GraphCurve curve[OPTION_HEADS_MAX]; /* one for each shown head of the lowest layer */
    Vec2 forced[TOKENS_MAX];            /* positions of the force layout, if the key asks for it */
} GraphData;

typedef struct GraphMemory {
    GraphData data;
    LayerStack stack; /* used by the layered layout */
    GraphData next;   /* a second pair, filled by a job before the two are swapped */
    LayerStack next_stack;
    Arena making;                    /* scratch memory of that job */
    PanZoom view;
    int layout, T, columns;          /* inputs of the positions; T is 0 before the first frame */
    double moved_s;                  /* time of their last change */
    uint64_t parted_key, pinned_key; /* keys of the inputs of the next two fields */
    Vec2 parted[TOKENS_MAX]; /* force positions with room for names, relative to the centre */
    Vec2 pinned[TOKENS_MAX]; /* force positions after nodes were dragged */
    uint64_t moved_key;      /* positions at the start of a move */
    Vec2 from[GRAPH_PLACES_MAX], shown[GRAPH_PLACES_MAX], dragged[GRAPH_PLACES_MAX];
    int grabbed;   /* the dragged node, from 1; 0 for none */
    int step;      /* step of message passing that was drawn last */
    double step_s; /* when it began */
    bool plays;    /* goes through the steps; only while the view is visible */
    uint64_t seen_frame;
    double next_s;   /* time of the next step */
    uint64_t serial; /* identifies one run of playing, which is one undo step */
} GraphMemory;

/* Memory of the W_QK view. */
typedef struct WqkMemory {
    int lit_row, lit_column;     /* the entry under the pointer, from 1; 0 for none */
    float zoom_steps;            /* wheel steps over the product; 0 shows all of it */
    Vec2 shift;                  /* the first visible row and column */
    bool pans;                   /* the pointer has moved since the press */
    Vec2 pan_from;               /* pointer position of the last frame */
    bool ov_merged;              /* true if W_OV is shown merged; W_QK follows the form */
    int lit_sigma;               /* the singular value under the pointer, from 1; 0 for none */
    HandNumber sigma;            /* the singular value whose bar's end is hovered or dragged */
    float sigma_top, sigma_grab; /* the axis's end and the pointer's distance at the press */
    bool sigma_moves;            /* the pointer has moved since the press */
    int strip_first;             /* with RoPE, the first distance shown in the strip */
    Session before_plain; /* the session before W = I was applied; its text is NULL if none */
    Scroll scroll;        /* scroll position of the narrow layout */
    int timed_p, timed_n, timed_m; /* sizes of the last timing, and the time of both forms */
    double separate_s, merged_s;
} WqkMemory;

/* Memory of the Heads view. */
typedef struct HeatmapCache HeatmapCache; /* views/shared/heatmap.h */

typedef struct HeadsMemory {
    PanZoom view; /* of all matrices of the wall */
    OptionPair pin_before; /* the pin before the first click of a double click */
    int head_before;
    Vec2 paint_from; /* where the mask was painted last, in tokens */
    bool paint_open;
    int clicks;       /* clicks of the last press on a matrix */
    int over;         /* the tile under the pointer in this frame, from 1 */
    Rect menu_button; /* place of the menu's button when the menu opened; the menu stays there */
    int small_layer;  /* the wall that is shown if there is no room for two */
    bool selects_keys, shows_sum;
    bool selects;              /* any token is selected */
    bool selected[TOKENS_MAX]; /* indexed by token; entries past the text's end do not count */
    PanZoom map;               /* of all layers */
    HeatmapCache *shown;       /* owned; NULL until needed */
    HeatmapCache *next;        /* a second one, filled by a job before the two are swapped */
    /* The field of the second sentence. It is shown while there is one or the field has the focus.
     */
    bool wants_second, types_second; /* the field is to get the focus; it has the focus */
    char second[OPTION_TEXT_MAX], second_cut[OPTION_TEXT_MAX];
    LineEdit second_edit;
} HeadsMemory;
typedef struct CompareMemory
    CompareMemory;                      /* memory of the Compare view: views/compare/compare.h */
typedef struct TrainMemory TrainMemory; /* memory of the Train view: views/train/train.h */

/* Memory of the inspector: which input of a cell's number is shown; see provenance.c. */
typedef struct InspectorMemory {
    int piece; /* 0: the number itself */
    int layer, head, query, key;
} InspectorMemory;

/* The largest weight of the chosen head. */
typedef struct StrongestMemory {
    uint64_t revision; /* revision of the Results; 0 for none */
    int head, query, key;
} StrongestMemory;

/* Memory of the Steps view. */
#define STEPS_PARTS_MAX 12
typedef struct StepsMemory {
    uint64_t revision; /* revision of the Results that the next fields belong to; 0 for none */
    int head, token_pool, feature_pool, weight_pool;
    uint64_t before;      /* revision of the Results that change starts from; 0 for none */
    ResultsChange change; /* see results/by_hand.h */
    Arena pooled;         /* owned: pooled matrices, if there are too many cells */
    Mat shown[STEPS_PARTS_MAX];
    float most[STEPS_PARTS_MAX]; /* largest magnitude of each matrix */
    bool plays;                  /* playing; only while the view is visible */
    uint64_t seen_frame;
    double next_s;   /* time of the next step */
    uint64_t serial; /* identifies one run of playing, which is one undo step */
    Scroll scroll;   /* scroll position of cards that do not fit */
} StepsMemory;

/* The open editor of a number; see shared/number_editor.h. */
/* The number under the right button, for a menu. */
typedef struct NumberOffer {
    HandNumber place;
    Rect cell, row;
    uint64_t frame; /* in which the button went down */
} NumberOffer;

typedef struct NumberEditorMemory {
    NumberOffer offer;
    bool is_open, was_set;
    HandNumber number;    /* its place, and its value before the editor opened */
    float computed;       /* what the layer computes there, NaN if unknown */
    float weight_was;     /* for a score: the weight before it was edited */
    ResultsChange change; /* what the edit changed, in the head on screen of these revisions */
    uint64_t change_from, change_to;
    int change_head;
    Rect cell, row; /* where it is drawn, and the row that stays visible */
    char text[32], copied[32];
    LineEdit edit;
    const char *wrong;
    uint64_t serial; /* identifies the editing, which is one undo step */
    uint64_t frame;  /* frame of the press that opened it, which must not close it */
    bool rereads;    /* true if the field is to show the layer's number when that is computed */
} NumberEditorMemory;

/* Memory of a lecture: the cell lit by the held pointer, from 1, 0 for none; and whether keys
 * changed the focus while the pointer rested, whose position is then ignored. */
typedef struct LectureMemory {
    int held_query, held_key;
    int seen_head, seen_query, seen_key;
    bool is_resting;
} LectureMemory;

typedef struct ViewMemory {
    StrongestMemory strongest;
    InspectorMemory inspector;
    float edges_wheel; /* fraction of a wheel notch not used yet */
    GraphMemory graph;
    CellFades cells;     /* fades of cells drawn by view_cells */
    uint64_t cells_seed; /* seed of the values that the cells showed last */
    uint64_t reroll_frame;
    WqkMemory wqk;
    HeadsMemory heads;
    NumberEditorMemory editor;
    LectureMemory lecture;
    StepsMemory steps;
    CompareMemory *compare; /* owned; NULL until the view is first shown */
    TrainMemory *train;     /* owned; NULL until the view is first shown */
} ViewMemory;

/* True while a job of a view works. */
bool view_memory_is_computing(ViewMemory *memory, const JobPool *pool);

/* Stop the jobs of all views except the owner of `own`, memory->compare or memory->train, which is
 * about to start one. */
void view_memory_stop_others(ViewMemory *memory, const void *own);

void view_memory_stop_playing(ViewMemory *memory);

/* Free what the memory owns. Jobs are dropped. */
void view_memory_release(ViewMemory *memory, const JobPool *pool);

#endif
