#include "export/svg_parts.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

const char *svg_number(char out[NUMBER_EXACT_MAX], float value) {
    float hundredths = roundf(value * 100);
    float rounded = isfinite(hundredths) ? hundredths / 100 : 0;
    number_write_exact(out, rounded + 0.0f); /* + 0.0f turns -0 into 0 */
    return out;
}

void svg_put_place(TextOut *out, Rect place) {
    text_out(out, " x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"", SVG_NUMBER(place.x),
             SVG_NUMBER(place.y), SVG_NUMBER(place.w), SVG_NUMBER(place.h));
}

void svg_put_words(TextOut *out, const char *text, size_t bytes) {
    for (size_t at = 0, length; at < bytes; at += length) {
        uint32_t code = utf8_decode(text, bytes, at, &length);
        if (code == '&')
            text_out(out, "&amp;");
        else if (code == '<')
            text_out(out, "&lt;");
        else if (code == '>')
            text_out(out, "&gt;");
        else if (code == '"')
            text_out(out, "&quot;");
        else if (code < 0x20 || code == 0xFFFE || code == 0xFFFF)
            text_out(out, " ");
        else if (code == UTF8_REPLACEMENT)
            text_out(out, "\xEF\xBF\xBD");
        else
            text_out_bytes(out, text + at, length);
    }
}

void svg_put_colour(TextOut *out, const char *name, Colour colour) {
    text_out(out, " %s%s=\"#%06x\"", name, strcmp(name, "stop") == 0 ? "-color" : "",
             (unsigned)(colour >> 8));
    if ((colour & 0xFF) != 0xFF)
        text_out(out, " %s-opacity=\"%s\"", name, SVG_NUMBER((float)(colour & 0xFF) / 255));
}

void svg_put_png(TextOut *out, TextOut *png) {
    const unsigned char *bytes = (const unsigned char *)png->at;
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    text_out(out, " xlink:href=\"data:image/png;base64,");
    for (size_t i = 0; i < png->used; i += 3) {
        size_t left = png->used - i;
        uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0u) |
                         (left > 2 ? (uint32_t)bytes[i + 2] : 0u);
        char four[4] = {DIGITS[three >> 18], DIGITS[three >> 12 & 63],
                        left > 1 ? DIGITS[three >> 6 & 63] : '=',
                        left > 2 ? DIGITS[three & 63] : '='};
        text_out_bytes(out, four, 4);
    }
    text_out(out, "\"");
    text_out_release(png);
}
