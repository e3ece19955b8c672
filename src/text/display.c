#include "text/display.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

#include "base/utf8.h"
#include "base/util.h"
#include "text/grapheme.h"

#define ELLIPSIS    "…"
#define SOFT_HYPHEN 0xAD

/* The output so far. full is set when a text does not fit; later texts are ignored. */
typedef struct Line {
    char *out;
    size_t used;
    bool full;
} Line;

static void put(Line *line, const char *text, size_t bytes) {
    line->full |= bytes > TOKEN_DISPLAY_MAX - strlen(ELLIPSIS) - line->used;
    if (line->full)
        return;
    memcpy(line->out + line->used, text, bytes);
    line->used += bytes;
}

static void put_text(Line *line, const char *text) {
    put(line, text, strlen(text));
}

static bool is_whole(const char *token, size_t bytes, size_t at) {
    size_t length;
    return utf8_decode(token, bytes, at, &length) != UTF8_REPLACEMENT || length > 1;
}

/* Write a run of bytes that are not a character, and return its end. */
static size_t put_bytes(Line *line, const char *token, size_t bytes, size_t at) {
    put_text(line, "⟨");
    for (bool first = true; at < bytes && !line->full && !is_whole(token, bytes, at); at++) {
        put_text(line, PRINT("%s%02X", first ? "" : " ", (unsigned char)token[at]));
        first = false;
    }
    put_text(line, "⟩");
    return at;
}

/* Write the first code point of a grapheme; c is not printable ASCII. */
static void put_first(Line *line, uint32_t c, const char *encoded, size_t bytes) {
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)c);
    if (c == ' ')
        put_text(line, "␣");
    else if (c == '\t')
        put_text(line, "⇥");
    else if (c == '\n')
        put_text(line, "↵");
    else if (c < 0x80)
        put_text(line, PRINT("⟨%02X⟩", c));
    else if ((category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_CF) ||
             utf8proc_get_property((utf8proc_int32_t)c)->ignorable)
        put_text(line, PRINT("⟨U+%04X⟩", c));
    else {
        if (is_combining_mark(c))
            put_text(line, "◌");
        put(line, encoded, bytes);
    }
}

static bool is_printable(char c) {
    return c > ' ' && c < 0x7f;
}

/* Write the whole characters of one grapheme, and return their end. */
static size_t put_grapheme(Line *line, const char *token, size_t bytes, size_t at) {
    Grapheme g = grapheme_at(token, bytes, at);
    size_t end = at, length;
    uint32_t c = utf8_decode(token, bytes, at, &length);
    /* Keep a soft hyphen inside a word, where it is invisible by design. */
    if (is_printable(token[at]) || (c == SOFT_HYPHEN && length < bytes))
        put(line, token + at, length);
    else
        put_first(line, c, token + at, length);
    for (end += length; end < at + g.bytes && is_whole(token, bytes, end); end += length) {
        utf8_decode(token, bytes, end, &length);
        if (is_printable(token[end]) || (unsigned char)token[end] >= 0x80)
            put(line, token + end, length);
        else
            put_first(line, (unsigned char)token[end], token + end, length);
    }
    return end;
}

bool token_is_plain(const char *token, size_t bytes) {
    size_t at = 0;
    while (at < bytes && is_printable(token[at]))
        at++;
    return at == bytes && bytes <= TOKEN_DISPLAY_MAX - strlen(ELLIPSIS);
}

size_t token_display(char out[TOKEN_DISPLAY_MAX], const char *token, size_t bytes) {
    Line line = {.out = out};
    if (token_is_plain(token, bytes)) {
        memcpy(out, token, bytes);
        return bytes;
    }
    /* Don't read more of a grapheme than the label can show. */
    bool cut = bytes > TOKEN_DISPLAY_MAX;
    bytes = cut ? utf8_floor(token, bytes, TOKEN_DISPLAY_MAX) : bytes;
    for (size_t at = 0; at < bytes && !line.full;)
        at = is_whole(token, bytes, at) ? put_grapheme(&line, token, bytes, at)
                                        : put_bytes(&line, token, bytes, at);
    if (line.full || cut) {
        memcpy(out + line.used, ELLIPSIS, strlen(ELLIPSIS));
        line.used += strlen(ELLIPSIS);
    }
    return line.used;
}
