/* safetensors_write.h: tensors and notes as one safetensors file.
 * Source: the format's description, https://github.com/huggingface/safetensors#format: eight bytes
 * of header length, little-endian; a JSON header padded with blanks; then the data without gaps. */
#ifndef HEADLIGHT_IO_SAFETENSORS_WRITE_H
#define HEADLIGHT_IO_SAFETENSORS_WRITE_H

#include "io/file.h"
#include "io/tensors.h"

/* Append the whole file to out as float32; a list of texts becomes a JSON array, as all metadata is
 * text. Names must differ from each other. Fails, having given
 * out up, where memory runs out or out cannot be written. */
bool safetensors_write(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
                       int note_count, Err *err);

#endif
