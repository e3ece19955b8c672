/* product_analysis_parts.h: the parts of a ProductAnalysis: what each is made from, and how. For
 * results_product*.c alone. */
#ifndef HEADLIGHT_RESULTS_PRODUCT_ANALYSIS_PARTS_H
#define HEADLIGHT_RESULTS_PRODUCT_ANALYSIS_PARTS_H

#include <stdatomic.h>

#include "base/part.h"
#include "results/product_analysis.h"

/* Each is made from those before it that it names. */
typedef enum ProductPart {
    PART_PRODUCT,
    PART_FAMILY, /* with rope: what the matrices of all distances make */
    PART_PASSES,
    PART_VECTORS,
    PART_SPECTRUM, /* what the vectors make of the tokens */
    PART_CURVE,
    PART_CUT,
    PART_CUT_PRODUCT,
    PART_FRAME,
    PART_TURNED,
    PART_GAUGE,
    PART_STEP,
    PART_NESTED,
    PART_PARTS,
    PART_ALL,  /* of all heads what PART_PASSES says of one */
    PART_FREE, /* the singular values of a W_QK drawn whole */
    MERGE_PARTS
} ProductPart;

/* All inputs of a part. */
typedef struct PartKey {
    uint64_t weights, pass, seed;
    AttnShape shape;
    int layer, head, kind, offset, rank, is_rotation, has_family;
    float turn, rate;
} PartKey;

/* The memory of a ProductAnalysis. A part whose key has not changed is shared with the
 * ProductAnalysis before. */
struct ProductCache {
    atomic_int owners; /* Runs that have this ProductAnalysis */
    Part *parts[MERGE_PARTS];
    PartKey keys[MERGE_PARTS];
    bool made[MERGE_PARTS];
};

/* The optional parts: those that exist, or will. */
typedef struct ProductParts {
    bool family;
} ProductParts;

/* One job: its source, and what it reports. */
typedef struct ProductJob {
    Results *run;
    const LayerResults *layer;
    const AttnShape *shape;
    const ProductRequest *request;
    ProductAnalysis *merge; /* the next one */
    Arena *scratch;
    const ProductParts *has;
    const Job *job; /* NULL outside of one */
    Err *err;
} ProductJob;

/* What a part is made by; it is wanted and not made yet. */
bool product_analysis_part(const ProductJob *making, ProductPart part);
bool product_analysis_frame(const ProductJob *making);
bool product_analysis_turned(const ProductJob *making);
bool product_analysis_gauge(const ProductJob *making);
bool product_analysis_step(const ProductJob *making);
bool product_analysis_nested(const ProductJob *making);

/* Leave a part out that may be absent. */
void product_analysis_drop(ProductAnalysis *merge, ProductPart part);

/* For the files of the parts: room for a part, and scratch memory for the job, NULL with err if
 * there is too little; false with err once the job is to stop. */
Arena *product_analysis_room(const ProductJob *making, ProductPart part, size_t bytes,
                             size_t scratch);
bool product_analysis_goes_on(const ProductJob *making);

/* Fill left (E, m) with the factor as the head has it, which with rope is not that of one offset.
 */
void product_analysis_unturned(Mat *left, const ProductJob *making);

/* Whether the head's scores are made with a turn between the factors; whether there is then one
 * product for each distance, and they are few enough; whether the product has factors. */
bool product_analysis_turns(const AttnShape *shape, const ProductRequest *request);
bool product_analysis_has_family(const AttnShape *shape, const ProductRequest *request);
bool product_analysis_has_factors(const AttnShape *shape, const ProductRequest *request);

/* Whether the forms are compared over all heads, if that is wished for: where both can be had and
 * it does not take more than some seconds. */
bool product_analysis_has_all(const AttnShape *shape, const ProductRequest *request);

#endif
