/* expect.h: the deviations that theory expects of a layer as it is drawn. Pure.
 * All are for X of independent entries with mean 0 and deviation 1, over many draws; where no
 * closed form is known they are not numbers. T tokens, D model width, H heads, K, V per head. */
#ifndef HEADLIGHT_MODEL_EXPECT_H
#define HEADLIGHT_MODEL_EXPECT_H

#include "model/mask.h"
#include "model/scheme.h"

typedef struct Expected {
    double W[ATTN_WEIGHT_COUNT]; /* scheme_deviation */
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
     *   grad W_Q = Σ_i x_iᵀ·(XᵀMX·w)ᵀ·W_K     √T·factor·|XᵀMX·w|·rms(W_K), and so for W_K
     *   grad X   = AᵀG·W_OᵀW_Vᵀ and what comes through queries and keys
     * the last one with the residual's G as Y is. */
    double grad_X, grad_W[ATTN_WEIGHT_COUNT];
    double rank_A;    /* effective; 1 where all scores are 0 and all keys open */
    double rank_W_QK; /* effective, of a head: see rank_law.h; in the forms with factors */
} Expected;

/* Where a layer stands in a stack: above the lowest one X is what the layer below made, and below
 * the highest one the gradient of Y is what the layer above made. Neither has independent entries
 * then. What is 0 stays known; with normalised rows, which have a mean square of 1, so do Q, K, V
 * and S of schemes of mean 0, since they need no more than that. */
typedef struct StackPlace {
    int layer, layers; /* from 0, the lowest; of so many */
} StackPlace;

/* Of a layer by itself. mask NULL: every key is open. S is that of the forms separate and merged.
 * Source: the variance of a sum of independent products, as in Glorot and Bengio 2010, section
 * 4.2.1; Vaswani et al. 2017, section 3.2.1, footnote 4, for the scores. */
Expected expect(const AttnShape *shape, const SchemePlan *plan, const Mask *mask);

/* The deviation of one weight's entries alone, which takes no time: in the form nested that of the
 * product, elsewhere the scheme's own. */
double expect_weights(const AttnShape *shape, const SchemePlan *plan, AttnParam param);

/* S alone, likewise. */
double expect_scores(const AttnShape *shape, const SchemePlan *plan);

/* The same of a layer in a stack. */
Expected expect_in_stack(const AttnShape *shape, const SchemePlan *plan, const Mask *mask,
                         StackPlace place);

#endif
