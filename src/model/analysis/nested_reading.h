/* nested_reading.h: a reading of the paper with two factors: one matrix W^Q for all heads, followed
 * by each head's own W_i^Q. Compares the attention from both factors with that from their product
 * W_i^{Q*}. Pure, with scratch memory. Shapes as in attention.h. Source: Vaswani et al. 2017,
 * section 3.2.2; in the paper itself Q, K and V are the layer's input and each head projects once.
 */
#ifndef HEADLIGHT_MODEL_ANALYSIS_NESTED_READING_H
#define HEADLIGHT_MODEL_ANALYSIS_NESTED_READING_H

#include "model/analysis/head_product.h"
#include "model/init/scheme.h"

typedef struct NestedReading {
    /* Weights of the queries or, for W_OV, of the values: the factor that the heads share (D, D),
     * the head's own factor (D, m), and their product (D, m). */
    Mat full, own, folded;
    Mat A_nested, A_folded; /* (T, T), of the chosen head */
    float head_A, head_S;   /* of the chosen head: max|ΔA|, max|ΔS| over open keys */
    float all_A, all_S;     /* maxima of head_A and head_S over all heads */
    /* The layer's parameters in the nested form, and with products. */
    long long parameters, folded_parameters;
} NestedReading;

/* All borrowed. */
typedef struct NestedInputs {
    const AttnShape *shape; /* of FORM_NESTED */
    const SchemePlan *plan; /* the plan by which the nested form samples its matrices */
    const Mat *x;           /* (T, D): the layer's input */
    const Mask *mask;
    ProductKind kind;
    int head;
} NestedInputs;

/* Return the bytes that nested_reading_push takes from arena. */
uint64_t nested_reading_bytes(const AttnShape *shape, ProductKind kind);

/* Sample the layer, multiply its factors, and compute its attention both ways. full has no rows if
 * this would take more than ARENA_BYTES_MAX. Fails if scheme_draw does or memory runs out. */
bool nested_reading_push(NestedReading *out, Arena *arena, const NestedInputs *inputs, Err *err);

#endif
