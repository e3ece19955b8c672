#include "model/attention/block.h"

#include <assert.h>

#include "base/util.h"
#include "math/norm.h"

static const Entry BLOCK_ROWS[] = {
    [BLOCK_ATTENTION] = {"attention", "Attention", "Y = attention(X)",
                         "Attention alone, without residual or normalisation."},
    [BLOCK_RESIDUAL] = {"residual", "Residual", "Y = X + attention(X)",
                        "The output of the heads is added to their input."},
    [BLOCK_POST_NORM] = {"post-norm", "Post-norm", "Y = LN(X + attention(X))",
                         "Each row of the sum is scaled to mean 0 and standard deviation 1, as in "
                         "the first Transformer and in BERT."},
    [BLOCK_PRE_NORM] = {"pre-norm", "Pre-norm", "Y = X + attention(LN(X))",
                        "The heads' input is normalised and the sum is not, as in GPT-2."},
};
static_assert(ARRAY_COUNT(BLOCK_ROWS) == BLOCK_COUNT, "one row for each kind of block");
const Registry ATTN_BLOCKS = REGISTRY("blocks", "block", BLOCK_ROWS);

static const Entry BIAS_ROWS[] = {
    [BIAS_NONE] = {"none", "None", "Q = X·W_Q", "Weights alone."},
    [BIAS_OUTPUT] = {"output", "Output", "Y = concat(Z)·W_O + b_O",
                     "One bias, added to every row of the output."},
    [BIAS_ALL] = {"all", "All", "Q = X·W_Q + b_Q; the same for K, V and Y",
                  "Queries, keys, values and the output each have a bias."},
};
static_assert(ARRAY_COUNT(BIAS_ROWS) == BIAS_COUNT, "one row for each choice of biases");
const Registry ATTN_BIASES = REGISTRY("biases", "choice of biases", BIAS_ROWS);

const char *block_norm_name(const AttnShape *shape) {
    return shape->traits.norm.rms ? "RMSNorm" : "LN";
}

bool block_owns_input(const AttnShape *shape) {
    return shape->block == BLOCK_PRE_NORM || shape->bias == BIAS_ALL;
}

void block_open(AttnTrace *trace, const AttnShape *shape, const Mat *x) {
    if (!block_owns_input(shape)) {
        trace->input = *x;
        return;
    }
    Mat rows = mat_cols(&trace->input, 0, shape->D);
    if (shape->block == BLOCK_PRE_NORM)
        norm_rows(&rows, x, shape->traits.norm);
    else
        mat_copy(&rows, x);
    if (shape->bias == BIAS_ALL)
        for (int i = 0; i < shape->T; i++)
            mat_row(&trace->input, i)[shape->D] = 1;
}

void block_close(AttnTrace *trace, const AttnShape *shape, const AttnParams *params, const Mat *x) {
    if (shape->bias != BIAS_NONE)
        mat_add_rows(&trace->Y, &params->p[ATTN_B_O]);
    if (shape->block == BLOCK_ATTENTION)
        return;
    mat_add_rows(&trace->Y, x);
    if (shape->block == BLOCK_POST_NORM) {
        mat_copy(&trace->sum, &trace->Y);
        norm_rows(&trace->Y, &trace->sum, shape->traits.norm);
    }
}

static void sum_rows(Mat *sum, const Mat *m) {
    for (int j = 0; j < m->cols; j++)
        sum->at[j] = 0;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            sum->at[j] += mat_row(m, i)[j];
}

/* In the two functions below, each comment is a line of the forward pass, from block_close or
 * block_open. The code below it differentiates that line. */
Mat block_close_back(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                     const AttnTrace *trace, const Mat *dout) {
    Mat dsum = *dout;
    /* norm_rows(&trace->Y, &trace->sum, shape->traits.norm) */
    if (shape->block == BLOCK_POST_NORM) {
        norm_rows_back(&back->sum, dout, &trace->sum, shape->traits.norm);
        dsum = back->sum;
    }
    /* mat_add_rows(&trace->Y, &params->p[ATTN_B_O]) */
    if (shape->bias != BIAS_NONE)
        sum_rows(&grads->p[ATTN_B_O], &dsum);
    return dsum;
}

void block_open_back(AttnBack *back, const AttnShape *shape, const Mat *x, const Mat *dsum) {
    /* norm_rows(&rows, x, shape->traits.norm), in block_open */
    if (shape->block == BLOCK_PRE_NORM)
        norm_rows_back(&back->X, &back->X, x, shape->traits.norm);
    /* mat_add_rows(&trace->Y, x), in block_close */
    if (shape->block != BLOCK_ATTENTION)
        mat_add_rows(&back->X, dsum);
}
