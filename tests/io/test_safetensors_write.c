#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/safetensors_write.h"
#include "support/test.h"

static char path[] = "/tmp/headlight-safetensors-XXXXXX";

static int setup(void **state) {
    strcpy(path, "/tmp/headlight-safetensors-XXXXXX");
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state) {
    return unlink(path);
}

/* A reader that shares nothing with the writer but the format's description. */
typedef struct Reading {
    char *bytes;
    size_t size, header_size;
    json_t *header;
    const unsigned char *data;
} Reading;

static Reading reading_open(void) {
    Reading r = {0};
    Err err;
    assert_true(file_read(&r.bytes, &r.size, path, (size_t)1 << 30, &err));
    assert_true(r.size >= 8);
    for (int i = 7; i >= 0; i--)
        r.header_size = r.header_size << 8 | (unsigned char)r.bytes[i];
    assert_true(8 + r.header_size <= r.size);
    assert_int_equal(r.header_size % 8, 0);
    assert_int_equal(r.bytes[8], '{');
    json_error_t error;
    r.header = json_loadb(r.bytes + 8, r.header_size, JSON_REJECT_DUPLICATES, &error);
    assert_non_null(r.header);
    r.data = (const unsigned char *)r.bytes + 8 + r.header_size;
    return r;
}

static void reading_close(Reading *r) {
    json_decref(r->header);
    free(r->bytes);
}

static json_int_t number_at(const json_t *array, size_t i) {
    return json_integer_value(json_array_get(array, i));
}

/* Entry number i of the tensor, put together from its bytes. */
static float reading_entry(const Reading *r, const char *name, size_t i) {
    const json_t *tensor = json_object_get(r->header, name);
    assert_string_equal(json_string_value(json_object_get(tensor, "dtype")), "F32");
    const json_t *offsets = json_object_get(tensor, "data_offsets");
    size_t at = (size_t)number_at(offsets, 0) + 4 * i;
    assert_true(at + 4 <= (size_t)number_at(offsets, 1));
    uint32_t bits = 0;
    for (size_t b = 4; b-- > 0;)
        bits = bits << 8 | r->data[at + b];
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void write_file(const TensorView *tensors, int count, const TensorNote *notes,
                       int note_count) {
    FileOut out;
    Err err = {0};
    if (!file_begin(&out, path, &err) ||
        !safetensors_write(&out, tensors, count, notes, note_count, &err) ||
        !file_commit(&out, &err))
        fail_msg("%s: %s", err.what, err.why);
}

TEST(values_come_back_to_the_bit) {
    const float values[] = {0.0f, -0.0f, 1.0f / 3, -1e-42f, 3.4e38f, INFINITY, 42};
    const TensorView tensors[] = {
        {.name = "B", .at = values, .rank = 2, .shape = {1, 7}, .stride = {7, 1}},
        {.name = "A", .at = values, .rank = 3, .shape = {2, 1, 3}, .stride = {3, 7, 1}},
    };
    write_file(tensors, 2, NULL, 0);
    LOCAL(reading_close) Reading r = reading_open();
    for (size_t i = 0; i < 7; i++) {
        float back = reading_entry(&r, "B", i);
        assert_memory_equal(&back, &values[i], sizeof back);
    }
    assert_float_equal(reading_entry(&r, "A", 4), values[4], 0);
    const json_t *shape = json_object_get(json_object_get(r.header, "A"), "shape");
    assert_int_equal(json_array_size(shape), 3);
    assert_int_equal(number_at(shape, 0), 2);
    assert_int_equal(number_at(shape, 2), 3);
}

/* The format allows no gaps: each tensor starts at the end of the previous one. */
TEST(data_has_no_gaps) {
    float values[100] = {0};
    const TensorView tensors[] = {
        {.name = "one", .at = values, .rank = 2, .shape = {3, 5}, .stride = {5, 1}},
        {.name = "none", .at = values, .rank = 2, .shape = {0, 5}, .stride = {5, 1}},
        {.name = "two", .at = values, .rank = 2, .shape = {1, 1}, .stride = {1, 1}},
    };
    write_file(tensors, 3, NULL, 0);
    LOCAL(reading_close) Reading r = reading_open();
    size_t expected = 0;
    for (size_t i = 0; i < 3; i++) {
        const json_t *tensor = json_object_get(r.header, tensors[i].name);
        const json_t *offsets = json_object_get(tensor, "data_offsets");
        assert_int_equal(number_at(offsets, 0), expected);
        expected += 4 * tensor_count(&tensors[i]);
        assert_int_equal(number_at(offsets, 1), expected);
    }
    assert_int_equal(r.size, 8 + r.header_size + expected);
}

TEST(strides_are_followed_across_chunks) {
    enum { ROWS = 300, COLS = 77, STRIDE = 90 };
    static float values[ROWS * STRIDE];
    for (int i = 0; i < ROWS * STRIDE; i++)
        values[i] = (float)i;
    const TensorView tensor = {
        .name = "T", .at = values, .rank = 2, .shape = {ROWS, COLS}, .stride = {STRIDE, 1}};
    write_file(&tensor, 1, NULL, 0);
    LOCAL(reading_close) Reading r = reading_open();
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLS; j++)
            assert_float_equal(reading_entry(&r, "T", i * COLS + j), values[i * STRIDE + j], 0);
}

TEST(notes_may_hold_any_text) {
    const TensorNote notes[] = {{.key = "tokens", .value = "[\"\\\"\",\"naïve\",\"日本\",\"😀\"]"},
                                {.key = "state", .value = ""}};
    write_file(NULL, 0, notes, 2);
    LOCAL(reading_close) Reading r = reading_open();
    const json_t *metadata = json_object_get(r.header, "__metadata__");
    assert_string_equal(json_string_value(json_object_get(metadata, "tokens")), notes[0].value);
    assert_string_equal(json_string_value(json_object_get(metadata, "state")), "");
}

TEST(flags_are_floats_in_the_file) {
    const uint8_t flags[] = {1, 0, 0, 1};
    const TensorView tensor = {
        .name = "M", .flags = flags, .rank = 2, .shape = {2, 2}, .stride = {2, 1}};
    write_file(&tensor, 1, NULL, 0);
    LOCAL(reading_close) Reading r = reading_open();
    for (size_t i = 0; i < 4; i++)
        assert_float_equal(reading_entry(&r, "M", i), flags[i], 0);
}

TEST(what_cannot_be_written_is_an_error) {
    FileOut out;
    Err err = {0};
    const TensorNote broken = {.key = "tokens", .value = "\xff"};
    assert_true(file_begin(&out, path, &err));
    assert_false(safetensors_write(&out, NULL, 0, &broken, 1, &err));
    assert_int_equal(err.kind, ERR_FAILED);
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_true(file_begin(&out, "/dev/full", &err));
    assert_false(safetensors_write(&out, NULL, 0, NULL, 0, &err));
    assert_string_equal(err.what, "/dev/full");
}

TEST_EACH(setup, teardown)
