/* json_write.h: tensors and notes as one JSON object, for any language:
 *   {"tokens": […], "state": "…", "version": "…",
 *    "tensors": {"X": {"shape": [11, 64], "data": [[…], …]}, …}}
 * data are lists in lists, one level a dimension, so that A's entry is data[head][query][key].
 * Each number is the shortest decimal that reads back as the same float32; one that is not finite,
 * for which JSON has no word, is null. Written as it goes, in memory of a fixed size. */
#ifndef HEADLIGHT_IO_JSON_WRITE_H
#define HEADLIGHT_IO_JSON_WRITE_H

#include "io/file.h"
#include "io/tensors.h"

/* Append the whole file to out. Names must differ from each other and need no escape. Fails, having
 * given out up, where it cannot be written. */
bool json_write(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
                int note_count, Err *err);

#endif
