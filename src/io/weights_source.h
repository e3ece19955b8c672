/* weights_source.h: where in a file each tensor lies, for the formats that weights come in; for
 * weights_file.c alone. To add a format, write its file and add a row to FORMATS there. */
#ifndef HEADLIGHT_IO_WEIGHTS_SOURCE_H
#define HEADLIGHT_IO_WEIGHTS_SOURCE_H

#include "io/float_decode.h"
#include "io/span.h"
#include "session/weights.h"

typedef struct WeightsPlace {
    Span span;
    size_t skip; /* bytes of a header at its start */
    FloatType type;
    bool big_endian;
    bool fortran_order; /* the first dimension varies fastest */
} WeightsPlace;

/* Fill places, and shape and told_at of weights->tensors, for every part that the file has. A file
 * with X names its rows by weights_name_rows, once the shapes agree: then names says how. */
typedef struct WeightsSource {
    const FileIn *file;
    Weights *weights;
    WeightsPlace places[WEIGHTS_PART_COUNT];
    WeightsName *names; /* owned, with their bytes in room; NULL where the file has none */
    size_t name_count;
    char *room; /* owned */
} WeightsSource;

/* Whatever was wrong with a tensor's bytes, err names it. */
void weights_source_name(const WeightsSource *source, const char *tensor, Err *err);

bool weights_from_safetensors(WeightsSource *source, Err *err);
bool weights_from_npz(WeightsSource *source, Err *err);

/* Take a shape for a part, if it has a sensible number of dimensions. */
bool weights_take_shape(WeightsSource *source, WeightsPart part, const size_t *shape, int rank,
                        Err *err);

/* Fail with what the file's name is, and of which tensor; and for a part with the byte where the
 * file tells its shape, told_at. */
bool weights_source_fail(const WeightsSource *source, const char *tensor, const char *why,
                         Err *err);
bool weights_part_fail(const WeightsSource *source, WeightsPart part, const char *why, Err *err);

#endif
