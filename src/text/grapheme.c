#include "text/grapheme.h"

#include <utf8proc.h>

#include "base/utf8.h"
#include "base/util.h"

#define ENCLOSING_KEYCAP 0x20E3

typedef struct CodeRange {
    uint32_t first, last;
} CodeRange;

/* Blocks of scripts written without spaces between words, in order.
 * Source: Unicode Character Database, Blocks.txt; line breaking class SA or ID. */
static const CodeRange WITHOUT_SPACES[] = {
    {0x0E00, 0x0EFF},   /* Thai, Lao */
    {0x1000, 0x109F},   /* Myanmar */
    {0x1780, 0x17FF},   /* Khmer */
    {0x1950, 0x19DF},   /* Tai Le, New Tai Lue */
    {0x1A20, 0x1AAF},   /* Tai Tham */
    {0x2E80, 0x2FDF},   /* radicals of Han */
    {0x3005, 0x3007},   /* ideographic iteration mark, closing mark, zero */
    {0x3021, 0x3029},   /* Hangzhou numerals */
    {0x3031, 0x303C},   /* kana repeat marks, Hangzhou tens */
    {0x3041, 0x312F},   /* Hiragana, Katakana, Bopomofo */
    {0x3190, 0x4DBF},   /* Kanbun, Bopomofo, strokes, enclosed kana, Han extension A */
    {0x4E00, 0xA4CF},   /* Han, Yi */
    {0xA9E0, 0xA9FF},   /* Myanmar extended B */
    {0xAA60, 0xAADF},   /* Myanmar extended A, Tai Viet */
    {0xF900, 0xFAFF},   /* Han compatibility */
    {0xFF66, 0xFF9F},   /* halfwidth kana */
    {0x16FE0, 0x18DFF}, /* Tangut, Khitan */
    {0x1AFF0, 0x1B2FF}, /* kana extensions, Nushu */
    {0x20000, 0x3FFFF}, /* Han extensions B and later */
};

static bool is_without_spaces(uint32_t c) {
    if (c < WITHOUT_SPACES[0].first)
        return false;
    for (size_t i = 0; i < ARRAY_COUNT(WITHOUT_SPACES); i++)
        if (c <= WITHOUT_SPACES[i].last)
            return c >= WITHOUT_SPACES[i].first;
    return false;
}

static GraphemeClass class_of_code_point(uint32_t c) {
    switch (utf8proc_category((utf8proc_int32_t)c)) {
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
        return GRAPHEME_SPACE;
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return is_without_spaces(c) ? GRAPHEME_ALONE : GRAPHEME_LETTER;
    case UTF8PROC_CATEGORY_ND:
        return GRAPHEME_DIGIT;
    default:
        return GRAPHEME_ALONE;
    }
}

static bool is_mark(uint32_t c) {
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)c);
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
           category == UTF8PROC_CATEGORY_ME;
}

/* Return the class after a further code point c. A digit in a keycap is an emoji; a blank with a
 * mark is visible; a leading format character takes the class of what follows. */
static GraphemeClass class_with(GraphemeClass class, uint32_t c) {
    if (c == ENCLOSING_KEYCAP)
        return GRAPHEME_ALONE;
    if (class != GRAPHEME_SPACE)
        return class;
    return is_mark(c) ? GRAPHEME_ALONE : class_of_code_point(c);
}

/* True for printable ASCII followed by ASCII: the common case, which needs no tables. */
static bool is_plain(const char *text, size_t size, size_t at) {
    bool next_plain = at + 1 >= size || (unsigned char)text[at + 1] < 0x80;
    return text[at] >= ' ' && text[at] < 0x7f && next_plain;
}

static GraphemeClass class_of_ascii(char c) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        return GRAPHEME_LETTER;
    if (c >= '0' && c <= '9')
        return GRAPHEME_DIGIT;
    return c == ' ' ? GRAPHEME_SPACE : GRAPHEME_ALONE;
}

Grapheme grapheme_at(const char *text, size_t size, size_t at) {
    if (at >= size)
        return (Grapheme){.at = size, .class = GRAPHEME_NONE};
    if (is_plain(text, size, at))
        return (Grapheme){at, 1, (unsigned char)text[at], true, class_of_ascii(text[at])};
    size_t length;
    Grapheme g = {.at = at, .first = utf8_decode(text, size, at, &length)};
    g.bytes = length;
    g.single = true;
    g.class = class_of_code_point(g.first);
    utf8proc_int32_t state = 0;
    for (uint32_t last = g.first, c; at + g.bytes < size; last = c) {
        c = utf8_decode(text, size, at + g.bytes, &length);
        if (utf8proc_grapheme_break_stateful((utf8proc_int32_t)last, (utf8proc_int32_t)c, &state))
            break;
        g.class = class_with(g.class, c);
        g.bytes += length;
        g.single = false;
    }
    return g;
}

Grapheme grapheme_after(const char *text, size_t size, Grapheme g) {
    return grapheme_at(text, size, g.at + g.bytes);
}
