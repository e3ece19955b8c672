/* checkpoint.h: one attention layer of a checkpoint in safetensors: one file, or a folder with one
 * or with shards and their index, and config.json next to them. Nothing is converted: the layer's
 * tensors are read in place, and the rest of the file is not. */
#ifndef HEADLIGHT_IO_CHECKPOINT_H
#define HEADLIGHT_IO_CHECKPOINT_H

#include "document/weights.h"

/* True if path is a folder. */
bool checkpoint_is_folder(const char *path);

/* Read the layer that wish names; name stands for the path in sessions and errors. Errors name the
 * tensor. NULL on failure; otherwise the caller owns the one owner. */
Weights *checkpoint_load(const char *path, const char *name, const WeightsWish *wish, Err *err);

#endif
