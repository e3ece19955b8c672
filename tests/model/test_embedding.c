#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "model/attention/embedding.h"
#include "support/test.h"
#include "text/split.h"

#define ROOM 64

/* cmocka's own comparison narrows to float. */
static void assert_near(double actual, double expected, double tolerance) {
    if (!(fabs(actual - expected) <= tolerance))
        fail_msg("%.9g is not %.9g within %g", actual, expected, tolerance);
}

/* A list of seven words, width 4. Halves: 0x3C00 is 1, 0x4000 is 2, 0xC200 is -3, 0x0001 is the
 * smallest subnormal, 0x7BFF the largest number. */
static const uint16_t HALVES[7][4] = {
    {0x3C00, 0x4000, 0xC200, 0x0000}, {0x4000, 0x0000, 0x0000, 0x0000},
    {0x0001, 0x8001, 0x0001, 0x0001}, {0x0000, 0x0000, 0x3C00, 0x3C00},
    {0x7BFF, 0x7BFF, 0xFBFF, 0x7BFF}, {0x3800, 0x3800, 0x3800, 0x3800},
    {0x0000, 0x0000, 0x0000, 0x0000},
};
static const char WORDS[] = "the\nnot\ntiny\nlate\nhuge\nété\nnil\n";
static const uint32_t WORD_AT[] = {0, 4, 8, 13, 18, 23, 29, 33};
static uint32_t slots[16];

static WordVectors small_list(void) {
    WordVectors list = {HALVES[0], 7, 4, WORDS, WORD_AT, slots, ARRAY_COUNT(slots)};
    memset(slots, 0, sizeof slots);
    for (uint32_t i = 0; i < 7; i++) {
        uint64_t hash = rng_hash(WORDS + WORD_AT[i], WORD_AT[i + 1] - WORD_AT[i] - 1);
        uint32_t at = (uint32_t)hash % ARRAY_COUNT(slots);
        while (slots[at] != 0)
            at = (at + 1) % (uint32_t)ARRAY_COUNT(slots);
        slots[at] = i + 1;
    }
    return list;
}

/* A text's rows; tokens by the words tokenizer. */
typedef struct Rows {
    Mat x;
    EmbedNote notes[ROOM];
    float entries[ROOM * ROOM];
    Err err;
    bool ok;
} Rows;

static Rows *rows_of(EmbeddingKind kind, const WordVectors *words, const char *text, int D,
                     uint64_t seed) {
    Token tokens[ROOM];
    Rows *rows = calloc(1, sizeof *rows);
    assert_non_null(rows);
    int T = split_by("words", tokens, ROOM, text, strlen(text), NULL);
    assert_in_range(T, 1, ROOM);
    assert_in_range(D, 1, ROOM);
    rows->x = (Mat){rows->entries, T, D, D};
    EmbedInput in = {kind, words, text, strlen(text), tokens, false, seed};
    rows->ok = embed(&rows->x, rows->notes, &in, &rows->err);
    return rows;
}

static float entry(const Rows *rows, int row, int column) {
    return mat_row(&rows->x, row)[column];
}

static bool same_rows(const Rows *a, int i, const Rows *b, int j) {
    return memcmp(mat_row(&a->x, i), mat_row(&b->x, j), (size_t)a->x.cols * sizeof(float)) == 0;
}

static void assert_unit_rows(const Rows *rows) {
    for (int i = 0; i < rows->x.rows; i++) {
        double sum = 0;
        for (int j = 0; j < rows->x.cols; j++)
            sum += (double)entry(rows, i, j) * (double)entry(rows, i, j);
        assert_near(sqrt(sum / rows->x.cols), 1, 1e-5);
    }
}

TEST(test_registry) {
    assert_int_equal(EMBEDDINGS.count, EMBEDDING_KIND_COUNT);
    assert_int_equal(registry_find(&EMBEDDINGS, "random", 6), EMBEDDING_RANDOM);
    assert_int_equal(registry_find(&EMBEDDINGS, "onehot", 6), EMBEDDING_ONEHOT);
    assert_int_equal(registry_find(&EMBEDDINGS, "glove", 5), EMBEDDING_GLOVE);
}

TEST(test_find) {
    WordVectors list = small_list();
    assert_int_equal(words_find(&list, "the", 3), 0);
    assert_int_equal(words_find(&list, "nil", 3), 6);
    assert_int_equal(words_find(&list, "été", strlen("été")), 5);
    assert_int_equal(words_find(&list, "th", 2), -1);
    assert_int_equal(words_find(&list, "them", 4), -1);
    assert_int_equal(words_find(&list, "the\nnot", 7), -1);
    assert_int_equal(words_find(&list, "", 0), -1);
}

TEST(test_vectors_are_converted_and_scaled) {
    WordVectors list = small_list();
    LOCAL(free_at) Rows *rows = rows_of(EMBEDDING_GLOVE, &list, "The tiny huge ÉTÉ", 4, 1);
    assert_true(rows->ok);
    assert_unit_rows(rows);
    float scale = sqrtf(4.0f / 14.0f);
    assert_near(entry(rows, 0, 0), scale, 1e-6);
    assert_near(entry(rows, 0, 1), 2 * scale, 1e-6);
    assert_near(entry(rows, 0, 2), -3 * scale, 1e-6);
    assert_near(entry(rows, 0, 3), 0, 0);
    for (int j = 0; j < 4; j++) {
        assert_near(entry(rows, 1, j), j == 1 ? -1 : 1, 1e-6);
        assert_near(entry(rows, 2, j), j == 2 ? -1 : 1, 1e-6);
        assert_near(entry(rows, 3, j), 1, 1e-6);
    }
    static const int words[] = {0, 2, 4, 5};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(rows->notes[i].source, EMBED_OWN);
        assert_int_equal(rows->notes[i].word, words[i]);
    }
}

TEST(test_fewer_and_more_columns) {
    WordVectors list = small_list();
    LOCAL(free_at) Rows *few = rows_of(EMBEDDING_GLOVE, &list, "the", 1, 1);
    assert_near(entry(few, 0, 0), 1, 1e-6);
    LOCAL(free_at) Rows *many = rows_of(EMBEDDING_GLOVE, &list, "the not", 9, 1);
    assert_unit_rows(many);
    for (int j = 4; j < 9; j++)
        assert_near(entry(many, 0, j), 0, 0);
    assert_near(entry(many, 1, 0), 3, 1e-6);
}

TEST(test_borrowed) {
    WordVectors list = small_list();
    LOCAL(free_at) Rows *rows = rows_of(EMBEDDING_GLOVE, &list, "not didn't didn’t we've", 4, 1);
    assert_int_equal(rows->x.rows, 7);
    assert_int_equal(rows->notes[0].source, EMBED_OWN);
    assert_int_equal(rows->notes[2].source, EMBED_BORROWED);
    assert_int_equal(rows->notes[2].word, 1);
    assert_int_equal(rows->notes[4].source, EMBED_BORROWED);
    assert_true(same_rows(rows, 0, rows, 2) && same_rows(rows, 0, rows, 4));
    /* “have”, which 've would borrow from, is not in this list. */
    assert_int_equal(rows->notes[6].source, EMBED_HASHED);
    assert_int_equal(rows->notes[6].word, -1);
}

TEST(test_hashed) {
    WordVectors list = small_list();
    LOCAL(free_at) Rows *rows = rows_of(EMBEDDING_GLOVE, &list, "zyx the ZYX zyxw nil", 16, 1);
    assert_unit_rows(rows);
    assert_int_equal(rows->notes[0].source, EMBED_HASHED);
    assert_true(same_rows(rows, 0, rows, 2));
    assert_false(same_rows(rows, 0, rows, 3));
    /* A vector of zeros cannot be scaled, so it counts as none. */
    assert_int_equal(rows->notes[4].source, EMBED_HASHED);
    /* Neither the seed nor the place in the text matters. */
    LOCAL(free_at) Rows *again = rows_of(EMBEDDING_GLOVE, NULL, "a b zyx", 16, 99);
    assert_true(same_rows(rows, 0, again, 2));
    /* “late” begins with two zeros: with two columns it has no vector either. */
    LOCAL(free_at) Rows *narrow = rows_of(EMBEDDING_GLOVE, &list, "late", 2, 1);
    assert_int_equal(narrow->notes[0].source, EMBED_HASHED);
    assert_unit_rows(narrow);
}

TEST(test_no_list) {
    LOCAL(free_at) Rows *rows = rows_of(EMBEDDING_GLOVE, NULL, "the the not", 8, 1);
    assert_true(rows->ok);
    assert_unit_rows(rows);
    for (int i = 0; i < 3; i++)
        assert_int_equal(rows->notes[i].source, EMBED_HASHED);
}

TEST(test_random) {
    LOCAL(free_at) Rows *rows = rows_of(EMBEDDING_RANDOM, NULL, "the cat saw The dog", 32, 7);
    assert_unit_rows(rows);
    assert_true(same_rows(rows, 0, rows, 3));
    assert_false(same_rows(rows, 0, rows, 1));
    for (int i = 0; i < 5; i++)
        assert_int_equal(rows->notes[i].source, EMBED_OWN);
    LOCAL(free_at) Rows *again = rows_of(EMBEDDING_RANDOM, NULL, "dog", 32, 7);
    assert_true(same_rows(rows, 4, again, 0));
    LOCAL(free_at) Rows *other = rows_of(EMBEDDING_RANDOM, NULL, "dog", 32, 8);
    assert_false(same_rows(rows, 4, other, 0));
}

TEST(test_random_is_normal) {
    double sum = 0, beyond = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        LOCAL(free_at) Rows *rows = rows_of(EMBEDDING_RANDOM, NULL, "cat", 64, seed);
        for (int j = 0; j < 64; j++) {
            sum += (double)entry(rows, 0, j);
            beyond += fabsf(entry(rows, 0, j)) > 1.959964f;
        }
    }
    double n = 500 * 64;
    assert_near(sum / n, 0, 4 / sqrt(n));
    assert_near(beyond / n, 0.05, 0.007);
}

TEST(test_onehot) {
    LOCAL(free_at) Rows *rows = rows_of(EMBEDDING_ONEHOT, NULL, "the cat saw The dog", 4, 1);
    assert_true(rows->ok);
    static const int columns[] = {0, 1, 2, 0, 3};
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 4; j++)
            assert_near(entry(rows, i, j), j == columns[i], 0);
        assert_int_equal(rows->notes[i].source, EMBED_OWN);
        assert_int_equal(rows->notes[i].word, -1);
    }
}

TEST(test_onehot_too_narrow) {
    LOCAL(free_at) Rows *rows = rows_of(EMBEDDING_ONEHOT, NULL, "the cat saw the big dog", 3, 1);
    assert_false(rows->ok);
    assert_int_equal(rows->err.kind, ERR_USAGE);
    assert_non_null(strstr(rows->err.why, "5 different tokens"));
    assert_non_null(strstr(rows->err.why, "d_model 5"));
}

/* Tokens that are too long for words have different rows if they differ in any byte, and equal rows
 * if they are equal. */
TEST(test_long_tokens) {
    char text[1000] = "";
    for (int i = 0; i < 3; i++) {
        size_t used = strlen(text);
        memset(text + used, 'x', 300);
        text[used + 300] = i == 1 ? 'y' : 'z';
        strcpy(text + used + 301, " ");
    }
    LOCAL(free_at) Rows *rows = rows_of(EMBEDDING_ONEHOT, NULL, text, 2, 1);
    assert_true(rows->ok);
    assert_near(entry(rows, 1, 1), 1, 0);
    assert_near(entry(rows, 2, 0), 1, 0);
}

/* Embed tokens that may be parts of words. The text is cut at the given places.
 */
static Rows *rows_of_pieces(EmbeddingKind kind, const WordVectors *words, const char *text,
                            const size_t *cuts, int T, int D) {
    Token tokens[ROOM];
    Rows *rows = calloc(1, sizeof *rows);
    assert_non_null(rows);
    for (int i = 0; i < T; i++) {
        size_t end = i + 1 < T ? cuts[i + 1] : strlen(text);
        tokens[i] = (Token){(uint32_t)cuts[i], (uint32_t)(end - cuts[i]), -1};
    }
    rows->x = (Mat){rows->entries, T, D, D};
    EmbedInput in = {kind, words, text, strlen(text), tokens, true, 1};
    rows->ok = embed(&rows->x, rows->notes, &in, &rows->err);
    assert_true(rows->ok);
    return rows;
}

/* A piece that is a whole word gets the word's vector, with its space or without, at any place; the
 * same letters inside a word do not. */
TEST(test_pieces) {
    WordVectors list = small_list();
    static const struct {
        const char *text;
        size_t cuts[4];
        int tokens, words[4]; /* the rows of the list, -1 for none */
    } cases[] = {
        {"the the", {0, 3}, 2, {0, 0}},
        {"theory", {0, 3}, 2, {-1, -1}},
        {"lathe the", {0, 2, 5}, 3, {-1, -1, 0}},
        {" the\nThe", {0, 4, 5}, 3, {0, -1, 0}},
        {"the2the", {0, 3, 4}, 3, {0, -1, 0}},
        {"(the)", {0, 1, 4}, 3, {-1, 0, -1}},
        {" été", {0}, 1, {5}},
        {"été", {0, 2}, 2, {-1, -1}},
        {"the\u0301", {0, 3}, 2, {-1, -1}},
        {" thé", {0, 3, 4}, 3, {-1, -1, -1}}, /* the last two are halves of one character */
        {"it't", {0, 2}, 2, {-1, 1}},
        {"  the", {0, 1}, 2, {-1, 0}},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        Rows *rows = rows_of_pieces(EMBEDDING_GLOVE, &list, cases[i].text, cases[i].cuts,
                                    cases[i].tokens, 4);
        for (int t = 0; t < cases[i].tokens; t++)
            if (rows->notes[t].word != cases[i].words[t])
                fail_msg("“%s”: token %d takes vector %d", cases[i].text, t + 1,
                         rows->notes[t].word);
        assert_unit_rows(rows);
        free(rows);
    }
}

/* The same letters as a word and as a part of a word have two rows; all other equal tokens share
 * one. */
TEST(test_pieces_are_told_apart) {
    WordVectors list = small_list();
    static const size_t cuts[] = {0, 3, 6, 10, 14};
    const char *text = "theory the the theory"; /* the|ory| the| the| theory */
    Rows *rows = rows_of_pieces(EMBEDDING_GLOVE, &list, text, cuts, 5, 4);
    assert_false(same_rows(rows, 0, rows, 2));
    assert_true(same_rows(rows, 2, rows, 3));
    free(rows);
    rows = rows_of_pieces(EMBEDDING_ONEHOT, NULL, text, cuts, 5, 4);
    assert_false(same_rows(rows, 0, rows, 2));
    assert_true(same_rows(rows, 2, rows, 3));
    free(rows);
}

/* A text that folds to nothing, and bytes that are not UTF-8, have rows of their own. */
TEST(test_pieces_without_a_form) {
    static const size_t cuts[] = {0, 1, 2, 3, 6, 9};
    const char *text = "\xe6\x97\xa5\u200d\ufe0f\u200d";
    LOCAL(free_at) Rows *rows = rows_of_pieces(EMBEDDING_RANDOM, NULL, text, cuts, 6, 8);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++)
            assert_false(same_rows(rows, i, rows, j));
    assert_true(same_rows(rows, 3, rows, 5));
}

/* In a matrix with gaps between its rows, the gaps do not change. */
TEST(test_stride) {
    WordVectors list = small_list();
    const char *text = "the zyx the";
    Token tokens[3];
    EmbedNote notes[3];
    for (int kind = 0; kind < EMBEDDING_KIND_COUNT; kind++) {
        float entries[3 * 8];
        for (size_t i = 0; i < ARRAY_COUNT(entries); i++)
            entries[i] = 42;
        Mat x = {entries, 3, 5, 8};
        EmbedInput in = {(EmbeddingKind)kind, &list, text, strlen(text), tokens, false, 1};
        assert_int_equal(split_by("words", tokens, 3, text, strlen(text), NULL), 3);
        must(embed(&x, notes, &in, &told));
        for (int i = 0; i < 3; i++)
            for (int j = 5; j < 8; j++)
                assert_near(entries[i * 8 + j], 42, 0);
        assert_memory_equal(mat_row(&x, 0), mat_row(&x, 2), 5 * sizeof(float));
    }
}

/* The largest number of tokens, first all different, then all but one equal. */
TEST(test_most_tokens) {
    LOCAL(free_at) char *text = malloc(TOKENS_MAX * 8);
    LOCAL(free_at) Token *tokens = malloc(TOKENS_MAX * sizeof *tokens);
    LOCAL(free_at) EmbedNote *notes = malloc(TOKENS_MAX * sizeof *notes);
    LOCAL(free_at) float *entries = malloc(TOKENS_MAX * 2 * sizeof *entries);
    assert_true(text != NULL && tokens != NULL && notes != NULL && entries != NULL);
    size_t size = 0;
    for (int i = 0; i < TOKENS_MAX; i++)
        size += (size_t)sprintf(text + size, "w%d ", i);
    Mat x = {entries, TOKENS_MAX, 2, 2};
    EmbedInput in = {EMBEDDING_ONEHOT, NULL, text, size, tokens, false, 1};
    Err err;
    assert_int_equal(split_by("words", tokens, TOKENS_MAX, text, size, NULL), TOKENS_MAX);
    assert_false(embed(&x, notes, &in, &err));
    assert_non_null(strstr(err.why, "4096 different tokens"));
    for (int i = 0; i < TOKENS_MAX - 1; i++)
        tokens[i] = tokens[0];
    assert_true(embed(&x, notes, &in, &err));
    assert_near(entries[2 * (TOKENS_MAX - 2)], 1, 0);
    assert_near(entries[2 * (TOKENS_MAX - 1) + 1], 1, 0);
}
