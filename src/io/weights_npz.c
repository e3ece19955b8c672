#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "io/npy.h"
#include "io/weights_source.h"
#include "io/zip_read.h"

#define TEXT_ROW_MAX ((size_t)4 << 20) /* bytes of one name as the array has it */

static bool is_named(const ZipMember *member, const char *name) {
    size_t size = strlen(name);
    return member->name_bytes == size + 4 && memcmp(member->name, name, size) == 0 &&
           memcmp(member->name + size, ".npy", 4) == 0;
}

static Span span_of(const ZipMember *member) {
    return (Span){.at = member->at,
                  .packed = member->packed,
                  .size = member->size,
                  .deflated = member->deflated,
                  .has_sum = true,
                  .sum = member->sum};
}

/* The header of the array; what follows must be as many bytes as its shape and type need. */
static bool read_header(NpyHeader *out, const WeightsSource *source, const ZipMember *member,
                        const char *name, Err *err) {
    unsigned char bytes[NPY_HEADER_MAX];
    Span span = span_of(member);
    SpanIn in;
    size_t size = member->size < sizeof bytes ? (size_t)member->size : sizeof bytes;
    if (!span_begin(&in, source->file, &span, err))
        return false;
    bool read = span_read(&in, bytes, size, err);
    span_end(&in);
    if (!read)
        weights_source_name(source, name, err);
    if (!read)
        return false;
    char why[200];
    Err wrong = {0};
    if (!npy_read_header(out, name, bytes, size, &wrong))
        return weights_source_fail(source, name, wrong.why, err);
    if (out->count * out->width == member->size - out->bytes)
        return true;
    snprintf(why, sizeof why,
             "its shape and descr need %zu bytes of data, and %llu are there (byte %llu)",
             out->count * out->width, (unsigned long long)(member->size - out->bytes),
             (unsigned long long)member->at);
    return weights_source_fail(source, name, why, err);
}

static bool take_part(WeightsSource *source, WeightsPart part, const ZipMember *member, Err *err) {
    const char *name = WEIGHTS_PARTS[part].name;
    WeightsPlace *place = &source->places[part];
    NpyHeader header;
    source->weights->tensors[part].told_at = member->at;
    if (weights_has(source->weights, part))
        return weights_part_fail(source, part, "stands in the archive twice", err);
    if (!read_header(&header, source, member, name, err))
        return false;
    bool is_float =
        header.kind == NPY_FLOAT && (header.width == 2 || header.width == 4 || header.width == 8);
    if (!is_float)
        return weights_part_fail(source, part, "descr must be of float16, float32 or float64", err);
    *place = (WeightsPlace){.span = span_of(member),
                            .skip = header.bytes,
                            .big_endian = header.big_endian,
                            .fortran_order = header.fortran_order};
    place->type = header.width == 2 ? FLOAT_F16 : header.width == 4 ? FLOAT_F32 : FLOAT_F64;
    return weights_take_shape(source, part, header.shape, header.rank, err);
}

/* The next name, of `width` bytes with zeros behind it, as UTF-8 in `out`; its size, or SIZE_MAX
 * where it is none. */
static size_t decode_name(char *out, const unsigned char *row, const NpyHeader *header) {
    size_t width = header->width, used = 0;
    if (header->kind == NPY_BYTES) {
        while (width > 0 && row[width - 1] == 0)
            width--;
        memcpy(out, row, width);
        bool sound = utf8_first_invalid(out, width) == width && memchr(out, '\0', width) == NULL;
        return sound ? width : SIZE_MAX;
    }
    while (width >= 4 && memcmp(row + width - 4, "\0\0\0\0", 4) == 0)
        width -= 4;
    for (size_t at = 0; at < width; at += 4) {
        uint32_t point = 0;
        for (size_t b = 0; b < 4; b++)
            point = point << 8 | row[at + (header->big_endian ? b : 3 - b)];
        if (point == 0 || point > 0x10FFFF)
            return SIZE_MAX;
        size_t bytes = utf8_encode(out + used, point);
        if (bytes == 0)
            return SIZE_MAX;
        used += bytes;
    }
    return used;
}

static bool names_fail(const WeightsSource *source, const char *why, Err *err) {
    return err_fail(err, source->file->name, "“tokens”: %s", why);
}

static bool read_rows(WeightsSource *source, SpanIn *in, const NpyHeader *header,
                      unsigned char *row, Err *err) {
    size_t used = 0;
    assert(row != NULL && source->names != NULL && source->room != NULL);
    for (size_t i = 0; i < header->count; i++) {
        if (!span_read(in, row, header->width, err))
            return false;
        size_t size = decode_name((char *)row + header->width, row, header);
        if (size == SIZE_MAX)
            return names_fail(source, "a name is no Unicode text, or has a NUL", err);
        if (size > TOKEN_TEXT_MAX - used)
            return names_fail(source, "are more than 1 MiB in all", err);
        memcpy(source->room + used, row + header->width, size);
        source->names[i] = (WeightsName){source->room + used, size};
        used += size;
    }
    source->name_count = header->count;
    return span_check(in, err);
}

static bool take_names(WeightsSource *source, const ZipMember *member, Err *err) {
    NpyHeader header;
    Span span = span_of(member);
    SpanIn in;
    unsigned char skipped[NPY_HEADER_MAX];
    if (!read_header(&header, source, member, "tokens", err))
        return false;
    bool is_list = header.rank == 1 && (header.kind == NPY_UNICODE || header.kind == NPY_BYTES);
    if (!is_list || header.count > TOKENS_MAX || header.width > TEXT_ROW_MAX)
        return names_fail(source, "must be an array of at most 4096 texts in one dimension", err);
    unsigned char *row = malloc(2 * header.width + 1);
    source->names = malloc((header.count + 1) * sizeof *source->names);
    source->room = malloc(TOKEN_TEXT_MAX);
    bool taken = row != NULL && source->names != NULL && source->room != NULL
                     ? span_begin(&in, source->file, &span, err)
                     : err_fail(err, "memory", "too little for the names of X’s rows");
    if (taken) {
        taken =
            span_read(&in, skipped, header.bytes, err) && read_rows(source, &in, &header, row, err);
        span_end(&in);
    }
    free(row);
    return taken;
}

static bool take_member(WeightsSource *source, ZipMember *member, ZipMember *names,
                        const ZipIn *zip, Err *err) {
    if (is_named(member, "tokens")) {
        if (names->name != NULL)
            return names_fail(source, "stands in the archive twice", err);
        *names = *member;
        return true;
    }
    for (WeightsPart p = 0; p < WEIGHTS_PART_COUNT; p++)
        if (is_named(member, WEIGHTS_PARTS[p].name))
            return zip_locate(member, zip, err) && take_part(source, p, member, err);
    return true;
}

static void add_inflated(uint64_t *inflated, uint64_t *packed, const Span *span) {
    *inflated += span->deflated ? span->size : 0;
    *packed += span->deflated ? span->packed : 0;
}

/* The arrays that are read share what they may inflate to; those that overlap have no more of it
 * than the file has bytes. names may be NULL. */
static bool check_inflated(const WeightsSource *source, const ZipMember *names, Err *err) {
    uint64_t inflated = 0, packed = 0, size = source->file->size;
    const Span of_names = names != NULL ? span_of(names) : (Span){0};
    for (int p = 0; p < WEIGHTS_PART_COUNT; p++)
        add_inflated(&inflated, &packed, &source->places[p].span);
    add_inflated(&inflated, &packed, &of_names);
    return inflated <= zip_inflate_most(packed < size ? packed : size)
               ? true
               : err_fail(err, source->file->name,
                          "its arrays would inflate to %.0f MB in all, more than four times their "
                          "bytes and 24 MiB; save it without compression",
                          (double)inflated / 1e6);
}

bool weights_from_npz(WeightsSource *source, Err *err) {
    ZipIn zip;
    ZipMember member, names = {0};
    if (!zip_open(&zip, source->file, err))
        return false;
    bool taken = true;
    while (taken && zip_next(&member, &zip, err))
        taken = take_member(source, &member, &names, &zip, err);
    taken = taken && err->kind == ERR_NONE;
    bool wants_names = names.name != NULL && weights_has(source->weights, WEIGHTS_X);
    taken = taken && (!wants_names || zip_locate(&names, &zip, err)) &&
            check_inflated(source, wants_names ? &names : NULL, err) &&
            (!wants_names || take_names(source, &names, err));
    zip_release(&zip);
    return taken;
}
