/* Any bytes as words in an SVG: no markup of theirs, valid UTF-8, and the words can be read back.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "check.h"
#include "export/svg_parts.h"

/* Return the character that the escaped text begins with, and its bytes. */
static uint32_t unescape(const char *text, size_t size, size_t *bytes) {
    static const struct {
        const char *escape;
        char c;
    } escapes[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}};
    check(text[0] != '<' && text[0] != '>' && text[0] != '"');
    for (size_t i = 0; text[0] == '&' && i < sizeof escapes / sizeof *escapes; i++) {
        *bytes = strlen(escapes[i].escape);
        if (*bytes <= size && memcmp(text, escapes[i].escape, *bytes) == 0)
            return (uint32_t)escapes[i].c;
    }
    check(text[0] != '&');
    return utf8_decode(text, size, 0, bytes);
}

static void check_words(const char *text, size_t size) {
    TextOut out = {0};
    size_t at = 0, bytes, used;
    svg_put_words(&out, text, size);
    check(!out.failed && utf8_first_invalid(out.at, out.used) == out.used);
    for (size_t i = 0; i < size; i += bytes, at += used) {
        uint32_t c = utf8_decode(text, size, i, &bytes);
        bool is_blank = c < 0x20 || c == 0xFFFE || c == 0xFFFF;
        check(at < out.used);
        check(unescape(out.at + at, out.used - at, &used) == (is_blank ? ' ' : c));
    }
    check(at == out.used);
    text_out_release(&out);
}

/* Base64 has only its digits, and four of them for each three bytes. */
static void check_png(const uint8_t *data, size_t size) {
    static const char begin[] = " xlink:href=\"data:image/png;base64,";
    TextOut out = {0}, png = {0};
    size_t at = sizeof begin - 1;
    text_out_bytes(&png, (const char *)data, size);
    svg_put_png(&out, &png);
    check(out.used == at + (size + 2) / 3 * 4 + 1 && memcmp(out.at, begin, at) == 0);
    for (; at + 1 < out.used; at++)
        check(strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=",
                     out.at[at]) != NULL);
    check(out.at[at] == '"');
    text_out_release(&out);
}

static void check_numbers(const uint8_t *data, size_t size) {
    TextOut out = {0};
    float values[8] = {0};
    memcpy(values, data, size < sizeof values ? size : sizeof values);
    for (int i = 0; i < 8; i++)
        text_out(&out, "%s ", SVG_NUMBER(values[i]));
    svg_put_colour(&out, "stop", (Colour)(size > 0 ? data[0] : 0) << 24 | 0x80);
    svg_put_place(&out, (Rect){values[0], values[1], values[2], values[3]});
    for (size_t i = 0; i < out.used; i++)
        check(out.at[i] >= ' ' && out.at[i] <= 'z' && out.at[i] != '<');
    check(memmem(out.at, out.used, "nan", 3) == NULL);
    check(memmem(out.at, out.used, "inf", 3) == NULL);
    text_out_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check_words((const char *)data, size);
    check_png(data, size);
    check_numbers(data, size);
    return 0;
}
