#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "base/util.h"
#include "support/test.h"
#include "text/split.h"
#include "text/token_check.h"

static int split(Token *out, int capacity, const char *text, size_t size) {
    return split_by("words", out, capacity, text, size, NULL);
}

/* A text, and its tokens with " | " between them. */
typedef struct Case {
    const char *text, *expected;
} Case;

static void check_case(const char *tokenizer, Case c) {
    Token tokens[128];
    char joined[1024] = "";
    size_t used = 0;
    int count = split_by(tokenizer, tokens, (int)ARRAY_COUNT(tokens), c.text, strlen(c.text), NULL);
    assert_in_range(count, 0, ARRAY_COUNT(tokens));
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(joined + used, sizeof joined - used, "%s%.*s", i > 0 ? " | " : "",
                                 (int)tokens[i].bytes, c.text + tokens[i].at);
    assert_string_equal(joined, c.expected);
    const char *wrong = token_check(tokens, count, c.text, strlen(c.text));
    if (wrong != NULL)
        fail_msg("“%s”: %s", c.text, wrong);
}

static const Case WORDS[] = {
    /* clitics */
    {"the animal didn't cross the street because it was too tired",
     "the | animal | did | n't | cross | the | street | because | it | was | too | tired"},
    {"can't won't shan't ain't cannot", "ca | n't | wo | n't | sha | n't | ai | n't | cannot"},
    {"DIDN'T Didn't didn’t", "DID | N'T | Did | n't | did | n’t"},
    {"I'm you're he's we've they'll she'd",
     "I | 'm | you | 're | he | 's | we | 've | they | 'll | she | 'd"},
    {"couldn't've I'd've y'all'd", "could | n't | 've | I | 'd | 've | y'all | 'd"},
    {"the dogs' bowls, O'Brien's bowl", "the | dogs | ' | bowls | , | O'Brien | 's | bowl"},
    {"did n't it 's", "did | n't | it | 's"},
    {"o'clock rock'n'roll ma'am", "o'clock | rock'n'roll | ma'am"},
    {"isn't. isn't, (isn't)", "is | n't | . | is | n't | , | ( | is | n't | )"},
    {"n't 's", "n't | 's"},
    {"nt s sand dred isn", "nt | s | sand | dred | isn"},
    {"1990's and the '90s", "1990 | 's | and | the | ' | 90s"},
    /* quotes */
    {"\"Go!\" she said", "\" | Go | ! | \" | she | said"},
    {"“Isn’t it?” ‘It’s’", "“ | Is | n’t | it | ? | ” | ‘ | It | ’s | ’"},
    {"'it's' 's' 'd' ['m']", "' | it | 's | ' | ' | s | ' | ' | d | ' | [ | ' | m | ' | ]"},
    {"``quoted''", "`` | quoted | ''"},
    {"„schön“ «oui» 「はい」", "„ | schön | “ | « | oui | » | 「 | は | い | 」"},
    /* numbers */
    {"3.14 1,000 1,000,000.50 12:30 1/2", "3.14 | 1,000 | 1,000,000.50 | 12:30 | 1/2"},
    {"It is 3.14. Or 3,", "It | is | 3.14 | . | Or | 3 | ,"},
    {"$5.99 .5 $.50 50% 10km x²", "$ | 5.99 | .5 | $ | .50 | 50 | % | 10km | x²"},
    {"2019-2020 mid-1990s -5", "2019-2020 | mid-1990s | - | 5"},
    {"1. one 2.Two v1.2", "1 | . | one | 2 | . | Two | v1.2"},
    {"٣٫١٤ १२३ １２３", "٣٫١٤ | १२३ | １２３"},
    /* hyphens and points */
    {"well-known state-of-the-art -based well-", "well-known | state-of-the-art | - | based | "
                                                 "well | -"},
    {"a -- b --- c – d — e", "a | -- | b | --- | c | – | d | — | e"},
    {"yes--no dash—dash", "yes | -- | no | dash | — | dash"},
    {"wait... well… really?!", "wait | ... | well | … | really | ? | !"},
    {"The U.S. is, e.g., U.S.A z.B. U.S.-based J. Smith",
     "The | U.S. | is | , | e.g. | , | U.S.A | z.B. | U.S.-based | J | . | Smith"},
    {"the end.Then. More", "the | end | . | Then | . | More"},
    {"snake_case __init__ a__b C++", "snake_case | __ | init | __ | a | __ | b | C | ++"},
    {"(a) [b] {c} a/b A&B", "( | a | ) | [ | b | ] | { | c | } | a | / | b | A | & | B"},
    /* urls */
    {"see http://x.org/a?b=c&d=e.", "see | http://x.org/a?b=c&d=e | ."},
    {"(HTTPS://Example.com/~me/)", "( | HTTPS://Example.com/~me/ | )"},
    {"https://en.wikipedia.org/wiki/Foo_(bar), yes",
     "https://en.wikipedia.org/wiki/Foo_(bar) | , | yes"},
    {"www.foo.com! node.js foo.bar@example.com.",
     "www.foo.com | ! | node.js | foo.bar@example.com | ."},
    {"http:// www. www.", "http | : | / | / | www | . | www | ."},
    {"@user #tag", "@ | user | # | tag"},
    /* european */
    {"L'homme d'aujourd'hui qu'il n'est-ce", "L' | homme | d' | aujourd'hui | qu' | il | n' | "
                                             "est-ce"},
    {"l’été J'ai c'est jusqu'à", "l’ | été | J' | ai | c' | est | jusqu' | à"},
    {"dell'arte D'Angelo l'Aquila", "dell' | arte | D'Angelo | l' | Aquila"},
    {"Grüße aus München, Straße", "Grüße | aus | München | , | Straße"},
    {"die Bundes\u00ADregierung", "die | Bundes\u00ADregierung"},
    {"col·lecció Привет, мир! м’ята", "col·lecció | Привет | , | мир | ! | м’ята"},
    {"e\u0301t\u00E9 x\u0302\u0302y", "e\u0301t\u00E9 | x\u0302\u0302y"},
    /* other scripts */
    {"我喜欢GPT模型。", "我 | 喜 | 欢 | GPT | 模 | 型 | 。"},
    {"東京タワーは、高い", "東 | 京 | タ | ワ | ー | は | 、 | 高 | い"},
    {"カ\u3099 ｶﾞ 𠮷野", "カ\u3099 | ｶﾞ | 𠮷 | 野"},
    {"한국어 문장입니다.", "한국어 | 문장입니다 | ."},
    {"สวัสดี", "ส | วั | ส | ดี"},
    {"मैं हिन्दी बोलता हूँ।", "मैं | हिन्दी | बोलता | हूँ | ।"},
    {"مرحبا بالعالم، كيف حالك؟", "مرحبا | بالعالم | ، | كيف | حالك | ؟"},
    {"می\u200Cخواهم צה״ל שלום", "می\u200Cخواهم | צה״ל | שלום"},
    /* emoji */
    {"👩‍👩‍👧👍🏽", "👩‍👩‍👧 | 👍🏽"},
    {"🇩🇪🇫🇷🇯", "🇩🇪 | 🇫🇷 | 🇯"},
    {"1️⃣2️⃣*️⃣*️⃣", "1️⃣ | 2️⃣ | *️⃣ | *️⃣"},
    {"ok👍ok ❤️❤ 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
     "ok | 👍 | ok | ❤️ | ❤ | 🏴󠁧󠁢󠁥󠁮󠁧󠁿"},
    {"x→y ©™ ∀x∈ℝ €5", "x | → | y | © | ™ | ∀ | x | ∈ | ℝ | € | 5"},
    /* blanks */
    {"", ""},
    {" \t\r\n\u00A0\u3000\u2028\u200B\uFEFF\u200D\u200C\u00AD\x01\x7f", ""},
    {"  a \r\n\tb\u00A0c\u3000d\u200Be\uFEFF ", "a | b | c | d | e"},
    {" \u0301", " \u0301"},
    {"\u0301a", "\u0301a"},
};

TEST(words_are_split_as_stated) {
    for (size_t i = 0; i < ARRAY_COUNT(WORDS); i++)
        check_case("words", WORDS[i]);
    Token token;
    assert_int_equal(split(&token, 1, "a\0b", 3), 2);
}

TEST(test_capacity) {
    Token tokens[3] = {{.at = 7}, {.at = 7}, {.at = 7}};
    assert_int_equal(split(tokens, 2, "a b c d", 7), 4);
    assert_int_equal(tokens[1].at, 2);
    assert_int_equal(tokens[2].at, 7);
    assert_int_equal(split(NULL, 0, "a b c d", 7), 4);
}

/* Write random pieces in which every kind of neighbour meets every other. Return the bytes. */
static size_t draw_text(char text[256], Rng rng, uint64_t pieces_count) {
    static const char *const pieces[] = {
        "a",  "B",  "n",       "t",          "s",      "'",      "’",      ".",      ",",
        "-",  "--", "1",       "23",         " ",      "\n",     "\r",     "_",      "@",
        "/",  ":",  "é",       "\u0301",     "\u200D", "\uFE0F", "\u20E3", "\u00AD", "日",
        "ก",  "ั",   "🇩",       "👩",          "🏽",   "مر",     "\u0600", "हि",     "\u094D",
        "ᄀ", "ᅡ", "http://", "www.",       "(",      ")",      "\"",     "n't",    "ll",
        "l'", "ß",  "\uFDFA",  "\U000E0067", "\uFFFF",
    };
    size_t size = 0;
    for (uint64_t i = 0; i < pieces_count; i++) {
        const char *piece = pieces[rng_bits(rng, i) % ARRAY_COUNT(pieces)];
        memcpy(text + size, piece, strlen(piece));
        size += strlen(piece);
    }
    return size;
}

TEST(test_random_texts) {
    for (uint64_t round = 0; round < 3000; round++) {
        char text[256];
        size_t size = draw_text(text, rng_stream(5, round), 3 + round % 20);
        Token tokens[256];
        int count = split(tokens, 256, text, size);
        const char *wrong = token_check(tokens, count, text, size);
        if (wrong != NULL)
            fail_msg("“%.*s”: %s", (int)size, text, wrong);
    }
}

/* English tokens, joined with blanks, give the same tokens again. */
TEST(test_english_is_stable) {
    const char *text = "Mr. O'Brien didn't say \"it's 3.14\", but the U.S. dogs' well-known e.g. "
                       "can't -- won't; they'd've (I'm sure) paid $1,000... at x@y.org!";
    Token first[64], second[64];
    char spaced[512];
    size_t used = 0;
    int count = split(first, 64, text, strlen(text));
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(spaced + used, sizeof spaced - used, "%.*s ", (int)first[i].bytes,
                                 text + first[i].at);
    assert_int_equal(split(second, 64, spaced, used), count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(first[i].bytes, second[i].bytes);
        assert_memory_equal(text + first[i].at, spaced + second[i].at, first[i].bytes);
    }
}

/* Would take hours if any rule looked back or ahead without a bound. */
TEST(test_a_megabyte) {
    static const char *const pieces[] = {
        "a",   "a.", "'s", "n't",     "a-",     "1,", "www.", "\"", "'",
        ".",   "l'", "@a", "http://", "\u0301", "日", "🇩🇪",   "(",  "👩‍👩‍👧",
        "a b "};
    LOCAL(free_at) Token *tokens = malloc(TOKEN_TEXT_MAX * sizeof *tokens);
    LOCAL(free_at) char *text = malloc(TOKEN_TEXT_MAX);
    assert_true(tokens != NULL && text != NULL);
    for (size_t i = 0; i < ARRAY_COUNT(pieces); i++) {
        size_t size = fill_text(text, pieces[i]);
        int count = split(tokens, (int)TOKEN_TEXT_MAX, text, size);
        assert_in_range(count, 1, TOKEN_TEXT_MAX);
        assert_null(token_check(tokens, count, text, size));
        char folded[64];
        assert_in_range(token_fold(folded, sizeof folded, text, size), 1, sizeof folded);
    }
}

static void check_fold(const char *token, const char *expected) {
    char out[256];
    size_t bytes = token_fold(out, sizeof out, token, strlen(token));
    assert_int_equal(bytes, strlen(expected));
    assert_memory_equal(out, expected, bytes);
}

TEST(test_fold) {
    check_fold("Animal", "animal");
    check_fold("N’T", "n't");
    check_fold("n't", "n't");
    check_fold("Straße", "strasse");
    check_fold("STRASSE", "strasse");
    check_fold("ΣΊΣΥΦΟΣ", "σίσυφοσ");
    check_fold("E\u0301t\u00C9", "été");
    check_fold("ﬁne ＡＢ１", "fine ab1");
    check_fold("…", "...");
    check_fold("❤️", "❤");
    check_fold("Bundes\u00ADtag", "bundestag");
    check_fold("", "");
    check_fold("日本", "日本");
}

TEST(test_fold_cuts_at_a_character) {
    char out[8] = "???????";
    assert_int_equal(token_fold(out, 4, "abcdef", 6), 4);
    assert_memory_equal(out, "abcd???", 7);
    assert_int_equal(token_fold(out, 4, "日本", 6), 3);
    assert_int_equal(token_fold(out, 0, "日本", 6), 0);
    char long_word[4000], folded[8000];
    for (size_t i = 0; i < sizeof long_word; i += 2)
        memcpy(long_word + i, "É", 2);
    size_t bytes = token_fold(folded, sizeof folded, long_word, sizeof long_word);
    assert_in_range(bytes, 2, sizeof long_word);
    assert_int_equal(utf8_first_invalid(folded, bytes), bytes);
    assert_memory_equal(folded, "éé", 4);
}

/* Folding a folded token changes nothing. */
TEST(test_fold_is_stable) {
    for (uint32_t c = 1; c < 0x30000; c++) {
        char token[4], once[64], twice[64];
        size_t bytes = utf8_encode(token, c);
        if (bytes == 0)
            continue;
        size_t first = token_fold(once, sizeof once, token, bytes);
        size_t second = token_fold(twice, sizeof twice, once, first);
        if (first != second || memcmp(once, twice, first) != 0)
            fail_msg("U+%04X folds twice in different ways", (unsigned)c);
    }
}

TEST(characters_are_graphemes) {
    static const Case cases[] = {
        {"", ""},
        {"cat's", "c | a | t | ' | s"},
        {"e\u0301a\u0300\u0316", "e\u0301 | a\u0300\u0316"},
        {"👩‍👩‍👧🇩🇪1️⃣👍🏽",
         "👩‍👩‍👧 | 🇩🇪 | 1️⃣ | 👍🏽"},
        {"日本", "日 | 本"},
        {"हि", "हि"},
        {" a  b\n\tc\r\n", "  | a |   |   | b | \n | \t | c | \r\n"},
        {"\u00a0\u200b\u3000", "\u00a0 | \u200b | \u3000"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
        check_case("chars", cases[i]);
}

TEST(a_megabyte_of_characters) {
    static const char *const repeated[] = {"a", " ", "e\u0301", "👩‍👩‍👧", "🇩🇪"};
    LOCAL(free_at) char *text = malloc(TOKEN_TEXT_MAX + 1); /* one for a letter in front */
    assert_non_null(text);
    for (size_t i = 0; i < ARRAY_COUNT(repeated); i++) {
        size_t size = fill_text(text, repeated[i]);
        assert_int_equal(split_by("chars", NULL, 0, text, size, NULL), size / strlen(repeated[i]));
    }
    /* A letter with any number of marks is one grapheme. */
    fill_text(text + 1, "\u0301");
    text[0] = 'a';
    assert_int_equal(split_by("chars", NULL, 0, text, TOKEN_TEXT_MAX - 1, NULL), 1);
}

TEST(commas_and_blanks_separate_ids) {
    static const struct {
        const char *text;
        int count;
        Token first, last;
    } CASES[] = {{"", 0, {0, 0, 0}, {0, 0, 0}},
                 {" ,\n", 0, {0, 0, 0}, {0, 0, 0}},
                 {"5", 1, {0, 1, 5}, {0, 1, 5}},
                 {"5,17,2", 3, {0, 1, 5}, {5, 1, 2}},
                 {" 50256 ,\t7\n", 2, {1, 5, 50256}, {9, 1, 7}},
                 {"a;b", 1, {0, 3, -1}, {0, 3, -1}}};
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
        Token tokens[4];
        const char *text = CASES[i].text;
        int count = split_by("ids", tokens, 4, text, strlen(text), NULL);
        assert_int_equal(count, CASES[i].count);
        if (count > 0) {
            assert_memory_equal(&tokens[0], &CASES[i].first, sizeof(Token));
            assert_memory_equal(&tokens[count - 1], &CASES[i].last, sizeof(Token));
        }
    }
}

TEST(a_number_is_an_id) {
    static const char *const WRONG[] = {"", "-1", "+1", "1.5", "x", "1x", "0x1", "2147483648"};
    assert_int_equal(ids_number("0", 1), 0);
    assert_int_equal(ids_number("50256", 5), 50256);
    assert_int_equal(ids_number("2147483647", 10), 2147483647);
    for (size_t i = 0; i < ARRAY_COUNT(WRONG); i++)
        assert_int_equal(ids_number(WRONG[i], strlen(WRONG[i])), -1);
}
