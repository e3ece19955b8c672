/* by_hand.h: the numbers set by hand that apply to a Results, and what these numbers or another
 * edit changed. No I/O, no clock. */
#ifndef HEADLIGHT_RESULTS_BY_HAND_H
#define HEADLIGHT_RESULTS_BY_HAND_H

#include "results/results.h"

#define HAND_CHANGED 1e-6 /* larger differences count as changes */

/* Return the current value of a number of the first layer; NaN if the layer does not have this
 * number. */
float results_hand_value(const Results *run, const HandNumber *place);

/* How many numbers are set by hand. learned: weights and biases. scores: those of one head only. */
typedef struct HandCount {
    int learned, sigmas, input, scores, gains, means;
} HandCount;
HandCount results_hand_count(const Results *run, int head);

/* Numbers that have changed. learned: weights and biases of the first layer. weights: attention
 * weights of one head. …_all: all such numbers, changed or not. */
typedef struct ResultsChange {
    long long learned, learned_all, weights, weights_all;
} ResultsChange;

/* Count what differs between two valid Results; `weights` counts entries of this head's A. If a
 * matrix of `now` has another shape than before, all its entries count as changed. */
ResultsChange results_change(const Results *before, const Results *now, int head);

/* Fill plain with run's first layer computed without numbers set by hand and, if keeps_edges is
 * false, without edited edges. Return false on failure. The caller releases plain in any case. */
bool results_plain_make(Results *plain, const Results *run, bool keeps_edges, const Job *job);
void results_plain_release(Results *plain);

/* Unless run->hand_changed is known: compute the first layer without numbers set by hand, and count
 * the weights that these numbers change. If memory runs out, hand_changed stays unknown. */
void results_hand_compare(Results *run, const Job *job);

/* True if the form computes a head's W_QK from factors, and entries of this W_QK are set by
 * hand. */
bool results_product_is_edited(const Results *run, int layer, int head);

#endif
