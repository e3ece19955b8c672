#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/npz_write.h"
#include "support/test.h"

static char path[] = "/tmp/headlight-npz-XXXXXX";

static int setup(void **state) {
    strcpy(path, "/tmp/headlight-npz-XXXXXX");
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state) {
    return unlink(path);
}

/* A reader that shares nothing with the writer but the formats' descriptions. */
typedef struct Archive {
    char *bytes;
    size_t size;
} Archive;

/* Return width bytes, at most 4, as a number with the least byte first. */
static uint32_t number(const char *at, int width) {
    uint32_t value = 0;
    for (int i = width; i-- > 0;)
        value = value << 8 | (unsigned char)at[i];
    return value;
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

static Archive written(const TensorView *tensors, int count, const TensorNote *notes,
                       int note_count) {
    FileOut out;
    Err err = {0};
    Archive archive;
    if (!file_begin(&out, path, &err) ||
        !npz_write(&out, tensors, count, notes, note_count, &err) || !file_commit(&out, &err))
        fail_msg("%s: %s", err.what, err.why);
    assert_true(file_read(&archive.bytes, &archive.size, path, (size_t)1 << 30, &err));
    return archive;
}

/* The array of that name by way of the directory; its data, with the header's dictionary in
 * *dictionary. */
static const char *find(const Archive *archive, const char *name, char dictionary[256],
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

TEST(values_come_back_to_the_bit) {
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
    Archive archive = written(tensors, 2, NULL, 0);
    const char *data = find(&archive, "A", dictionary, &bytes);
    starts_with(dictionary, "{'descr': '<f4', 'fortran_order': False, 'shape': (300, 77), }");
    assert_int_equal(bytes, ROWS * COLS * 4);
    for (size_t i = 0; i < ROWS * COLS; i++) {
        uint32_t bits = (uint32_t)number(data + 4 * i, 4);
        assert_memory_equal(&bits, &values[i / COLS * STRIDE + i % COLS], 4);
    }
    find(&archive, "b", dictionary, &bytes);
    starts_with(dictionary, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }");
    free(archive.bytes);
}

TEST(texts_are_arrays_of_code_points) {
    const TokenLabel list[] = {{"naïve", 6}, {"日", 3}, {"", 0}};
    const TensorNote notes[] = {{.key = "tokens", .list = list, .count = 3},
                                {.key = "state", .value = ""}};
    char dictionary[256];
    size_t bytes;
    Archive archive = written(NULL, 0, notes, 2);
    const char *data = find(&archive, "tokens", dictionary, &bytes);
    starts_with(dictionary, "{'descr': '<U5', 'fortran_order': False, 'shape': (3,), }");
    assert_int_equal(bytes, 3 * 5 * 4);
    assert_int_equal(number(data + 8, 4), 0xEF);
    assert_int_equal(number(data + 20, 4), 0x65E5);
    assert_int_equal(number(data + 24, 4), 0);
    find(&archive, "state", dictionary, &bytes);
    starts_with(dictionary, "{'descr': '<U1', 'fortran_order': False, 'shape': (), }");
    assert_int_equal(bytes, 4);
    free(archive.bytes);
}

/* A list padded to one very long text is refused before any byte of it is written. */
TEST(padding_is_limited) {
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
    Archive first = written(&tensor, 1, NULL, 0), second = written(&tensor, 1, NULL, 0);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.bytes, second.bytes, first.size);
    free(first.bytes);
    free(second.bytes);
}

TEST_EACH(setup, teardown)
