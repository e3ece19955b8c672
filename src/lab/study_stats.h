/* study_stats.h: the statistics of a layer that the initialisation study records. Pure, with
 * scratch memory where stated. T tokens, D model width, H heads, K query/key and V value width,
 * both per head. */
#ifndef HEADLIGHT_LAB_STUDY_STATS_H
#define HEADLIGHT_LAB_STUDY_STATS_H

#include "base/job.h"
#include "model/attention/attention.h"
#include "model/theory/expect.h"

/* Parts of a study, in any combination; each takes time. */
typedef enum StudyPart {
    STUDY_FORWARD = 1, /* statistics of the forward pass that `compare` writes */
    /* Statistics of the gradients of L = Σ G∘Y, where Y is the highest layer's. */
    STUDY_BACKWARD = 2,
    STUDY_SIGNAL = 4,  /* statistics for a stack of layers: rank collapse, saturation, norms */
    STUDY_SPECTRA = 8, /* effective ranks, which need singular values */
    STUDY_THEORY = 16, /* expected values */
} StudyPart;
#define STUDY_FILES (STUDY_FORWARD | STUDY_BACKWARD) /* everything that `compare` writes */

/* Rows of STUDY_STATS. Standard deviations are those of a population, over all entries of the
 * matrix with all heads; for S, over open pairs. NaN if the form lacks the matrix: Q, K and the
 * gradients of W_Q and W_K without attn_has_factors; W_Q and W_K in the free form; W_QK and its
 * gradient in forms without W_QK. In the nested form W_Q, W_K and W_V are the products. */
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

/* A layer after its pass. dx and grads are NULL if there was no backward pass. */
typedef struct StudyLayer {
    const AttnShape *shape;
    const AttnParams *params;
    const AttnTrace *trace;
    const Mat *x, *dx;       /* (T, D) */
    const AttnParams *grads; /* gradients from attn_backward */
    const Mask *mask;
    const Job *job; /* may be NULL */
    Err *err;       /* set if a value cannot be measured */
} StudyLayer;

typedef struct StudyStatRow {
    Entry entry; /* id: key in the files that `compare` writes */
    struct {
        /* StudyPart flags; the study must request all of them. */
        unsigned parts;
        /* Measure the statistic for `which`; NaN if the form has no such matrix. */
        double (*measure)(const StudyLayer *layer, size_t which);
        size_t expected; /* offset in Expected; SIZE_MAX if theory has no value */
        size_t which;
        /* true if the statistic depends only on the sampled matrix `which` */
        bool of_weight;
    };
} StudyStatRow;

extern const StudyStatRow STUDY_STATS[STUDY_STAT_COUNT];
extern const Registry STUDY_STAT_REGISTRY;

/* True if the form has the matrix of the statistic, and if it has enough values: a standard
 * deviation, for example, needs two. */
bool study_stat_exists(StudyStat stat, const AttnShape *shape, const Mask *mask);

/* Fill values by row of STUDY_STATS, rounded to float32; NaN if the part was not requested or the
 * layer has no such value. Return false if the job was cancelled or layer->err was set. */
bool study_measure(float values[STUDY_STAT_COUNT], const StudyLayer *layer, unsigned parts);

#endif
