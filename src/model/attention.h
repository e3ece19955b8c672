/* attention.h: one multi-head attention layer, forward.
 * Every intermediate is kept, because the intermediates are what we draw.
 * Pure: no I/O, no globals, no clock.
 * Shapes are (rows, cols), row-major: T tokens, D model width, H heads,
 * K query/key width and V value width, both per head.
 * Source: Vaswani et al. 2017, "Attention is all you need", section 3.2. */
#ifndef HEADLIGHT_MODEL_ATTENTION_H
#define HEADLIGHT_MODEL_ATTENTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/registry.h"
#include "math/mat.h"
#include "model/mask.h"

/* How the query and key weights are held; rows of the registry ATTN_FORMS in this order. */
typedef enum AttnForm { FORM_SEPARATE, FORM_MERGED, FORM_COUNT } AttnForm;
extern const Registry ATTN_FORMS;

typedef struct AttnShape {
    int T, D, H, K, V;
    AttnForm form;
    float score_factor; /* what q·k is multiplied by: scale / temperature */
} AttnShape;

/* The parameter table's row numbers; see params.h. */
typedef enum AttnParam { ATTN_W_Q, ATTN_W_K, ATTN_W_V, ATTN_W_O, ATTN_PARAM_COUNT } AttnParam;

/* Parameters or their gradients: one type, so every loop serves both.
 * W_Q, W_K (D, H*K), W_V (D, H*V): head h is a block of columns. W_O (H*V, D): head h is a block
 * of rows. Weights stand on the right, Q = X·W_Q. W_Q, W_K and W_V are views of one matrix, so
 * that one product gives Q, K and V. A parameter that the shape does not use has rows == 0. */
typedef struct AttnParams {
    Mat p[ATTN_PARAM_COUNT];
    Mat fused; /* (D, 2*H*K + H*V): what W_Q, W_K and W_V are columns of */
} AttnParams;

/* Everything between X and Y. Absent ones have rows == 0.
 * S holds scores after scale and temperature and before the mask; a fully masked row of A is 0. */
typedef struct AttnTrace {
    Mat fused; /* (T, 2*H*K + H*V), separate only: what Q, K and V are columns of */
    Mat Q, K;  /* (T, H*K), separate only: head h is a block of columns */
    Mat V;     /* (T, H*V): head h is a block of columns */
    Mat W_QK;  /* (H*D, D), merged only: head h is a block of rows */
    Mat XW;    /* (T, H*D), merged only: X·W_QK, head h is a block of columns */
    Mat S, A;  /* (H*T, T): head h is a block of rows */
    Mat Z;     /* (T, H*V): head h is a block of columns */
    Mat Y;     /* (T, D) */
} AttnTrace;

/* Bytes that attn_params_push and attn_trace_push take; SIZE_MAX when that does not fit. */
size_t attn_params_bytes(const AttnShape *shape);
size_t attn_trace_bytes(const AttnShape *shape);
AttnParams attn_params_push(Arena *arena, const AttnShape *shape);
AttnTrace attn_trace_push(Arena *arena, const AttnShape *shape);

/* Head h of a trace matrix or a parameter, as a view. */
Mat attn_head_scores(const Mat *m, const AttnShape *shape, int head);  /* of S or A: (T, T) */
Mat attn_head_query(const Mat *m, const AttnShape *shape, int head);   /* of Q, K, W_Q, W_K */
Mat attn_head_value(const Mat *m, const AttnShape *shape, int head);   /* of V, Z, W_V */
Mat attn_head_product(const Mat *m, const AttnShape *shape, int head); /* of W_QK: (D, D) */

/* The merged form's W_QK = W_Q W_Kᵀ of every head, into trace->W_QK. Depends on params alone, so
 * a keystroke does not repeat it; attn_forward in the merged form needs it. */
void attn_merge(AttnTrace *trace, const AttnShape *shape, const AttnParams *params);

/* Fill trace from x (T, D). Asserts that all shapes agree. Equation 1 of the source. */
void attn_forward(AttnTrace *trace, const AttnShape *shape, const AttnParams *params, const Mat *x,
                  const Mask *mask);

#endif
