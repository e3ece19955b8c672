/* span.h: a run of bytes in a file, stored as it is or deflated, read from front to back in memory
 * of a fixed size. */
#ifndef HEADLIGHT_IO_SPAN_H
#define HEADLIGHT_IO_SPAN_H

#include <stdint.h>
#include <zlib.h>

#include "io/file.h"

#define SPAN_BUFFER_BYTES (1 << 16)

typedef struct Span {
    uint64_t at, packed; /* where in the file, and how many bytes there */
    uint64_t size;       /* bytes that come out: packed, where it is not deflated */
    bool deflated;
    bool has_sum; /* sum is the CRC-32 of what comes out */
    uint32_t sum;
} Span;

/* Must not be copied while in use. */
typedef struct SpanIn {
    const FileIn *file;
    Span span;
    uint64_t taken, given; /* packed bytes read, and bytes that came out */
    uint32_t sum;
    z_stream stream;
    unsigned char packed[SPAN_BUFFER_BYTES];
} SpanIn;

/* Begin reading; file must outlive in. End with span_end in any case. */
bool span_begin(SpanIn *in, const FileIn *file, const Span *span, Err *err);

/* The next size bytes, which must be there. Fails, naming the byte in the file, where the packed
 * bytes end early or are none, and as file_read_at does. */
bool span_read(SpanIn *in, void *out, size_t size, Err *err);

/* After the last byte: whether nothing was left, and the sum is right. */
bool span_check(SpanIn *in, Err *err);

void span_end(SpanIn *in);

#endif
