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

#include "base/registry.h"
#include "math/mat.h"
#include "math/norm.h"
#include "model/attention/mask.h"
#include "model/attention/position.h"

/* How the query and key weights are stored: rows of ATTN_FORMS in this order. */
typedef enum AttnForm {
    FORM_SEPARATE,
    FORM_MERGED,
    FORM_RANK,
    FORM_FREE,
    FORM_NESTED,
    FORM_COUNT
} AttnForm;
extern const Registry ATTN_FORMS;

/* Which products have a bias. See block.h, also for the residual and the normalisation. */
typedef enum AttnBias { BIAS_NONE, BIAS_OUTPUT, BIAS_ALL, BIAS_COUNT } AttnBias;
typedef enum AttnBlock {
    BLOCK_ATTENTION,
    BLOCK_RESIDUAL,
    BLOCK_POST_NORM,
    BLOCK_PRE_NORM,
    BLOCK_COUNT
} AttnBlock;

/* Traits of a trained model's attention that no option sets. All zero is standard attention. */
typedef struct AttnTraits {
    NormKind norm;
    Rope rope;
    float
        qk_epsilon; /* > 0: queries and keys pass RMSNorm with this epsilon and a gain (QK-norm) */
    float cap;      /* > 0: a score s becomes cap·tanh(s / cap) */
    /* > 0: keys that are `window` or more tokens before a query are closed (mask_limit) */
    int window;
    int key_heads; /* > 0: every H / key_heads consecutive heads share W_K and W_V */
} AttnTraits;

typedef struct AttnShape {
    int T, D, H, K, V;
    AttnForm form;
    float score_factor; /* factor of q·k: scale / temperature */
    int rank;           /* R of FORM_RANK */
    AttnBias bias;
    AttnBlock block;
    bool rope; /* Q and K are rotated by position. K must be even, and form not FORM_RANK or
                  FORM_FREE */
    AttnTraits traits;
} AttnShape;

bool attn_shape_equal(const AttnShape *a, const AttnShape *b);

uint64_t attn_shape_hash(const AttnShape *shape);

/* Features of a shape that decide which matrices a layer has. */
enum {
    SHAPE_PAIR = 1 << 0, /* W_Q and W_K; not in FORM_FREE */
    SHAPE_FREE = 1 << 1,
    SHAPE_NESTED = 1 << 2,
    SHAPE_RANK = 1 << 3,
    SHAPE_FACTORS = 1 << 4,  /* see attn_has_factors */
    SHAPE_PRODUCTS = 1 << 5, /* all shapes without SHAPE_FACTORS */
    SHAPE_ROPE = 1 << 6,
    SHAPE_INNER_BIAS = 1 << 7, /* for queries, keys and values */
    SHAPE_OUTER_BIAS = 1 << 8,
    SHAPE_QK_NORM = 1 << 9,
    SHAPE_OWN_INPUT = 1 << 10, /* see block_owns_input */
    SHAPE_POST_NORM = 1 << 11,
};

bool attn_shape_has(const AttnShape *shape, unsigned features);

/* Rows of the parameter table, see params.h. */
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

/* Return E, the width of the input of queries and keys: D, plus one for the constant 1 with
 * BIAS_ALL. */
static inline int attn_input_width(const AttnShape *shape) {
    return shape->D + (shape->bias == BIAS_ALL);
}

/* The parameters of a layer, or their gradients. Weights multiply from the right: Q = X·W_Q. In
 * W_Q, W_K (D, H*K) and W_V (D, H*V) head h is a block of columns, in W_O (H*V, D) a block of rows.
 * W_Q, W_K and W_V are views of `fused`, so that one product gives Q, K and V. With BIAS_ALL the
 * last row of `fused` holds b_Q, b_K and b_V, multiplied by the input's constant 1. In FORM_NESTED
 * `fused` has the products of the _FULL (D, D) and the _HEAD (D, H*K or H*V) weights. In FORM_FREE,
 * W_QK (H*E, E) replaces W_Q and W_K; head h is a block of rows. A parameter that the shape does
 * not use has rows == 0. */
typedef struct AttnParams {
    Mat p[ATTN_PARAM_COUNT];
    Mat fused;   /* (E, 2*H*K + H*V): [W_Q W_K W_V]; FORM_FREE: (E, H*V) */
    Mat gain[2]; /* (1, K), QK-norm only: of queries and of keys; not trained here */
} AttnParams;

/* True if scores come from Q and K ("with factors"), false if from X·W_QK ("with products"). With
 * RoPE the merged form also computes its scores from rotated factors, because there is no single
 * W_QK; attn_offset_push computes the W_QK of each distance. */
static inline bool attn_has_factors(const AttnShape *shape) {
    return shape->form == FORM_SEPARATE || shape->form == FORM_NESTED || shape->rope;
}

/* A number set by hand, and a borrowed list of them; see hand_numbers.h. */
typedef struct HandNumber HandNumber;
typedef struct HandNumbers {
    const HandNumber *at;
    int count;
} HandNumbers;

/* Everything between X and Y. Unused matrices have rows == 0. S is after scale and temperature and
 * before the mask; a fully masked row of A is 0. */
typedef struct AttnTrace {
    Mat input;     /* (T, E): X, or LN(X) in pre-norm, with a last column of 1 for biases */
    Mat nested[3]; /* (T, D), nested only: X·W_Q_full, and the same for keys and values */
    Mat fused;     /* (T, 2*H*K + H*V), with factors only: [Q K V] */
    Mat Q, K;      /* (T, H*K), with factors only: head h is a block of columns; after rotation */
    Mat V;         /* (T, H*V): head h is a block of columns */
    Mat unnormed;  /* (T, 2*H*K + H*V), QK-norm only: `fused` before the norm */
    Mat rotations; /* (T, K), rope only: cosines and sines, see position.h */
    Mat W_QK;      /* (H*E, E), with products only: head h is a block of rows */
    /* (H*E, E), rank only: W_Q·W_Kᵀ before it is truncated. */
    Mat W_QK_exact;
    Mat sigma; /* (H, E), rank only: singular values of W_QK_exact, largest first */
    Mat XW;    /* (T, H*E), with products only: X·W_QK, head h is a block of columns */
    Mat S, A;  /* (H*T, T): head h is a block of rows */
    Mat Z;     /* (T, H*V): head h is a block of columns */
    Mat sum;   /* (T, D), post-norm only: X + attention before normalisation */
    Mat Y;     /* (T, D) */
    /* Numbers set by hand, from the caller. attn_forward applies those of S and of the heads'
     * outputs. */
    HandNumbers hand;
} AttnTrace;

uint64_t attn_params_bytes(const AttnShape *shape);
uint64_t attn_trace_bytes(const AttnShape *shape);
AttnParams attn_params_push(Arena *arena, const AttnShape *shape);
AttnTrace attn_trace_push(Arena *arena, const AttnShape *shape);

/* A trace has two parts: attn_fold fills the matrices that do not depend on the tokens, and
 * attn_forward fills the others. */
uint64_t attn_fold_bytes(const AttnShape *shape);
uint64_t attn_pass_bytes(const AttnShape *shape);
void attn_fold_push(AttnTrace *trace, Arena *arena, const AttnShape *shape);
void attn_pass_push(AttnTrace *trace, Arena *arena, const AttnShape *shape);

/* Return head h of a trace matrix or a parameter, as a view. */
Mat attn_head_scores(const Mat *m, const AttnShape *shape, int head);  /* for S or A: (T, T) */
Mat attn_head_query(const Mat *m, const AttnShape *shape, int head);   /* for Q, K, W_Q, W_K */
Mat attn_head_value(const Mat *m, const AttnShape *shape, int head);   /* for V, Z, W_V */
Mat attn_head_product(const Mat *m, const AttnShape *shape, int head); /* for W_QK: (E, E) */

/* Return W_Q, W_K or W_V of head h as a view, with BIAS_ALL with the bias as the last row: (E, K or
 * V). */
Mat attn_head_factor(const AttnParams *params, const AttnShape *shape, AttnParam which, int head);

/* Compute the matrices that do not depend on the tokens, so that typing a letter does not compute
 * them again: W_QK of every head, and the products of the nested form (into params->fused). Call it
 * before attn_forward. Fails only in FORM_RANK: if memory runs out or a decomposition does not
 * converge. */
bool attn_fold(AttnTrace *trace, const AttnShape *shape, AttnParams *params, Err *err);

/* Fill trace from x (T, D). Asserts that all shapes agree. Source: equation 1 of the paper. */
void attn_forward(AttnTrace *trace, const AttnShape *shape, const AttnParams *params, const Mat *x,
                  const Mask *mask);

/* Apply QK-norm and RoPE to Q and K, if the layer has them; then fill S, A and Z from Q, K and V.
 * In forms with factors, params need only have the gains of QK-norm. */
void attn_heads(AttnTrace *trace, const AttnShape *shape, const AttnParams *params,
                const Mask *mask);

/* Fill out (T, D) with concat(Z)·W_O + b_O, without residual or norm. */
void attn_output(Mat *out, const AttnTrace *trace, const AttnShape *shape,
                 const AttnParams *params);

/* With RoPE: push W_QK for each distance i − j from -(T-1) to T-1, by distance and then by head:
 * ((2*T-1)*H*E, E). attn_offset_bytes includes scratch memory. */
uint64_t attn_offset_bytes(const AttnShape *shape);
Mat attn_offset_push(Arena *arena, const AttnShape *shape, const AttnParams *params);

/* Write the terms of one score before score_factor: q_m·k_m (K of them), or in forms with products
 * (x_i W_QK)_d·x_jd (E). Return their number, 0 if it exceeds most. */
int attn_score_terms(float *terms, int most, const AttnTrace *trace, const AttnShape *shape,
                     const AttnParams *params, int head, int query, int key);

#endif
