/* tour_numbers.h: the numbers in a tour's captions, expectations and tasks, read from the layer on
 * screen. So no caption states a number that the program did not compute. Tokens, heads, columns
 * and singular values count from 1. If no head is given, the chosen one is meant.
 *
 *   A(9,2) S(9,2)         a weight, a score; A(9,*) the largest weight of row 9, S(9,*) its score
 *   sum(9) entropy(1)     the sum of row 9 of A; the mean entropy of head 1's rows, in nats
 *   loss(400) score(400)  loss and the task's score of Train's first column at step 400, on the
 *                         word orders held out from training
 *   measure(std.S,2)      a measure of Compare's second column; on the page Depth, its last layer's
 *   sigma(16) rank(1)     the 16th singular value of the product; the rank of W_QK in head 1
 *   params(separate)      number of parameters of all heads' W_Q and W_K, or W_QK, in this form
 *   cosine(1,2)           cosine between rows 1 and 2 of X; cosine_y(1,2): of Y
 *   max|dA|               largest difference of A: the form in use against the form that checks it
 *   token(9)              the token's text; token(A(9,*)): of the key that row 9 reads most */
#ifndef HEADLIGHT_VIEWS_TOUR_NUMBERS_H
#define HEADLIGHT_VIEWS_TOUR_NUMBERS_H

#include "base/text_out.h"
#include "views/view.h"

/* Read text[0..bytes) as one of these numbers or as a plain number. *out is NaN while the number is
 * being computed. Return false and set err if the layer has no such number. */
bool tour_number(double *out, const ViewContext *context, const char *text, size_t bytes, Err *err);

/* Fill out with words, with every {number} or {number:format} replaced by its value. Formats: % for
 * a share, e for a power of ten, .2f for decimals, "," for groups of thousands below 10¹⁵. A number
 * that is being computed becomes "…", and sets *lacks. A number that cannot be read stays as it is,
 * and err says why; otherwise err is empty. Return the words of out. */
const char *tour_words(TextOut *out, bool *lacks, const ViewContext *context, const char *words,
                       Err *err);

/* Evaluate a comparison such as "A(9,2) > 0.5": two numbers with <, <=, > or >= between them.
 * Return false if the comparison is false, or if a number cannot be read or is not computed yet;
 * then err says why and contains the computed value. */
bool tour_holds(const ViewContext *context, const char *condition, Err *err);

/* Return the key, from 0, that gets the largest weight of a row of the chosen head; -1 for none. */
int tour_largest_key(const ViewContext *context, int query);

/* Read "pin(9,*)" or "A(9,*)": set *query to the row and *key to the key, from 1. For * the key is
 * 0, which stands for the key with the largest weight. Return false for any other text. */
bool tour_place(int *query, int *key, const char *text);

#endif
