/* safetensors_read.h: finds the tensors in a safetensors file without copying their data. Strict:
 * anything that the format forbids is an error that names the file and the tensor. No file can make
 * this code read outside the given bytes. Source: the description of the format,
 * https://github.com/huggingface/safetensors#format: eight bytes of header length, little-endian; a
 * JSON header; then the data without gaps. */
#ifndef HEADLIGHT_IO_SAFETENSORS_READ_H
#define HEADLIGHT_IO_SAFETENSORS_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "io/file.h"
#include "io/float_decode.h"

#define SAFETENSORS_METADATA  "__metadata__" /* the name in the header that is not a tensor's */
#define SAFETENSORS_RANK_MAX  8
#define SAFETENSORS_COUNT_MAX 16384 /* tensors */

/* The type of a tensor's entries; all are little-endian. */
typedef struct SafetensorsType {
    const char *name; /* name in files, such as "F16" */
    size_t bytes;     /* bytes of one entry */
    bool is_float;
    FloatType as; /* valid if is_float is true */
} SafetensorsType;
#define SAFETENSORS_TYPE_COUNT 15
extern const SafetensorsType SAFETENSORS_TYPES[SAFETENSORS_TYPE_COUNT];

/* One tensor, row-major. data points into the bytes given to safetensors_open and need not be
 * aligned. rank 0: a single entry. A dimension may be 0. */
typedef struct SafetensorsTensor {
    const char *name; /* owned by the Safetensors */
    const SafetensorsType *type;
    int rank;
    size_t shape[SAFETENSORS_RANK_MAX];
    size_t count;
    uint64_t at; /* offset of the tensor's data in the file */
    size_t bytes;
    const unsigned char *data; /* NULL if only the header was read */
} SafetensorsTensor;

struct json_t;

typedef struct Safetensors {
    SafetensorsTensor *tensors; /* owned: the tensors in the order of their data */
    int count;
    struct json_t *header; /* owned: holds names and metadata */
} Safetensors;

/* Read the header of a file. On failure out holds nothing. */
bool safetensors_open_file(Safetensors *out, const FileIn *in, Err *err);

/* Read the header of a whole file in bytes[0..size), which must outlive out. name is the file's
 * name in errors. On failure out holds nothing. */
bool safetensors_open(Safetensors *out, const char *name, const void *bytes, size_t size, Err *err);

const SafetensorsTensor *safetensors_find(const Safetensors *file, const char *name);

const char *safetensors_metadata(const Safetensors *file, const char *key);

/* Return the note in the metadata, which describes the weights; NULL if there is none, or if it is
 * too long to show. */
const char *safetensors_note(const Safetensors *file);

/* Return task, data, steps, loss and score from the metadata as sentences, which the caller frees.
 * Return NULL if one of them is missing or too long, or if memory runs out. */
char *safetensors_card(const Safetensors *file);

void safetensors_release(Safetensors *file);

#endif
