/* npz_write.h: tensors and notes as one NumPy archive: an array NAME.npy for each, little-endian,
 * in C order, not compressed, so that the same pass is the same bytes. A note is an array of
 * Unicode text: a list of one dimension, a single text of none. numpy.load reads all without
 * allow_pickle. */
#ifndef HEADLIGHT_IO_NPZ_WRITE_H
#define HEADLIGHT_IO_NPZ_WRITE_H

#include "io/file.h"
#include "io/tensors.h"

#define NPZ_TEXT_MAX ((size_t)64 << 20) /* bytes of a list of texts, all padded to the longest */

/* Append the whole file to out as float32. Names must differ from each other. Fails, having given
 * out up, where out cannot be written, and for a list of texts over NPZ_TEXT_MAX. */
bool npz_write(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
               int note_count, Err *err);

#endif
