/* hand_numbers.h: numbers of a layer that the user set by hand. Each replaces one number of the
 * layer; everything computed from that number changes with it. Pure. T tokens; positions and heads
 * count from 0 here and from 1 in text. */
#ifndef HEADLIGHT_MODEL_ATTENTION_HAND_NUMBERS_H
#define HEADLIGHT_MODEL_ATTENTION_HAND_NUMBERS_H

#include "base/job.h"
#include "model/attention/attention.h"

/* Names of numbers that can be set: a parameter (an AttnParam; ATTN_W_QK is the product in forms
 * that compute it); a singular value of a head's W_QK; X; S; the gain, which multiplies a head's
 * output Z (default 1; 0 ablates the head); and the share of Z that is replaced by its mean over
 * the tokens (default 0; with 1 all tokens get the same Z). */
enum { HAND_SIGMA = ATTN_PARAM_COUNT, HAND_X, HAND_S, HAND_GAIN, HAND_MEAN, HAND_NAME_COUNT };

struct HandNumber {
    int name, head; /* head is 0 if the matrix has no heads */
    int row, col;   /* place in the head's matrix; col is 0 for singular values */
    float value;    /* finite */
};

/* Compare by name, head, row and column, for qsort. */
int hand_number_order(const void *a, const void *b);

const char *hand_name_id(int name);

/* True if each head has its own numbers of this name. */
bool hand_name_has_heads(int name);

/* True if a number of this name has only a row index: for singular values. */
bool hand_name_is_list(int name);

/* Return the size of one head's matrix of this name, or of the whole matrix if it has no heads; 0 ×
 * 0 if the layer has none. */
void hand_name_size(int *rows, int *cols, int name, const AttnShape *shape);

/* True if the layer has this number and the value is allowed. Otherwise err (may be NULL) says why;
 * err->what names the number. */
bool hand_number_check(const HandNumber *number, const AttnShape *shape, const char *what,
                       Err *err);

/* Write the numbers of one name into its matrix, which has the layout of AttnParams or AttnTrace.
 * Numbers outside the matrix are skipped. */
void hand_numbers_apply(Mat *m, HandNumbers numbers, int name, int heads);

/* Write the numbers of every parameter, then the singular values. Let σ_k be the k-th largest
 * singular value of a head's W_QK after the parameters are written, and s_k the number of row k
 * that replaces it. W_Q and b_Q (free: W_QK) become (I + Σ_k (s_k/σ_k − 1)·u_k·u_kᵀ)·W_Q, so the
 * other values and all vectors stay. With RoPE, W_QK is that of distance 0. Fails if the
 * decomposition fails, or if σ_k is 0 and s_k is not, because no factor makes 0 larger. If the job
 * (may be NULL) is stopped, some heads keep their singular values. */
bool hand_params_apply(AttnParams *params, HandNumbers numbers, const AttnShape *shape,
                       const Job *job, Err *err);

/* Fill sigma with the singular values of one head's W_QK, largest first; those that are only
 * rounding become 0. Fails if the decomposition fails. */
bool hand_sigma(double *sigma, const AttnParams *params, const AttnShape *shape, int head,
                Err *err);

/* After hand_params_apply, fill rows[i] with the row number (HandNumber.row) of the singular value
 * that is now the i-th largest of a head: a value set by hand may have passed its neighbours. */
void hand_sigma_rows(int *rows, const double *sigma, int count, HandNumbers numbers, int head);

/* Write one head's numbers of this name into its own matrix, such as S (T, T). */
void hand_head_apply(Mat *m, HandNumbers numbers, int name, int head);

/* Return the gain of a head's output (1 unless set by hand), or its share of the mean (0 unless set
 * by hand). */
float hand_head_gain(HandNumbers numbers, int head);
float hand_head_mean(HandNumbers numbers, int head);

/* Replace the head's share of each row of Z (T, V), or of its gradient, by the mean of all rows. */
void hand_mean_apply(Mat *Z, HandNumbers numbers, int head);

/* Set the gradient of one head's scores to 0 where they are set by hand. */
void hand_scores_back(Mat *dS, HandNumbers numbers, int head);

#endif
