/* json_write.h: writes tensors and notes as one JSON object, for any language: {"tokens": […],
 * "state": "…", "version": "…", "tensors": {"X": {"shape": [11, 64], "data": [[…], …]}, …}}. data
 * is a list of lists, one level for each dimension, so that an entry of A is
 * data[head][query][key]. Each number is the shortest decimal that reads back as the same float32;
 * one that is not finite, which JSON cannot express, is null. The memory used does not depend on
 * the size. */
#ifndef HEADLIGHT_IO_JSON_WRITE_H
#define HEADLIGHT_IO_JSON_WRITE_H

#include "io/file.h"
#include "io/tensors.h"

/* Append the whole file to out. Names must differ from each other and must not need escapes. On
 * failure out is discarded. */
bool json_write(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
                int note_count, Err *err);

#endif
