/* npz_write.h: writes tensors and notes as one NumPy archive: an uncompressed array NAME.npy for
 * each, little-endian, in C order. The same tensors always give the same bytes. A note is an array
 * of Unicode text: one dimension for a list, none for a single text. numpy.load reads everything
 * without allow_pickle. */
#ifndef HEADLIGHT_IO_NPZ_WRITE_H
#define HEADLIGHT_IO_NPZ_WRITE_H

#include "io/file.h"
#include "io/tensors.h"

#define NPZ_TEXT_MAX ((size_t)64 << 20) /* bytes of a list of padded texts */

/* Append the whole file to out as float32. Names must differ from each other. Fails if out cannot
 * be written, or for a list of texts over NPZ_TEXT_MAX. On failure out is discarded. */
bool npz_write(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
               int note_count, Err *err);

#endif
