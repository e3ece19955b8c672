/* tensors.h: the tensors of one pass, with the names and shapes that files use, and writers of such
 * files. A matrix with a block for each head appears as (H, rows, cols), without a copy. T tokens,
 * D model width, H heads, K query/key width and V value width per head. */
#ifndef HEADLIGHT_IO_TENSORS_H
#define HEADLIGHT_IO_TENSORS_H

#include <stddef.h>
#include <stdint.h>

#include "io/file.h"
#include "results/model_output.h"
#include "results/results.h"

#define TENSOR_RANK_MAX   4
#define TENSOR_NAME_BYTES 32
#define TENSORS_MAX       48 /* limit of tensors of one pass, forward and backward */

/* A float32 array of 1 to 4 dimensions, whose entries are borrowed. Entry (i, j, …) is
 * at[i*stride[0] + j*stride[1] + …]. */
typedef struct TensorView {
    char name[TENSOR_NAME_BYTES];
    const float *at;
    /* If not NULL, used instead of `at`: 0 or 1, written as 0.0 or 1.0. */
    const uint8_t *flags;
    int rank;
    size_t shape[TENSOR_RANK_MAX], stride[TENSOR_RANK_MAX];
} TensorView;

/* A text or, if value is NULL, a list of texts. Files contain it in addition to the tensors. UTF-8,
 * borrowed. */
typedef struct TensorNote {
    const char *key, *value;
    const TokenLabel *list;
    int count;
} TensorNote;

size_t tensor_count(const TensorView *tensor);

void tensor_read(float *out, const TensorView *tensor, size_t first, size_t count);

/* List the tensors of a layer, and return their number. These are X, the parameters, the gains of
 * QK-norm, W_QK, W_QK_exact, sigma, Q, K, V, S, M, A, Z and Y, if the layer has them; also
 * W_QK_offset if results_offset_family has computed it. run must be valid. */
int tensors_of_run(TensorView out[TENSORS_MAX], const Results *run, int layer);

/* List the model's outputs `hidden` and `logits`, if they exist, and return their number. */
int tensors_of_model(TensorView *out, const ModelOutput *model);

/* List G (= dL/dY) and the gradients of X, S, A and the parameters, and return their number. A
 * gradient is named grad.NAME and has the shape of NAME. In forms that use W_QK (or W_QK_offset),
 * its gradient replaces the gradients of W_Q and W_K. In the nested form the gradients of the
 * factors (W_Q_full, W_Q_head and so on) replace those of their products.
 *
 * Call results_gradient first; for the merged form with RoPE, call results_offset_family before
 * results_gradient. */
int tensors_of_gradient(TensorView *out, const Results *run, int layer);

/* Append a whole file of float32 in C order, little-endian, to out. Names must differ from each
 * other and must not need escapes. The same tensors always give the same bytes. On failure out is
 * discarded. */
typedef bool TensorsFormat(FileOut *out, const TensorView *tensors, int count,
                           const TensorNote *notes, int note_count, Err *err);

/* One safetensors file; safetensors_read.h describes the format. The JSON header is padded with
 * blanks. A list of texts becomes a JSON array in a text, because metadata must be text. */
TensorsFormat safetensors_write;

/* One JSON object, for any language: {"tokens": […], "state": "…", "version": "…", "tensors": {"X":
 * {"shape": [11, 64], "data": [[…], …]}, …}}. data is a list of lists, one level for each
 * dimension, so that an entry of A is data[head][query][key]. Each number is the shortest decimal
 * that reads back as the same float32. A number that is not finite becomes null. */
TensorsFormat json_write;

/* Writes a NumPy archive: an uncompressed array NAME.npy for each tensor. A note is an array of
 * Unicode text: one dimension for a list, none for a single text. numpy.load reads everything
 * without allow_pickle. Fails for a list of texts that takes more than NPZ_TEXT_MAX bytes when
 * padded. */
TensorsFormat npz_write;
#define NPZ_TEXT_MAX ((size_t)64 << 20)

/* Append the tensors of the first layer and of the model's output, with the tokens, the state
 * string and the version as notes; with_gradient also appends the gradients. On failure out is
 * discarded. */
bool tensors_write(FileOut *out, TensorsFormat *write, const Results *run, bool with_gradient,
                   Err *err);

/* Write a file in the format that the path's suffix names: .safetensors, .npz or .json. */
bool tensors_save(const char *path, const Results *run, Err *err);

/* Append weights as a whole safetensors file, which weights_file.h can read. The metadata are note
 * under `key`, the version, and the words of the embedding table as "tokens". X is not written. On
 * failure out is discarded; see file_append. */
bool weights_write(FileOut *out, const Weights *weights, const char *key, const char *note,
                   Err *err);

/* Write a file: a function of type WeightsSave. Afterwards the file is complete and on the disk, or
 * the older file is unchanged. */
bool weights_file_save(const char *path, const Weights *weights, const char *note, Err *err);

#endif
