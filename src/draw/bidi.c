#include "draw/bidi.h"

#include <fribidi.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "base/util.h"

#define LEAD_BYTE 0xD6 /* first byte of U+0590; all earlier characters read left to right */

/* Blocks that read right to left by default, and the directional marks. Source: Unicode Character
 * Database, DerivedBidiClass.txt. */
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

bool bidi_levels(uint8_t *levels, const char *text, size_t bytes, TextDirection direction) {
    static const FriBidiParType BASES[] = {
        [TEXT_AUTO] = FRIBIDI_PAR_ON, [TEXT_LTR] = FRIBIDI_PAR_LTR, [TEXT_RTL] = FRIBIDI_PAR_RTL};
    FriBidiParType base = BASES[direction];
    FriBidiStrIndex count = 0;
    size_t length;
    if (levels != NULL)
        memset(levels, 0, bytes);
    bool is_needed = direction == TEXT_RTL || bidi_is_needed(text, bytes);
    if (bytes == 0 || bytes > INT32_MAX / 8 || !is_needed)
        return false;
    /* arrays for FriBidi, one entry for each character */
    FriBidiChar *characters = heap_get_zero(bytes, 3 * sizeof(uint32_t) + sizeof(FriBidiLevel));
    if (characters == NULL)
        return false;
    FriBidiCharType *types = characters + bytes;
    FriBidiBracketType *brackets = types + bytes;
    FriBidiLevel *found = (FriBidiLevel *)(brackets + bytes);
    for (size_t at = 0; at < bytes; at += length)
        characters[count++] = utf8_decode(text, bytes, at, &length);
    fribidi_get_bidi_types(characters, count, types);
    fribidi_get_bracket_types(characters, count, types, brackets);
    bool is_resolved =
        fribidi_get_par_embedding_levels_ex(types, brackets, count, &base, found) != 0;
    count = 0;
    for (size_t at = 0; is_resolved && levels != NULL && at < bytes; at += length) {
        utf8_decode(text, bytes, at, &length);
        memset(levels + at, found[count++], length);
    }
    free(characters);
    return is_resolved && FRIBIDI_IS_RTL(base);
}

TextDirection bidi_direction(const char *text, size_t bytes) {
    if (!bidi_is_needed(text, bytes))
        return TEXT_AUTO;
    return bidi_levels(NULL, text, bytes, TEXT_AUTO) ? TEXT_RTL : TEXT_LTR;
}

/* For each level from the deepest to 1, reverse every run of pieces at this level or deeper. */
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
            for (int left = from, right = to - 1; left < right; left++, right--) {
                int piece = order[left];
                order[left] = order[right];
                order[right] = piece;
            }
            from = to + 1;
        }
}
