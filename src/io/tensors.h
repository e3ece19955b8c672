/* tensors.h: the tensors of one pass under the names and in the shapes that files use.
 * What the program holds as one matrix with a block for each head is seen here as (H, rows, cols),
 * without a copy. Pure. T tokens, D model width, H heads, K query/key and V value width per head.
 */
#ifndef HEADLIGHT_IO_TENSORS_H
#define HEADLIGHT_IO_TENSORS_H

#include <stddef.h>
#include <stdint.h>

#include "results/model_output.h"
#include "results/results.h"

#define TENSOR_RANK_MAX 4
#define TENSORS_MAX     48 /* of one pass, forward and backward */

/* A float32 array: entry (i, j, k) lies at at[i*stride[0] + j*stride[1] + k*stride[2]], for rank 2
 * without the last. Borrowed. */
typedef struct TensorView {
    const char *name;
    const float *at;
    const uint8_t *flags; /* in place of at: 0 and 1, written as 0.0 and 1.0 */
    int rank;
    size_t shape[TENSOR_RANK_MAX], stride[TENSOR_RANK_MAX];
} TensorView;

/* What a file contains in addition to its tensors: a text, or if value is NULL a list of texts.
 * UTF-8, borrowed. */
typedef struct TensorNote {
    const char *key, *value;
    const TokenLabel *list;
    int count;
} TensorNote;

/* Entries of the tensor; 0 where one of the dimensions is. */
size_t tensor_count(const TensorView *tensor);

/* Entries first .. first+count-1 in row-major order. */
void tensor_read(float *out, const TensorView *tensor, size_t first, size_t count);

/* The tensors of a layer in the form in use; returns how many. X, the parameters,
 * W_QK and what belongs to it, Q, K, V, S, M, A, Z and Y: those that the form has, and W_QK_offset
 * where results_offset_family has made it. run must be valid. */
int tensors_of_run(TensorView out[TENSORS_MAX], const Results *run, int layer);

/* hidden and logits, those that there are; returns how many. */
int tensors_of_model(TensorView *out, const ModelOutput *model);

/* G, and the gradients of X, S, A and every parameter as grad.NAME, shaped as NAME is; returns how
 * many. In the forms with products W_QK, or W_QK_offset, stands in place of the factors that it
 * came from; in the nested form the factors stand in place of what they fold to. results_gradient
 * must have made them, with rope in the merged form after results_offset_family. */
int tensors_of_gradient(TensorView *out, const Results *run, int layer);

#endif
