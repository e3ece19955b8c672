/* weights_write.h: writes weights as a safetensors file that weights_file.h can read. */
#ifndef HEADLIGHT_IO_WEIGHTS_WRITE_H
#define HEADLIGHT_IO_WEIGHTS_WRITE_H

#include "document/weights.h"
#include "io/file.h"
#include "io/tensors.h"

/* Append the whole file to out, with one key in its metadata, and with the words of the embedding
 * table as "tokens". X is not written. On failure out is discarded; see file_append. */
bool weights_write(FileOut *out, const Weights *weights, const char *key, const char *note,
                   Err *err);

/* Write a file: a WeightsSave. Afterwards the file is complete and on the disk, or the older file
 * is unchanged. */
bool weights_file_save(const char *path, const Weights *weights, const char *note, Err *err);

#endif
