/* product_analysis_parts.h: the parts of a ProductAnalysis and their inputs. Only for
 * product_analysis*.c. */
#ifndef HEADLIGHT_RESULTS_PRODUCT_ANALYSIS_PARTS_H
#define HEADLIGHT_RESULTS_PRODUCT_ANALYSIS_PARTS_H

#include "base/arena.h"
#include "results/product_analysis.h"

/* The parts of an analysis, in the order in which they are computed. */
typedef enum ProductPart {
    PART_PRODUCT,
    PART_FAMILY, /* with RoPE: the tokens' products with the matrices of all distances */
    /* the head's results through its factors and through their product, and the differences */
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
    PART_ALL,  /* the largest differences of PART_PASSES over all heads */
    PART_FREE, /* the singular values of a W_QK of the form free */
    PRODUCT_PARTS
} ProductPart;

/* The inputs that a part may have in addition to the layer's weights, as bits. */
enum {
    OF_HEAD = 1 << 0,
    OF_OFFSET = 1 << 1,
    OF_X = 1 << 2,
    OF_PASS = 1 << 3,
    OF_RANK = 1 << 4,
    OF_RATE = 1 << 5,
    OF_TURN = 1 << 6,
    OF_SEED = 1 << 7,
};

/* The analysis of a Results, and its memory. */
typedef struct ProductCache {
    ProductAnalysis analysis;
    Part *parts[PRODUCT_PARTS];
    uint64_t keys[PRODUCT_PARTS]; /* hash of the part's inputs; 0 if it is absent */
    uint64_t pass;                /* ResultsCache.pass when it was computed */
} ProductCache;

/* Arguments of the functions that compute a part. */
typedef struct ProductJob {
    Results *run;
    const LayerResults *layer;
    const AttnShape *shape;
    const ProductRequest *request;
    ProductAnalysis *analysis;
    Arena *scratch;
    bool is_edited;  /* see results_product_is_edited */
    bool has_family; /* PART_FAMILY exists or will exist */
    const Job *job;  /* may be NULL */
    Err *err;
} ProductJob;

typedef struct PartRow {
    bool (*make)(const ProductJob *making);
    unsigned inputs;
    size_t from, to; /* byte range of ProductAnalysis to clear if the part is absent */
} PartRow;
extern const PartRow PRODUCT_PART_ROWS[PRODUCT_PARTS];

/* A ProductAnalysis without parts. */
extern const ProductAnalysis PRODUCT_ABSENT;

/* Set analysis->full again after a copy, because it points into the struct itself. */
void product_analysis_point(ProductAnalysis *analysis);

bool product_analysis_goes_on(const ProductJob *making);

/* True if there is a product for each distance (RoPE), and they are few enough to compute. */
bool product_analysis_has_family(const ProductJob *making);

/* Set for each part: true if the request needs it and the layer has it. */
void product_analysis_wanted(bool wanted[PRODUCT_PARTS], const ProductJob *making);

#endif
