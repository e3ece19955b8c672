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
     * V·√(1/n), in the mean over rows. Y, before anything that a block adds: Z·rms(W_O)·√(H·V). */
    double Z, Y;
} Expected;

/* mask NULL: every key is open. S is that of the forms separate and merged.
 * Source: the variance of a sum of independent products, as in Glorot and Bengio 2010, section
 * 4.2.1; Vaswani et al. 2017, section 3.2.1, footnote 4, for the scores. */
Expected expect(const AttnShape *shape, const SchemePlan *plan, const Mask *mask);

#endif
