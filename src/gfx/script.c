#include "gfx/script.h"

#include <stddef.h>

#include "base/util.h"

typedef struct ScriptBlock {
    uint32_t first, last;
    Script script;
} ScriptBlock;

const Script SCRIPT_LATIN = {"Latn", false};

/* Sorted by code points. */
static const ScriptBlock BLOCKS[] = {
    {0x0041, 0x005A, {"Latn", false}},   {0x0061, 0x007A, {"Latn", false}},
    {0x00C0, 0x02AF, {"Latn", false}},   {0x0370, 0x03FF, {"Grek", false}},
    {0x0400, 0x052F, {"Cyrl", false}},   {0x0530, 0x058F, {"Armn", false}},
    {0x0591, 0x05FF, {"Hebr", true}},    {0x0600, 0x06FF, {"Arab", true}},
    {0x0700, 0x074F, {"Syrc", true}},    {0x0750, 0x077F, {"Arab", true}},
    {0x0780, 0x07BF, {"Thaa", true}},    {0x07C0, 0x07FF, {"Nkoo", true}},
    {0x0840, 0x085F, {"Mand", true}},    {0x0860, 0x086F, {"Syrc", true}},
    {0x0870, 0x08FF, {"Arab", true}},    {0x0900, 0x097F, {"Deva", true}},
    {0x0980, 0x09FF, {"Beng", true}},    {0x0A00, 0x0A7F, {"Guru", true}},
    {0x0A80, 0x0AFF, {"Gujr", true}},    {0x0B00, 0x0B7F, {"Orya", true}},
    {0x0B80, 0x0BFF, {"Taml", true}},    {0x0C00, 0x0C7F, {"Telu", true}},
    {0x0C80, 0x0CFF, {"Knda", true}},    {0x0D00, 0x0D7F, {"Mlym", true}},
    {0x0D80, 0x0DFF, {"Sinh", true}},    {0x0E00, 0x0E7F, {"Thai", true}},
    {0x0E80, 0x0EFF, {"Laoo", true}},    {0x0F00, 0x0FFF, {"Tibt", true}},
    {0x1000, 0x109F, {"Mymr", true}},    {0x10A0, 0x10FF, {"Geor", false}},
    {0x1100, 0x11FF, {"Hang", true}},    {0x1200, 0x139F, {"Ethi", false}},
    {0x13A0, 0x13FF, {"Cher", false}},   {0x1780, 0x17FF, {"Khmr", true}},
    {0x1800, 0x18AF, {"Mong", true}},    {0x1C80, 0x1C8F, {"Cyrl", false}},
    {0x1E00, 0x1EFF, {"Latn", false}},   {0x1F00, 0x1FFF, {"Grek", false}},
    {0x2DE0, 0x2DFF, {"Cyrl", false}},   {0x2E80, 0x2FDF, {"Hani", false}},
    {0x3041, 0x309F, {"Hira", false}},   {0x30A0, 0x30FF, {"Kana", false}},
    {0x3100, 0x312F, {"Bopo", false}},   {0x3130, 0x318F, {"Hang", true}},
    {0x31F0, 0x31FF, {"Kana", false}},   {0x3400, 0x4DBF, {"Hani", false}},
    {0x4E00, 0x9FFF, {"Hani", false}},   {0xA640, 0xA69F, {"Cyrl", false}},
    {0xA720, 0xA7FF, {"Latn", false}},   {0xA8E0, 0xA8FF, {"Deva", true}},
    {0xA960, 0xA97F, {"Hang", true}},    {0xAC00, 0xD7FF, {"Hang", true}},
    {0xF900, 0xFAFF, {"Hani", false}},   {0xFB00, 0xFB06, {"Latn", false}},
    {0xFB13, 0xFB17, {"Armn", false}},   {0xFB1D, 0xFB4F, {"Hebr", true}},
    {0xFB50, 0xFDFF, {"Arab", true}},    {0xFE70, 0xFEFE, {"Arab", true}},
    {0xFF21, 0xFF5A, {"Latn", false}},   {0xFF66, 0xFF9F, {"Kana", false}},
    {0x10900, 0x1091F, {"Phnx", false}}, {0x1E900, 0x1E95F, {"Adlm", true}},
    {0x1EE00, 0x1EEFF, {"Arab", true}},  {0x20000, 0x323AF, {"Hani", false}},
};

const Script *script_of(uint32_t code_point) {
    size_t low = 0, high = ARRAY_COUNT(BLOCKS);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code_point > BLOCKS[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    bool inside = low < ARRAY_COUNT(BLOCKS) && code_point >= BLOCKS[low].first;
    return inside ? &BLOCKS[low].script : NULL;
}
