/* text_out.h: text that grows in memory: lines of CSV, JSON or a program. All zero is empty.
 * What there was no memory for makes it failed and is never cut: ask once at the end. Numbers are
 * written independent of the locale. */
#ifndef HEADLIGHT_BASE_TEXT_OUT_H
#define HEADLIGHT_BASE_TEXT_OUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct TextOut {
    char *at; /* owned; ended by NUL once anything was put */
    size_t used, capacity;
    bool failed;
} TextOut;

/* Empty again, keeping the memory. */
void text_out_reset(TextOut *out);
void text_out_release(TextOut *out);

/* As printf does. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void text_out(TextOut *out, const char *format, ...);

/* Nine digits, all that a float32 has; what is not finite as `none`. */
void text_out_number(TextOut *out, double value, const char *none);

/* In quotes, as JSON writes a string. */
void text_out_quoted(TextOut *out, const char *text);

#endif
