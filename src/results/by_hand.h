/* by_hand.h: the numbers set by hand that apply to a Results, and what these numbers or another
 * edit changed. No I/O, no clock. */
#ifndef HEADLIGHT_RESULTS_BY_HAND_H
#define HEADLIGHT_RESULTS_BY_HAND_H

#include "results/results.h"

#define HAND_CHANGED 1e-6 /* numbers that differ by more than this count as changed */

/* Return a number of the first layer, as set by hand or computed; NaN if the layer does not have
 * it. */
float results_hand_value(const Results *run, const HandNumber *place);

/* Counts of numbers set by hand: learned numbers (weights and biases), singular values, entries of
 * X, scores of one head, gains and means of heads. */
typedef struct HandCount {
    int learned, sigmas, input, scores, gains, means;
} HandCount;
HandCount results_hand_count(const Results *run, int head);

/* Learned numbers of the first layer, and attention weights of one head: how many changed, and how
 * many exist (…_all). */
typedef struct ResultsChange {
    long long learned, learned_all, weights, weights_all;
} ResultsChange;

/* Count what differs between two valid Results; `weights` counts entries of this head's A. If a
 * matrix of `now` has another shape than before, all its entries count as changed. */
ResultsChange results_change(const Results *before, const Results *now, int head);

/* Fill plain with run's first layer computed again without numbers set by hand and, if keeps_edges
 * is false, without edited edges. Return false if that fails. Release it in any case. */
bool results_plain_make(Results *plain, const Results *run, bool keeps_edges, const Job *job);
void results_plain_release(Results *plain);

/* Compute the first layer again without numbers set by hand, and count what they changed
 * (run->hand_changed), unless the count is known. If memory runs out it stays unknown. */
void results_hand_compare(Results *run, const Job *job);

/* True if the form computes a head's W_QK from factors, and entries of this W_QK are set by
 * hand. */
bool results_product_is_edited(const Results *run, int layer, int head);

#endif
