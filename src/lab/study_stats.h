/* study_stats.h: what the initialisation study records of one layer: a table, of which the
 * contract's keys are a part. Pure, with scratch where it says so.
 * T tokens, D model width, H heads, K query/key and V value width, both per head. */
#ifndef HEADLIGHT_LAB_STUDY_STATS_H
#define HEADLIGHT_LAB_STUDY_STATS_H

#include "base/job.h"
#include "model/attention/attention.h"
#include "model/theory/expect.h"

/* What a study is asked for, any of them together; each costs time. */
typedef enum StudyPart {
    STUDY_FORWARD = 1,  /* the contract's keys of the forward pass */
    STUDY_BACKWARD = 2, /* and of the gradients of L = Σ G∘Y, Y that of the highest layer */
    STUDY_SIGNAL = 4,   /* what a stack does to its tokens: rank collapse, saturation, norms */
    STUDY_SPECTRA = 8,  /* effective ranks, which need singular values */
} StudyPart;
#define STUDY_FILES (STUDY_FORWARD | STUDY_BACKWARD) /* all that `compare` writes */

/* Rows of STUDY_STATS. A deviation is that of a population, over all entries of the whole matrix,
 * all heads together; of S over the pairs that the mask leaves open. What the form has no matrix
 * for has no number: Q and K, and the gradients of W_Q and W_K, in the forms with products; W_Q and
 * W_K in the free one. In the nested form W_Q, W_K and W_V are the folded products. */
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

/* One layer after its pass; dx and grads are NULL where there was none backward. */
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
    Entry entry;    /* id: the contract's key where in_files, else of the same style */
    unsigned parts; /* of StudyPart: measured where the study is asked for all of them */
    bool in_files;
    /* What `which` says of the layer; not a number where the form has no such matrix. */
    double (*measure)(const StudyLayer *layer, size_t which);
    size_t which;
    bool of_weight;  /* of the one weight matrix `which` alone, as it is drawn */
    size_t expected; /* of what theory says in Expected; SIZE_MAX where it never says anything */
} StudyStatRow;

extern const StudyStatRow STUDY_STATS[STUDY_STAT_COUNT];
extern const Registry STUDY_STAT_REGISTRY;

/* True if the form has the matrix that the statistic is of. */
bool study_stat_exists(StudyStat stat, const AttnShape *shape);

/* Fill values, one for each row of STUDY_STATS: those of the parts, the others not numbers.
 * Values are rounded to float32, as the tensors are. False if the layer's job is to stop. */
bool study_measure(float values[STUDY_STAT_COUNT], const StudyLayer *layer, unsigned parts);

#endif
