#include <string.h>
#include <utf8proc.h>

#include "base/util.h"
#include "text/grapheme.h"
#include "text/tokenizer.h"

/* Tokenizing takes linear time: a rule looks at most four graphemes ahead. The rules for URLs and
 * abbreviations look further, but what they read becomes the token, except punctuation at the end.
 */

static size_t end_of(Grapheme g) {
    return g.at + g.bytes;
}

static bool is_one_of(Grapheme g, const uint32_t *code_points) {
    while (*code_points != 0 && !grapheme_is(g, *code_points))
        code_points++;
    return *code_points != 0;
}
#define IS_ONE_OF(g, ...) is_one_of(g, (const uint32_t[]){__VA_ARGS__, 0})

/* True for the typewriter apostrophe, the typographic one and the full-width one. */
static bool is_apostrophe(Grapheme g) {
    return IS_ONE_OF(g, '\'', 0x2019, 0xFF07);
}

static bool is_hyphen(Grapheme g) {
    return IS_ONE_OF(g, '-', 0x2010, 0x2011);
}

/* True if g is this ASCII letter in upper or lower case; small is the lower case. */
static bool is_letter(Grapheme g, char small) {
    return g.single && g.first < 0x80 && (g.first | 0x20u) == (unsigned char)small;
}

/* Return the end of the clitic (n't, 's, 're, 've, 'll, 'd or 'm) that starts at g, or 0. hangs:
 * true if a word precedes g. If none does and an apostrophe follows the letters, they are quoted,
 * as in 's', and not a clitic. */
static size_t clitic_end(const char *text, size_t size, Grapheme g, bool hangs) {
    static const char *const letters[] = {"s", "re", "ve", "ll", "d", "m"};
    bool negation = hangs && is_letter(g, 'n');
    Grapheme apostrophe = negation ? grapheme_after(text, size, g) : g;
    if (!is_apostrophe(apostrophe))
        return 0;
    Grapheme first = grapheme_after(text, size, apostrophe),
             second = grapheme_after(text, size, first);
    for (size_t i = 0; i < (negation ? 1 : ARRAY_COUNT(letters)); i++) {
        const char *form = negation ? "t" : letters[i];
        bool two = form[1] != '\0';
        if (!is_letter(first, form[0]) || (two && !is_letter(second, form[1])))
            continue;
        Grapheme next = two ? grapheme_after(text, size, second) : second;
        bool continues =
            grapheme_in_word(next) || is_hyphen(next) || (!hangs && is_apostrophe(next));
        return continues ? 0 : end_of(two ? second : first);
    }
    return 0;
}

static bool is_small_letter(Grapheme g) {
    return utf8proc_category((utf8proc_int32_t)g.first) == UTF8PROC_CATEGORY_LL;
}

/* True if `joint`, a mark between g and next, holds a word together. */
static bool joins(Grapheme g, Grapheme joint, Grapheme next) {
    if (!grapheme_in_word(next))
        return false;
    if (is_hyphen(joint))
        return true;
    if (!grapheme_in_word(g))
        return false;
    if (IS_ONE_OF(joint, '_', '@', 0x00AD, 0x00B7)) /* soft hyphen; Catalan l·l */
        return true;
    if (is_apostrophe(joint) || IS_ONE_OF(joint, 0x05F3, 0x05F4)) /* Hebrew geresh, gershayim */
        return next.class == GRAPHEME_LETTER;
    if (grapheme_is(joint, '.') && is_small_letter(next))
        return true;
    return g.class == GRAPHEME_DIGIT && next.class == GRAPHEME_DIGIT &&
           IS_ONE_OF(joint, '.', ',', ':', '/', 0x066B, 0x066C);
}

/* True for a vowel before which an article is elided, and for the silent h. */
static bool is_vowel(Grapheme g) {
    uint32_t small = (uint32_t)utf8proc_tolower((utf8proc_int32_t)g.first);
    static const uint32_t vowels[] = {'a',  'e',  'i',  'o',  'u',  'y',  'h',  0xE0, 0xE1,  0xE2,
                                      0xE4, 0xE6, 0xE8, 0xE9, 0xEA, 0xEB, 0xEC, 0xED, 0xEE,  0xEF,
                                      0xF2, 0xF3, 0xF4, 0xF6, 0xF9, 0xFA, 0xFB, 0xFC, 0x153, 0};
    return is_one_of((Grapheme){.first = small, .single = true}, vowels);
}

/* True if word, which ends in an apostrophe and is followed by next, is a French or Italian
 * elision. "D'Angelo", with two capitals, is a name. */
static bool is_elision(const char *word, size_t bytes, Grapheme next) {
    static const char *const forms[] = {
        "l",    "d",   "j",    "m",    "t",    "s",     "c",     "n",      "qu",     "un",
        "dell", "all", "nell", "sull", "dall", "quell", "jusqu", "lorsqu", "puisqu", "quoiqu"};
    if (!is_vowel(next) || (bytes == 1 && word[0] == 'D' && !is_small_letter(next)))
        return false;
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++) {
        bool same = strlen(forms[i]) == bytes;
        for (size_t k = 0; same && k < bytes; k++)
            same = (word[k] | 0x20) == forms[i][k];
        if (same)
            return true;
    }
    return false;
}

/* Return the last grapheme of an abbreviation that starts at g: single letters with points between
 * them, such as "U.S." or "e.g.". Its class is GRAPHEME_NONE if there is none. */
static Grapheme abbreviation_last(const char *text, size_t size, Grapheme g) {
    Grapheme last = {.class = GRAPHEME_NONE};
    for (bool first = true; g.class == GRAPHEME_LETTER; first = false) {
        Grapheme point = grapheme_after(text, size, g);
        if (grapheme_in_word(point))
            return last;
        if (!first)
            last = g;
        if (!grapheme_is(point, '.'))
            return last;
        if (!first)
            last = point;
        g = grapheme_after(text, size, point);
    }
    return last;
}

/* Return the end of the word that starts at g. A word ends before a clitic, after the apostrophe of
 * an elision, or before the first grapheme that does not join it. */
static size_t word_end(const char *text, size_t size, Grapheme g) {
    size_t start = g.at;
    Grapheme abbreviation = abbreviation_last(text, size, g);
    if (abbreviation.class != GRAPHEME_NONE)
        g = abbreviation;
    for (;;) {
        Grapheme next = grapheme_after(text, size, g);
        if (clitic_end(text, size, next, true) != 0)
            return end_of(g);
        if (grapheme_in_word(g) && grapheme_in_word(next)) {
            g = next;
            continue;
        }
        Grapheme beyond = grapheme_after(text, size, next);
        if (!joins(g, next, beyond))
            return end_of(g);
        if (is_apostrophe(next) && is_elision(text + start, next.at - start, beyond))
            return end_of(next);
        g = beyond;
    }
}

/* True if text has prefix at this place, ignoring case; prefix is in lower case. */
static bool has_prefix(const char *text, size_t size, size_t at, const char *prefix) {
    size_t bytes = strlen(prefix);
    if (bytes > size - at)
        return false;
    for (size_t i = 0; i < bytes; i++) {
        char c = text[at + i];
        if ((c >= 'A' && c <= 'Z' ? c | 0x20 : c) != prefix[i])
            return false;
    }
    return true;
}

/* Return the end of the URL that starts at g, or 0. Punctuation at its end belongs to the sentence,
 * except a closing bracket that was opened inside the URL. */
static size_t url_end(const char *text, size_t size, Grapheme g) {
    static const char *const prefixes[] = {"http://", "https://", "ftp://", "www.", "mailto:"};
    size_t prefix = 0;
    for (size_t i = 0; i < ARRAY_COUNT(prefixes) && prefix == 0; i++)
        prefix = has_prefix(text, size, g.at, prefixes[i]) ? g.at + strlen(prefixes[i]) : 0;
    size_t end = 0;
    bool opened = false;
    for (; prefix != 0; g = grapheme_after(text, size, g)) {
        bool ends = g.first >= 0x80 || strchr("<>\"`{}|\\^", (int)g.first) != NULL;
        if (!grapheme_in_word(g) && (g.class != GRAPHEME_ALONE || ends))
            break;
        opened = opened || grapheme_is(g, '(');
        bool trails = g.class == GRAPHEME_ALONE && strchr(".,;:!?'*([])", (int)g.first) != NULL;
        if (!trails || (opened && grapheme_is(g, ')')))
            end = end_of(g);
    }
    return end > prefix ? end : 0;
}

/* Return the end of the punctuation mark or symbol that starts at g. Repeated marks of some kinds
 * are one token. */
static size_t mark_end(const char *text, size_t size, Grapheme g) {
    if (!IS_ONE_OF(g, '.', '-', '_', '=', '*', '~', '`', '+', '#', '\'', 0x2013, 0x2014, 0x2026))
        return end_of(g);
    Grapheme next = grapheme_after(text, size, g);
    for (; grapheme_is(next, g.first); next = grapheme_after(text, size, g))
        g = next;
    return end_of(g);
}

static size_t token_end(const char *text, size_t size, Grapheme g, Grapheme before) {
    if (grapheme_in_word(g)) {
        size_t url = url_end(text, size, g);
        return url != 0 ? url : word_end(text, size, g);
    }
    size_t clitic = clitic_end(text, size, g, grapheme_in_word(before));
    if (clitic != 0)
        return clitic;
    Grapheme next = grapheme_after(text, size, g);
    if (grapheme_is(g, '.') && next.class == GRAPHEME_DIGIT && !grapheme_in_word(before))
        return word_end(text, size, next);
    return mark_end(text, size, g);
}

void words_split(TokenList *out, const char *text, size_t size) {
    Grapheme g = grapheme_at(text, size, 0), before = {.class = GRAPHEME_NONE};
    while (g.class != GRAPHEME_NONE) {
        bool is_space = g.class == GRAPHEME_SPACE;
        size_t end = is_space ? end_of(g) : token_end(text, size, g, before);
        if (!is_space)
            token_add(out, g.at, end - g.at, -1);
        before = g;
        g = grapheme_at(text, size, end);
    }
}
