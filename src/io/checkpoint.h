/* checkpoint.h: one attention layer of a checkpoint in safetensors format: one file, or a folder
 * that contains one or several with an index, and config.json next to them. Nothing is converted
 * beforehand: only the layer's tensors are read. */
#ifndef HEADLIGHT_IO_CHECKPOINT_H
#define HEADLIGHT_IO_CHECKPOINT_H

#include "document/weights.h"

/* Read the requested layer. name is the file's name in sessions and errors. Errors name the
 * tensor. Return NULL on failure; otherwise the caller owns the result. */
Weights *checkpoint_load(const char *path, const char *name, const WeightsRequest *request,
                         Err *err);

#endif
