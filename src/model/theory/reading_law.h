/* reading_law.h: what the rows of A do on average while scores are normal: softmax_law over the
 * rows of a mask, and over how wide the scores of a row are. Pure. */
#ifndef HEADLIGHT_MODEL_THEORY_READING_LAW_H
#define HEADLIGHT_MODEL_THEORY_READING_LAW_H

#include "model/attention/attention.h"

/* p is a row of A, n its number of open keys. x_j are the rows of X: of random directions and mean
 * square 1, as the random embedding and a layer normalisation make them. */
typedef struct ReadingLaw {
    double entropy, largest; /* over the rows with an open key: −Σ p·ln p, max p */
    double saturation;       /* over those with two: 1 − Σ p(1 − p)/(1 − 1/n) */
    /* Over all rows, one without an open key counting 0. */
    double squares;       /* Σ p² */
    double read;          /* the square of an entry of Σ p_j·x_j */
    double read_together; /* the square of an entry of its mean over rows */
    /* Of C = Xᵀ·M·X, with M = diag(p) − p·pᵀ the softmax's derivative: what the softmax passes of a
     * gradient. u is the direction along which the scores of the row grow. NaN beyond
     * SOFTMAX_LAW_DEVIATION_MAX, where a few near ties among many rows make up all of it. */
    double along;      /* |C·u|² of unit u: smaller, because the weights depend on x·u */
    double across;     /* Σ |C·v|² over the D − 1 unit v across u */
    double through;    /* tr C² = along + across */
    double through_q;  /* tr C²·|q|² over the mean of |q|²: long queries have sharper rows */
    double slope_keys; /* tr M², what passes to one key */
} ReadingLaw;

/* The law for scores with this standard deviation over all pairs, after scale and temperature; NaN
 * gives an empty law. mask NULL: every key is open. The scores of a row are independent normals
 * given its query. Their variance differs from query to query: it is close to the mean variance
 * times χ²/ν, where ν follows from the sums in W_Q (K) and W_K (D). */
ReadingLaw reading_law(const AttnShape *shape, const Mask *mask, double deviation);

#endif
