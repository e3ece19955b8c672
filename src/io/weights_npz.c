#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "io/npy.h"
#include "io/weights_source.h"

/* Limit of bytes for one name in the array. */
#define TEXT_ROW_MAX  ((size_t)4 << 20)
#define INFLATE_TIMES 4
#define INFLATE_EXTRA ((uint64_t)24 << 20)
/* Limit of bytes of the end record with its comment, and of a zip64 locator. */
#define END_BYTES_MAX   ((1 << 16) + 42)
#define END_RECORDS_MAX 4

/* Read the header of an array. Fails if the bytes after it are not exactly those that its shape and
 * type need. */
static bool read_header(NpyHeader *out, const WeightsSource *source, const zip_stat_t *stat,
                        const char *name, Err *err) {
    unsigned char bytes[NPY_HEADER_MAX];
    size_t size = stat->size < sizeof bytes ? (size_t)stat->size : sizeof bytes;
    WeightsIn in;
    bool read =
        weights_open(&in, source, stat->index, 0, err) && weights_read(&in, bytes, size, err);
    weights_close(&in);
    if (!read) {
        weights_source_name(source, name, err);
        return false;
    }
    Err wrong = {0};
    if (!npy_read_header(out, name, bytes, size, &wrong))
        return weights_source_fail(source, name, wrong.why, err);
    uint64_t left = stat->size - out->bytes;
    return out->count * out->width == left ||
           weights_source_fail(source, name,
                               PRINT("its shape and descr need %zu bytes of data, but it has %llu",
                                     out->count * out->width, (unsigned long long)left),
                               err);
}

static bool take_part(WeightsSource *source, WeightsPart part, const zip_stat_t *stat, Err *err) {
    const char *name = WEIGHTS_PARTS[part].name;
    NpyHeader header;
    if (!read_header(&header, source, stat, name, err))
        return false;
    bool is_float =
        header.kind == NPY_FLOAT && (header.width == 2 || header.width == 4 || header.width == 8);
    if (!is_float)
        return weights_source_fail(source, name, "descr must be float16, float32 or float64", err);
    source->places[part] = (WeightsPlace){.entry = stat->index,
                                          .at = header.bytes,
                                          .type = header.width == 2   ? FLOAT_F16
                                                  : header.width == 4 ? FLOAT_F32
                                                                      : FLOAT_F64,
                                          .big_endian = header.big_endian,
                                          .fortran_order = header.fortran_order};
    return weights_take_shape(source, part, header.shape, header.rank, err);
}

/* Write the next name (`width` bytes padded with zeros) to `out` as UTF-8. Return its size, or
 * SIZE_MAX if it is invalid. */
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

static bool read_rows(WeightsSource *source, WeightsIn *in, const NpyHeader *header,
                      unsigned char *row, Err *err) {
    size_t used = 0;
    assert(row != NULL && source->names != NULL && source->room != NULL);
    for (size_t i = 0; i < header->count; i++) {
        if (!weights_read(in, row, header->width, err))
            return false;
        size_t size = decode_name((char *)row + header->width, row, header);
        if (size == SIZE_MAX)
            return names_fail(source, "a name is not a Unicode text, or has a NUL", err);
        if (size > TOKEN_TEXT_MAX - used)
            return names_fail(source, "are more than 1 MiB in all", err);
        memcpy(source->room + used, row + header->width, size);
        source->names[i] = (WeightsName){source->room + used, size};
        used += size;
    }
    source->name_count = header->count;
    return weights_read_end(in, err);
}

static bool take_names(WeightsSource *source, const zip_stat_t *stat, Err *err) {
    NpyHeader header;
    WeightsIn in;
    if (!read_header(&header, source, stat, "tokens", err))
        return false;
    bool is_list = header.rank == 1 && (header.kind == NPY_UNICODE || header.kind == NPY_BYTES);
    if (!is_list || header.count > TOKENS_MAX || header.width > TEXT_ROW_MAX)
        return names_fail(source, "must be an array of at most 4096 texts in one dimension", err);
    unsigned char *row = heap_get(2 * header.width + 1);
    source->names = heap_get((header.count + 1) * sizeof *source->names);
    source->room = heap_get(TOKEN_TEXT_MAX);
    bool taken = false;
    if (row == NULL || source->names == NULL || source->room == NULL) {
        err_fail(err, "memory", "too little for the names of rows");
    } else {
        taken = weights_open(&in, source, stat->index, header.bytes, err) &&
                read_rows(source, &in, &header, row, err);
        weights_close(&in);
    }
    free(row);
    return taken;
}

/* Total bytes of all deflated arrays, before (packed) and after inflating (size). */
typedef struct Inflated {
    uint64_t packed, size;
} Inflated;

/* Look up an array; stat->valid is 0 if the archive has no array of that name. */
static bool find_array(zip_stat_t *stat, Inflated *inflated, const WeightsSource *source,
                       const char *name, Err *err) {
    zip_int64_t entry = zip_name_locate(source->archive, PRINT("%s.npy", name), 0);
    zip_stat_init(stat);
    if (entry < 0)
        return true;
    if (zip_stat_index(source->archive, (zip_uint64_t)entry, 0, stat) != 0)
        return weights_zip_fail(source, zip_get_error(source->archive), err);
    if (stat->encryption_method != ZIP_EM_NONE)
        return weights_source_fail(source, name, "is encrypted; save it without a password", err);
    if (stat->comp_method != ZIP_CM_STORE && stat->comp_method != ZIP_CM_DEFLATE)
        return weights_source_fail(source, name, "is compressed with a method other than deflate",
                                   err);
    if (stat->comp_method == ZIP_CM_DEFLATE) {
        inflated->packed += stat->comp_size;
        inflated->size += stat->size;
    }
    return true;
}

/* Fail if the file has more than END_RECORDS_MAX end records. The archive's comment may contain
 * such records, and libzip would read the whole directory of each. */
static bool check_end(const FileIn *file, Err *err) {
    unsigned char tail[END_BYTES_MAX];
    size_t size = file->size < sizeof tail ? (size_t)file->size : sizeof tail;
    int records = 0;
    if (!file_read_at(tail, file, file->size - size, size, err))
        return false;
    for (size_t i = 0; i + 4 <= size; i++)
        records += memcmp(tail + i, "PK\5\6", 4) == 0;
    return records <= END_RECORDS_MAX ||
           err_fail(err, file->name, "has %d end records of a zip archive; it is damaged", records);
}

static bool open_archive(WeightsSource *source, Err *err) {
    if (!check_end(source->file, err))
        return false;
    int fd = dup(source->file->fd), code = ZIP_ER_OPEN;
    source->archive = fd >= 0 ? zip_fdopen(fd, ZIP_RDONLY | ZIP_CHECKCONS, &code) : NULL;
    if (source->archive != NULL)
        return true;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    weights_zip_fail(source, &error, err);
    zip_error_fini(&error);
    if (fd >= 0)
        close(fd);
    return false;
}

bool weights_from_npz(WeightsSource *source, Err *err) {
    Inflated inflated = {0};
    zip_stat_t stat;
    if (!open_archive(source, err))
        return false;
    for (WeightsPart p = 0; p < WEIGHTS_PART_COUNT; p++)
        if (!find_array(&stat, &inflated, source, WEIGHTS_PARTS[p].name, err) ||
            (stat.valid != 0 && !weights_passes_over(source, p) &&
             !take_part(source, p, &stat, err)))
            return false;
    zip_stat_init(&stat);
    if (weights_has(source->weights, weights_named(source->weights)) &&
        !find_array(&stat, &inflated, source, "tokens", err))
        return false;
    /* Refuse a file whose data would grow more than INFLATE_TIMES-fold: inflating takes 2 ms per
     * MB, and real floats grow threefold at most. INFLATE_EXTRA bytes are allowed in any case. */
    uint64_t packed = inflated.packed < source->file->size ? inflated.packed : source->file->size;
    if (inflated.size > packed * INFLATE_TIMES + INFLATE_EXTRA)
        return err_fail(err, source->file->name,
                        "its arrays would decompress to %.0f MB, far more than their compressed "
                        "size; save it without compression",
                        (double)inflated.size / 1e6);
    return stat.valid == 0 || take_names(source, &stat, err);
}
