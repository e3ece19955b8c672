/* study_stats.h: the statistics that the initialisation study records of one layer: a table that
 * includes the contract's keys. Pure, with scratch where stated. T tokens, D model width, H heads,
 * K query/key and V value width, both per head. */
#ifndef HEADLIGHT_LAB_STUDY_STATS_H
#define HEADLIGHT_LAB_STUDY_STATS_H

#include "base/job.h"
#include "model/attention/attention.h"
#include "model/theory/expect.h"

/* Parts of a study, in any combination; each takes time. */
typedef enum StudyPart {
    STUDY_FORWARD = 1,  /* the contract's keys of the forward pass */
    STUDY_BACKWARD = 2, /* and of the gradients of L = Σ G∘Y with the highest layer's Y */
    STUDY_SIGNAL = 4,   /* what a stack does to its tokens: rank collapse, saturation, norms */
    STUDY_SPECTRA = 8,  /* effective ranks, which need singular values */
} StudyPart;
#define STUDY_FILES (STUDY_FORWARD | STUDY_BACKWARD) /* everything that `compare` writes */

/* Rows of STUDY_STATS. A standard deviation is that of a population, over all entries of the whole
 * matrix with all heads; of S, over open pairs. NaN if the form has no such matrix: Q and K, and
 * the gradients of W_Q and W_K, in forms with products; W_Q and W_K in the free form. In the nested
 * form W_Q, W_K and W_V are the folded products. */
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
    const AttnParams *grads; /* as attn_backward leaves them */
    const Mask *mask;
    const Job *job; /* or NULL */
} StudyLayer;

typedef struct StudyStatRow {
    Entry entry;    /* id: the contract's key if in_files, otherwise in the same style */
    unsigned parts; /* of StudyPart: measured if the study asks for all of them */
    bool in_files;
    /* Measure `which` of the layer; NaN if the form has no such matrix. */
    double (*measure)(const StudyLayer *layer, size_t which);
    size_t which;
    bool of_weight;  /* of the one weight matrix `which` alone, as it is drawn */
    size_t expected; /* of what theory says in Expected; SIZE_MAX where it never says anything */
} StudyStatRow;

extern const StudyStatRow STUDY_STATS[STUDY_STAT_COUNT];
extern const Registry STUDY_STAT_REGISTRY;

/* True if the form has the matrix that the statistic is of, with at least two numbers: a single
 * number has no standard deviation. */
bool study_stat_exists(StudyStat stat, const AttnShape *shape, const Mask *mask);

/* Fill values, one for each row of STUDY_STATS: those of the parts that exist, the others NaN.
 * Values are rounded to float32, as the tensors are. False if the layer's job is to stop. */
bool study_measure(float values[STUDY_STAT_COUNT], const StudyLayer *layer, unsigned parts);

#endif
