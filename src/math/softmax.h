/* softmax.h: scores become weights that sum to 1. Pure. */
#ifndef HEADLIGHT_MATH_SOFTMAX_H
#define HEADLIGHT_MATH_SOFTMAX_H

#include <stdbool.h>
#include <stdint.h>

#include "math/mat.h"

/* Row by row, weights = exp(scores) / Σ exp(scores) over the keys with open != 0, and 0 at the
 * others, whose scores are not looked at; all 0 where none is open. Both (rows, cols) without
 * gaps, stride == cols, and so is open; weights may be scores.
 * The row's largest open score is subtracted first, so no finite score overflows. An open score
 * that is not a number or +∞, or open scores of −∞ alone, make every open weight of the row not a
 * number. Relative error of a weight under 1e-6; weights under 1e-37 may become 0. */
void softmax_rows(Mat *weights, const Mat *scores, const uint8_t *open);

/* One weight in numbers: e^(s − largest) over the row's sum of it. The row's largest score is
 * always subtracted, so that neither overflows. */
typedef struct SoftmaxTerms {
    double largest;    /* over the open keys */
    double power, sum; /* 0 for a closed key; 0 for a row without an open one */
} SoftmaxTerms;
SoftmaxTerms softmax_terms(const float *scores, const uint8_t *open, int count, int key);

/* The gradient of the scores from the weights that softmax_rows made of them and the gradient of
 * those: dscores_j = w_j·(dweights_j − Σ_k w_k·dweights_k), row by row. 0 where a weight is 0, as
 * at every key that is not open. All of one shape, the gradients without gaps; dscores may be
 * dweights. As exact where one key takes nearly all as where they share. */
void softmax_rows_back(Mat *dscores, const Mat *weights, const Mat *dweights);

/* -Σ w·ln w in nats over count weights, none negative; 0 weighs nothing. Off by less than 1e-14 for
 * weights that sum to 1; not a number where a weight is not. */
double softmax_entropy(const float *weights, int count);

/* e^x for x <= 8, relative error under 3e-7; 0 under −87, not a number for not a number.
 * Source: Cody and Waite 1980, "Software manual for the elementary functions", chapter 6, for the
 * reduction to |r| <= ln 2 / 2; then the Taylor polynomial. */
float softmax_exp(float x);

#endif
