#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "io/safetensors_read.h"
#include "support/files.h"
#include "support/test.h"

static const unsigned char DATA[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static void check_error(const unsigned char *bytes, size_t size, const char *why) {
    Safetensors file;
    Err err = {0};
    if (safetensors_open(&file, "some.file", bytes, size, &err))
        fail_msg("was taken, though %s", why);
    assert_int_equal(err.kind, ERR_FAILED);
    assert_error(&err, "some.file", why);
    assert_null(file.tensors);
    assert_null(file.header);
}

TEST(test_reads) {
    size_t size;
    LOCAL(free_at)
    unsigned char *bytes = made_safetensors(
        &size,
        "{\"__metadata__\":{\"a\":\"α\"},\"late\":{\"dtype\":\"F16\",\"shape\":[2,3],"
        "\"data_offsets\":[4,16]},\"none\":{\"dtype\":\"I64\",\"shape\":[3,0],\"data_offsets\":"
        "[4,4]},\"one\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}   ",
        DATA, 16);
    LOCAL(safetensors_release) Safetensors file;
    must(safetensors_open(&file, "f", bytes, size, &told));
    assert_int_equal(file.count, 3);
    assert_string_equal(file.tensors[0].name, "one");
    const SafetensorsTensor *late = safetensors_find(&file, "late");
    assert_non_null(late);
    assert_string_equal(late->type->name, "F16");
    assert_int_equal(late->rank, 2);
    assert_int_equal(late->shape[0], 2);
    assert_int_equal(late->shape[1], 3);
    assert_int_equal(late->count, 6);
    assert_int_equal(late->bytes, 12);
    assert_int_equal(late->data[0], 4);
    assert_int_equal(safetensors_find(&file, "one")->count, 1);
    assert_int_equal(safetensors_find(&file, "none")->count, 0);
    assert_null(safetensors_find(&file, "__metadata__"));
    assert_string_equal(safetensors_metadata(&file, "a"), "α");
    assert_null(safetensors_metadata(&file, "b"));
}

/* The format's own library accepts these, too: it reads TensorInfo of tensor.rs by serde, which
 * ignores unknown fields. */
TEST(test_passes_over_other_fields) {
    size_t size;
    LOCAL(free_at)
    unsigned char *bytes =
        made_safetensors(&size,
                         "{\"one\":{\"note\":{\"dtype\":[\"U8\",{\"shape\":null}]},"
                         "\"dtype\":\"F32\",\"Shape\":[2],\"shape\":[],\"\":-1e9,"
                         "\"data_offsets\":[0,4],\"more\":true}}",
                         DATA, 4);
    LOCAL(safetensors_release) Safetensors file;
    must(safetensors_open(&file, "f", bytes, size, &told));
    const SafetensorsTensor *one = safetensors_find(&file, "one");
    assert_string_equal(one->type->name, "F32");
    assert_int_equal(one->rank, 0);
    assert_int_equal(one->bytes, 4);
}

TEST(test_reads_empty) {
    size_t size;
    LOCAL(free_at) unsigned char *bytes = made_safetensors(&size, "{}", DATA, 0);
    LOCAL(safetensors_release) Safetensors file;
    must(safetensors_open(&file, "f", bytes, size, &told));
    assert_int_equal(file.count, 0);
    assert_null(safetensors_metadata(&file, "a"));
}

typedef struct Broken {
    const char *why, *header;
    size_t data_bytes;
} Broken;

#define TENSOR(name, dtype, shape, offsets)                                                        \
    "\"" name "\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}"
#define TWO_EMPTY(a, b)                                                                            \
    "{" TENSOR(a, "\"U8\"", "[0]", "[0,0]") "," TENSOR(b, "\"U8\"", "[0]", "[0,0]") "}"
#define ONE(dtype, shape, offsets) "{" TENSOR("t", dtype, shape, offsets) "}"

TEST(test_broken_headers) {
    static const Broken cases[] = {
        {"read as JSON", "", 0},
        {"read as JSON", "{", 0},
        {"read as JSON", "{} x", 0},
        {"read as JSON", "{\"\xff\":1}", 0},
        {"read as JSON", "{\"a\\u0000b\":1}", 0},
        {"read as JSON", "{x", 0},
        {"read as JSON", "{\"t\":{\"dtype\":\"F32\",\"shape\":[4,],\"data_offsets\":[0,16]}}", 16},
        {"read as JSON", "{\"t\":{x", 0},
        {"read as JSON", "{\"__metadata__\":{\"a\";\"b\"}}", 0},
        {"JSON object", "[]", 0},
        {"JSON object", " {}", 0},
        {"duplicate object key near '\"a\"'", TWO_EMPTY("a", "a"), 0},
        {"duplicate", TWO_EMPTY("ab", "\\u0061b"), 0},
        {"duplicate", "{\"__metadata__\":{},\"__metadata__\":{}}", 0},
        {"duplicate object key near '\"dtype\"'", "{\"t\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", 0},
        {"duplicate", "{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}", 0},
        {"object of texts", "{\"__metadata__\":[]}", 0},
        {"texts only", "{\"__metadata__\":{\"a\":1}}", 0},
        {"an object with dtype", "{\"t\":7}", 0},
        {"dtype is missing or unknown", "{\"t\":{}}", 0},
        {"dtype is missing or unknown", ONE("\"F33\"", "[1]", "[0,4]"), 4},
        {"dtype is missing or unknown", ONE("5", "[1]", "[0,4]"), 4},
        {"shape must be a list", ONE("\"F32\"", "1", "[0,4]"), 4},
        {"shape must be a list", ONE("\"F32\"", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), 4},
        {"shape must hold whole numbers", ONE("\"F32\"", "[-1]", "[0,4]"), 4},
        {"shape must hold whole numbers", ONE("\"F32\"", "[1.0]", "[0,4]"), 4},
        {"shape must hold whole numbers", ONE("\"F32\"", "[\"1\"]", "[0,4]"), 4},
        {"more entries than memory", ONE("\"F64\"", "[4611686018427387904,4]", "[0,0]"), 0},
        {"more entries than memory", ONE("\"U8\"", "[4294967296,4294967296]", "[0,0]"), 0},
        {"too big integer", ONE("\"U8\"", "[99999999999999999999]", "[0,0]"), 0},
        {"two whole numbers", ONE("\"F32\"", "[1]", "[0]"), 4},
        {"two whole numbers", ONE("\"F32\"", "[1]", "[-4,0]"), 4},
        {"two whole numbers", ONE("\"F32\"", "[1]", "null"), 4},
        {"end before they begin", ONE("\"F32\"", "[1]", "[4,0]"), 4},
        {"past the end of the file", ONE("\"F32\"", "[2]", "[0,8]"), 7},
        {"past the end of the file", ONE("\"U8\"", "[1]", "[0,9223372036854775807]"), 7},
        {"do not have the size", ONE("\"F32\"", "[2]", "[0,4]"), 4},
        {"do not have the size", ONE("\"F32\"", "[0]", "[0,4]"), 4},
        {"(tensor “t”)", ONE("\"F32\"", "[2]", "[0,4]"), 4},
        {"belongs to no tensor", ONE("\"F32\"", "[1]", "[0,4]"), 5},
        {"belongs to no tensor", "{}", 1},
        {"a gap before", ONE("\"U8\"", "[1]", "[1,2]"), 2},
        {"overlap",
         "{" TENSOR("a", "\"U8\"", "[2]", "[0,2]") "," TENSOR("b", "\"U8\"", "[2]", "[1,3]") "}",
         3},
        {"overlap",
         "{" TENSOR("a", "\"U8\"", "[2]", "[0,2]") "," TENSOR("b", "\"U8\"", "[2]", "[0,2]") "}",
         2},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        size_t size;
        LOCAL(free_at)
        unsigned char *bytes = made_safetensors(&size, cases[i].header, DATA, cases[i].data_bytes);
        check_error(bytes, size, cases[i].why);
    }
}

TEST(test_broken_lengths) {
    check_error(NULL, 0, "too short");
    check_error((const unsigned char *)"\2\0\0\0\0\0\0", 7, "too short");
    check_error((const unsigned char *)"\3\0\0\0\0\0\0\0{}", 10, "past the end");
    check_error((const unsigned char *)"\2\0\0\0\0\0\0\1{}", 10, "the limit");
    check_error((const unsigned char *)"\377\377\377\377\377\377\377\377{}", 10, "the limit");
    check_error((const unsigned char *)"\0\0\0\0\0\0\0\0{}", 10, "read as JSON");
}

/* Values that are nested too deep, or so numerous that their tree would be far larger than the
 * file. */
TEST(test_bombs) {
    static const struct {
        const char *why, *piece;
        size_t count;
    } cases[] = {{"maximum parsing depth", "[", 100000},
                 {"more than 262144 values", "[],", 300000},
                 {"read as JSON", "\",\",", 100000}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        LOCAL(free_at) char *header = malloc(10 + strlen(cases[i].piece) * cases[i].count);
        char *at = header;
        assert_non_null(header);
        at += sprintf(at, "{\"a\":[");
        for (size_t k = 0; k < cases[i].count; k++)
            at += sprintf(at, "%s", cases[i].piece);
        size_t size;
        LOCAL(free_at) unsigned char *bytes = made_safetensors(&size, header, DATA, 0);
        check_error(bytes, size, cases[i].why);
    }
}

/* Every beginning of a sound file is an error, and none is read past its end. */
TEST(test_every_cut) {
    size_t size;
    LOCAL(free_at)
    unsigned char *bytes = made_safetensors(&size, ONE("\"F32\"", "[1]", "[0,4]"), DATA, 4);
    for (size_t cut = 0; cut < size; cut++) {
        LOCAL(free_at) unsigned char *part = malloc(cut + 1);
        Safetensors file;
        memcpy(part, bytes, cut);
        assert_false(safetensors_open(&file, "f", part, cut, &told));
    }
}

/* A message is cut at a whole character, however long the name in it. */
TEST(test_long_name) {
    char header[3000] = "{\"";
    for (int i = 0; i < 1000; i++)
        strcat(header, "é");
    strcat(header, "\":7}");
    size_t size;
    LOCAL(free_at) unsigned char *bytes = made_safetensors(&size, header, DATA, 0);
    check_error(bytes, size, "é…");
    check_error(bytes, size, "an object with dtype");
}
