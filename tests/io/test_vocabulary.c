#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "base/util.h"
#include "io/json.h"
#include "io/vocabulary_file.h"
#include "support/test.h"

#define ROOM 512

static Vocabulary *read(const char *text, size_t size) {
    Vocabulary *v = vocabulary_read(text, size, &told);
    assert_non_null(v);
    return v;
}

static int split(Token tokens[ROOM], const Vocabulary *v, const char *text, Err *err) {
    TokenList list = {.at = tokens, .capacity = ROOM};
    return tokenizer_split(&list, TOKENIZER_MODEL, text, strlen(text), &(TextResources){.model = v},
                           err)
               ? list.total
               : -1;
}

/* Assert that tokens are inside the text, in order. */
static void check_places(const Token *tokens, int count, const char *text) {
    size_t size = strlen(text);
    for (int i = 0; i < count; i++) {
        assert_true((size_t)tokens[i].at + tokens[i].bytes <= size);
        assert_true(i == 0 || tokens[i].at >= tokens[i - 1].at);
    }
}

static void check_row(const Vocabulary *v, const char *name, const json_t *row) {
    Token tokens[ROOM];
    Err err = {0};
    const char *text = json_string_value(json_array_get(row, 0));
    const json_t *ids = json_array_get(row, 1);
    int count = split(tokens, v, text, &err);
    if (count != (int)json_array_size(ids))
        fail_msg("%s, “%s”: %d tokens, not %zu %s", name, text, count, json_array_size(ids),
                 err.why);
    for (int i = 0; i < count; i++)
        if (tokens[i].id != json_integer_value(json_array_get(ids, (size_t)i)))
            fail_msg("%s, “%s”: token %d has the id %d", name, text, i + 1, tokens[i].id);
    check_places(tokens, count, text);
}

static json_t *reference(void) {
    json_error_t error;
    json_t *all = json_load_file("tests/reference/tokenizers.json", 0, &error);
    if (all == NULL)
        fail_msg("tokenizers.json: %s", error.text);
    return all;
}

TEST(the_reference_has_the_same_ids) {
    json_t *all = reference();
    assert_in_range(json_array_size(all), 5, 100);
    for (size_t i = 0; i < json_array_size(all); i++) {
        const json_t *made = json_array_get(all, i), *rows = json_object_get(made, "rows");
        const char *name = json_string_value(json_object_get(made, "name"));
        LOCAL(free_at) char *text = json_dumps(json_object_get(made, "file"), 0);
        Vocabulary *v = read(text, strlen(text));
        if (v->why[0] != '\0')
            fail_msg("%s: %s", name, v->why);
        for (size_t k = 0; k < json_array_size(rows); k++)
            check_row(v, name, json_array_get(rows, k));
        vocabulary_release(v);
    }
    json_decref(all);
}

/* Wherever the file is cut, splitting fails, and says why. */
TEST(a_cut_file_is_not_used) {
    json_t *all = reference();
    for (size_t i = 0; i < json_array_size(all); i++) {
        LOCAL(free_at) char *text = json_dumps(json_object_get(json_array_get(all, i), "file"), 0);
        for (size_t size = 0; size < strlen(text); size += 1 + size / 97) {
            Token tokens[ROOM];
            Vocabulary *v = read(text, size);
            assert_int_equal(split(tokens, v, "the", &told), -1);
            assert_non_null(strstr(told.why, "--ids"));
            vocabulary_release(v);
        }
    }
    json_decref(all);
}

#define MODEL                                                                                      \
    "\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1,\"ab\":2},\"merges\":[\"a b\"]}"

static const struct {
    const char *file, *why;
} REFUSED[] = {
    {"[1]", "model has no “vocab”"},
    {"{}", "model has no “vocab”"},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{}}}", "no “vocab”"},
    {"{\"model\":{\"type\":\"Other\",\"vocab\":{\"a\":0}}}", "model “Other”"},
    {"{\"model\":{\"vocab\":{\"a\":0}}}", "model has no type"},
    {"{\"normalizer\":{\"type\":\"Odd\"}," MODEL "}", "normalizer “Odd”"},
    {"{\"normalizer\":7," MODEL "}", "normalizer “without a type”"},
    {"{\"pre_tokenizer\":{\"type\":\"Odd\"}," MODEL "}", "pre_tokenizer “Odd”"},
    {"{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"a+\"},\"behavior\":"
     "\"Isolated\"}," MODEL "}",
     "Split by “a+”"},
    {"{\"post_processor\":{\"type\":\"Odd\"}," MODEL "}", "post_processor “Odd”"},
    {"{\"post_processor\":{\"type\":\"BertProcessing\",\"cls\":[\"a\",9],\"sep\":[\"a\",0]}"
     "," MODEL "}",
     "not in the vocabulary"},
    {"{\"added_tokens\":[{\"id\":3,\"content\":\"x\",\"single_word\":true}]," MODEL "}",
     "single_word of “x”"},
    {"{\"model\":{\"type\":\"WordPiece\",\"vocab\":{\"[UNK]\":0},"
     "\"max_input_chars_per_word\":1001}}",
     "max_input_chars_per_word"},
    {"{\"normalizer\":{\"type\":\"Strip\"},\"added_tokens\":[{\"id\":3,\"content\":\" \","
     "\"normalized\":true}]," MODEL "}",
     "that the normalizer removes"},
    {"{\"added_tokens\":[{\"id\":1,\"content\":\"x\"}]," MODEL "}", "id of another token"},
    {"{\"added_tokens\":[{\"id\":-1,\"content\":\"x\"}]," MODEL "}", "not a number up to 1048575"},
    {"{\"added_tokens\":[{\"id\":1048576,\"content\":\"x\"}]," MODEL "}", "not a number up to"},
    {"{\"added_tokens\":[{\"id\":3}]," MODEL "}", "without “content”"},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":0},\"merges\":[]}}", "another token"},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0.5},\"merges\":[]}}", "not a number"},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[\"a b\"]}}",
     "row “1 with a token that is not in the vocabulary”"},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"aa\":1},\"merges\":[\"a "
     "a\",[\"a\",\"a\"]]}}",
     "row “2 that appears twice”"},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[[\"a\"]]}}", "that is no pair"},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":7}}", "that is no list"},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[],\"unk_token\":\"u\"}}",
     "unk_token “u”"},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[],\"dropout\":0.5}}", "dropout"},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[],\"end_of_word_suffix\":\"<"
     "/w>\"}}",
     "suffix"},
};

TEST(what_is_not_known_is_named) {
    for (size_t i = 0; i < ARRAY_COUNT(REFUSED); i++) {
        Token tokens[ROOM];
        Vocabulary *v = read(REFUSED[i].file, strlen(REFUSED[i].file));
        if (strstr(v->why, REFUSED[i].why) == NULL)
            fail_msg("“%s” does not say “%s”", v->why, REFUSED[i].why);
        assert_int_equal(split(tokens, v, "a", &told), -1);
        assert_string_equal(told.why, v->why);
        assert_int_equal(v->count, 0); /* no token without its text */
        vocabulary_release(v);
    }
}

TEST(a_byte_without_a_token_is_an_error) {
    static const char file[] = "{" MODEL "}";
    Token tokens[ROOM];
    Vocabulary *v = read(file, sizeof file - 1);
    assert_string_equal(v->why, "");
    assert_int_equal(split(tokens, v, "abab", &told), 2);
    assert_int_equal(tokens[1].id, 2);
    assert_int_equal(split(tokens, v, "abc", &told), -1);
    assert_string_equal(told.why, "has no token for the byte 63 of the text");
    vocabulary_release(v);
}

TEST(an_added_token_takes_the_blanks_of_unicode) {
    static const char file[] = "{\"added_tokens\":[{\"id\":3,\"content\":\"<m>\",\"lstrip\":true,"
                               "\"rstrip\":true}]," MODEL "}";
    Token tokens[ROOM];
    Vocabulary *v = read(file, sizeof file - 1);
    assert_string_equal(v->why, "");
    assert_int_equal(split(tokens, v, "a\u00a0\u3000 \t<m>\u2003b", &told), 3);
    assert_int_equal(tokens[1].id, 3);
    assert_int_equal(tokens[2].id, 1);
    vocabulary_release(v);
}

/* Labels show blanks, and bytes as their characters. */
TEST(tokens_have_texts) {
    static const char file[] = "{\"model\":{\"type\":\"Unigram\",\"unk_id\":0,\"byte_fallback\":"
                               "true,\"vocab\":[[\"<unk>\",0],"
                               "[\"▁the▁\",-1],[\"<0xC3>\",-9]]}}";
    static const char *const TEXTS[] = {"<unk>", " the ", "\xC3", ""};
    char text[16];
    Vocabulary *v = read(file, sizeof file - 1);
    assert_string_equal(v->why, "");
    for (int id = 0; id < 4; id++) {
        size_t size = vocabulary_text(text, sizeof text, v, id);
        assert_int_equal(size, strlen(TEXTS[id]));
        assert_memory_equal(text, TEXTS[id], size);
    }
    assert_int_equal(vocabulary_text(text, 3, v, 1), 3);
    vocabulary_release(v);
}

/* Put opening brackets before and closing ones after nothing. */
TEST(deep_nesting_is_refused) {
    enum { DEPTH = 100000 };
    LOCAL(free_at) char *text = malloc(2 * DEPTH);
    assert_non_null(text);
    memset(text, '[', DEPTH);
    memset(text + DEPTH, ']', DEPTH);
    Vocabulary *v = read(text, 2 * DEPTH);
    assert_non_null(strstr(v->why, "cannot be read"));
    vocabulary_release(v);
}

TEST(a_large_vocabulary_is_read) {
    enum { COUNT = 1000000 };
    LOCAL(free_at) char *text = malloc(COUNT * 24 + 100);
    assert_non_null(text);
    size_t used =
        (size_t)sprintf(text, "{\"model\":{\"type\":\"BPE\",\"merges\":[],\"vocab\":{\"x\":0");
    for (int i = 1; i < COUNT; i++)
        used += (size_t)sprintf(text + used, ",\"x%d\":%d", i, i);
    used += (size_t)sprintf(text + used, "}}}");
    Vocabulary *v = read(text, used);
    assert_string_equal(v->why, "");
    assert_int_equal(vocabulary_find(v, "x999999", 7), 999999);
    assert_int_equal(vocabulary_find(v, "x", 1), 0);
    assert_int_equal(vocabulary_find(v, "y", 1), -1);
    vocabulary_release(v);
}

#define ADDED_FILE                                                                                 \
    "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1},\"merges\":[]},\"added_tokens\":["

/* Return the id of the longest added token at the start of text; its letter if there is none. */
static int longest_added(char added[][8], int count, const char *text, size_t *bytes) {
    int id = text[0] - 'a';
    *bytes = 0;
    for (int i = 0; i < count; i++)
        if (strlen(added[i]) > *bytes && strncmp(text, added[i], strlen(added[i])) == 0) {
            *bytes = strlen(added[i]);
            id = 2 + i;
        }
    *bytes = *bytes > 0 ? *bytes : 1;
    return id;
}

/* Source: Hugging Face's documentation of AddedToken: a token with "normalized" matches the
 * normalised text. */
TEST(added_tokens_match_the_original_or_the_normalised_text) {
    static const char file[] =
        "{\"normalizer\":{\"type\":\"BertNormalizer\"},"
        "\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"},\"model\":{\"type\":\"WordPiece\","
        "\"vocab\":{\"[UNK]\":0,\"the\":1,\"cat\":2,\"raw\":3}},\"added_tokens\":["
        "{\"id\":4,\"content\":\"Zör blax\",\"normalized\":true,\"rstrip\":true},"
        "{\"id\":5,\"content\":\"RaW\",\"normalized\":false},"
        "{\"id\":6,\"content\":\"the RaW\",\"normalized\":true}]}";
    static const struct {
        const char *text;
        int ids[5], bytes;
    } CASES[] = {{"the Zör blax cat", {1, 4, 2, -1}, 10},
                 {"the zor BLAX", {1, 4, -1}, 8},
                 {"theZÖR\tblax", {1, 4, -1}, 9},
                 {"cat RaW raw", {2, 5, 3, -1}, 3},
                 {"the RaW", {1, 5, -1}, 3},
                 {"cat THE raw", {2, 6, -1}, 7},
                 {"Zörblax RaW", {0, 5, -1}, 3},
                 {"cat zor blax", {2, 4, -1}, 8}};
    Vocabulary *v = read(file, sizeof file - 1);
    assert_string_equal(v->why, "");
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
        Token tokens[ROOM];
        int count = split(tokens, v, CASES[i].text, &told);
        for (int k = 0; k < count; k++)
            if (tokens[k].id != CASES[i].ids[k])
                fail_msg("“%s”: token %d has the id %d", CASES[i].text, k + 1, tokens[k].id);
        assert_int_equal(CASES[i].ids[count], -1);
        assert_int_equal(tokens[1].bytes, CASES[i].bytes);
        check_places(tokens, count, CASES[i].text);
    }
    vocabulary_release(v);
}

/* In letters of three bytes, up to the number that the file names. */
TEST(a_long_word_is_cut) {
    static const char file[] =
        "{\"model\":{\"type\":\"WordPiece\",\"vocab\":{\"[UNK]\":0,\"完\":1,\"##完\":2},"
        "\"max_input_chars_per_word\":500}}";
    char text[3 * 501 + 1] = "";
    Token tokens[ROOM];
    Vocabulary *v = read(file, sizeof file - 1);
    for (int i = 0; i < 500; i++)
        memcpy(text + 3 * i, "完", 4);
    assert_int_equal(split(tokens, v, text, &told), 500);
    assert_int_equal(tokens[499].id, 2);
    memcpy(text + 1500, "完", 4);
    assert_int_equal(split(tokens, v, text, &told), 1);
    vocabulary_release(v);
}

TEST(the_longest_added_token_is_found) {
    enum { COUNT = 24, LETTERS = 60 };
    for (uint64_t draw = 0; draw < 200; draw++) {
        Rng rng = rng_stream(draw, 7);
        char added[COUNT][8], file[4096] = ADDED_FILE, text[LETTERS + 1];
        size_t used = strlen(file), bytes;
        for (int i = 0; i < COUNT; i++) {
            uint64_t bits = rng_bits(rng, (uint64_t)i);
            int letters = 1 + (int)(bits % 6);
            for (int k = 0; k < letters; k++)
                added[i][k] = (bits >> (8 + k) & 1) != 0 ? 'a' : 'b';
            added[i][letters] = '\0';
            used += (size_t)sprintf(file + used, "%s{\"id\":%d,\"content\":\"%s\"}",
                                    i > 0 ? "," : "", 2 + i, added[i]);
        }
        used += (size_t)sprintf(file + used, "]}");
        for (int i = 0; i < LETTERS; i++)
            text[i] = (rng_bits(rng, 1000 + (uint64_t)i) & 1) != 0 ? 'a' : 'b';
        text[LETTERS] = '\0';
        Vocabulary *v = read(file, used);
        Token tokens[ROOM];
        int count = split(tokens, v, text, &told), at = 0;
        for (size_t from = 0; from < LETTERS; from += bytes, at++)
            assert_int_equal(tokens[at].id, longest_added(added, COUNT, text + from, &bytes));
        assert_int_equal(count, at);
        vocabulary_release(v);
    }
}

/* Split a text, which takes at most some seconds, and return the number of its tokens. */
static int split_in_time(const char *file, size_t used, const char *text, size_t bytes) {
    Vocabulary *v = read(file, used);
    Token tokens[ROOM];
    TokenList list = {.at = tokens, .capacity = ROOM};
    clock_t begun = clock();
    assert_string_equal(v->why, "");
    must(vocabulary_split(&list, v, text, bytes, &told));
    assert_true((double)(clock() - begun) / CLOCKS_PER_SEC < 8);
    vocabulary_release(v);
    return list.total;
}

/* Each byte of a long text may begin any of many tokens. Comparing with each takes a minute. */
TEST(many_added_tokens_take_little_time) {
    enum { COUNT = 16384, BYTES = 1 << 20 };
    LOCAL(free_at) char *file = malloc(COUNT * 128), *text = malloc(BYTES);
    assert_true(file != NULL && text != NULL);
    memset(text, 'a', BYTES);
    size_t used = (size_t)sprintf(file, "%s", ADDED_FILE);
    for (int i = 0; i < COUNT; i++)
        used += (size_t)sprintf(file + used, "%s{\"id\":%d,\"content\":\"%.*s%d\"}",
                                i > 0 ? "," : "", 2 + i, 1 + i % 60, text, i);
    used += (size_t)sprintf(file + used, "]}");
    assert_int_equal(split_in_time(file, used, text, BYTES), BYTES);
}

/* A letter may carry any number of marks, and a normal form need not look at all of them again and
 * again, which would take minutes. */
TEST(many_marks_take_little_time) {
    enum { MARKS = 1 << 19 };
    static const char file[] = "{\"normalizer\":{\"type\":\"NFC\"},\"model\":{\"type\":\"BPE\","
                               "\"vocab\":{\"a\":0},\"merges\":[],\"unk_token\":\"a\"}}";
    LOCAL(free_at) char *text = malloc(2 * MARKS + 2);
    assert_non_null(text);
    size_t used = 0;
    text[used++] = 'a';
    for (int i = 0; i < MARKS; i++)
        used += utf8_encode(text + used, 0x301);
    split_in_time(file, sizeof file - 1, text, used);
}

/* Nor does a vocabulary that has the same token many times. */
TEST(many_equal_tokens_take_little_time) {
    enum { COUNT = 300000, BYTES = 1 << 16 };
    LOCAL(free_at) char *file = malloc(COUNT * 9 + 100), *text = malloc(BYTES);
    assert_true(file != NULL && text != NULL);
    memset(text, 'a', BYTES);
    size_t used = (size_t)sprintf(
        file, "{\"model\":{\"type\":\"Unigram\",\"unk_id\":0,\"vocab\":[[\"aa\",0]");
    for (int i = 0; i < COUNT; i++)
        used += (size_t)sprintf(file + used, ",[\"a\",0]");
    used += (size_t)sprintf(file + used, "]}}");
    split_in_time(file, used, text, BYTES);
}

/* Steps that double a text again and again would fill the memory. */
TEST(a_text_grows_within_bounds) {
    static const struct {
        int bytes, doublings;
        bool fits;
    } CASES[] = {{1, 0, true},    {1, 12, true},    {1, 13, false},   {1, 24, false},
                 {1000, 5, true}, {1000, 6, false}, {1000, 24, false}};
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
        char file[4096] = "{\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[", text[1001];
        size_t used = strlen(file);
        for (int k = 0; k < CASES[i].doublings; k++)
            used += (size_t)sprintf(file + used,
                                    "%s{\"type\":\"Replace\",\"pattern\":{\"String\":\"a\"},"
                                    "\"content\":\"aa\"}",
                                    k > 0 ? "," : "");
        used += (size_t)sprintf(file + used, "]}," MODEL "}");
        memset(text, 'a', sizeof text);
        text[CASES[i].bytes] = '\0';
        Vocabulary *v = read(file, used);
        Token tokens[ROOM];
        Err err = {0};
        assert_string_equal(v->why, "");
        int count = split(tokens, v, text, &err);
        assert_int_equal(count, CASES[i].fits ? CASES[i].bytes << CASES[i].doublings : -1);
        assert_true(CASES[i].fits || strstr(err.why, "too long") != NULL);
        vocabulary_release(v);
    }
}
