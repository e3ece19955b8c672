/* memory.h: the data that views keep from frame to frame but do not save: where a picture is panned
 * to, which node is dragged, and results that take long to compute. Every view starts with all
 * zero, so that a rendered picture never depends on these data. There is one struct for each view
 * that needs one. */
#ifndef HEADLIGHT_VIEWS_MEMORY_H
#define HEADLIGHT_VIEWS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/geom.h"
#include "base/job.h"
#include "base/option.h"
#include "base/text_out.h"
#include "document/session.h"
#include "results/by_hand.h"
#include "results/cell_story.h"
#include "text/tokenizer.h"
#include "ui/cell_fade.h"
#include "ui/line_edit.h"
#include "ui/pan_zoom.h"
#include "ui/scroll.h"

typedef struct WqkMemory {
    int lit_row, lit_column; /* the entry under the pointer, from 1; 0 for none */
    PanZoom zoom;            /* zoom and pan of the product, if its entries are small */
    bool ov_merged;          /* true if the user shows W_OV as one matrix */
    int lit_sigma;           /* the singular value under the pointer, from 1; 0 for none */
    HandNumber sigma;        /* the singular value whose bar's end is hovered or dragged */
    /* When the bar was pressed: the value at the end of the axis, and the pointer's distance from
     * the bar's end. */
    float sigma_top, sigma_grab;
    /* True if the pointer has moved since the press; only then does it drag the bar. */
    bool sigma_moves;
    int strip_first; /* with RoPE, the first distance shown in the strip */
    /* The session as it was before the button W = I was clicked; its text is NULL if it was not
     * clicked. */
    Session before_plain;
    Scroll scroll; /* scroll position of the narrow layout */
    /* T, d_model and d_k for which both forms were last timed, and the times. */
    int timed_p, timed_n, timed_m;
    double separate_s, merged_s;
} WqkMemory;

typedef struct HeatmapCache HeatmapCache; /* views/shared/heatmap_cache.h */

typedef struct HeadsMemory {
    PanZoom view;          /* zoom and pan of the heads' matrices */
    OptionPair pin_before; /* the pin before the first click of a double click */
    int head_before;
    Vec2 paint_from;  /* column and row at which a drag last edited the mask */
    bool paint_open;  /* true if the drag opens pairs, false if it closes them */
    int clicks;       /* number of clicks in the last press on a matrix */
    int over;         /* the matrix under the pointer in this frame, from 1; 0 for none */
    Rect menu_button; /* place of the menu's button when the menu opened; the menu stays there */
    int small_layer;  /* the layer whose heads are shown if there is room for only one layer */
    bool selects_keys, shows_sum;
    /* Indexed by token; entries beyond the number of tokens do not count. */
    bool selected[TOKENS_MAX];
    PanZoom map; /* zoom and pan of the map of all layers */
    /* The heatmaps on screen, and those that a job fills and then swaps with them. */
    HeatmapCache *shown, *next;
    /* True if the field of the second sentence should get, or has, the keyboard focus. */
    bool wants_second, types_second;
    char second[OPTION_TEXT_MAX], second_cut[OPTION_TEXT_MAX];
    LineEdit second_edit;
} HeadsMemory;
typedef struct GraphMemory GraphMemory; /* memory of the Graph view: views/graph/graph_parts.h */
typedef struct CompareMemory
    CompareMemory;                      /* memory of the Compare view: views/compare/compare.h */
typedef struct TrainMemory TrainMemory; /* memory of the Train view: views/train/train.h */

/* Which input of a score the inspector shows, and the cell of that score; see provenance.c. */
typedef struct InspectorMemory {
    int piece; /* the input, a Piece; PIECE_NONE if the inspector shows the cell itself */
    AttnCell of;
} InspectorMemory;

/* Plays the steps of a view, each for some seconds. */
typedef struct Player {
    bool plays; /* true while the steps play, which needs the view to be visible */
    uint64_t seen_frame;
    double next_s;
    uint64_t serial; /* identifies one period of playing, which is one undo step */
} Player;

#define STEPS_PARTS_MAX 12
/* All inputs of the matrices and of `change` in StepsMemory. before: revision of the earlier
 * Results with which `change` compares; 0 for none. */
typedef struct StepsKey {
    uint64_t revision, before;
    int head, token_pool, feature_pool, weight_pool;
} StepsKey;
typedef struct StepsMemory {
    StepsKey key; /* revision is 0 before the first time */
    ResultsChange change;
    Arena pooled; /* owned: smaller copies of matrices with too many cells to draw */
    Mat shown[STEPS_PARTS_MAX];
    float most[STEPS_PARTS_MAX]; /* largest magnitude in each matrix */
    Player player;
} StepsMemory;

/* The number on which the right button went down, for its context menu. */
typedef struct NumberOffer {
    HandNumber place;
    Rect cell, row;
    uint64_t frame;
} NumberOffer;

/* The open editor of a number; see shared/number_editor.h. */
typedef struct NumberEditorMemory {
    NumberOffer offer;
    bool is_open, was_set;
    HandNumber number;    /* place of the number, and its value before the editor opened */
    float computed;       /* the value that the layer computes there; NaN if unknown */
    float weight_was;     /* if the number is a score: its weight before the edit */
    ResultsChange change; /* number of changes in head change_head between the two revisions */
    uint64_t change_from, change_to;
    int change_head;
    Rect cell, row; /* the cell of the number, and the row that the card must not cover */
    char text[32], copied[32];
    LineEdit edit;
    const char *wrong;
    uint64_t serial; /* serial number of this use of the editor, which is one undo step */
    uint64_t frame;  /* frame of the press that opened the editor, which must not close it again */
    bool rereads;    /* true if the field must show the layer's number as soon as it is computed */
} NumberEditorMemory;

/* Memory of the lecture view. held_query, held_key: the cell on which the pointer is held down,
 * from 1 (0 for none). is_resting: true if the focused cell has changed since the pointer last
 * moved, so that the pointer's position is ignored. */
typedef struct LectureMemory {
    int held_query, held_key;
    AttnCell seen;
    bool is_resting;
} LectureMemory;

typedef struct ViewMemory {
    InspectorMemory inspector;
    float edges_wheel;   /* fraction of a notch of the wheel, to be used by later turns */
    TextOut copy;        /* the results that the user has copied; see results_menu_draw */
    CellFades cells;     /* fades of the matrices that view_cells draws */
    uint64_t cells_seed; /* seed of the values that view_cells drew last */
    uint64_t reroll_frame;
    WqkMemory wqk;
    HeadsMemory heads;
    NumberEditorMemory editor;
    LectureMemory lecture;
    StepsMemory steps;
    GraphMemory *graph;
    CompareMemory *compare;
    TrainMemory *train;
    struct ViewMemories *owned; /* the structs to which graph, compare, train and heads point */
} ViewMemory;

/* Return false if memory runs out. */
bool view_memory_create(ViewMemory *memory);

/* True if a job of Compare or Train is running. */
bool view_memory_is_computing(ViewMemory *memory, const JobPool *pool);

/* Stop the jobs of Compare and Train, except those of the view that is about to start a job. own:
 * that view's memory, memory->compare or memory->train. */
void view_memory_stop_others(ViewMemory *memory, const void *own);

void view_memory_stop_playing(ViewMemory *memory);

/* Reset the memory to its initial state. Jobs are dropped. */
void view_memory_clear(ViewMemory *memory, const JobPool *pool);

/* Free what the memory owns. Jobs are dropped. */
void view_memory_release(ViewMemory *memory, const JobPool *pool);

#endif
