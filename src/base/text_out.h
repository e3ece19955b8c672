/* text_out.h: a growing buffer for text or bytes, for CSV, JSON or a file. A zeroed TextOut is
 * empty. Numbers don't depend on the locale. If memory runs out, `failed` is set and later writes
 * do nothing, so callers check it once, at the end. */
#ifndef HEADLIGHT_BASE_TEXT_OUT_H
#define HEADLIGHT_BASE_TEXT_OUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct TextOut {
    char *at; /* owned; terminated by NUL after the first write */
    size_t used, capacity;
    bool failed;
} TextOut;

/* Empty the text but keep its memory. */
void text_out_reset(TextOut *out);
void text_out_release(TextOut *out);

/* Append as printf does. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void text_out(TextOut *out, const char *format, ...);

void text_out_bytes(TextOut *out, const void *bytes, size_t count);

/* Append a number with nine digits, enough for any float32; `none` if it is not finite. */
void text_out_number(TextOut *out, double value, const char *none);

/* Write what text_out_number appends, and return out. CSV(x) and JSON(x) are expressions; their
 * text lives to the end of the enclosing block. */
#define TEXT_OUT_NUMBER 24
const char *text_number(char out[TEXT_OUT_NUMBER], double value, const char *none);
#define CSV(value)  text_number((char[TEXT_OUT_NUMBER]){0}, (double)(value), "")
#define JSON(value) text_number((char[TEXT_OUT_NUMBER]){0}, (double)(value), "null")

/* Append text in quotes, escaped as a JSON string. */
void text_out_quoted(TextOut *out, const char *text);
void text_out_quoted_bytes(TextOut *out, const char *bytes, size_t count);

#endif
