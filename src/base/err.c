#include "base/err.h"

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Cut a text that was too long at a whole character, and add an ellipsis. Replace control
 * characters, which a terminal obeys, and invalid UTF-8, which a library may quote from a file. */
static void err_tidy(char *text, size_t capacity, size_t wanted) {
    if (wanted >= capacity) {
        size_t end = utf8_floor(text, capacity - 1, capacity - 1 - strlen("…"));
        memcpy(text + end, "…", sizeof "…");
    }
    size_t size = strlen(text), length;
    for (size_t at = 0; at < size; at += length) {
        uint32_t c = utf8_decode(text, size, at, &length);
        if ((c == UTF8_REPLACEMENT && length == 1) || is_control(c))
            memset(text + at, '?', length);
    }
}

void err_set(ErrKind kind, Err *err, const char *what, const char *why_format, ...) {
    va_list arguments;
    assert(err != NULL && what != NULL && why_format != NULL);
    err->kind = kind;
    va_start(arguments, why_format);
    int what_bytes = snprintf(err->what, sizeof err->what, "%s", what);
    int why_bytes = vsnprintf(err->why, sizeof err->why, why_format, arguments);
    va_end(arguments);
    err_tidy(err->what, sizeof err->what, what_bytes > 0 ? (size_t)what_bytes : 0);
    err_tidy(err->why, sizeof err->why, why_bytes > 0 ? (size_t)why_bytes : 0);
}
