/* by_hand.h: the numbers set by hand as the Results have them, and what they or another edit
 * changed. No I/O, no clock. */
#ifndef HEADLIGHT_RESULTS_BY_HAND_H
#define HEADLIGHT_RESULTS_BY_HAND_H

#include "results/results.h"

#define HAND_CHANGED 1e-6 /* a number that moved by more has changed */

/* Return the number at a place in force in the first layer, set by hand or computed; NaN if the
 * layer has none there. */
float results_hand_value(const Results *run, const HandNumber *place);

/* Return the score of one pair as its query and key make it, whether or not it is set by hand; NaN
 * if that has too many terms. */
float results_score_computed(const Results *run, int head, int query, int key);

/* How many numbers are set by hand: learned ones (weights and biases), entries of X, and scores of
 * one head. */
typedef struct HandCount {
    int learned, input, scores;
} HandCount;
HandCount results_hand_count(const Results *run, int head);

/* How many learned numbers of the first layer, and how many weights of one head, differ. */
typedef struct ResultsChange {
    long long learned, learned_all, weights, weights_all;
} ResultsChange;

/* Count what differs between two valid Results. Numbers of another shape all count as changed. */
ResultsChange results_change(const Results *before, const Results *now, int head);

/* Compute the first layer again without numbers set by hand and count what they changed, unless
 * that is known: run->hand_changed. If memory is short it stays unknown. */
void results_hand_compare(Results *run, const Job *job);

#endif
