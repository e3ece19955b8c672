/* weights_source.h: the place of each tensor in a file of weights. Only for weights_*.c. To add a
 * format, write its function and add a row to FORMATS in weights_file.c. */
#ifndef HEADLIGHT_IO_WEIGHTS_SOURCE_H
#define HEADLIGHT_IO_WEIGHTS_SOURCE_H

#include <zip.h>

#include "document/weights.h"
#include "io/file.h"
#include "io/float_decode.h"

typedef struct WeightsPlace {
    uint64_t entry; /* number of the entry in the archive; unused without an archive */
    uint64_t at;    /* offset of the values in the entry, or in the file if there is no archive */
    FloatType type;
    bool big_endian;
    bool fortran_order; /* true if the first dimension varies fastest */
} WeightsPlace;

/* The places of the tensors in a file. For every part in the file, the function of the format fills
 * `places` and the shape in weights->tensors. If the rows of X or of the embedding table have
 * names, it also fills names and room. */
typedef struct WeightsSource {
    const FileIn *file;
    zip_t *archive; /* owned: the archive; NULL for safetensors */
    Weights *weights;
    WeightsPlace places[WEIGHTS_PART_COUNT];
    WeightsName *names; /* owned: names of rows, with bytes in room; NULL for none */
    size_t name_count;
    char *room; /* owned */
} WeightsSource;

bool weights_from_npz(WeightsSource *source, Err *err);

/* True if a part needs an option that the file's metadata do not set. Then the tensor only has the
 * name of this part and is something else. */
bool weights_passes_over(const WeightsSource *source, WeightsPart part);

/* Reads the values of one tensor from front to back. entry is NULL without an archive. */
typedef struct WeightsIn {
    const WeightsSource *source;
    zip_file_t *entry; /* owned */
    uint64_t at;
} WeightsIn;

/* Open an entry of the archive, or the file if there is no archive, at byte `at`. In an archive,
 * `at` is at most NPY_HEADER_MAX. Call weights_close even on failure. */
bool weights_open(WeightsIn *in, const WeightsSource *source, uint64_t entry, uint64_t at,
                  Err *err);

/* Read the next size bytes. Fails if the file has fewer bytes, or if they are damaged. */
bool weights_read(WeightsIn *in, void *out, size_t size, Err *err);

/* Check the end of the entry. Fails if the entry has more bytes or a wrong checksum. */
bool weights_read_end(WeightsIn *in, Err *err);

void weights_close(WeightsIn *in);

/* Set the shape of a part. Fails if the rank is wrong. */
bool weights_take_shape(WeightsSource *source, WeightsPart part, const size_t *shape, int rank,
                        Err *err);

static inline bool weights_source_fail(const WeightsSource *source, const char *tensor,
                                       const char *why, Err *err) {
    return err_fail(err, source->file->name, "tensor “%s”: %s", tensor, why);
}

/* Insert the tensor's name into err, which describes an error from reading the tensor. */
void weights_source_name(const WeightsSource *source, const char *tensor, Err *err);

bool weights_zip_fail(const WeightsSource *source, zip_error_t *error, Err *err);

#endif
