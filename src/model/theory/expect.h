/* expect.h: the standard deviations that theory expects of an initialised layer. Pure.
 * X has independent entries of mean 0 and standard deviation 1. To the order of 1/D, the mean
 * square of each row is exactly 1, as the random embedding and a layer normalisation make it. Each
 * expectation is the root of a mean square over draws. A number without a closed form is NaN. T
 * tokens, D model width, H heads, K, V per head. */
#ifndef HEADLIGHT_MODEL_THEORY_EXPECT_H
#define HEADLIGHT_MODEL_THEORY_EXPECT_H

#include "model/attention/mask.h"
#include "model/init/scheme.h"

typedef struct Expected {
    double W[ATTN_WEIGHT_COUNT]; /* scheme_std */
    double Q, K, V;              /* rms(W)·√D */
    /* Of two different tokens, after scale and temperature: factor·√K·Q·K. It holds for the query
     * and key weights of any two schemes of mean 0, orthogonal ones among them, and where one of
     * the two is fixed; not where both are, or where one is made from the other. */
    double S;
    /* From here on the scores of a row are taken for independent normals of deviation S: see
     * reading_law.h. Without a closed form for S they are not numbers either. The keys of a text
     * are independent where no token stands in it twice. */
    double entropy, largest, saturation; /* means over rows and heads */
    /* Row i of A·X has the mean square `read`, of which Z is V·√read, and with W_O independent of
     * it Y is Z·rms(W_O)·√(H·V); with a residual √(1 + that²) unless values and output are both
     * fixed, and so not independent of X, and 1 after a normalisation. */
    double Z, Y;
    /* Of the gradients of Σ G∘Y, G of independent entries of deviation 1: the roots of their mean
     * squares, to which a few large draws add more than to a mean of deviations. Per head and row,
     * with M = diag(a) − a·aᵀ the softmax's derivative and w = W_V·W_Oᵀ·g_i,
     *   grad W_O = Zᵀ·G                       √T·Z
     *   grad W_V = Σ_i (A·X)_iᵀ·(G·W_Oᵀ)_i    √(T·D·read)·rms(W_O)
     *   grad W_Q = Σ_i x_iᵀ·(XᵀMX·w)ᵀ·W_K     √T·factor·rms(W_Kᵀ·XᵀMX·w)
     *   grad W_K = Σ_i (XᵀMX·w)ᵀ·q_i          √T·factor·|XᵀMX·w|·|q_i|/√(D·K)
     *   grad X   = AᵀG·W_OᵀW_Vᵀ and what comes through queries and keys
     * the last one with the residual's G as Y is. */
    double grad_X, grad_W[ATTN_WEIGHT_COUNT];
    double rank_A;    /* effective; 1 where all scores are 0 and all keys open */
    double rank_W_QK; /* effective, of a head: see rank_law.h; in the forms with factors */
} Expected;

/* The layer's place in a stack. X of a layer above the lowest is the output of the layer below, and
 * the gradient of Y of a layer below the highest comes from the layer above. Neither has
 * independent entries. Expectations of 0 stay known. With normalised rows, whose mean square is 1,
 * Q, K and V of schemes of mean 0 stay known too. */
typedef struct StackPlace {
    int layer, layers; /* layer counts from 0, the lowest */
} StackPlace;

/* Of a layer by itself. mask NULL: every key is open. S is known in every form but a rank below K.
 * Source: the variance of a sum of independent products, as in Glorot and Bengio 2010, section
 * 4.2.1; Vaswani et al. 2017, section 3.2.1, footnote 4, for the scores. */
Expected expect(const AttnShape *shape, const SchemePlan *plan, const Mask *mask);

/* The deviation of one weight's entries alone, which takes no time: in the form nested that of the
 * product, elsewhere the scheme's own. */
double expect_weights(const AttnShape *shape, const SchemePlan *plan, AttnParam param);

/* The relative error of every expectation is at most this, beyond what chance leaves of a finite
 * number of draws. tests/lab/test_expectations.c holds it. */
double expect_bound(const AttnShape *shape);

/* S alone, likewise. */
double expect_scores(const AttnShape *shape, const SchemePlan *plan);

/* The same of a layer in a stack. */
Expected expect_in_stack(const AttnShape *shape, const SchemePlan *plan, const Mask *mask,
                         StackPlace place);

#endif
