#include <stdlib.h>

#include "base/util.h"
#include "io/bpe_file.h"
#include "io/file.h"
#include "support/files.h"
#include "support/test.h"

#define ASSET "assets/gpt2/gpt2.safetensors"

static Vocabulary *open_made(const char *header, const void *data, size_t bytes, Err *err) {
    size_t size;
    LOCAL(free_at) unsigned char *made = made_safetensors(&size, header, data, bytes);
    return bpe_file_open("some.file", made, size, err);
}

static void refuse(const char *header, const void *data, size_t bytes, const char *why) {
    assert_null(open_made(header, data, bytes, &told));
    assert_error(&told, "some.file", why);
}

#define MERGES(name, type, shape, end)                                                             \
    "{\"" name "\":{\"dtype\":\"" type "\",\"shape\":[" shape "],\"data_offsets\":[0," end "]}}"

static const uint16_t ROWS[] = {'a', 'b', 256, 'c', 'b', 'c'};

static int id_of(const Vocabulary *v, char byte) {
    return v->bytes[(unsigned char)byte];
}

/* Return the rank of a merge; -1 for none. */
static int rank(const Vocabulary *v, int left, int right) {
    const BpeMerge *merge = bpe_merge(&v->bpe, (uint32_t)left, (uint32_t)right);
    return merge != NULL ? (int)merge->rank : -1;
}

TEST(a_small_file_is_read) {
    Vocabulary *v = open_made(MERGES("merges", "U16", "3,2", "12"), ROWS, sizeof ROWS, &told);
    assert_non_null(v);
    assert_int_equal(v->count, 259);
    assert_int_equal(rank(v, id_of(v, 'a'), id_of(v, 'b')), 0);
    assert_int_equal(rank(v, 256, id_of(v, 'c')), 1);
    assert_int_equal(rank(v, id_of(v, 'a'), id_of(v, 'c')), -1);
    size_t size;
    assert_memory_equal(vocabulary_bytes(v, 257, &size), "abc", 3);
    assert_int_equal(size, 3);
    vocabulary_release(v);
}

/* Texts that double with each row would need all memory. */
TEST(a_long_token_is_refused) {
    uint16_t rows[60];
    for (uint16_t i = 0; i < 60; i++)
        rows[i] = (uint16_t)(i < 2 ? 'a' : 255 + i / 2);
    refuse(MERGES("merges", "U16", "30,2", "120"), rows, 120, "row 25 ");
}

TEST(broken_files_are_refused) {
    static const uint16_t early[] = {'a', 257, 'b', 'c'}, twice[] = {'a', 'b', 'a', 'b'};
    refuse(MERGES("merge", "U16", "3,2", "12"), ROWS, 12, "“merges” of type U16 with 2 columns");
    refuse(MERGES("merges", "I16", "3,2", "12"), ROWS, 12, "of type U16");
    refuse(MERGES("merges", "U16", "6", "12"), ROWS, 12, "with 2 columns");
    refuse(MERGES("merges", "U16", "2,3", "12"), ROWS, 12, "with 2 columns");
    refuse(MERGES("merges", "U16", "0,2", "0"), NULL, 0, "1 to 65279 rows");
    refuse(MERGES("merges", "U16", "2,2", "8") " ", early, 8,
           "row 1 uses a token that no earlier row makes");
    refuse(MERGES("merges", "U16", "2,2", "8") " ", twice, 8, "row 2 ");
    refuse(MERGES("merges", "U16", "3,2", "12"), ROWS, 11, "");
    refuse("[]", NULL, 0, "");
    refuse("", NULL, 0, "");
}

TEST(too_many_rows_are_refused) {
    size_t bytes = ((size_t)BPE_FILE_MERGES_MAX + 1) * 4;
    LOCAL(free_at) void *rows = calloc(1, bytes);
    assert_non_null(rows);
    refuse(MERGES("merges", "U16", "65280,2", "261120"), rows, bytes, "1 to 65279 rows");
}

TEST(no_file_and_a_folder_are_named) {
    static const char *const paths[] = {"assets/gpt2/none", "assets/gpt2"};
    for (size_t i = 0; i < ARRAY_COUNT(paths); i++) {
        assert_null(bpe_file_load(paths[i], &told));
        assert_string_equal(told.what, paths[i]);
    }
}

TEST(the_asset_is_gpt2s) {
    Vocabulary *v = bpe_file_load(ASSET, &told);
    assert_non_null(v);
    assert_int_equal(v->bpe.count, 50000);
    assert_int_equal(rank(v, id_of(v, ' '), id_of(v, 't')), 0);
    assert_int_equal(rank(v, id_of(v, ' '), id_of(v, 'a')), 1);
    assert_int_equal(rank(v, id_of(v, 'h'), id_of(v, 'e')), 2);
    assert_int_equal(rank(v, BPE_BYTES + 0, BPE_BYTES + 2), 6);
    vocabulary_release(v);
}
