/* study_stats.h: the statistics that the initialisation study records of one layer, as a table.
 * Pure, with scratch memory where stated. T tokens, D model width, H heads, K query/key and V value
 * width, both per head. */
#ifndef HEADLIGHT_LAB_STUDY_STATS_H
#define HEADLIGHT_LAB_STUDY_STATS_H

#include "base/job.h"
#include "model/attention/attention.h"
#include "model/theory/expect.h"

/* Parts of a study, in any combination; each takes time. */
typedef enum StudyPart {
    STUDY_FORWARD = 1, /* the statistics that `compare` writes of the forward pass */
    /* Statistics of the gradients of L = Σ G∘Y, where Y is the highest layer's. */
    STUDY_BACKWARD = 2,
    STUDY_SIGNAL = 4,  /* figures of a stack of layers: rank collapse, saturation, norms */
    STUDY_SPECTRA = 8, /* effective ranks, which need singular values */
    STUDY_THEORY = 16, /* what theory expects of each scheme */
} StudyPart;
#define STUDY_FILES (STUDY_FORWARD | STUDY_BACKWARD) /* everything that `compare` writes */

/* Rows of STUDY_STATS. Standard deviations are those of a population, over all entries of the whole
 * matrix with all heads; for S, over open pairs. NaN if the form has no such matrix: Q and K, and
 * the gradients of W_Q and W_K, in forms with products (attn_has_factors is false); W_Q and W_K in
 * the free form. In the nested form W_Q, W_K and W_V are the products of their factors. */
typedef enum StudyStat {
    STUDY_STD_W_Q,
    STUDY_STD_W_K,
    STUDY_STD_W_V,
    STUDY_STD_W_O,
    STUDY_STD_Q,
    STUDY_STD_K,
    STUDY_STD_V,
    STUDY_STD_S,
    STUDY_STD_Z,
    STUDY_STD_Y,
    STUDY_ENTROPY_A,
    STUDY_MAX_A,
    STUDY_STD_GRAD_X,
    STUDY_STD_GRAD_W_Q,
    STUDY_STD_GRAD_W_K,
    STUDY_STD_GRAD_W_V,
    STUDY_STD_GRAD_W_O,
    STUDY_STD_GRAD_W_QK,
    STUDY_NORM_GRAD,
    STUDY_STD_X,
    STUDY_STD_W_QK,
    STUDY_RESIDUAL_X,
    STUDY_RESIDUAL_Y,
    STUDY_SATURATION_A,
    STUDY_RANK_A,
    STUDY_RANK_W_QK,
    STUDY_STAT_COUNT
} StudyStat;

/* One layer after its pass; dx and grads are NULL without a backward pass. */
typedef struct StudyLayer {
    const AttnShape *shape;
    const AttnParams *params;
    const AttnTrace *trace;
    const Mat *x, *dx;       /* (T, D) */
    const AttnParams *grads; /* gradients as attn_backward computes them */
    const Mask *mask;
    const Job *job; /* NULL if there is no job */
    Err *err;       /* set if a value cannot be measured */
} StudyLayer;

typedef struct StudyStatRow {
    Entry entry; /* id: the statistic's key in the files that `compare` writes */
    struct {
        /* StudyPart flags: the statistic is measured if the study requests all of them. */
        unsigned parts;
        /* Measure `which` of the layer; NaN if the form has no such matrix. */
        double (*measure)(const StudyLayer *layer, size_t which);
        size_t expected; /* offset of the expected value in Expected; SIZE_MAX if theory has none */
        size_t which;
        /* True if the statistic depends only on the sampled values of the weight matrix `which`. */
        bool of_weight;
    };
} StudyStatRow;

extern const StudyStatRow STUDY_STATS[STUDY_STAT_COUNT];
extern const Registry STUDY_STAT_REGISTRY;

/* True if the form has the statistic's matrix, with at least two values, because a single value has
 * no standard deviation. */
bool study_stat_exists(StudyStat stat, const AttnShape *shape, const Mask *mask);

/* Fill values, one for each row of STUDY_STATS: NaN if the part was not computed. Values are
 * rounded to float32, like tensors. Return false if the layer's job was cancelled, or with
 * layer->err set. */
bool study_measure(float values[STUDY_STAT_COUNT], const StudyLayer *layer, unsigned parts);

#endif
