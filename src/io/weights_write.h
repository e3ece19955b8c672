/* weights_write.h: weights as a safetensors file that weights_file.h reads again. */
#ifndef HEADLIGHT_IO_WEIGHTS_WRITE_H
#define HEADLIGHT_IO_WEIGHTS_WRITE_H

#include "session/weights.h"

/* A WeightsSave: the file is whole and on the disk, or an older one stays as it was. X, with the
 * names of its rows, is not written. */
bool weights_file_save(const char *path, const Weights *weights, const char *note, Err *err);

#endif
