#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "io/bpe_file.h"
#include "io/file.h"
#include "support/test.h"

#define ASSET "assets/gpt2/gpt2.safetensors"

/* A file in memory, at an even address and with no byte to spare behind it. */
typedef struct Made {
    unsigned char *bytes;
    size_t size;
} Made;

static Made make(const char *header, const void *data, size_t bytes) {
    size_t length = strlen(header);
    Made made = {malloc(8 + length + bytes), 8 + length + bytes};
    assert_non_null(made.bytes);
    memset(made.bytes, 0, 8);
    made.bytes[0] = (unsigned char)length;
    made.bytes[1] = (unsigned char)(length >> 8);
    memcpy(made.bytes + 8, header, length);
    if (bytes > 0)
        memcpy(made.bytes + 8 + length, data, bytes);
    return made;
}

static void refuse(const char *header, const void *data, size_t bytes, const char *why) {
    Made made = make(header, data, bytes);
    BpeFile file;
    Err err;
    assert_false(bpe_file_open(&file, "some.file", made.bytes, made.size, &err));
    assert_string_equal(err.what, "some.file");
    if (strstr(err.why, why) == NULL)
        fail_msg("“%s” does not say “%s”", err.why, why);
    assert_null(file.index);
    free(made.bytes);
}

static const uint16_t ROWS[] = {'a', 'b', 256, 'c', 'b', 'c'};

TEST(a_small_file_is_read) {
    Made made = make("{\"merges\":{\"dtype\":\"U16\",\"shape\":[3,2],\"data_offsets\":[0,12]}}",
                     ROWS, sizeof ROWS);
    BpeFile file;
    Err err;
    assert_true(bpe_file_open(&file, "some.file", made.bytes, made.size, &err));
    assert_int_equal(file.bpe.count, 3);
    assert_int_equal(bpe_rank(&file.bpe, 'a', 'b'), 0);
    assert_int_equal(bpe_rank(&file.bpe, 256, 'c'), 1);
    assert_int_equal(bpe_rank(&file.bpe, 'a', 'c'), BPE_NO_MERGE);
    bpe_file_release(&file);
    free(made.bytes);
}

TEST(broken_files_are_refused) {
    static const uint16_t early[] = {'a', 257, 'b', 'c'}, twice[] = {'a', 'b', 'a', 'b'};
    refuse("{\"merge\":{\"dtype\":\"U16\",\"shape\":[3,2],\"data_offsets\":[0,12]}}", ROWS, 12,
           "“merges” of type U16 with 2 columns");
    refuse("{\"merges\":{\"dtype\":\"I16\",\"shape\":[3,2],\"data_offsets\":[0,12]}}", ROWS, 12,
           "of type U16");
    refuse("{\"merges\":{\"dtype\":\"U16\",\"shape\":[6],\"data_offsets\":[0,12]}}", ROWS, 12,
           "with 2 columns");
    refuse("{\"merges\":{\"dtype\":\"U16\",\"shape\":[2,3],\"data_offsets\":[0,12]}}", ROWS, 12,
           "with 2 columns");
    refuse("{\"merges\":{\"dtype\":\"U16\",\"shape\":[0,2],\"data_offsets\":[0,0]}}", NULL, 0,
           "1 to 65279 rows");
    refuse("{\"merges\":{\"dtype\":\"U16\",\"shape\":[2,2],\"data_offsets\":[0,8]}} ", early, 8,
           "row 1 is of tokens that no row before it makes");
    refuse("{\"merges\":{\"dtype\":\"U16\",\"shape\":[2,2],\"data_offsets\":[0,8]}} ", twice, 8,
           "row 2 ");
    refuse("{\"merges\":{\"dtype\":\"U16\",\"shape\":[3,2],\"data_offsets\":[0,12]}}", ROWS, 11,
           "");
    refuse("[]", NULL, 0, "");
    refuse("", NULL, 0, "");
}

TEST(too_many_rows_are_refused) {
    size_t bytes = ((size_t)BPE_FILE_MERGES_MAX + 1) * 4;
    LOCAL(free_at) void *rows = calloc(1, bytes);
    assert_non_null(rows);
    refuse("{\"merges\":{\"dtype\":\"U16\",\"shape\":[65280,2],\"data_offsets\":[0,261120]}}", rows,
           bytes, "1 to 65279 rows");
}

TEST(no_file_and_a_folder_are_named) {
    BpeFile file;
    Err err;
    assert_false(bpe_file_load(&file, "assets/gpt2/none", &err));
    assert_string_equal(err.what, "assets/gpt2/none");
    assert_false(bpe_file_load(&file, "assets/gpt2", &err));
    assert_string_equal(err.what, "assets/gpt2");
    assert_null(file.merges);
}

TEST(a_cut_asset_is_refused) {
    LOCAL(free_at) char *bytes;
    size_t size;
    Err err;
    LOCAL(bpe_file_release) BpeFile file;
    assert_true(file_read(&bytes, &size, ASSET, BPE_FILE_MAX, &err));
    static const size_t cuts[] = {0, 1, 7, 8, 9, 100, 287, 288, 290, 100000, 200287};
    for (size_t i = 0; i < ARRAY_COUNT(cuts); i++)
        assert_false(bpe_file_open(&file, "cut", bytes, cuts[i], &err));
    assert_true(bpe_file_open(&file, "whole", bytes, size, &err));
}

TEST(the_asset_is_gpt2s) {
    LOCAL(bpe_file_release) BpeFile file;
    Err err;
    assert_true(bpe_file_load(&file, ASSET, &err));
    assert_int_equal(file.bpe.count, 50000);
    assert_int_equal(bpe_rank(&file.bpe, ' ', 't'), 0);
    assert_int_equal(bpe_rank(&file.bpe, ' ', 'a'), 1);
    assert_int_equal(bpe_rank(&file.bpe, 'h', 'e'), 2);
    assert_int_equal(bpe_rank(&file.bpe, BPE_BYTES + 0, BPE_BYTES + 2), 6);
}
