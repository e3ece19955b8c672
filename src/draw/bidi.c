#include "draw/bidi.h"

#include <fribidi.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "base/util.h"

#define LEAD_BYTE 0xD6 /* begins U+0590; all before it reads left to right */

/* Blocks that default to right-to-left, and the directional marks.
 * Source: Unicode Character Database, DerivedBidiClass.txt. */
static const struct {
    uint32_t first, last;
} RANGES[] = {
    {0x0590, 0x08FF}, {0x200E, 0x200F}, {0x202A, 0x202E},   {0x2066, 0x2069},
    {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFF}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF},
};

bool bidi_is_needed(const char *text, size_t bytes) {
    size_t length;
    for (size_t at = 0; at < bytes; at++) {
        if ((unsigned char)text[at] < LEAD_BYTE)
            continue;
        uint32_t c = utf8_decode(text, bytes, at, &length);
        for (size_t i = 0; i < ARRAY_COUNT(RANGES); i++)
            if (c >= RANGES[i].first && c <= RANGES[i].last)
                return true;
    }
    return false;
}

/* FriBidi's arrays, one entry per character. */
typedef struct BidiLine {
    FriBidiChar *characters;
    FriBidiCharType *types;
    FriBidiBracketType *brackets;
    FriBidiLevel *levels;
} BidiLine;

static void line_release(BidiLine *line) {
    free(line->characters);
    free(line->types);
    free(line->brackets);
    free(line->levels);
}

/* Allocate for at most `bytes` characters. */
static bool line_create(BidiLine *line, size_t bytes) {
    line->characters = heap_get_zero(bytes, sizeof *line->characters);
    line->types = heap_get_zero(bytes, sizeof *line->types);
    line->brackets = heap_get_zero(bytes, sizeof *line->brackets);
    line->levels = heap_get_zero(bytes, sizeof *line->levels);
    return line->characters != NULL && line->types != NULL && line->brackets != NULL &&
           line->levels != NULL;
}

static FriBidiStrIndex line_fill(BidiLine *line, const char *text, size_t bytes) {
    FriBidiStrIndex count = 0;
    size_t length;
    for (size_t at = 0; at < bytes; at += length)
        line->characters[count++] = utf8_decode(text, bytes, at, &length);
    return count;
}

/* Return false if FriBidi runs out of memory. */
static bool line_resolve(BidiLine *line, FriBidiStrIndex count, FriBidiParType *base) {
    fribidi_get_bidi_types(line->characters, count, line->types);
    fribidi_get_bracket_types(line->characters, count, line->types, line->brackets);
    return fribidi_get_par_embedding_levels_ex(line->types, line->brackets, count, base,
                                               line->levels) != 0;
}

bool bidi_levels(uint8_t *levels, const char *text, size_t bytes, TextDirection direction) {
    static const FriBidiParType BASES[] = {
        [TEXT_AUTO] = FRIBIDI_PAR_ON, [TEXT_LTR] = FRIBIDI_PAR_LTR, [TEXT_RTL] = FRIBIDI_PAR_RTL};
    FriBidiParType base = BASES[direction];
    BidiLine line = {0};
    FriBidiStrIndex count = 0;
    size_t length;
    memset(levels, 0, bytes);
    bool needed = direction == TEXT_RTL || bidi_is_needed(text, bytes);
    if (bytes == 0 || bytes > INT32_MAX / 8 || !needed || !line_create(&line, bytes)) {
        line_release(&line);
        return false;
    }
    bool resolved = line_resolve(&line, line_fill(&line, text, bytes), &base);
    for (size_t at = 0; resolved && at < bytes; at += length, count++) {
        utf8_decode(text, bytes, at, &length);
        memset(levels + at, line.levels[count], length);
    }
    line_release(&line);
    return resolved && FRIBIDI_IS_RTL(base);
}

TextDirection bidi_direction(const char *text, size_t bytes) {
    FriBidiParType base = FRIBIDI_PAR_ON;
    BidiLine line = {0};
    bool resolved = bytes <= INT32_MAX / 8 && bidi_is_needed(text, bytes) &&
                    line_create(&line, bytes) &&
                    line_resolve(&line, line_fill(&line, text, bytes), &base);
    line_release(&line);
    return !resolved ? TEXT_AUTO : FRIBIDI_IS_RTL(base) ? TEXT_RTL : TEXT_LTR;
}

static void reverse(int *order, int from, int to) {
    for (; from < to; from++, to--) {
        int piece = order[from];
        order[from] = order[to];
        order[to] = piece;
    }
}

/* From the deepest level up, reverse every run at that level or deeper. */
void bidi_order(int *order, const uint8_t *levels, int count) {
    uint8_t deepest = 0;
    for (int i = 0; i < count; i++) {
        order[i] = i;
        deepest = levels[i] > deepest ? levels[i] : deepest;
    }
    for (uint8_t level = deepest; level > 0; level--)
        for (int from = 0; from < count;) {
            int to = from;
            while (to < count && levels[order[to]] >= level)
                to++;
            reverse(order, from, to - 1);
            from = to + 1;
        }
}
