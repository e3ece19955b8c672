/* product_analysis_parts.h: the parts of a ProductAnalysis and their inputs. Only for
 * product_analysis*.c. */
#ifndef HEADLIGHT_RESULTS_PRODUCT_ANALYSIS_PARTS_H
#define HEADLIGHT_RESULTS_PRODUCT_ANALYSIS_PARTS_H

#include <stdatomic.h>

#include "base/part.h"
#include "results/product_analysis.h"

/* The parts of an analysis, in the order in which they are computed. */
typedef enum ProductPart {
    PART_PRODUCT,
    PART_FAMILY, /* with RoPE: the tokens' products with the matrices of all distances */
    PART_PASSES,
    PART_VECTORS,
    PART_SPECTRUM, /* the products of the singular vectors with the tokens */
    PART_CURVE,
    PART_CUT,
    PART_CUT_PRODUCT,
    PART_FRAME,
    PART_FACTORS,
    PART_TRANSFORM,
    PART_STEP,
    PART_NESTED,
    PART_PARTS,
    PART_ALL,  /* the differences of PART_PASSES for all heads */
    PART_FREE, /* the singular values of a W_QK of the form free */
    PRODUCT_PARTS
} ProductPart;

/* All inputs of a part. */
typedef struct PartKey {
    uint64_t weights, pass, seed;
    AttnShape shape;
    int layer, head, kind, offset, rank, is_rotation, has_family;
    float turn, rate;
} PartKey;

/* The memory of a ProductAnalysis. Parts whose inputs have not changed are shared with the previous
 * one. */
struct ProductCache {
    atomic_int owners; /* number of Results that share the analysis */
    Part *parts[PRODUCT_PARTS];
    PartKey keys[PRODUCT_PARTS];
    bool made[PRODUCT_PARTS];
};

/* The optional parts that exist or will exist. */
typedef struct ProductParts {
    bool family;
} ProductParts;

/* The arguments of all functions that compute a part. */
typedef struct ProductJob {
    Results *run;
    const LayerResults *layer;
    const AttnShape *shape;
    const ProductRequest *request;
    ProductAnalysis *analysis; /* the analysis to fill */
    Arena *scratch;
    const ProductParts *has;
    const Job *job; /* NULL without a job */
    Err *err;
} ProductJob;

/* Compute a part that is requested and stale. The other functions compute one part each. */
bool product_analysis_part(const ProductJob *making, ProductPart part);
bool product_analysis_frame(const ProductJob *making);
bool product_analysis_factors(const ProductJob *making);
bool product_analysis_transform(const ProductJob *making);
bool product_analysis_step(const ProductJob *making);
bool product_analysis_nested(const ProductJob *making);

/* Set analysis->full again after a copy, because it points into the struct itself. */
void product_analysis_point(ProductAnalysis *analysis);

/* Clear the results of a part that may be absent. */
void product_analysis_drop(ProductAnalysis *analysis, ProductPart part);

/* Return memory for a part, and reserve the job's scratch memory; return NULL and set err if memory
 * runs out. The second function returns false and sets err if the job is cancelled. */
Arena *product_analysis_room(const ProductJob *making, ProductPart part, size_t bytes,
                             size_t scratch);
bool product_analysis_goes_on(const ProductJob *making);

/* Fill left (E, m) with the head's left factor, without the rotation by a distance (RoPE). */
void product_analysis_unrotated(Mat *left, const ProductJob *making);

/* First: true if the head rotates between the factors (RoPE). Second: true if there is one product
 * for each distance, and they are few enough to compute. Third: true if the product has factors. */
bool product_analysis_turns(const AttnShape *shape, const ProductRequest *request);
bool product_analysis_has_family(const AttnShape *shape, const ProductRequest *request);
bool product_analysis_has_factors(const AttnShape *shape, const ProductRequest *request);

/* True if both forms exist and can be compared over all heads within a few seconds. */
bool product_analysis_has_all(const AttnShape *shape, const ProductRequest *request);

#endif
