#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/json_write.h"
#include "support/test.h"

static char path[] = "/tmp/headlight-json-XXXXXX";

static int setup(void **state) {
    strcpy(path, "/tmp/headlight-json-XXXXXX");
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state) {
    return unlink(path);
}

static json_t *written(const TensorView *tensors, int count, const TensorNote *notes,
                       int note_count) {
    FileOut out;
    Err err = {0};
    json_error_t error;
    if (!file_begin(&out, path, &err) ||
        !json_write(&out, tensors, count, notes, note_count, &err) || !file_commit(&out, &err))
        fail_msg("%s: %s", err.what, err.why);
    json_t *object = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (object == NULL)
        fail_msg("line %d: %s", error.line, error.text);
    return object;
}

static const json_t *data_of(const json_t *object, const char *name) {
    return json_object_get(json_object_get(json_object_get(object, "tensors"), name), "data");
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
    json_t *object = written(&tensor, 1, NULL, 0);
    const json_t *data = data_of(object, "Q");
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
    json_decref(object);
}

TEST(one_dimension_and_none_at_all) {
    const float values[] = {1.5F, -0.0F, 3.4028235e38F, 1e-45F};
    const TensorView tensors[] = {
        {.name = "b", .at = values, .rank = 1, .shape = {4}, .stride = {1}},
        {.name = "none", .at = values, .rank = 2, .shape = {0, 4}, .stride = {4, 1}},
    };
    json_t *object = written(tensors, 2, NULL, 0);
    for (size_t i = 0; i < 4; i++) {
        float back = (float)json_number_value(json_array_get(data_of(object, "b"), i));
        assert_true(back == values[i]);
    }
    assert_int_equal(json_array_size(data_of(object, "none")), 0);
    json_decref(object);
}

TEST(what_is_not_finite_is_null) {
    const float values[] = {INFINITY, 1, NAN, -INFINITY};
    const TensorView tensor = {
        .name = "S", .at = values, .rank = 2, .shape = {2, 2}, .stride = {2, 1}};
    json_t *object = written(&tensor, 1, NULL, 0);
    const json_t *rows = data_of(object, "S");
    assert_true(json_is_null(json_array_get(json_array_get(rows, 0), 0)));
    assert_true(json_number_value(json_array_get(json_array_get(rows, 0), 1)) == 1);
    assert_true(json_is_null(json_array_get(json_array_get(rows, 1), 0)));
    assert_true(json_is_null(json_array_get(json_array_get(rows, 1), 1)));
    json_decref(object);
}

TEST(texts_come_back) {
    static const char *const texts[] = {"\"", "\\", "naïve 日本 😀", "a\nb\x01\x1f", "", "%s"};
    TokenLabel list[6];
    for (size_t i = 0; i < 6; i++)
        list[i] = (TokenLabel){texts[i], strlen(texts[i])};
    const TensorNote notes[] = {{.key = "tokens", .list = list, .count = 6},
                                {.key = "state", .value = texts[2]}};
    json_t *object = written(NULL, 0, notes, 2);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(json_string_value(json_array_get(json_object_get(object, "tokens"), i)),
                            texts[i]);
    assert_string_equal(json_string_value(json_object_get(object, "state")), texts[2]);
    json_decref(object);
}

TEST_EACH(setup, teardown)
