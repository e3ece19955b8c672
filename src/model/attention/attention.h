/* attention.h: one multi-head attention layer, forward.
 * Every intermediate is kept, because the intermediates are what we draw.
 * Pure: no I/O, no globals, no clock.
 * Shapes are (rows, cols), row-major: T tokens, D model width, H heads,
 * K query/key width and V value width, both per head.
 * Source: Vaswani et al. 2017, "Attention is all you need", section 3.2. */
#ifndef HEADLIGHT_MODEL_ATTENTION_ATTENTION_H
#define HEADLIGHT_MODEL_ATTENTION_ATTENTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/job.h"
#include "base/registry.h"
#include "math/mat.h"
#include "model/attention/mask.h"

/* How the query and key weights are held; rows of the registry ATTN_FORMS in this order. */
typedef enum AttnForm {
    FORM_SEPARATE,
    FORM_MERGED,
    FORM_RANK,
    FORM_FREE,
    FORM_NESTED,
    FORM_COUNT
} AttnForm;
extern const Registry ATTN_FORMS;

/* Which biases there are, and what stands around the attention; see block.h. */
typedef enum AttnBias { BIAS_NONE, BIAS_OUTPUT, BIAS_ALL, BIAS_COUNT } AttnBias;
typedef enum AttnBlock {
    BLOCK_ATTENTION,
    BLOCK_RESIDUAL,
    BLOCK_POST_NORM,
    BLOCK_PRE_NORM,
    BLOCK_COUNT
} AttnBlock;

typedef struct AttnShape {
    int T, D, H, K, V;
    AttnForm form;
    float score_factor; /* what q·k is multiplied by: scale / temperature */
    int rank;           /* the R of FORM_RANK */
    AttnBias bias;
    AttnBlock block;
    bool rope; /* Q and K are turned by their positions; K is even, form not FORM_RANK, FORM_FREE */
} AttnShape;

bool attn_shape_equal(const AttnShape *a, const AttnShape *b);

/* Return a hash of every member. Equal shapes have equal hashes; their padding does not count. */
uint64_t attn_shape_hash(const AttnShape *shape);

/* The parameter table's row numbers; see params.h. The first ATTN_WEIGHT_COUNT are the weights
 * that every form but FORM_FREE has. */
typedef enum AttnParam {
    ATTN_W_Q,
    ATTN_W_K,
    ATTN_W_V,
    ATTN_W_O,
    ATTN_B_Q,
    ATTN_B_K,
    ATTN_B_V,
    ATTN_B_O,
    ATTN_W_Q_FULL,
    ATTN_W_K_FULL,
    ATTN_W_V_FULL,
    ATTN_W_Q_HEAD,
    ATTN_W_K_HEAD,
    ATTN_W_V_HEAD,
    ATTN_W_QK,
    ATTN_PARAM_COUNT
} AttnParam;
#define ATTN_WEIGHT_COUNT 4

/* The width E of what queries and keys are made from: D, and one more for the constant 1 where
 * there are query and key biases. */
static inline int attn_input_width(const AttnShape *shape) {
    return shape->D + (shape->bias == BIAS_ALL);
}

/* The columns of what W_Q, W_K and W_V are columns of. */
int attn_fused_width(const AttnShape *shape);

/* Parameters or their gradients: one type, so every loop serves both.
 * W_Q, W_K (D, H*K), W_V (D, H*V): head h is a block of columns. W_O (H*V, D): head h is a block
 * of rows. Weights stand on the right, Q = X·W_Q. W_Q, W_K and W_V are views of one matrix, so
 * that one product gives Q, K and V; its last row is b_Q, b_K and b_V where there are biases, which
 * the input's constant 1 meets. In FORM_NESTED it holds the products of the _FULL (D, D) and the
 * _HEAD (D, H*K or H*V) weights. In FORM_FREE W_QK (H*E, E) stands in place of W_Q and W_K, head h
 * a block of rows. A parameter that the shape does not use has rows == 0. */
typedef struct AttnParams {
    Mat p[ATTN_PARAM_COUNT];
    Mat fused; /* (E, 2*H*K + H*V), free (E, H*V): what W_Q, W_K and W_V are columns of */
} AttnParams;

/* Whether scores come from Q and K, "with factors", or from X·W_QK, "with products". With rope a
 * single W_QK no longer does, and the merged form too makes its scores from turned factors, which
 * are the same numbers; attn_offset_family gives its matrices. */
static inline bool attn_has_factors(const AttnShape *shape) {
    return shape->form == FORM_SEPARATE || shape->form == FORM_NESTED || shape->rope;
}

/* Everything between X and Y. Absent ones have rows == 0.
 * S holds scores after scale and temperature and before the mask; a fully masked row of A is 0. */
typedef struct AttnTrace {
    Mat input;      /* (T, E): X itself, or LN(X) in pre-norm, with a last column of 1 for biases */
    Mat nested[3];  /* (T, D), nested only: X·W_Q_full, and so for keys and values */
    Mat fused;      /* (T, 2*H*K + H*V), with factors only: what Q, K and V are columns of */
    Mat Q, K;       /* (T, H*K), with factors only: head h is a block of columns; after the turn */
    Mat V;          /* (T, H*V): head h is a block of columns */
    Mat turn;       /* (T, K), rope only: cosines and sines, see rope.h */
    Mat W_QK;       /* (H*E, E), with products only: head h is a block of rows */
    Mat W_QK_exact; /* as W_QK, rank only: W_Q W_Kᵀ as it was before it was cut */
    Mat sigma;      /* (H, E), rank only: singular values of W_QK_exact, largest first */
    Mat XW;         /* (T, H*E), with products only: X·W_QK, head h is a block of columns */
    Mat S, A;       /* (H*T, T): head h is a block of rows */
    Mat Z;          /* (T, H*V): head h is a block of columns */
    Mat sum;        /* (T, D), post-norm only: X + attention, before it is normalised */
    Mat Y;          /* (T, D) */
} AttnTrace;

/* Bytes that attn_params_push and attn_trace_push take; SIZE_MAX when that does not fit. */
size_t attn_params_bytes(const AttnShape *shape);
size_t attn_trace_bytes(const AttnShape *shape);
AttnParams attn_params_push(Arena *arena, const AttnShape *shape);
AttnTrace attn_trace_push(Arena *arena, const AttnShape *shape);

/* The two parts of a trace: what attn_fold fills, which no token changes, and the pass. */
size_t attn_fold_bytes(const AttnShape *shape);
size_t attn_pass_bytes(const AttnShape *shape);
void attn_fold_push(AttnTrace *trace, Arena *arena, const AttnShape *shape);
void attn_pass_push(AttnTrace *trace, Arena *arena, const AttnShape *shape);

/* Head h of a trace matrix or a parameter, as a view. */
Mat attn_head_scores(const Mat *m, const AttnShape *shape, int head);  /* of S or A: (T, T) */
Mat attn_head_query(const Mat *m, const AttnShape *shape, int head);   /* of Q, K, W_Q, W_K */
Mat attn_head_value(const Mat *m, const AttnShape *shape, int head);   /* of V, Z, W_V */
Mat attn_head_product(const Mat *m, const AttnShape *shape, int head); /* of W_QK: (E, E) */

/* Fill what follows from the parameters and the shape alone, so that a keystroke does not repeat
 * it: W_QK of every head, and the products of the nested form (into params->fused). attn_forward
 * needs it. Fails for want of memory, or where a singular value does not settle, both
 * in FORM_RANK alone. */
bool attn_fold(AttnTrace *trace, const AttnShape *shape, AttnParams *params, Err *err);

/* The same, which also fails once watch, which may be NULL, says to stop; in FORM_RANK it is asked
 * after each head. */
bool attn_fold_watched(AttnTrace *trace, const AttnShape *shape, AttnParams *params,
                       JobWatch *watch, Err *err);

/* Fill trace from x (T, D). Asserts that all shapes agree. Equation 1 of the source. */
void attn_forward(AttnTrace *trace, const AttnShape *shape, const AttnParams *params, const Mat *x,
                  const Mask *mask);

/* With rope: W_QK for each distance i - j of query and key, from -(T-1) up, distance by distance
 * and in each head by head: ((2*T-1)*H*E, E). Bytes as mat_bytes, SIZE_MAX where that does not fit;
 * scratch for one turned W_Q comes from the arena too, and attn_offset_bytes has both. */
size_t attn_offset_bytes(const AttnShape *shape);
Mat attn_offset_push(Arena *arena, const AttnShape *shape, const AttnParams *params);

/* The terms of one score before score_factor, at most E or K of them: q_m·k_m, or in the merged
 * forms (x_i W_QK)_d·x_jd. Returns how many, 0 where there are more than most. */
int attn_score_terms(float *terms, int most, const AttnTrace *trace, const AttnShape *shape,
                     const AttnParams *params, int head, int query, int key);

#endif
