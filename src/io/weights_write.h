/* weights_write.h: weights as a safetensors file that weights_file.h reads again. */
#ifndef HEADLIGHT_IO_WEIGHTS_WRITE_H
#define HEADLIGHT_IO_WEIGHTS_WRITE_H

#include "document/weights.h"
#include "io/file.h"
#include "io/tensors.h"

/* Append the whole file to out, with metadata of one key, and with the words of E as "tokens". X is
 * not written. Give out up after a failure, as file_append does. */
bool weights_write(FileOut *out, const Weights *weights, const char *key, const char *note,
                   Err *err);

/* A WeightsSave: the file is whole and on the disk, or an older one stays as it was. */
bool weights_file_save(const char *path, const Weights *weights, const char *note, Err *err);

#endif
