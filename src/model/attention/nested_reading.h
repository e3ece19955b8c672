/* nested_reading.h: a layer as the paper writes it: a matrix W^Q for all heads before each head's
 * own W_i^Q, and the one matrix W_i^{Q*} that the two fold into; and its attention both ways. Pure;
 * pushes to arenas alone. Shapes as in attention.h.
 * Source: Vaswani et al. 2017, section 3.2.2, whose MultiHead(Q, K, V) projects inside each head
 * what is Q, K and V already. */
#ifndef HEADLIGHT_MODEL_ATTENTION_NESTED_READING_H
#define HEADLIGHT_MODEL_ATTENTION_NESTED_READING_H

#include "base/job.h"
#include "model/analysis/head_product.h"
#include "model/init/scheme.h"

typedef struct NestedReading {
    Mat full, own, folded;  /* (D, D), (D, m), (D, m): of queries, or for W_OV of values */
    Mat A_nested, A_folded; /* (T, T), of that head */
    float head_A, head_S;   /* max|ΔA|, max|ΔS| over open keys: of that head */
    float all_A, all_S;     /* and over all heads */
    long long parameters, folded_parameters; /* of the layer */
} NestedReading;

/* What it is read from; all borrowed. */
typedef struct NestedSite {
    const AttnShape *shape; /* in the form nested */
    const SchemePlan *plan; /* by which the form nested draws its matrices */
    const Mat *x;           /* (T, D) */
    const Mask *mask;
    ProductKind kind;
    int head;
} NestedSite;

/* Bytes that nested_reading_push takes from arena, and for a moment from scratch; SIZE_MAX where
 * that does not fit. */
size_t nested_reading_bytes(const AttnShape *shape, ProductKind kind);
size_t nested_reading_scratch_bytes(const AttnShape *shape);

/* Draw the layer, fold it and let it attend both ways. Fails as scheme_draw does, or once watch,
 * which may be NULL, says to stop. */
bool nested_reading_push(NestedReading *out, Arena *arena, const NestedSite *site, JobWatch *watch,
                         Arena *scratch, Err *err);

#endif
