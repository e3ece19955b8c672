#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_continuation(char byte) {
    return ((unsigned char)byte & 0xC0u) == 0x80u;
}

/* Return the length announced by a lead byte, or 0 if the byte cannot lead. */
static size_t lead_length(unsigned char lead) {
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead < 0xE0)
        return 2;
    if (lead >= 0xE0 && lead < 0xF0)
        return 3;
    return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

static bool is_code_point(uint32_t value, size_t length) {
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    bool surrogate = value >= 0xD800 && value < 0xE000;
    return value >= smallest[length] && value <= 0x10FFFF && !surrogate;
}

uint32_t utf8_decode(const char *text, size_t size, size_t at, size_t *length) {
    unsigned char lead = (unsigned char)text[at];
    size_t bytes = lead_length(lead);
    *length = 1;
    if (bytes == 1)
        return lead;
    if (bytes == 0 || bytes > size - at)
        return UTF8_REPLACEMENT;
    uint32_t value = lead & (0x7Fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if (!is_continuation(text[at + i]))
            return UTF8_REPLACEMENT;
        value = value << 6 | ((unsigned char)text[at + i] & 0x3Fu);
    }
    if (!is_code_point(value, bytes))
        return UTF8_REPLACEMENT;
    *length = bytes;
    return value;
}

size_t utf8_encode(char out[4], uint32_t c) {
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    if (!is_code_point(c, length))
        return 0;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80u | (c & 0x3Fu));
    out[0] = (char)(lead[length] | c);
    return length;
}

#define WORD_BYTES sizeof(uint64_t)

static bool are_ascii(const char *text, size_t size, size_t at) {
    uint64_t word;
    if (size - at < sizeof word)
        return false;
    memcpy(&word, text + at, sizeof word);
    return (word & 0x8080808080808080u) == 0;
}

bool utf8_is_ascii(const char *text, size_t size) {
    unsigned char all = 0;
    for (size_t i = 0; i < size; i++)
        all |= (unsigned char)text[i];
    return all < 0x80;
}

size_t utf8_first_invalid(const char *text, size_t size) {
    size_t at = 0;
    while (at < size) {
        size_t length;
        if (are_ascii(text, size, at)) {
            at += WORD_BYTES;
            continue;
        }
        bool broken = utf8_decode(text, size, at, &length) == UTF8_REPLACEMENT && length == 1;
        if (broken)
            return at;
        at += length;
    }
    return size;
}

size_t utf8_floor(const char *text, size_t size, size_t at) {
    if (at >= size)
        return size;
    size_t back = 0;
    while (back < 3 && at - back > 0 && is_continuation(text[at - back]))
        back++;
    size_t length;
    utf8_decode(text, size, at - back, &length);
    return length > back ? at - back : at;
}

size_t utf8_next(const char *text, size_t size, size_t at) {
    if (at >= size)
        return size;
    size_t length;
    utf8_decode(text, size, at, &length);
    return at + length;
}

size_t utf8_previous(const char *text, size_t size, size_t at) {
    return at == 0 ? 0 : utf8_floor(text, size, at - 1);
}

size_t utf8_repair(char *out, size_t capacity, const char *text, size_t size, size_t *repairs) {
    size_t written = 0, at = 0;
    *repairs = 0;
    while (at < size) {
        size_t length;
        uint32_t c = utf8_decode(text, size, at, &length);
        bool broken = c == 0 || (c == UTF8_REPLACEMENT && length == 1);
        char bytes[4];
        size_t encoded = utf8_encode(bytes, broken ? UTF8_REPLACEMENT : c);
        if (encoded > capacity - written)
            break;
        memcpy(out + written, bytes, encoded);
        written += encoded;
        *repairs += broken;
        at += length;
    }
    return written;
}

const char *utf8_print(char *out, size_t capacity, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int wanted = vsnprintf(out, capacity, format, list);
    va_end(list);
    if (wanted < 0 || (size_t)wanted < capacity)
        return out;
    size_t end = capacity - 1, lead = end;
    do
        lead--;
    while (lead > 0 && is_continuation(out[lead]));
    if (lead + lead_length((unsigned char)out[lead]) > end)
        out[lead] = '\0';
    return out;
}
