/* tensors_write.h: writes all tensors of Results as one file, with the tokens, the state string and
 * the version as notes. */
#ifndef HEADLIGHT_IO_TENSORS_WRITE_H
#define HEADLIGHT_IO_TENSORS_WRITE_H

#include "io/file.h"
#include "io/tensors.h"
#include "results/results.h"

/* Writes a file of one format: safetensors_write, npz_write or json_write. */
typedef bool TensorsFormat(FileOut *out, const TensorView *tensors, int count,
                           const TensorNote *notes, int note_count, Err *err);

/* Append the whole file to out; the gradients, too, if with_gradient. On failure return false and
 * err, and out is discarded. */
bool tensors_write(FileOut *out, TensorsFormat *write, const Results *run, bool with_gradient,
                   Err *err);

#endif
