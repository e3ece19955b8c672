/* weights_file.h: weights read from a file from outside: .safetensors, or .npz of NumPy. The names
 * and shapes are those of document/weights.h; other tensors are ignored. float16, bfloat16, float32
 * and float64, of either byte order in npz, become float32. */
#ifndef HEADLIGHT_IO_WEIGHTS_FILE_H
#define HEADLIGHT_IO_WEIGHTS_FILE_H

#include "document/weights.h"

/* Whether a name ends as such files do, in any case. */
bool weights_file_is(const char *path);

/* Read and check the file, or the layer of a checkpoint (io/checkpoint.h): a WeightsLoad.
 * Everything is checked before memory for a tensor is asked for; until then no more than 64 MB is.
 * Errors name the file, the tensor, and the field or the byte. NULL on failure; else the caller
 * owns the one owner. */
Weights *weights_file_load(const char *path, const WeightsWish *wish, Err *err);

/* The same; the weights have another name than the path, for sessions and errors. */
Weights *weights_file_load_as(const char *path, const char *name, const WeightsWish *wish,
                              Err *err);

#endif
