#include "base/text_out.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

void text_out_reset(TextOut *out) {
    out->used = 0;
    out->failed = false;
}

void text_out_release(TextOut *out) {
    free(out->at);
    *out = (TextOut){0};
}

static bool make_room(TextOut *out, size_t bytes) {
    char *grown = heap_grow(out->at, &out->capacity, out->used + bytes + 1, 1);
    out->at = grown != NULL ? grown : out->at;
    return grown != NULL;
}

void text_out(TextOut *out, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int bytes = vsnprintf(NULL, 0, format, list);
    va_end(list);
    out->failed = out->failed || bytes < 0 || !make_room(out, (size_t)bytes);
    if (!out->failed) {
        vsnprintf(out->at + out->used, (size_t)bytes + 1, format, again);
        out->used += (size_t)bytes;
    }
    va_end(again);
}

void text_out_bytes(TextOut *out, const void *bytes, size_t count) {
    out->failed = out->failed || !make_room(out, count);
    if (out->failed || count == 0)
        return;
    memcpy(out->at + out->used, bytes, count);
    out->used += count;
    out->at[out->used] = '\0';
}

const char *text_number(char out[TEXT_OUT_NUMBER], double value, const char *none) {
    if (!isfinite(value))
        return none;
    snprintf(out, TEXT_OUT_NUMBER, "%.9g", value);
    return out;
}

void text_out_number(TextOut *out, double value, const char *none) {
    char number[TEXT_OUT_NUMBER];
    text_out(out, "%s", text_number(number, value, none));
}

void text_out_quoted_bytes(TextOut *out, const char *bytes, size_t count) {
    text_out(out, "\"");
    for (size_t i = 0; i < count; i++) {
        if ((unsigned char)bytes[i] < 0x20)
            text_out(out, "\\u%04x", (unsigned)bytes[i]);
        else
            text_out(out, bytes[i] == '"' || bytes[i] == '\\' ? "\\%c" : "%c", bytes[i]);
    }
    text_out(out, "\"");
}

void text_out_quoted(TextOut *out, const char *text) {
    text_out_quoted_bytes(out, text, strlen(text));
}
