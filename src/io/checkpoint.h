/* checkpoint.h: reads one attention layer from a checkpoint in safetensors format. The checkpoint
 * is one file, or a folder with one file or with several files and an index; config.json is next to
 * them. Nothing is converted beforehand: only the layer's tensors are read. */
#ifndef HEADLIGHT_IO_CHECKPOINT_H
#define HEADLIGHT_IO_CHECKPOINT_H

#include "document/weights.h"

/* Read the requested layer. name is the file's name in sessions and errors. Errors name the
 * tensor. Return NULL on failure; otherwise the caller owns the result. */
Weights *checkpoint_load(const char *path, const char *name, const WeightsRequest *request,
                         Err *err);

/* True if the checkpoint at path stores tensors in this file. */
bool checkpoint_reads(const char *path, const char *file);

#endif
