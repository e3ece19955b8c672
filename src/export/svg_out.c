#include "export/svg_out.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/number.h"
#include "base/utf8.h"

#define FIRST_CAPACITY ((size_t)64 << 10)

static bool make_room(SvgOut *out, size_t count) {
    if (out->failed)
        return false;
    if (count <= out->capacity - out->used)
        return true;
    size_t capacity = out->capacity > 0 ? out->capacity : FIRST_CAPACITY;
    while (capacity - out->used < count && capacity <= SIZE_MAX / 2)
        capacity *= 2;
    char *grown = capacity - out->used >= count ? heap_resize(out->bytes, capacity) : NULL;
    out->failed = grown == NULL;
    if (out->failed)
        return false;
    out->bytes = grown;
    out->capacity = capacity;
    return true;
}

void svg_put_bytes(SvgOut *out, const char *bytes, size_t count) {
    if (count == 0 || !make_room(out, count))
        return;
    memcpy(out->bytes + out->used, bytes, count);
    out->used += count;
}

void svg_put(SvgOut *out, const char *literal) {
    svg_put_bytes(out, literal, strlen(literal));
}

void svg_put_number(SvgOut *out, float value) {
    char text[64];
    float hundredths = roundf(value * 100);
    float rounded = isfinite(hundredths) ? hundredths / 100 : 0;
    number_format_exact(text, sizeof text, rounded + 0.0f); /* no minus zero */
    svg_put(out, text);
}

void svg_put_numbers(SvgOut *out, const float *values, int count) {
    for (int i = 0; i < count; i++) {
        svg_put(out, i > 0 ? " " : "");
        svg_put_number(out, values[i]);
    }
}

void svg_put_name(SvgOut *out, const char *kind, int number) {
    svg_put(out, kind);
    svg_put_number(out, (float)number);
}

void svg_put_attribute(SvgOut *out, const char *name, float value) {
    svg_put(out, " ");
    svg_put(out, name);
    svg_put(out, "=\"");
    svg_put_number(out, value);
    svg_put(out, "\"");
}

void svg_put_words(SvgOut *out, const char *text, size_t bytes) {
    for (size_t at = 0; at < bytes;) {
        size_t length;
        uint32_t code = utf8_decode(text, bytes, at, &length);
        if (code == '&')
            svg_put(out, "&amp;");
        else if (code == '<')
            svg_put(out, "&lt;");
        else if (code == '>')
            svg_put(out, "&gt;");
        else if (code == '"')
            svg_put(out, "&quot;");
        else if (code < 0x20 || code == 0xFFFE || code == 0xFFFF)
            svg_put(out, " ");
        else if (code == UTF8_REPLACEMENT)
            svg_put(out, "\xEF\xBF\xBD");
        else
            svg_put_bytes(out, text + at, length);
        at += length;
    }
}

void svg_put_colour(SvgOut *out, const char *name, Colour colour) {
    bool is_stop = strcmp(name, "stop") == 0;
    char text[96];
    snprintf(text, sizeof text, " %s%s=\"#%06x\"", name, is_stop ? "-color" : "",
             (unsigned)(colour >> 8));
    svg_put(out, text);
    if ((colour & 0xFF) == 0xFF)
        return;
    snprintf(text, sizeof text, "%s-opacity", name);
    svg_put_attribute(out, text, (float)(colour & 0xFF) / 255);
}

void svg_put_base64(SvgOut *out, const unsigned char *bytes, size_t count) {
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i;
        uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0u) |
                         (left > 2 ? (uint32_t)bytes[i + 2] : 0u);
        char four[4] = {DIGITS[three >> 18], DIGITS[three >> 12 & 63],
                        left > 1 ? DIGITS[three >> 6 & 63] : '=',
                        left > 2 ? DIGITS[three & 63] : '='};
        svg_put_bytes(out, four, 4);
    }
}
