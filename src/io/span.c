#include "io/span.h"

#include <assert.h>
#include <string.h>

#define RAW_DEFLATE (-MAX_WBITS)

bool span_begin(SpanIn *in, const FileIn *file, const Span *span, Err *err) {
    in->file = file;
    in->span = *span;
    in->taken = in->given = 0;
    in->sum = 0;
    in->stream = (z_stream){0};
    if (span->deflated && inflateInit2(&in->stream, RAW_DEFLATE) != Z_OK)
        return err_fail(err, "memory", "too little to inflate %.100s", file->name);
    return true;
}

void span_end(SpanIn *in) {
    if (in->span.deflated)
        inflateEnd(&in->stream);
}

/* More packed bytes, where all that came before are used up. */
static bool refill(SpanIn *in, Err *err) {
    uint64_t left = in->span.packed - in->taken;
    size_t size = left < SPAN_BUFFER_BYTES ? (size_t)left : SPAN_BUFFER_BYTES;
    if (!file_read_at(in->packed, in->file, in->span.at + in->taken, size, err))
        return false;
    in->stream.next_in = in->packed;
    in->stream.avail_in = (uInt)size;
    in->taken += size;
    return true;
}

static bool damaged(const SpanIn *in, const char *why, Err *err) {
    uint64_t at = in->span.at + in->taken - in->stream.avail_in;
    return err_fail(err, in->file->name, "%s at byte %llu; the file is damaged", why,
                    (unsigned long long)at);
}

static bool inflate_some(SpanIn *in, void *out, size_t size, Err *err) {
    in->stream.next_out = out;
    in->stream.avail_out = (uInt)size;
    while (in->stream.avail_out > 0) {
        if (in->stream.avail_in == 0 && !refill(in, err))
            return false;
        int status = inflate(&in->stream, Z_NO_FLUSH);
        if (status == Z_MEM_ERROR)
            return err_fail(err, "memory", "too little to inflate %.100s", in->file->name);
        if (status != Z_OK && !(status == Z_STREAM_END && in->stream.avail_out == 0))
            return damaged(in, "compressed data end early or are none", err);
    }
    return true;
}

bool span_read(SpanIn *in, void *out, size_t size, Err *err) {
    assert(size <= in->span.size - in->given && size <= (1u << 30));
    bool read = in->span.deflated ? inflate_some(in, out, size, err)
                                  : file_read_at(out, in->file, in->span.at + in->given, size, err);
    if (!read)
        return false;
    in->given += size;
    if (in->span.has_sum)
        in->sum = (uint32_t)crc32_z(in->sum, out, size);
    return true;
}

bool span_check(SpanIn *in, Err *err) {
    unsigned char more;
    assert(in->given == in->span.size);
    if (in->span.deflated) {
        in->stream.next_out = &more;
        in->stream.avail_out = 1;
        if (in->stream.avail_in == 0 && in->taken < in->span.packed && !refill(in, err))
            return false;
        int status = inflate(&in->stream, Z_NO_FLUSH);
        bool ended = status == Z_STREAM_END && in->stream.avail_out == 1 &&
                     in->stream.avail_in == 0 && in->taken == in->span.packed;
        if (!ended)
            return damaged(in, "compressed data go on past their size", err);
    }
    if (in->span.has_sum && in->sum != in->span.sum)
        return err_fail(err, in->file->name,
                        "the checksum of the data at byte %llu is wrong; the file is damaged",
                        (unsigned long long)in->span.at);
    return true;
}
