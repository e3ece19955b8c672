/* reading_law.h: averages over the rows of A for normal scores: softmax_law, averaged over the rows
 * of a mask and over the standard deviations of their scores. Pure. */
#ifndef HEADLIGHT_MODEL_THEORY_READING_LAW_H
#define HEADLIGHT_MODEL_THEORY_READING_LAW_H

#include "model/attention/attention.h"

/* The averages. p is a row of A, n its number of open keys. x_j are the rows of X, which have
 * random directions and mean square 1, as the random embedding and layer normalisation give. */
typedef struct ReadingLaw {
    double entropy, largest; /* over rows with an open key: mean of −Σ p·ln p, and of max p */
    double saturation; /* over rows with at least two open keys: mean of 1 − Σ p(1 − p)/(1 − 1/n) */
    /* Over all rows; a row without an open key counts as 0. */
    double squares;       /* Σ p² */
    double read;          /* mean square of an entry of Σ p_j·x_j */
    double read_together; /* mean square of an entry of the mean of Σ p_j·x_j over rows */
    /* For C = Xᵀ·M·X, where M = diag(p) − p·pᵀ is the softmax's derivative: how much of a gradient
     * the softmax passes. u is the direction in which the scores of the row grow. NaN beyond
     * SOFTMAX_LAW_STD_MAX, where a few near ties among many rows determine the average. */
    double along;  /* |C·u|² of the unit vector u, lowered because the weights depend on x·u */
    double across; /* Σ |C·v|² over the D − 1 unit vectors v orthogonal to u */
    double through_q;  /* mean of tr C²·|q|² divided by the mean of |q|², where tr C² = along +
                          across: long queries have sharper rows */
    double slope_keys; /* tr M²: how much of a gradient the softmax passes to the keys */
} ReadingLaw;

/* Return the law for scores whose standard deviation over all pairs, after scale and temperature,
 * is the given one. NaN gives a law of NaNs. mask NULL: every key is open. The scores of a row are
 * independent normals, given its query. Their variance differs from query to query: it is close to
 * the mean variance times χ²/ν, where ν follows from the numbers of terms, d_k and d_model, in the
 * sums that give a score. */
ReadingLaw reading_law(const AttnShape *shape, const Mask *mask, double std);

#endif
