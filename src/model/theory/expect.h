/* expect.h: the statistics that theory expects of an initialised layer, mainly standard deviations.
 * X has independent entries of mean 0 and standard deviation 1. Terms of the order 1/D assume rows
 * of mean square exactly 1, as random embedding and layer normalisation give. Each expectation is
 * the root of a mean square over draws; NaN without a closed form. Pure. T tokens, D model width, H
 * heads, K, V per head. */
#ifndef HEADLIGHT_MODEL_THEORY_EXPECT_H
#define HEADLIGHT_MODEL_THEORY_EXPECT_H

#include "model/attention/mask.h"
#include "model/init/scheme.h"

typedef struct Expected {
    double W[ATTN_WEIGHT_COUNT]; /* scheme_std */
    double Q, K, V;              /* rms(W)·√D */
    /* Standard deviation of the open scores, after scale and temperature: factor·√d_k·Q·K, where Q
     * and K are the fields above. If the number n of open scores in all heads is small, also times
     * √(1 − 1/n), because the mean of the scores is subtracted. Valid if W_Q and W_K are
     * independent with mean 0; one of them may also be fixed. */
    double S;
    /* The fields below assume that the scores of a row are independent normals with standard
     * deviation factor·√d_k·Q·K (see expect.c); so no token may occur twice. NaN if S is NaN. */
    double entropy, largest, saturation; /* means over rows and heads */
    /* Rows of A·X have mean square `read` (ReadingLaw in expect.c). So Z is V·√read and, if W_O
     * does not depend on W_V, Y is rms(W_O)·√(H·V)·V·√read; both without the mean over all entries.
     * With a residual Y becomes √(1 + Y²), or NaN if neither W_V nor W_O is random with mean 0,
     * because then the output depends on X. With post-norm Y is 1. */
    double Z, Y;
    /* Roots of the mean squares of the gradients of Σ G∘Y, where G has independent entries of
     * mean 0 and standard deviation 1. A few large draws raise them above the mean of the measured
     * standard deviations. M = diag(a) − a·aᵀ is the derivative of the softmax of a row, and
     * w = W_V·W_Oᵀ·g_i.
     *   grad W_O = Zᵀ·G                       √T·Z
     *   grad W_V = Σ_i (A·X)_iᵀ·(G·W_Oᵀ)_i    √(T·D·read)·rms(W_O)
     *   grad W_Q = Σ_i x_iᵀ·(XᵀMX·w)ᵀ·W_K     √T·factor·rms(W_Kᵀ·XᵀMX·w)
     *   grad W_K = Σ_i (XᵀMX·w)ᵀ·q_i          √T·factor·|XᵀMX·w|·|q_i|/√(D·K)
     *   grad X   = AᵀG·W_OᵀW_Vᵀ + the gradients through queries and keys
     * With a residual, G is added to grad X, as X is added to Y. */
    double grad_X, grad_W[ATTN_WEIGHT_COUNT];
    double rank_A;    /* 1 if all scores are 0 and all keys open, otherwise NaN */
    double rank_W_QK; /* of a head's W_QK, in forms with factors */
} Expected;

/* A layer's place in a stack. Above the lowest layer X is the output of the layer below; below the
 * highest, the gradient of Y comes from the layer above. Neither has independent entries, so most
 * expectations are NaN. Known are only those of 0 and, if rows are normalised to mean square 1, Q,
 * K and V for schemes of mean 0. */
typedef struct StackPlace {
    int layer, layers; /* layer counts from 0, the lowest */
} StackPlace;

/* Return the expectations of a single layer. mask NULL: every key is open. S is known in every
 * form, except for a rank below K. Source: variance of a sum of independent products, as in Glorot
 * and Bengio 2010, section 4.2.1; for the scores, Vaswani et al. 2017, section 3.2.1, footnote 4.
 */
Expected expect(const AttnShape *shape, const SchemePlan *plan, const Mask *mask);

/* Return only the standard deviation of one weight matrix, which is fast; in the nested form, of
 * the product. */
double expect_weights(const AttnShape *shape, const SchemePlan *plan, AttnParam param);

/* Return a bound on the relative error of every expectation, compared with the mean over
 * infinitely many draws. Checked by
 * tests/lab/test_expectations.c. */
double expect_bound(const AttnShape *shape);

/* Return the standard deviation of one score over draws, which has no factor √(1 − 1/n). */
double expect_scores(const AttnShape *shape, const SchemePlan *plan);

/* Return the expectations of a layer in a stack. */
Expected expect_in_stack(const AttnShape *shape, const SchemePlan *plan, const Mask *mask,
                         StackPlace place);

#endif
