/* wqk_view.h: what the files of the W_QK view share: what is shown, the choices made in it, and the
 * pieces that several of them draw. For wqk*.c alone. */
#ifndef HEADLIGHT_VIEWS_WQK_WQK_VIEW_H
#define HEADLIGHT_VIEWS_WQK_WQK_VIEW_H

#include "results/product_analysis.h"
#include "ui/text.h"
#include "views/wqk/wqk.h"

#define WQK_NARROW    620  /* px: a narrower page has its parts one under the other */
#define WQK_THUMB_MAX 128  /* entries a side of a small picture */
#define WQK_AGREE     1e-5 /* of the largest entry of Y: a difference that is rounding */

/* The names of what is shown, as formulas. */
typedef struct WqkNames {
    const char *left, *right;                  /* W_Q, W_K^⊤ */
    const char *left_turned, *right_turned;    /* with an R between them */
    const char *left_plain, *right_plain;      /* W_Q, W_K */
    const char *product, *result;              /* W_QK, A */
    const char *unchanged, *changed, *unknown; /* the proof's title */
} WqkNames;

typedef struct Wqk {
    const ViewContext *c;
    const ProductAnalysis *m;
    const WqkNames *names;
    ProductRequest want; /* what is asked for today; m->wish is what m was made of */
    int rank;            /* of the cut that is asked for */
    int width;           /* d_k or d_v: where the cliff is */
    int E;               /* rows and columns of the product */
    float merged;        /* 0 apart, 1 merged: on its way in between */
    int layers; /* of a merge that is scrubbed: columns of W_Q that are in the product so far; or 0
                 */
    OptionPair lit;  /* the entry looked at, from 1: hovered, else pinned; {0, 0} for none */
    bool is_hovered; /* rather than pinned */
} Wqk;

/* The view as it stands; run->merge must have been made. */
Wqk wqk_of(const ViewContext *context);

/* The rank that the cut shows: the person's own, else that in force, else half of what there is. */
int wqk_rank_of(const Session *session, const Settings *settings, int width, int E);

/* A matrix of signed values, or of weights (0 … hi), in rect; id is its own, so that its colours
 * pass to new values. */
void wqk_cells(const ViewContext *c, UiId id, Rect rect, const Mat *m, float hi, bool is_signed);

/* The colour scale of a signed matrix, −hi … +hi, with three numbers. */
void wqk_signed_scale(const ViewContext *c, Rect rect, float hi);

/* max |entry|, passing over what is not finite; 1 for a matrix of 0. */
float wqk_largest(const Mat *m);

/* Return the largest difference of the head's result that rounding alone makes. */
double wqk_rounding(const Wqk *w);

/* The largest whole device pixel not above side, or side where that is under one. */
float wqk_snap(const ViewContext *c, float side);

/* Return a value as formula markup: fixed decimals, or with a power of ten if it is very small or
 * large. WQK_NUMBER does it as an expression, whose text lives to the end of the block. */
#define WQK_NUMBER_MAX    48
#define WQK_NUMBER(value) wqk_number((char[WQK_NUMBER_MAX]){0}, value)
const char *wqk_number(char out[WQK_NUMBER_MAX], double value);

/* With RoPE: the distance whose matrix the product is, where it is not 0 and W_Q is turned by it.
 */
int wqk_turned_by(const Wqk *w);

/* How many singular values of the product are above what rounding leaves. */
int wqk_rank_found(const Wqk *w);

/* Whether the product, the cut or the factors with their R are of an earlier
 * wish. */
bool wqk_is_old_product(const Wqk *w);
bool wqk_is_old_cut(const Wqk *w);
bool wqk_is_old_gauge(const Wqk *w);

/* Take a part of the picture back while it is old; name is its own. */
void wqk_veil(const Wqk *w, const char *name, Rect rect, bool is_old);

/* Parts of the view. */
typedef struct WqkTop {
    Rect left, right, product; /* W_Q, W_Kᵀ, W_QK: what is seen of them */
    float cell;                /* side of an entry, closer than it fits where it is zoomed */
    Vec2 shift;                /* how far the product's corner lies left of and above its frame */
    bool can_zoom;             /* an entry would be under ZOOM_BELOW device pixels */
    Rect below_right;          /* under W_Kᵀ: the gauge, if there is room */
    bool has_gauge, is_hall;   /* is_hall: one scale for all three, drawn elsewhere */
} WqkTop;

/* Fit factors and product into area; *beside becomes what is left on the right. */
WqkTop wqk_top_layout(const Wqk *w, Rect area);
void wqk_top_draw(const Wqk *w, const WqkTop *top);

/* Where all of it ends, scales and gauge too. */
float wqk_top_bottom(const WqkTop *top);

/* Return the place of a whole matrix of which only frame is visible: its rows and its columns
 * follow the product's, or neither does. */
Rect wqk_whole(const Wqk *w, const WqkTop *top, Rect frame, bool rows, bool columns);

/* Name the factors and the product as parts of the picture. */
void wqk_mark_parts(const Wqk *w, const WqkTop *top);

/* Find the hovered entry, before anything is drawn. */
void wqk_top_pointer(Wqk *w, WqkTop *top);

/* Edit an entry of a factor or of W_QK by hand; and mark those that are. True if the editor opened.
 */
bool wqk_hand_pointer(const Wqk *w, const WqkTop *top, UiState product);
void wqk_hand_marks(const Wqk *w, const WqkTop *top);

/* How much of so much height the gauge takes. */
float wqk_gauge_height(float most);
void wqk_gauge(const Wqk *w, Rect area);
void wqk_proof(const Wqk *w, Rect area, bool wide);

/* Draw the proof as one number, as large as area is high. */
void wqk_proof_number(const Wqk *w, Rect area);

/* Draw the form of the view for a room. */
void wqk_hall(Wqk *w, Rect area);

/* Return the end of the colour scale that factors and product share. */
float wqk_hall_scale(const Wqk *w);

void wqk_spectrum(const Wqk *w, Rect area);
void wqk_curve(const Wqk *w, Rect area);
void wqk_cost_brief(const Wqk *w, Rect area);
bool wqk_cost_holds_less(const Wqk *w); /* two factors than one square, of the sizes in question */
void wqk_cost_page(const Wqk *w, Rect area);
void wqk_training_page(const Wqk *w, Rect area);
void wqk_parts_page(const Wqk *w, Rect area);
void wqk_nested_page(const Wqk *w, Rect area);
void wqk_plain_page(const Wqk *w, Rect area);

/* With RoPE: the distances, to scrub. Draws in one line of 60 px. */
void wqk_offsets(const Wqk *w, Rect area);

/* Set the cut's rank and show what it does. */
void wqk_set_rank(const Wqk *w, int rank, uint64_t serial);

#endif
