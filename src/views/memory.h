/* memory.h: what the views keep between frames that is no choice worth saving: where a picture is
 * panned to, which node is dragged, what was expensive to find. All zero is how every view starts,
 * so that a rendered picture never depends on it. One struct for each view that needs one. */
#ifndef HEADLIGHT_VIEWS_MEMORY_H
#define HEADLIGHT_VIEWS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/geom.h"
#include "base/option.h"
#include "document/session.h"
#include "results/layer_stack.h"
#include "text/tokenizer.h"
#include "ui/cell_fade.h"
#include "ui/scroll.h"
#include "views/shared/edges.h"

#define GRAPH_EDGES_MAX 5000 /* drawn at once; the heaviest of those chosen */
#define GRAPH_CURVE_MAX 64
#define GRAPH_PLACES_MAX                                                                           \
    (2 * TOKENS_MAX) /* column by column, where tokens stand more than once                        \
                      */

/* All inputs of GraphData. What the filter in use does not need is 0. */
typedef struct GraphKey {
    uint64_t revision;     /* of the Results; 0 before the first time */
    int head;              /* the one shown, from 1; 0 for all */
    int depth;             /* of the stack that layered places show; 0 for other places */
    int value, nodes;      /* GraphValue, GraphNodes */
    int filter, top;       /* EdgeFilterKind, and its number */
    int self, first, rest; /* GraphSwitch */
    int is_forced;         /* places by force are there */
    float above, mass;
} GraphKey;

/* The share that a head's heaviest edges have, by their number. */
typedef struct GraphCurve {
    int count;
    float edges[GRAPH_CURVE_MAX], share[GRAPH_CURVE_MAX];
} GraphCurve;

/* What is made from the heads that are shown; see graph_data. */
typedef struct GraphData {
    GraphKey key;
    Edge edges[GRAPH_EDGES_MAX];
    int head_of[GRAPH_EDGES_MAX], layer_of[GRAPH_EDGES_MAX];
    int count, left_out;
    double share;  /* of the attention that there is, of the edges drawn */
    float largest; /* magnitude of all values shown */
    int all;       /* edges that there are, and the sum of their magnitudes */
    double sum;
    float size[TOKENS_MAX]; /* of nodes: attention received or PageRank, by the setting */
    float size_most;
    GraphCurve curve[OPTION_HEADS_MAX]; /* of the lowest layer's heads that are shown */
    Vec2 forced[TOKENS_MAX];            /* places by force, where the key says so */
} GraphData;

typedef struct GraphMemory {
    GraphData data;
    LayerStack stack; /* for layered places */
    GraphData next;   /* the same two: what a job makes, before they take the others' place */
    LayerStack next_stack;
    Arena making;                    /* scratch of that */
    float zoom_steps;                /* of the wheel; 0 shows all */
    Vec2 pan;                        /* logical pixels */
    int layout, T, columns;          /* that the places are of; T is 0 before the first frame */
    double moved_s;                  /* when they last changed */
    uint64_t parted_key, pinned_key; /* of what the next two were made from */
    Vec2 parted[TOKENS_MAX]; /* places by force that leave room for names, from the middle */
    Vec2 pinned[TOKENS_MAX]; /* the same where others were dragged and stay */
    uint64_t moved_key;      /* of the places that a move began with */
    Vec2 from[GRAPH_PLACES_MAX], shown[GRAPH_PLACES_MAX], dragged[GRAPH_PLACES_MAX];
    int grabbed;    /* the node under the button, from 1; 0 for none, -1 for the ground */
    Vec2 grab_from; /* the pointer there, then where it was last */
    bool moving;    /* the pointer has left where the button went down */
    int step;       /* of message passing, from 1; 0 for none */
    double step_s;  /* when it began */
} GraphMemory;

/* Of the W_QK view. */
typedef struct WqkMemory {
    int lit_row, lit_column; /* the entry under the pointer, from 1; 0 for none */
    float zoom_steps;        /* of the wheel over the product; 0 shows all of it */
    Vec2 shift;              /* then the first row and column seen, in entries */
    bool pans;               /* the pointer has left where the button went down */
    Vec2 pan_from;           /* the pointer of the frame before */
    bool ov_merged;          /* whether W_OV is shown merged; W_QK is as the form is */
    int lit_sigma;           /* the singular value under the pointer, from 1; 0 for none */
    int strip_first;         /* with RoPE, the first distance of a strip that is scrubbed */
    Session before_plain;    /* what the special case W = I was entered from; text NULL for none */
    Scroll scroll;           /* of the narrow view */
    int timed_p, timed_n, timed_m; /* what was last measured, and how long both forms took */
    double separate_s, merged_s;
} WqkMemory;

/* Of the Heads view. */
typedef struct HeatmapCache HeatmapCache; /* views/shared/heatmap.h */
typedef struct Snapshot Snapshot;         /* views/shared/snapshot.h */

typedef struct HeadsMemory {
    float zoom; /* of the matrices, 1 and up; 0 as 1 */
    Vec2 first; /* column and row at their top left, in tokens */
    Vec2 pan_from;
    bool panned;           /* since the button went down */
    OptionPair pin_before; /* a double click's first one */
    int head_before;
    Vec2 paint_from; /* where the mask was painted last, in tokens */
    bool paint_open;
    int clicks;       /* of the last press on a matrix */
    int over;         /* the tile under the pointer in this pass, from 1 */
    Rect menu_button; /* where it stood when the menu opened, which stays there */
    int small_layer;  /* the wall that is shown where two have no room */
    bool wants_keep;  /* the state is to be kept, once the pass is built */
    bool selects_keys, shows_sum;
    bool selects;              /* any token is selected */
    bool selected[TOKENS_MAX]; /* by token; those past the text's end are not counted */
    HeatmapCache *shown;       /* owned; NULL before it is needed */
    HeatmapCache *next;        /* the same: what a job makes, before it takes the other's place */
    Snapshot *kept;            /* the same */
} HeadsMemory;
typedef struct CompareMemory CompareMemory; /* of the Compare view: views/compare/compare.h */
typedef struct TrainMemory TrainMemory;     /* of the Train view: views/train/train.h */

/* Of the arcs beside the wall: the edges that are drawn, and what they are of. */
typedef struct ArcsMemory {
    uint64_t revision; /* of the Results; 0 for none */
    int layer, head, most;
    EdgeList list;
    Edge at[EDGES_DRAWN_MAX];
} ArcsMemory;

/* Of the inspector: which piece of a cell's number is looked into; see provenance.h. */
typedef struct InspectorMemory {
    int piece; /* 0 for none: the number itself */
    int layer, head, query, key;
} InspectorMemory;

/* The largest weight of the chosen head. */
typedef struct StrongestMemory {
    uint64_t revision; /* of the Results; 0 for none */
    int head, query, key;
} StrongestMemory;

/* Of the Steps view. */
#define STEPS_PARTS_MAX 8
typedef struct StepsMemory {
    uint64_t revision; /* of the Results that the next four are of; 0 for none */
    int head, token_pool, feature_pool;
    Arena pooled; /* owned: matrices made smaller, where cells are too many */
    Mat shown[STEPS_PARTS_MAX];
    float most[STEPS_PARTS_MAX]; /* of each matrix: the largest magnitude */
    bool plays;                  /* while it is seen */
    uint64_t seen_frame;
    double next_s;   /* when it goes on to the next step */
    uint64_t serial; /* of what playing changes: one step of undo */
    Scroll scroll;   /* of cards that have too little room */
} StepsMemory;

/* Of a lecture: the cell that the held pointer lights, from 1, 0 for none; and whether what was
 * looked at last has changed under a pointer that rests, which then has nothing to say. */
typedef struct LectureMemory {
    int held_query, held_key;
    int seen_head, seen_query, seen_key;
    bool is_resting;
} LectureMemory;

typedef struct ViewMemory {
    StrongestMemory strongest;
    InspectorMemory inspector;
    float edges_wheel; /* notches of the wheel that make no whole edge yet */
    ArcsMemory arcs;
    GraphMemory graph;
    CellFades cells;     /* of view_cells, from here on */
    uint64_t cells_seed; /* that they were drawn from */
    uint64_t reroll_frame;
    WqkMemory wqk;
    HeadsMemory heads;
    LectureMemory lecture;
    StepsMemory steps;
    CompareMemory *compare; /* owned; NULL before the view is first shown */
    TrainMemory *train;     /* the same */
} ViewMemory;

/* Whether anything is computed beside the frames, or waits for that. */
bool view_memory_is_computing(const ViewMemory *memory);

/* Stop what is computed beside the frames. False where some of it goes on: then the memory must
 * stay. */
bool view_memory_end(ViewMemory *memory);

/* Nothing plays any more. */
void view_memory_stop_playing(ViewMemory *memory);

/* Give up what the memory owns. */
void view_memory_release(ViewMemory *memory);

#endif
