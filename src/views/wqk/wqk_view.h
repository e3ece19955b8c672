/* wqk_view.h: declarations for the files of the W_QK view: the data on screen, the user's choices
 * in the view, and pieces that several files draw. Only for wqk*.c. */
#ifndef HEADLIGHT_VIEWS_WQK_WQK_VIEW_H
#define HEADLIGHT_VIEWS_WQK_WQK_VIEW_H

#include "results/product_analysis.h"
#include "ui/text.h"
#include "views/wqk/wqk.h"

#define WQK_NARROW    620 /* px: in a page narrower than this the parts are below each other */
#define WQK_THUMB_MAX 128 /* maximum number of entries along one side of a small picture */

/* The names of the shown matrices, as formulas. */
typedef struct WqkNames {
    const char *left, *right;                         /* W_Q, W_K^⊤ */
    const char *left_transformed, *right_transformed; /* names of the factors after R is inserted */
    const char *left_plain, *right_plain;             /* W_Q, W_K */
    const char *product, *result;                     /* W_QK, A */
    const char *width;                                /* d_k */
    const char *unchanged, *changed, *unknown;        /* titles of the proof */
    /* The paper's names of the matrices, and its equation. */
    const char *nested, *nested_own, *nested_folded, *fold;
} WqkNames;

typedef struct Wqk {
    const ViewContext *c;
    Ui *ui;
    const Settings *settings;
    WqkMemory *memory;
    const ProductAnalysis *m;
    const HeadProduct *p; /* singular values of the product and its lower-rank cuts; part of m */
    const AttnShape *shape;
    const WqkNames *names;
    /* The current request. m was computed for m->request, which may be an earlier one. */
    ProductRequest want;
    bool scores;  /* true for W_QK, false for W_OV */
    bool rope;    /* true if each distance has its own W_QK */
    int offset;   /* with RoPE, the distance whose matrix is shown; otherwise 0 */
    int head;     /* the shown head, from 0 */
    int rank;     /* requested rank of the cut */
    int width;    /* d_k or d_v: columns of the left factor, so the largest rank of the product */
    int E;        /* rows and columns of the product */
    float merged; /* 0 separate, 1 merged; values in between during the animation */
    /* Number of products of a column and a row that the merge slider has added so far; 0 at the
     * ends of the slider. */
    int layers;
    /* The focused entry, from 1: the hovered one, otherwise the pinned one; {0, 0} for none. */
    OptionPair lit;
    bool is_hovered; /* true if lit is hovered, false if pinned */
    bool is_stacked; /* true if the page's parts are below each other */
} Wqk;

/* Return the view's state; run->analysis must have been computed. */
Wqk wqk_of(const ViewContext *context);

/* Draw a matrix of signed values, or of weights (0 … hi), in rect. The id identifies the matrix, so
 * that its colours fade to new values. */
void wqk_cells(const Wqk *w, UiId id, Rect rect, const Mat *m, float hi, bool is_signed);

/* Draw the colour scale of a signed matrix, −hi … +hi, with its numbers or, if it is narrow, only
 * with ±hi; or that of weights, 0 … hi. */
void wqk_signed_scale(const Wqk *w, Rect rect, float hi);
void wqk_weight_scale(const Wqk *w, Rect rect, float hi);

/* Return the largest finite |entry|; 1 for a matrix of zeros. */
float wqk_largest(const Mat *m);

/* Return the largest difference that rounding can make in the head's result. */
double wqk_rounding(const Wqk *w);

/* Return the largest whole number of device pixels up to side; if side is less than one pixel,
 * return side itself. */
float wqk_snap(const Wqk *w, float side);

/* Return a value as formula markup: with fixed decimals or, if it is very small or large, with a
 * power of ten. WQK_NUMBER does this as an expression; its text lives to the end of the enclosing
 * block. */
#define WQK_NUMBER_MAX    48
#define WQK_NUMBER(value) wqk_number((char[WQK_NUMBER_MAX]){0}, value)
const char *wqk_number(char out[WQK_NUMBER_MAX], double value);

/* Return the number of singular values of the product that are larger than rounding errors. */
int wqk_rank_found(const Wqk *w);

/* A matrix in the upper part of the view: its visible rectangle, and the place of all rows × cols
 * entries. */
typedef struct WqkSheet {
    Rect frame, whole;
    int rows, cols;
} WqkSheet;

/* The upper part of the view. */
typedef struct WqkTop {
    WqkSheet left, right, product; /* W_Q, W_Kᵀ, W_QK */
    float cell;                    /* side of an entry at the current zoom */
    /* True if unzoomed entries are smaller than ZOOM_BELOW device pixels. */
    bool can_zoom;
    Rect transform; /* place of R's panel below W_Kᵀ, if there is room */
    bool has_transform;
    float bottom; /* lower end of the area available */
} WqkTop;

WqkTop wqk_top_layout(const Wqk *w, Rect area);

/* Place the matrices in a row, with unzoomed entries of size top->cell. at: top left corner of the
 * first. between: space between the factors. before_product: space before the product. */
void wqk_top_place(const Wqk *w, WqkTop *top, Vec2 at, float between, float before_product);
void wqk_top_draw(const Wqk *w, const WqkTop *top);

/* Return the lower end of all parts, including scales and R's panel. */
float wqk_top_bottom(const WqkTop *top);

/* Handle the pointer: find the hovered entry, zoom, pan, pin, and open the editor. Must be called
 * before anything is drawn. */
void wqk_top_pointer(Wqk *w, WqkTop *top);

/* After a double click on an entry of a factor or of W_QK, open its editor; after a right click,
 * offer the editor in the context menu. Return true if one of the two happened. wqk_hand_marks
 * marks the entries that are set by hand. */
bool wqk_hand_pointer(const Wqk *w, const WqkTop *top, UiState product);
void wqk_hand_marks(const Wqk *w, const WqkTop *top);

/* Edit a singular value of W_QK by hand. plot: place of the bars; top: value at its upper end.
 * wqk_sigma_top returns this value, which stays the same while a bar is dragged. wqk_sigma_drag,
 * called before the chart's own control, moves the end of a bar and returns true if that end is
 * hovered or held. wqk_sigma_edit opens the editor after a double click on a bar, or after Enter
 * for value r. wqk_sigma_marks marks the bars that are set by hand. */
float wqk_sigma_top(const Wqk *w, float top);
const HandNumber *wqk_sigma_dragged(const Wqk *w); /* the number of the dragged bar, or NULL */
bool wqk_sigma_drag(const Wqk *w, Rect plot, float top);
void wqk_sigma_edit(const Wqk *w, Rect plot, float top, UiState chart);
void wqk_sigma_marks(const Wqk *w, Rect plot, float top);

/* Return the height of R's panel, which is at most `most`. */
float wqk_transform_height(float most);
void wqk_transform(const Wqk *w, Rect area);

/* Draw the proof: the head's result in two ways, and their difference. wqk_proof_number draws only
 * the largest difference, as a number that fills area. */
void wqk_proof(const Wqk *w, Rect area);
void wqk_proof_number(const Wqk *w, Rect area);

/* Return the end of the colour scale that factors and product share in a lecture hall. */
float wqk_hall_scale(const Wqk *w);

void wqk_spectrum(const Wqk *w, Rect area);
void wqk_curve(const Wqk *w, Rect area);
void wqk_cost_brief(const Wqk *w, Rect area);
/* True if two factors need fewer parameters than the product. */
bool wqk_cost_holds_less(const Wqk *w);
void wqk_cost_page(const Wqk *w, Rect area);
void wqk_training_page(const Wqk *w, Rect area);
void wqk_parts_page(const Wqk *w, Rect area);
void wqk_nested_page(const Wqk *w, Rect area);
void wqk_plain_page(const Wqk *w, Rect area);

/* Draw the choice of the distance (RoPE): a slider and, if there is room, a strip of matrices. area
 * must be at least 64 px high. */
void wqk_offsets(const Wqk *w, Rect area);

#endif
