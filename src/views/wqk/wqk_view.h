/* wqk_view.h: shared by the files of the W_QK view: the data on screen, the choices made in the
 * view, and pieces that several files draw. For wqk*.c alone. */
#ifndef HEADLIGHT_VIEWS_WQK_WQK_VIEW_H
#define HEADLIGHT_VIEWS_WQK_WQK_VIEW_H

#include "results/product_analysis.h"
#include "ui/text.h"
#include "views/wqk/wqk.h"

#define WQK_NARROW    620  /* px: a narrower page stacks its parts */
#define WQK_THUMB_MAX 128  /* most entries along a side of a small picture */
#define WQK_AGREE     1e-5 /* as a share of Y's largest entry: a smaller difference is rounding */

/* The names of the shown matrices, as formulas. */
typedef struct WqkNames {
    const char *left, *right; /* W_Q, W_K^⊤ */
    const char *left_transformed,
        *right_transformed;                    /* the factors' names with an R between them */
    const char *left_plain, *right_plain;      /* W_Q, W_K */
    const char *product, *result;              /* W_QK, A */
    const char *unchanged, *changed, *unknown; /* titles of the proof */
} WqkNames;

typedef struct Wqk {
    const ViewContext *c;
    const ProductAnalysis *m;
    const WqkNames *names;
    ProductRequest want; /* the current request; m->wish is the request that m was computed for */
    int rank;            /* the requested rank of the cut */
    int width;           /* d_k or d_v: the rank of the product */
    int E;               /* rows and columns of the product */
    float merged;        /* 0 separate, 1 merged; in between during the motion */
    int layers;          /* columns of W_Q that the merge's slider has added so far; else 0 */
    OptionPair lit;      /* the focused entry, from 1: hovered, else pinned; {0, 0} for none */
    bool is_hovered;     /* true if lit is hovered, false if pinned */
} Wqk;

/* Return the view's state; run->analysis must have been computed. */
Wqk wqk_of(const ViewContext *context);

/* Return the rank of the cut: the user's own, else that of the form in use, else half of the full
 * rank. */
int wqk_rank_of(const Session *session, const Settings *settings, int width, int E);

/* Draw a matrix of signed values, or of weights (0 … hi), in rect. The id identifies the matrix, so
 * that its colours fade to new values. */
void wqk_cells(const ViewContext *c, UiId id, Rect rect, const Mat *m, float hi, bool is_signed);

/* Draw the colour scale of a signed matrix, −hi … +hi, with three numbers. */
void wqk_signed_scale(const ViewContext *c, Rect rect, float hi);

/* Return the largest finite |entry|; 1 for a matrix of zeros. */
float wqk_largest(const Mat *m);

/* Return the largest difference that rounding can make in the head's result. */
double wqk_rounding(const Wqk *w);

/* Return the largest multiple of a device pixel up to side; side itself if it is below one pixel.
 * */
float wqk_snap(const ViewContext *c, float side);

/* Return a value as formula markup: fixed decimals, or with a power of ten if it is very small or
 * large. WQK_NUMBER does it as an expression, whose text lives to the end of the block. */
#define WQK_NUMBER_MAX    48
#define WQK_NUMBER(value) wqk_number((char[WQK_NUMBER_MAX]){0}, value)
const char *wqk_number(char out[WQK_NUMBER_MAX], double value);

/* With RoPE, return the chosen distance if W_Q is rotated by it; otherwise 0. */
int wqk_rotated_by(const Wqk *w);

/* Return the number of singular values of the product that exceed rounding error. */
int wqk_rank_found(const Wqk *w);

/* True if the product, the cut, or the factors with R belong to an earlier request. */
bool wqk_is_old_product(const Wqk *w);
bool wqk_is_old_cut(const Wqk *w);
bool wqk_is_old_transform(const Wqk *w);

/* Veil a part of the picture that is stale. name identifies the part. */
void wqk_veil(const Wqk *w, const char *name, Rect rect, bool is_old);

/* Parts of the view. */
typedef struct WqkTop {
    Rect left, right, product;   /* visible parts of W_Q, W_Kᵀ, W_QK */
    float cell;                  /* side of an entry, at the current zoom */
    Vec2 shift;                  /* how far the product's corner lies left of and above its frame */
    bool can_zoom;               /* unzoomed entries are below ZOOM_BELOW device pixels */
    Rect below_right;            /* place of R's panel under W_Kᵀ, if there is room */
    bool has_transform, is_hall; /* is_hall: all three share one scale, which is drawn elsewhere */
} WqkTop;

/* Fit factors and product into area. *beside becomes the rest at the right. */
WqkTop wqk_top_layout(const Wqk *w, Rect area);
void wqk_top_draw(const Wqk *w, const WqkTop *top);

/* Return the lower end of everything, scales and R's panel included. */
float wqk_top_bottom(const WqkTop *top);

/* Return the place of a whole matrix of which only frame is visible. rows, columns: whether they
 * move with the product's. */
Rect wqk_whole(const Wqk *w, const WqkTop *top, Rect frame, bool rows, bool columns);

/* Name the factors and the product as parts of the picture. A name may be wider than W_Q. */
void wqk_mark_parts(const Wqk *w, const WqkTop *top, float left_name_w);

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
void wqk_proof(const Wqk *w, Rect area, bool wide);

/* Draw the proof as one number, as large as area is high. */
void wqk_proof_number(const Wqk *w, Rect area);

/* Draw the hall form of the view. */
void wqk_hall(Wqk *w, Rect area);

/* Return the end of the colour scale that factors and product share. */
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

/* Set the cut's rank and show what it changes. */
void wqk_set_rank(const Wqk *w, int rank, uint64_t serial);

#endif
