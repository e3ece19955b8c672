/* weights_file.h: reads weights from a .safetensors file or a .npz file of NumPy. Names and shapes
 * are those of document/weights.h; other tensors are ignored. float16, float32 and float64, in
 * safetensors also float8 and bfloat16, become float32. The numbers in npz files may have either
 * byte order. */
#ifndef HEADLIGHT_IO_WEIGHTS_FILE_H
#define HEADLIGHT_IO_WEIGHTS_FILE_H

#include "document/weights.h"

/* True if path ends like such files or like a checkpoint's index, in upper or lower case, or if it
 * is a folder. */
bool weights_file_is(const char *path);

/* Read and check a file, or a layer of a checkpoint: a function of type WeightsLoad. Shapes and
 * sizes are checked before memory for a tensor is requested; until then at most 64 MB are used.
 * Errors name the file, the tensor, and the field or the byte. Return NULL on failure; otherwise
 * the caller owns the result. */
Weights *weights_file_load(const char *path, const WeightsRequest *request, Err *err);

/* Read a file as weights_file_load does. name is the file's name in sessions and errors. */
Weights *weights_file_load_as(const char *path, const char *name, const WeightsRequest *request,
                              Err *err);

/* Read the requested layer from a checkpoint in safetensors format: one file, or a folder with one
 * file or with several files and an index; config.json is next to them. Nothing is converted
 * beforehand: only the layer's tensors are read. name is the file's name in sessions and errors.
 * Return NULL on failure; otherwise the caller owns the result. */
Weights *checkpoint_load(const char *path, const char *name, const WeightsRequest *request,
                         Err *err);

/* True if the checkpoint at path stores tensors in this file. */
bool checkpoint_reads(const char *path, const char *file);

#endif
