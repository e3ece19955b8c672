/* safetensors_write.h: writes tensors and notes as one safetensors file. Source: the description of
 * the format, https://github.com/huggingface/safetensors#format: eight bytes of header length,
 * little-endian; a JSON header padded with blanks; then the data without gaps. */
#ifndef HEADLIGHT_IO_SAFETENSORS_WRITE_H
#define HEADLIGHT_IO_SAFETENSORS_WRITE_H

#include "io/file.h"
#include "io/tensors.h"

/* Append the whole file to out as float32. A list of texts becomes a JSON array, because metadata
 * must be text. Names must differ from each other. Fails if memory runs out or out cannot be
 * written; then out is discarded. */
bool safetensors_write(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
                       int note_count, Err *err);

#endif
