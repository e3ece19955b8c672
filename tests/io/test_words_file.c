#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/util.h"
#include "io/words_file.h"
#include "support/files.h"
#include "support/test.h"
#include "text/split.h"

#define ASSET "assets/words/glove.safetensors"

static char path[MADE_PATH_BYTES];

/* cmocka's own comparison narrows to float. */
static void assert_near(double actual, double expected, double tolerance) {
    if (!(fabs(actual - expected) <= tolerance))
        fail_msg("%.9g is not %.9g within %g", actual, expected, tolerance);
}

static int setup(void **state) {
    made_path(path, ".safetensors");
    return 0;
}

static int teardown(void **state) {
    return unlink(path);
}

/* The differences from a valid file of two words, "to" and "été", with two columns. */
typedef struct Recipe {
    const char *type, *shape; /* of vectors; NULL for the sound one's */
    const char *words_type, *words_shape;
    const char *words;      /* in place of "to\nété\n" */
    const uint16_t *halves; /* 4 */
    const char *vectors_name;
    size_t pad; /* blanks after the header, less or more than it needs */
} Recipe;

static const char *or_else(const char *given, const char *usual) {
    return given != NULL ? given : usual;
}

static void write_recipe(Recipe recipe) {
    static const uint16_t sound[] = {0x3C00, 0x4000, 0xC200, 0x0000};
    const char *words = or_else(recipe.words, "to\nété\n");
    char header[512], shape[24], data[256];
    size_t bytes = strlen(words);
    snprintf(shape, sizeof shape, "[%zu]", bytes);
    int length = snprintf(header, sizeof header,
                          "{\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[0,8]},"
                          "\"words\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[8,%zu]}}",
                          or_else(recipe.vectors_name, "vectors"), or_else(recipe.type, "F16"),
                          or_else(recipe.shape, "[2,2]"), or_else(recipe.words_type, "U8"),
                          or_else(recipe.words_shape, shape), 8 + bytes);
    for (size_t blanks = (size_t)(8 - length % 8) + recipe.pad; blanks > 0; blanks--)
        strcat(header, " ");
    memcpy(data, recipe.halves != NULL ? recipe.halves : sound, sizeof sound);
    memcpy(data + sizeof sound, words, bytes);
    made_write_safetensors(path, header, data, sizeof sound + bytes);
}

static void check_error(const char *why) {
    WordsFile file;
    Err err = {0};
    if (words_file_load(&file, path, &err))
        fail_msg("was taken, not refused for “%s”", why);
    assert_int_equal(err.kind, ERR_FAILED);
    assert_error(&err, path, why);
    assert_true(file.bytes == NULL && file.word_at == NULL && file.slots == NULL);
}

TEST(test_small_file) {
    WordsFile file;
    write_recipe((Recipe){0});
    must(words_file_load(&file, path, &told));
    assert_int_equal(file.vectors.count, 2);
    assert_int_equal(file.vectors.width, 2);
    assert_int_equal(file.vectors.halves[2], 0xC200);
    assert_int_equal(words_find(&file.vectors, "to", 2), 0);
    assert_int_equal(words_find(&file.vectors, "été", strlen("été")), 1);
    assert_int_equal(words_find(&file.vectors, "t", 1), -1);
    words_file_release(&file);
    assert_null(file.bytes);
}

/* As when a person copies another file over it while a window runs. */
TEST(test_file_cut_while_in_use) {
    LOCAL(words_file_release) WordsFile file;
    write_recipe((Recipe){0});
    must(words_file_load(&file, path, &told));
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(words_find(&file.vectors, "to", 2), 0);
    assert_int_equal(file.vectors.halves[2], 0xC200);
}

TEST(test_broken_files) {
    static const uint16_t infinite[] = {0x3C00, 0x7C00, 0, 0}, minus[] = {0, 0, 0, 0xFC00};
    static const uint16_t not_numbers[] = {0x7E01, 0, 0, 0}, signalling[] = {0, 0xFC01, 0, 0};
    static const struct {
        const char *why;
        Recipe recipe;
    } cases[] = {
        {"“vectors” of type F16", {.vectors_name = "vector"}},
        {"“vectors” of type F16", {.type = "BF16"}},
        {"“vectors” of type F16 with 2 dimensions", {.shape = "[4]"}},
        {"“words” of type U8 with 1 dimension", {.words_type = "I8"}},
        {"“words” of type U8", {.words_shape = "[3,3]"}},
        {"do not have the same number of rows", {.shape = "[4,1]"}},
        {"do not have the same number of rows", {.shape = "[1,4]"}},
        {"do not have the same number of rows", {.words = "to\n"}},
        {"do not have the same number of rows", {.words = "to\nété\nmore\n"}},
        {"word 2 is empty", {.words = "to\n\nété\n"}},
        {"word 2 is empty or has no line end", {.words = "to\nété"}},
        {"not UTF-8", {.words = "to\n\xC3\n"}},
        {"not UTF-8", {.words = "to\n\xED\xA0\x80\n"}},
        {"“to” appears twice", {.words = "to\nto\n"}},
        {"not finite", {.halves = infinite}},
        {"not finite", {.halves = minus}},
        {"not finite", {.halves = not_numbers}},
        {"not finite", {.halves = signalling}},
        {"even byte", {.pad = 1}},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        write_recipe(cases[i].recipe);
        check_error(cases[i].why);
    }
}

/* Write `count` words of one column, of which the last `same` have the same slot among 1024. */
static void write_colliding(int count, int same) {
    char words[8 * 512], header[256], data[sizeof words + 1024] = {0};
    size_t bytes = 0, halves = 2 * (size_t)count;
    for (unsigned i = 0, found = 0; found < (unsigned)count; i++) {
        char word[8];
        int size = snprintf(word, sizeof word, "%x", i);
        if (found < (unsigned)(count - same) || rng_hash(word, (size_t)size) % 1024 == 7) {
            bytes += (size_t)snprintf(words + bytes, sizeof words - bytes, "%s\n", word);
            found++;
        }
    }
    snprintf(header, sizeof header,
             "{\"vectors\":{\"dtype\":\"F16\",\"shape\":[%d,1],\"data_offsets\":[0,%zu]},"
             "\"words\":{\"dtype\":\"U8\",\"shape\":[%zu],\"data_offsets\":[%zu,%zu]}}",
             count, halves, bytes, halves, halves + bytes);
    strcat(header, strlen(header) % 2 != 0 ? " " : "");
    memcpy(data + halves, words, bytes);
    made_write_safetensors(path, header, data, halves + bytes);
}

/* Comparing each word of a larger such file with all words before it would take hours. */
TEST(test_words_of_one_slot) {
    LOCAL(words_file_release) WordsFile file;
    write_colliding(300, 200);
    must(words_file_load(&file, path, &told));
    write_colliding(300, 290);
    check_error("too many words have similar hashes");
}

TEST(test_empty_shapes) {
    made_write_safetensors(
        path,
        "{\"vectors\":{\"dtype\":\"F16\",\"shape\":[0,5],\"data_offsets\":[0,0]},"
        "\"words\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}",
        "", 0);
    check_error("“vectors” must be 1 to");
    made_write_safetensors(path,
                           "{\"vectors\":{\"dtype\":\"F16\",\"shape\":[5000000000,0],"
                           "\"data_offsets\":[0,0]},"
                           "\"words\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}",
                           "", 0);
    check_error("“vectors” must be 1 to");
    made_write_safetensors(
        path,
        "{\"vectors\":{\"dtype\":\"F16\",\"shape\":[1,1],\"data_offsets\":[0,2]},"
        "\"words\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[2,2]}}",
        "\0\0", 2);
    check_error("do not have the same number of rows");
}

TEST(test_no_file) {
    WordsFile file;
    static const char *const names[] = {"/tmp/no-such-file", "/tmp"};
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        assert_false(words_file_load(&file, names[i], &told));
        assert_string_equal(told.what, names[i]);
    }
    made_write(path, "", 0);
    check_error("too short");
    made_write(path, "the 0.1 0.2 0.3\n", 16);
    check_error("is it a safetensors file?");
}

/* A half float, by its definition in IEEE 754. */
static double value_of(uint16_t half) {
    int exponent = half >> 10 & 31, fraction = half & 1023;
    double size = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
    return half >> 15 ? -size : size;
}

static double cosine(const WordVectors *words, const char *a, const char *b, int D) {
    int i = words_find(words, a, strlen(a)), j = words_find(words, b, strlen(b));
    double ab = 0, aa = 0, bb = 0;
    assert_true(i >= 0 && j >= 0);
    for (int k = 0; k < D; k++) {
        double x = value_of(words->halves[i * words->width + k]);
        double y = value_of(words->halves[j * words->width + k]);
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return ab / sqrt(aa * bb);
}

TEST(test_asset_words) {
    LOCAL(words_file_release) WordsFile file;
    must(words_file_load(&file, ASSET, &told));
    const WordVectors *words = &file.vectors;
    assert_true(words->count >= 20000);
    assert_int_equal(words->width, 100);
    assert_int_equal(words_find(words, "the", 3), 0);
    static const char *const known[] = {
        "animal", "did",   "not",  "cross", "street",    "because", "it",  "was", "too",  "tired",
        ",",      ".",     "!",    "?",     "\"",        "“",       "”",   "(",   ")",    "...",
        "cannot", "would", "will", "have",  "attention", "'",       "an",  "me",  "zero", "nine",
        "ten",    "am",    "are",  "is",    "can",       "shall",   "usa", "-",   "$"};
    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        if (words_find(words, known[i], strlen(known[i])) < 0)
            fail_msg("“%s” is not in the list", known[i]);
}

/* king is nearer to queen than to dog, by the cosine over the first D columns. Measured in
 * assets/words/README.md: 0.835, 0.779, 0.725, 0.702 against 0.357, 0.276, 0.153, 0.152. */
TEST(test_asset_nearness) {
    static const int widths[] = {16, 32, 64, 100};
    static const double queens[] = {0.835, 0.779, 0.725, 0.702},
                        dogs[] = {0.357, 0.276, 0.153, 0.152};
    LOCAL(words_file_release) WordsFile file;
    must(words_file_load(&file, ASSET, &told));
    for (size_t i = 0; i < ARRAY_COUNT(widths); i++) {
        assert_near(cosine(&file.vectors, "king", "queen", widths[i]), queens[i], 0.001);
        assert_near(cosine(&file.vectors, "king", "dog", widths[i]), dogs[i], 0.001);
        assert_true(cosine(&file.vectors, "paris", "france", widths[i]) >
                    cosine(&file.vectors, "paris", "banana", widths[i]));
    }
}

/* Principal components: the mean is 0 and the variance falls from column to column. */
TEST(test_asset_columns) {
    LOCAL(words_file_release) WordsFile file;
    must(words_file_load(&file, ASSET, &told));
    double before = INFINITY;
    for (int j = 0; j < file.vectors.width; j++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < file.vectors.count; i++) {
            double x = value_of(file.vectors.halves[i * file.vectors.width + j]);
            sum += x;
            squares += x * x;
        }
        assert_near(sum / file.vectors.count, 0, 1e-4);
        assert_true(squares < before);
        before = squares;
    }
}

/* The default sentence as the window first shows it. */
TEST(test_asset_embeds) {
    const char *text = "the animal didn't cross the street because it was too tired";
    Token tokens[12];
    EmbedNote notes[12];
    float entries[12 * 64];
    Mat x = {entries, 12, 64, 64};
    LOCAL(words_file_release) WordsFile file;
    must(words_file_load(&file, ASSET, &told));
    assert_int_equal(split_by("words", tokens, 12, text, strlen(text), NULL), 12);
    EmbedInput in = {EMBEDDING_GLOVE, &file.vectors, text, strlen(text), tokens, false, 1};
    must(embed(&x, notes, &in, &told));
    for (int i = 0; i < 12; i++)
        assert_int_equal(notes[i].source, i == 3 ? EMBED_BORROWED : EMBED_OWN);
    assert_int_equal(notes[3].word, words_find(&file.vectors, "not", 3));
    assert_memory_equal(mat_row(&x, 0), mat_row(&x, 5), 64 * sizeof(float));
}

TEST_ALL(setup, teardown)
