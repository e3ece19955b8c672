#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/tensors.h"
#include "support/files.h"
#include "support/test.h"

static char path[MADE_PATH_BYTES];

static int setup(void **state) {
    made_path(path, "");
    return 0;
}

static int teardown(void **state) {
    return unlink(path);
}

/* A written file, read by code that shares nothing with the writer but the format's description. */
typedef struct Written {
    char *bytes;
    size_t size, header_size;
    json_t *json; /* the header of safetensors, or the whole file */
} Written;

static void written_release(Written *w) {
    json_decref(w->json);
    free(w->bytes);
}

static Written write_file(TensorsFormat *write, const TensorView *tensors, int count,
                          const TensorNote *notes, int note_count) {
    Written w = {0};
    FileOut out;
    Err err = {0};
    json_error_t error;
    if (!file_begin(&out, path, &err) || !write(&out, tensors, count, notes, note_count, &err) ||
        !file_commit(&out, &err) || !file_read(&w.bytes, &w.size, path, (size_t)1 << 30, &err))
        fail_msg("%s: %s", err.what, err.why);
    if (write == safetensors_write) {
        assert_true(w.size >= 8);
        for (int i = 7; i >= 0; i--)
            w.header_size = w.header_size << 8 | (unsigned char)w.bytes[i];
        assert_true(8 + w.header_size <= w.size);
        assert_int_equal(w.header_size % 8, 0);
        assert_int_equal(w.bytes[8], '{');
        w.json = json_loadb(w.bytes + 8, w.header_size, JSON_REJECT_DUPLICATES, &error);
    } else if (write == json_write) {
        w.json = json_loadb(w.bytes, w.size, JSON_REJECT_DUPLICATES, &error);
    }
    if (w.json == NULL && write != npz_write)
        fail_msg("line %d: %s", error.line, error.text);
    return w;
}

/* Return width bytes, at most 4, as a number with the least byte first. */
static uint32_t number(const char *at, int width) {
    uint32_t value = 0;
    for (int i = width; i-- > 0;)
        value = value << 8 | (unsigned char)at[i];
    return value;
}

static json_int_t number_at(const json_t *array, size_t i) {
    return json_integer_value(json_array_get(array, i));
}

/* Return entry i of a tensor in safetensors. */
static float entry_of(const Written *w, const char *name, size_t i) {
    const json_t *tensor = json_object_get(w->json, name);
    assert_string_equal(json_string_value(json_object_get(tensor, "dtype")), "F32");
    const json_t *offsets = json_object_get(tensor, "data_offsets");
    size_t at = (size_t)number_at(offsets, 0) + 4 * i;
    assert_true(at + 4 <= (size_t)number_at(offsets, 1));
    uint32_t bits = number(w->bytes + 8 + w->header_size + at, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static const json_t *data_of(const Written *w, const char *name) {
    return json_object_get(json_object_get(json_object_get(w->json, "tensors"), name), "data");
}

TEST(safetensors_come_back_to_the_bit) {
    const float values[] = {0.0f, -0.0f, 1.0f / 3, -1e-42f, 3.4e38f, INFINITY, 42};
    const TensorView tensors[] = {
        {.name = "B", .at = values, .rank = 2, .shape = {1, 7}, .stride = {7, 1}},
        {.name = "A", .at = values, .rank = 3, .shape = {2, 1, 3}, .stride = {3, 7, 1}},
    };
    LOCAL(written_release) Written w = write_file(safetensors_write, tensors, 2, NULL, 0);
    for (size_t i = 0; i < 7; i++) {
        float back = entry_of(&w, "B", i);
        assert_memory_equal(&back, &values[i], sizeof back);
    }
    assert_float_equal(entry_of(&w, "A", 4), values[4], 0);
    const json_t *shape = json_object_get(json_object_get(w.json, "A"), "shape");
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
    LOCAL(written_release) Written w = write_file(safetensors_write, tensors, 3, NULL, 0);
    size_t expected = 0;
    for (size_t i = 0; i < 3; i++) {
        const json_t *tensor = json_object_get(w.json, tensors[i].name);
        const json_t *offsets = json_object_get(tensor, "data_offsets");
        assert_int_equal(number_at(offsets, 0), expected);
        expected += 4 * tensor_count(&tensors[i]);
        assert_int_equal(number_at(offsets, 1), expected);
    }
    assert_int_equal(w.size, 8 + w.header_size + expected);
}

TEST(strides_are_followed_across_chunks) {
    enum { ROWS = 300, COLS = 77, STRIDE = 90 };
    static float values[ROWS * STRIDE];
    for (int i = 0; i < ROWS * STRIDE; i++)
        values[i] = (float)i;
    const TensorView tensor = {
        .name = "T", .at = values, .rank = 2, .shape = {ROWS, COLS}, .stride = {STRIDE, 1}};
    LOCAL(written_release) Written w = write_file(safetensors_write, &tensor, 1, NULL, 0);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLS; j++)
            assert_float_equal(entry_of(&w, "T", i * COLS + j), values[i * STRIDE + j], 0);
}

TEST(notes_may_hold_any_text) {
    const TensorNote notes[] = {{.key = "tokens", .value = "[\"\\\"\",\"naïve\",\"日本\",\"😀\"]"},
                                {.key = "state", .value = ""}};
    LOCAL(written_release) Written w = write_file(safetensors_write, NULL, 0, notes, 2);
    const json_t *metadata = json_object_get(w.json, "__metadata__");
    assert_string_equal(json_string_value(json_object_get(metadata, "tokens")), notes[0].value);
    assert_string_equal(json_string_value(json_object_get(metadata, "state")), "");
}

TEST(flags_are_floats_in_the_file) {
    const uint8_t flags[] = {1, 0, 0, 1};
    const TensorView tensor = {
        .name = "M", .flags = flags, .rank = 2, .shape = {2, 2}, .stride = {2, 1}};
    LOCAL(written_release) Written w = write_file(safetensors_write, &tensor, 1, NULL, 0);
    for (size_t i = 0; i < 4; i++)
        assert_float_equal(entry_of(&w, "M", i), flags[i], 0);
}

TEST(what_cannot_be_written_is_an_error) {
    FileOut out;
    Err err = {0};
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_true(file_begin(&out, "/dev/full", &err));
    assert_false(safetensors_write(&out, NULL, 0, NULL, 0, &err));
    assert_string_equal(err.what, "/dev/full");
}

/* Entry (i, j, k) of nested lists equals the tensor's, for any strides. */
TEST(lists_nest_as_the_dimensions_do) {
    enum { A = 7, B = 40, C = 11, STRIDE = 15 };
    static float values[A * B * STRIDE];
    for (int i = 0; i < A * B * STRIDE; i++)
        values[i] = (float)i / 7 - 100;
    const TensorView tensor = {.name = "Q",
                               .at = values,
                               .rank = 3,
                               .shape = {A, B, C},
                               .stride = {B * STRIDE, STRIDE, 1}};
    LOCAL(written_release) Written w = write_file(json_write, &tensor, 1, NULL, 0);
    const json_t *data = data_of(&w, "Q");
    assert_int_equal(json_array_size(data), A);
    for (size_t i = 0; i < A; i++) {
        const json_t *rows = json_array_get(data, i);
        assert_int_equal(json_array_size(rows), B);
        for (size_t j = 0; j < B; j++) {
            const json_t *row = json_array_get(rows, j);
            assert_int_equal(json_array_size(row), C);
            for (size_t k = 0; k < C; k++)
                assert_true((float)json_number_value(json_array_get(row, k)) ==
                            values[(i * B + j) * STRIDE + k]);
        }
    }
}

TEST(lists_of_one_dimension_and_none_at_all) {
    const float values[] = {1.5F, -0.0F, 3.4028235e38F, 1e-45F};
    const TensorView tensors[] = {
        {.name = "b", .at = values, .rank = 1, .shape = {4}, .stride = {1}},
        {.name = "none", .at = values, .rank = 2, .shape = {0, 4}, .stride = {4, 1}},
    };
    LOCAL(written_release) Written w = write_file(json_write, tensors, 2, NULL, 0);
    for (size_t i = 0; i < 4; i++) {
        float back = (float)json_number_value(json_array_get(data_of(&w, "b"), i));
        assert_true(back == values[i]);
    }
    assert_int_equal(json_array_size(data_of(&w, "none")), 0);
}

TEST(what_is_not_finite_is_null) {
    const float values[] = {INFINITY, 1, NAN, -INFINITY};
    const TensorView tensor = {
        .name = "S", .at = values, .rank = 2, .shape = {2, 2}, .stride = {2, 1}};
    LOCAL(written_release) Written w = write_file(json_write, &tensor, 1, NULL, 0);
    const json_t *rows = data_of(&w, "S");
    assert_true(json_is_null(json_array_get(json_array_get(rows, 0), 0)));
    assert_true(json_number_value(json_array_get(json_array_get(rows, 0), 1)) == 1);
    assert_true(json_is_null(json_array_get(json_array_get(rows, 1), 0)));
    assert_true(json_is_null(json_array_get(json_array_get(rows, 1), 1)));
}

TEST(texts_come_back_from_json) {
    static const char *const texts[] = {"\"", "\\", "naïve 日本 😀", "a\nb\x01\x1f", "", "%s"};
    TokenLabel list[6];
    for (size_t i = 0; i < 6; i++)
        list[i] = (TokenLabel){texts[i], strlen(texts[i])};
    const TensorNote notes[] = {{.key = "tokens", .list = list, .count = 6},
                                {.key = "state", .value = texts[2]}};
    LOCAL(written_release) Written w = write_file(json_write, NULL, 0, notes, 2);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(json_string_value(json_array_get(json_object_get(w.json, "tokens"), i)),
                            texts[i]);
    assert_string_equal(json_string_value(json_object_get(w.json, "state")), texts[2]);
}

/* CRC-32 as zip has it. */
static uint32_t sum_of(const char *bytes, size_t size) {
    uint32_t sum = 0xFFFFFFFF;
    for (size_t i = 0; i < 8 * size; i++) {
        sum ^= i % 8 == 0 ? (unsigned char)bytes[i / 8] : 0;
        sum = sum >> 1 ^ (sum % 2 == 1 ? 0xEDB88320 : 0);
    }
    return ~sum;
}

/* The array of that name by way of the directory; its data, with the header's dictionary in
 * *dictionary. */
static const char *find(const Written *archive, const char *name, char dictionary[256],
                        size_t *bytes) {
    const char *end = archive->bytes + archive->size - 22;
    assert_int_equal(number(end, 4), 0x06054b50);
    const char *entry = archive->bytes + number(end + 16, 4);
    for (uint64_t left = number(end + 10, 2); left > 0; left--) {
        assert_int_equal(number(entry, 4), 0x02014b50);
        size_t length = number(entry + 28, 2), size = number(entry + 24, 4);
        const char *local = archive->bytes + number(entry + 42, 4);
        assert_int_equal(number(local, 4), 0x04034b50);
        assert_memory_equal(local + 30, entry + 46, length);
        const char *data = local + 30 + number(local + 26, 2) + number(local + 28, 2);
        if (length == strlen(name) + 4 && memcmp(entry + 46, name, length - 4) == 0) {
            assert_int_equal(number(entry + 12, 4), 0x00210000); /* 1980-01-01 */
            assert_int_equal(number(entry + 10, 2), 0);          /* stored */
            assert_int_equal(number(entry + 20, 4), size);
            assert_int_equal(number(entry + 16, 4), sum_of(data, size));
            assert_memory_equal(data, "\x93NUMPY\x01\x00", 8);
            size_t header = number(data + 8, 2);
            assert_int_equal((10 + header) % 64, 0);
            assert_int_equal(data[9 + header], '\n');
            assert_true(header < 256);
            memcpy(dictionary, data + 10, header);
            dictionary[header] = '\0';
            *bytes = size - 10 - header;
            return data + 10 + header;
        }
        entry += 46 + length + number(entry + 30, 2);
    }
    fail_msg("no %s", name);
    return NULL;
}

static void starts_with(const char *text, const char *start) {
    assert_memory_equal(text, start, strlen(start));
}

TEST(archives_come_back_to_the_bit) {
    enum { ROWS = 300, COLS = 77, STRIDE = 90 };
    static float values[ROWS * STRIDE];
    char dictionary[256];
    size_t bytes;
    for (int i = 0; i < ROWS * STRIDE; i++)
        values[i] = (float)i * 0.37F;
    const TensorView tensors[] = {
        {.name = "A", .at = values, .rank = 2, .shape = {ROWS, COLS}, .stride = {STRIDE, 1}},
        {.name = "b", .at = values, .rank = 1, .shape = {3}, .stride = {1}},
    };
    LOCAL(written_release) Written archive = write_file(npz_write, tensors, 2, NULL, 0);
    const char *data = find(&archive, "A", dictionary, &bytes);
    starts_with(dictionary, "{'descr': '<f4', 'fortran_order': False, 'shape': (300, 77), }");
    assert_int_equal(bytes, ROWS * COLS * 4);
    for (size_t i = 0; i < ROWS * COLS; i++) {
        uint32_t bits = (uint32_t)number(data + 4 * i, 4);
        assert_memory_equal(&bits, &values[i / COLS * STRIDE + i % COLS], 4);
    }
    find(&archive, "b", dictionary, &bytes);
    starts_with(dictionary, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }");
}

TEST(texts_are_arrays_of_code_points) {
    const TokenLabel list[] = {{"naïve", 6}, {"日", 3}, {"", 0}};
    const TensorNote notes[] = {{.key = "tokens", .list = list, .count = 3},
                                {.key = "state", .value = ""}};
    char dictionary[256];
    size_t bytes;
    LOCAL(written_release) Written archive = write_file(npz_write, NULL, 0, notes, 2);
    const char *data = find(&archive, "tokens", dictionary, &bytes);
    starts_with(dictionary, "{'descr': '<U5', 'fortran_order': False, 'shape': (3,), }");
    assert_int_equal(bytes, 3 * 5 * 4);
    assert_int_equal(number(data + 8, 4), 0xEF);
    assert_int_equal(number(data + 20, 4), 0x65E5);
    assert_int_equal(number(data + 24, 4), 0);
    find(&archive, "state", dictionary, &bytes);
    starts_with(dictionary, "{'descr': '<U1', 'fortran_order': False, 'shape': (), }");
    assert_int_equal(bytes, 4);
}

/* A list padded to one very long text is refused before any byte of it is written. */
TEST(the_padding_of_archives_is_limited) {
    size_t size = NPZ_TEXT_MAX / 8;
    LOCAL(free_at) char *large = malloc(size);
    assert_non_null(large);
    memset(large, 'a', size);
    const TokenLabel list[] = {{large, size}, {"b", 1}, {"c", 1}};
    const TensorNote note = {.key = "tokens", .list = list, .count = 3};
    FileOut out;
    Err err = {0};
    assert_true(file_begin(&out, path, &err));
    assert_false(npz_write(&out, NULL, 0, &note, 1, &err));
    assert_string_equal(err.what, "tokens");
    assert_int_not_equal(access(out.temporary, F_OK), 0);
}

TEST(the_same_is_the_same_bytes) {
    const float values[] = {1, 2};
    const TensorView tensor = {.name = "X", .at = values, .rank = 1, .shape = {2}, .stride = {1}};
    LOCAL(written_release) Written first = write_file(npz_write, &tensor, 1, NULL, 0);
    LOCAL(written_release) Written second = write_file(npz_write, &tensor, 1, NULL, 0);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.bytes, second.bytes, first.size);
}

TEST_EACH(setup, teardown)
