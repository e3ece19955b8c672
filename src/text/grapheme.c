#include "text/grapheme.h"

#include <utf8proc.h>

#include "base/utf8.h"
#include "base/util.h"

#define ENCLOSING_KEYCAP 0x20E3

/* Blocks of scripts written without spaces between words, in order.
 * Source: Unicode Character Database, Blocks.txt; line breaking class SA or ID. */
static const struct {
    uint32_t first, last;
} WITHOUT_SPACES[] = {
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

static GraphemeClass class_of(uint32_t c) {
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)c);
    size_t i = 0;
    if (category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_CF)
        return GRAPHEME_SPACE;
    if (category == UTF8PROC_CATEGORY_ND)
        return GRAPHEME_DIGIT;
    if (category < UTF8PROC_CATEGORY_LU || category > UTF8PROC_CATEGORY_NO)
        return GRAPHEME_ALONE;
    while (i < ARRAY_COUNT(WITHOUT_SPACES) && c > WITHOUT_SPACES[i].last)
        i++;
    return i < ARRAY_COUNT(WITHOUT_SPACES) && c >= WITHOUT_SPACES[i].first ? GRAPHEME_ALONE
                                                                           : GRAPHEME_LETTER;
}

bool is_combining_mark(uint32_t c) {
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)c);
    return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

Grapheme grapheme_at(const char *text, size_t size, size_t at) {
    if (at >= size)
        return (Grapheme){.at = size, .class = GRAPHEME_NONE};
    /* A shortcut for the common case of ASCII followed by ASCII. */
    if (text[at] >= ' ' && text[at] < 0x7f &&
        (at + 1 >= size || (unsigned char)text[at + 1] < 0x80))
        return (Grapheme){at, 1, (unsigned char)text[at], true, class_of((unsigned char)text[at])};
    size_t length;
    Grapheme g = {.at = at, .first = utf8_decode(text, size, at, &length)};
    g.bytes = length;
    g.single = true;
    g.class = class_of(g.first);
    utf8proc_int32_t state = 0;
    for (uint32_t last = g.first, c; at + g.bytes < size; last = c) {
        c = utf8_decode(text, size, at + g.bytes, &length);
        if (utf8proc_grapheme_break_stateful((utf8proc_int32_t)last, (utf8proc_int32_t)c, &state))
            break;
        /* Exceptions: a digit in a keycap is an emoji; a blank with a mark is visible; a leading
         * format character takes the class of the next character. */
        if (c == ENCLOSING_KEYCAP || (g.class == GRAPHEME_SPACE && is_combining_mark(c)))
            g.class = GRAPHEME_ALONE;
        else if (g.class == GRAPHEME_SPACE)
            g.class = class_of(c);
        g.bytes += length;
        g.single = false;
    }
    return g;
}

Grapheme grapheme_after(const char *text, size_t size, Grapheme g) {
    return grapheme_at(text, size, g.at + g.bytes);
}
