/* Any bytes as a file of weights: as a whole file, as one array of a valid archive, and as choices
 * of tensors that nearly agree, in both formats. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "choices.h"
#include "io/npy.h"
#include "io/weights_file.h"
#include "memory_file.h"
#include "weights_check.h"

#define TEXT_MAX 4096
#define DATA_MAX (1 << 17)

static void check_file(const char *suffix, const void *bytes, size_t size) {
    Err err = {0};
    const WeightsRequest wish = {.layer = 1,
                                 .heads = 2}; /* for checkpoints, which lack config.json */
    Weights *weights = weights_file_load(memory_file(suffix, bytes, size), &wish, &err);
    if (weights != NULL)
        check_weights(weights);
    else
        check_err(&err);
}

/* An archive in memory that is being written. */
typedef struct Archive {
    zip_source_t *source;
    zip_t *zip;
} Archive;

static Archive archive_begin(void) {
    Archive archive = {.source = zip_source_buffer_create(NULL, 0, 0, NULL)};
    archive.zip = zip_open_from_source(archive.source, ZIP_TRUNCATE, NULL);
    check(archive.zip != NULL);
    zip_source_keep(archive.source);
    return archive;
}

/* bytes must stay until the archive is checked. */
static void archive_add(Archive *archive, const char *tensor, const void *bytes, size_t size,
                        bool is_deflated) {
    char name[32];
    snprintf(name, sizeof name, "%s.npy", tensor);
    zip_source_t *source = zip_source_buffer(archive->zip, bytes, size, 0);
    zip_int64_t entry = zip_file_add(archive->zip, name, source, 0);
    check(entry >= 0);
    zip_set_file_compression(archive->zip, (zip_uint64_t)entry,
                             is_deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 1);
}

static void archive_check(Archive *archive) {
    zip_stat_t stat;
    check(zip_close(archive->zip) == 0 && zip_source_stat(archive->source, &stat) == 0);
    char *bytes = malloc(stat.size + 1);
    check(bytes != NULL && zip_source_open(archive->source) == 0);
    check(zip_source_read(archive->source, bytes, stat.size) == (zip_int64_t)stat.size);
    zip_source_free(archive->source);
    check_file(".npz", bytes, stat.size);
    free(bytes);
}

static void check_array(const uint8_t *data, size_t size) {
    static const char *const names[] = {"X", "W_Q", "W_O", "b_O", "W_QK", "tokens"};
    if (size < 2)
        return;
    Archive archive = archive_begin();
    archive_add(&archive, names[data[0] % 6], data + 1, size - 1, (data[0] & 64) != 0);
    archive_check(&archive);
}

/* Tensors whose sizes mostly agree, chosen one after the other. */
typedef struct Parts {
    Choices choices;
    int64_t size[WEIGHTS_AXIS_COUNT];
    Archive archive;
    char arrays[WEIGHTS_PART_COUNT + 1][DATA_MAX];
    char header[TEXT_MAX], data[DATA_MAX]; /* of safetensors */
    size_t header_bytes, data_bytes;
} Parts;

/* Write a shape such as "2,3" and return its number of entries; 0 for an invalid shape. */
static size_t put_shape(char out[96], Parts *parts, WeightsPart part, unsigned oddity) {
    const WeightsPartRow *row = &WEIGHTS_PARTS[part];
    size_t used = 0, count = 1;
    int rank = row->rank - (oddity == 255 && row->rank > 1);
    for (int d = 0; d < rank; d++) {
        int64_t size = oddity == 254 ? choices_number(&parts->choices) : parts->size[row->axes[d]];
        used += (size_t)snprintf(out + used, 96 - used, "%s%" PRId64, d > 0 ? "," : "", size);
        count *= size >= 0 && size < 32 ? (size_t)size : 0;
    }
    return count;
}

static void put_values(char *out, size_t bytes, Choices *choices) {
    unsigned value = choices_take(choices);
    for (size_t i = 0; i < bytes; i++)
        out[i] = (char)(value < 250 ? (value + i) % 60 : value);
}

/* Write an array of numpy and return its bytes; shape ends in a comma or has one. */
static size_t put_array(char out[DATA_MAX], const char *descr, bool is_fortran, const char *shape,
                        size_t bytes, Choices *choices) {
    int text =
        snprintf(out + 10, TEXT_MAX, "{'descr': '%s', 'fortran_order': %s, 'shape': (%s,), }\n",
                 descr, is_fortran ? "True" : "False", shape);
    memcpy(out, "\x93NUMPY\1\0", 8);
    out[8] = (char)(text & 255);
    out[9] = (char)(text >> 8);
    put_values(out + 10 + text, bytes, choices);
    return 10 + (size_t)text + bytes;
}

static void add_tensor(Parts *parts, WeightsPart part) {
    static const struct {
        const char *dtype, *descr;
        size_t width;
    } types[] = {{"F32", "<f4", 4},     {"F64", ">f8", 8},  {"F16", "<f2", 2},
                 {"F64", "<f8", 8},     {"BF16", ">f2", 2}, {"F8_E4M3", "|f1", 1},
                 {"F8_E5M2", "|b1", 1}, {"I32", "<i4", 4}};
    const char *name = WEIGHTS_PARTS[part].name;
    char shape[96] = "";
    unsigned oddity = choices_take(&parts->choices), type = oddity % (oddity < 200 ? 5 : 8);
    size_t bytes = put_shape(shape, parts, part, oddity) * types[type].width;
    if (bytes > DATA_MAX / 2 || parts->data_bytes + bytes > DATA_MAX)
        return;
    archive_add(&parts->archive, name, parts->arrays[part],
                put_array(parts->arrays[part], types[type].descr, oddity % 8 == 3, shape,
                          bytes + (oddity == 253), &parts->choices),
                oddity % 8 == 1);
    size_t end = parts->data_bytes + bytes;
    parts->header_bytes +=
        (size_t)snprintf(parts->header + parts->header_bytes, TEXT_MAX - parts->header_bytes,
                         ",\"%s\":{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[%zu,%zu]}",
                         name, types[type].dtype, shape, parts->data_bytes, end);
    put_values(parts->data + parts->data_bytes, bytes, &parts->choices);
    parts->data_bytes = end;
}

/* What a layer's metadata may say of its options. */
static const char *const OPTIONS[] = {"", "positions=rope&mask=causal", "mask=sideways", "x"};

/* Names of the rows of X, mostly one for each row. */
static void add_tokens(Parts *parts) {
    unsigned oddity = choices_take(&parts->choices);
    int64_t count = parts->size[WEIGHTS_T] + (oddity == 255);
    char shape[32], *header = parts->header;
    size_t width = oddity % 2 == 0 ? 8 : 3;
    snprintf(shape, sizeof shape, "%" PRId64, count);
    archive_add(&parts->archive, "tokens", parts->arrays[WEIGHTS_PART_COUNT],
                put_array(parts->arrays[WEIGHTS_PART_COUNT], oddity % 2 == 0 ? "<U2" : "|S3", false,
                          shape, (size_t)count * width, &parts->choices),
                false);
    size_t used = (size_t)snprintf(header, TEXT_MAX, "{\"__metadata__\":{\"tokens\":\"[");
    for (int64_t i = 0; i < count; i++)
        used += (size_t)snprintf(header + used, TEXT_MAX - used, "%s%s", i > 0 ? "," : "",
                                 oddity == 254 ? "7" : "\\\"a\\u0301\\\"");
    used += (size_t)snprintf(header + used, TEXT_MAX - used, "%s\"", oddity == 253 ? "" : "]");
    if (oddity < sizeof OPTIONS / sizeof *OPTIONS)
        used += (size_t)snprintf(header + used, TEXT_MAX - used, ",\"options\":\"%s\"",
                                 OPTIONS[oddity]);
    parts->header_bytes = used + (size_t)snprintf(header + used, TEXT_MAX - used, "}");
}

static void check_parts(const uint8_t *data, size_t size) {
    static Parts parts;
    static char file[8 + TEXT_MAX + DATA_MAX];
    parts.choices = (Choices){data, size};
    parts.data_bytes = 0;
    for (int axis = 0; axis < WEIGHTS_AXIS_COUNT; axis++)
        parts.size[axis] = 1 + choices_take(&parts.choices) % 4;
    parts.size[WEIGHTS_HV] = parts.size[WEIGHTS_H] * parts.size[WEIGHTS_V];
    parts.size[WEIGHTS_E] = parts.size[WEIGHTS_D] + parts.size[WEIGHTS_E] / 4;
    parts.archive = archive_begin();
    add_tokens(&parts);
    unsigned wanted = choices_take(&parts.choices) | choices_take(&parts.choices) << 8;
    for (WeightsPart part = 0; part < WEIGHTS_PART_COUNT; part++)
        if ((wanted >> part & 1) != 0)
            add_tensor(&parts, part);
    archive_check(&parts.archive);
    parts.header[parts.header_bytes++] = '}';
    memset(file, 0, 8);
    file[0] = (char)(parts.header_bytes & 255);
    file[1] = (char)(parts.header_bytes >> 8);
    memcpy(file + 8, parts.header, parts.header_bytes);
    memcpy(file + 8 + parts.header_bytes, parts.data, parts.data_bytes);
    check_file(".safetensors", file, 8 + parts.header_bytes + parts.data_bytes);
}

/* What the bytes look like decides what they are read as. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    NpyHeader header;
    Err err = {0};
    if (size > 1 && data[1] == 0x93) {
        if (!npy_read_header(&header, "fuzz", data + 1, size - 1, &err))
            check_err(&err);
        else
            check(header.bytes < size && header.rank <= NPY_RANK_MAX);
        check_array(data, size);
    } else if (size > 0 && data[0] == 'P') {
        check_file(".npz", data, size);
    } else if (size > 8 && data[8] == '{') {
        check_file(".safetensors", data, size);
    } else {
        check_parts(data, size);
    }
    return 0;
}
