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
    /* Z is known where every score is 0, so that row i is the mean of the n values it may read:
     * V·√(1/n), in the mean over rows. Y is Z·rms(W_O)·√(H·V), with a residual √(1 + that²) unless
     * values and output are both fixed, and so not independent of X, and 1 after a normalisation.
     */
    double Z, Y;
    /* Means over rows, where every score is 0: ln n and 1/n. */
    double entropy, largest;
    /* Of the gradients of Σ G∘Y, G of independent entries of deviation 1, where every score is 0
     * or nothing passes at all: with u_i the mean of what row i may read of X,
     *   grad W_O = Zᵀ·G                  √T·Z
     *   grad W_V = Σ_i u_iᵀ·(G·W_Oᵀ)_i   √(T·D·mean(1/n))·rms(W_O)
     *   grad X   = Aᵀ·G·W_Oᵀ·W_Vᵀ        √(D·H·V·mean(1/n))·rms(W_O)·rms(W_V)
     * the last one with the residual's G as Y is. W_Q and W_K have a gradient of 0 where the other
     * of them, W_V or W_O is 0. */
    double grad_X, grad_W[ATTN_WEIGHT_COUNT];
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

/* The same of a layer in a stack. */
Expected expect_in_stack(const AttnShape *shape, const SchemePlan *plan, const Mask *mask,
                         StackPlace place);

#endif
