/* wqk_view.h: shared by the files of the W_QK view: the data on screen, the choices made in the
 * view, and pieces that several files draw. For wqk*.c alone. */
#ifndef HEADLIGHT_VIEWS_WQK_WQK_VIEW_H
#define HEADLIGHT_VIEWS_WQK_WQK_VIEW_H

#include "results/product_analysis.h"
#include "ui/text.h"
#include "views/wqk/wqk.h"

#define WQK_NARROW    620 /* px: a narrower page stacks its parts */
#define WQK_THUMB_MAX 128 /* most entries along a side of a small picture */

/* The names of the shown matrices, as formulas. */
typedef struct WqkNames {
    const char *left, *right; /* W_Q, W_K^⊤ */
    const char *left_transformed,
        *right_transformed;                    /* the factors' names with an R between them */
    const char *left_plain, *right_plain;      /* W_Q, W_K */
    const char *product, *result;              /* W_QK, A */
    const char *width;                         /* d_k */
    const char *unchanged, *changed, *unknown; /* titles of the proof */
    const char *nested, *nested_own, *nested_folded, *fold; /* the paper's names, and equation */
} WqkNames;

typedef struct Wqk {
    const ViewContext *c;
    Ui *ui;
    const Settings *settings;
    WqkMemory *memory;
    const ProductAnalysis *m;
    const HeadProduct *p; /* of m */
    const AttnShape *shape;
    const WqkNames *names;
    ProductRequest want; /* the current request; m->request is the one m was computed for */
    bool is_old_product; /* the product, the cut, or the factors with R belong to an earlier */
    bool is_old_cut;     /* request */
    bool is_old_transform;
    bool scores;         /* true for W_QK, false for W_OV */
    bool rope;           /* each distance has a W_QK of its own */
    int offset;          /* with RoPE, the distance if W_Q is rotated by it; otherwise 0 */
    int head;            /* from 0 */
    int rank;            /* the requested rank of the cut */
    int width;           /* d_k or d_v: the rank of the product */
    int E;               /* rows and columns of the product */
    float merged;        /* 0 separate, 1 merged; in between during the motion */
    int layers;          /* columns of W_Q that the merge's slider has added so far; else 0 */
    OptionPair lit;      /* the focused entry, from 1: hovered, else pinned; {0, 0} for none */
    bool is_hovered;     /* true if lit is hovered, false if pinned */
    bool is_stacked;     /* the page's parts are below each other */
} Wqk;

/* Return the view's state; run->analysis must have been computed. */
Wqk wqk_of(const ViewContext *context);

/* Draw a matrix of signed values, or of weights (0 … hi), in rect. The id identifies the matrix, so
 * that its colours fade to new values. */
void wqk_cells(const Wqk *w, UiId id, Rect rect, const Mat *m, float hi, bool is_signed);

/* Draw the colour scale of a signed matrix, −hi … +hi, with three numbers. */
void wqk_signed_scale(const Wqk *w, Rect rect, float hi);

/* Draw the colour scale of weights, 0 … hi. */
void wqk_weight_scale(const Wqk *w, Rect rect, float hi);

/* Return the largest finite |entry|; 1 for a matrix of zeros. */
float wqk_largest(const Mat *m);

/* Return the largest difference that rounding can make in the head's result. */
double wqk_rounding(const Wqk *w);

/* Return the largest multiple of a device pixel up to side; side itself if it is below one pixel.
 * */
float wqk_snap(const Wqk *w, float side);

/* Return a value as formula markup: fixed decimals, or with a power of ten if it is very small or
 * large. WQK_NUMBER does it as an expression, whose text lives to the end of the block. */
#define WQK_NUMBER_MAX    48
#define WQK_NUMBER(value) wqk_number((char[WQK_NUMBER_MAX]){0}, value)
const char *wqk_number(char out[WQK_NUMBER_MAX], double value);

/* Return the number of singular values of the product that exceed rounding error. */
int wqk_rank_found(const Wqk *w);

/* Veil a part of the picture that is stale. name identifies the part. */
void wqk_veil(const Wqk *w, const char *name, Rect rect, bool is_old);

/* A matrix of the upper part: its visible part, and the place of all rows × cols entries. */
typedef struct WqkSheet {
    Rect frame, whole;
    int rows, cols;
} WqkSheet;

/* The upper part of the view. */
typedef struct WqkTop {
    WqkSheet left, right, product; /* W_Q, W_Kᵀ, W_QK */
    float cell;                    /* side of an entry, at the current zoom */
    bool can_zoom;                 /* unzoomed entries are below ZOOM_BELOW device pixels */
    Rect transform;                /* place of R's panel under W_Kᵀ, if there is room */
    bool has_transform, is_hall;   /* is_hall: all three share one scale, drawn elsewhere */
    float bottom;                  /* lower end of the room */
} WqkTop;

/* Fit factors and product into area. */
WqkTop wqk_top_layout(const Wqk *w, Rect area);

/* Place the matrices with entries of top->cell, unzoomed: from a point to the right, with this much
 * space between the factors and before the product. */
void wqk_top_place(const Wqk *w, WqkTop *top, Vec2 at, float between, float before_product);
void wqk_top_draw(const Wqk *w, const WqkTop *top);

/* Return the lower end of everything, scales and R's panel included. */
float wqk_top_bottom(const WqkTop *top);

/* Find the hovered entry; must be called before anything is drawn. */
void wqk_top_pointer(Wqk *w, WqkTop *top);

/* Edit an entry of a factor or of W_QK by hand. Return true if the editor opened. The second
 * function marks the edited entries. */
bool wqk_hand_pointer(const Wqk *w, const WqkTop *top, UiState product);
void wqk_hand_marks(const Wqk *w, const WqkTop *top);

/* Edit a singular value of W_QK by hand. plot: the place of the bars; top: the value at its upper
 * end, which stays while one is dragged. The first function, called before the chart's own control,
 * moves the end of a bar and returns true if it is hovered or held; the second opens the editor if
 * a bar was double-clicked or Enter was pressed, for value r; the third marks the edited bars. */
float wqk_sigma_top(const Wqk *w, float top);
const HandNumber *wqk_sigma_dragged(const Wqk *w); /* the number, or NULL */
bool wqk_sigma_drag(const Wqk *w, Rect plot, float top);
void wqk_sigma_edit(const Wqk *w, Rect plot, float top, UiState chart);
void wqk_sigma_marks(const Wqk *w, Rect plot, float top);

/* Return the height of R's panel, at most this much. */
float wqk_transform_height(float most);
void wqk_transform(const Wqk *w, Rect area);

/* Draw the proof; wide: next to each other, or else below. The second function draws it as one
 * number, as large as area is high. */
void wqk_proof(const Wqk *w, Rect area);
void wqk_proof_number(const Wqk *w, Rect area);

/* Draw the hall form of the view. */
void wqk_hall(Wqk *w, Rect area);

/* Return the end of the colour scale that factors and product share in a hall. */
float wqk_hall_scale(const Wqk *w);

void wqk_spectrum(const Wqk *w, Rect area);
void wqk_curve(const Wqk *w, Rect area);
void wqk_cost_brief(const Wqk *w, Rect area);
bool wqk_cost_holds_less(const Wqk *w); /* two factors need fewer parameters than W_QK */
void wqk_cost_page(const Wqk *w, Rect area);
void wqk_training_page(const Wqk *w, Rect area);
void wqk_parts_page(const Wqk *w, Rect area);
void wqk_nested_page(const Wqk *w, Rect area);
void wqk_plain_page(const Wqk *w, Rect area);

/* Draw the choice of the distance (RoPE), in one line of 60 px. */
void wqk_offsets(const Wqk *w, Rect area);

#endif
