#include "text/ids.h"

#include <limits.h>
#include <string.h>

#include "base/number.h"

size_t ids_next(size_t *at, const char *text, size_t size) {
    static const char between[] = {',', ' ', '\t', '\r', '\n'};
    size_t bytes = 0;
    while (*at < size && memchr(between, text[*at], sizeof between) != NULL)
        ++*at;
    while (*at + bytes < size && memchr(between, text[*at + bytes], sizeof between) == NULL)
        bytes++;
    return bytes;
}

bool ids_split(TokenList *out, const char *text, size_t size, const TextResources *resources,
               Err *err) {
    (void)resources, (void)err;
    for (size_t at = 0, bytes; (bytes = ids_next(&at, text, size)) > 0; at += bytes)
        token_add(out, at, bytes, ids_number(text + at, bytes));
    return true;
}

int ids_number(const char *bytes, size_t size) {
    long long number;
    bool is_number = size > 0 && bytes[0] >= '0' && bytes[0] <= '9' &&
                     number_parse_int(&number, bytes, size) && number <= INT_MAX;
    return is_number ? (int)number : -1;
}
