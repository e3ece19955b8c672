#include "text/ids.h"

#include <limits.h>
#include <string.h>

#include "base/number.h"

bool ids_split(TokenList *out, const char *text, size_t size, const TextResources *resources,
               Err *err) {
    (void)resources, (void)err;
    for (size_t at = 0, bytes; at < size; at += bytes + (bytes == 0)) {
        bytes = 0;
        while (at + bytes < size && memchr(", \t\r\n", text[at + bytes], 5) == NULL)
            bytes++;
        if (bytes > 0)
            token_add(out, at, bytes);
    }
    return true;
}

int ids_number(const char *bytes, size_t size) {
    long long number;
    bool is_number = size > 0 && bytes[0] >= '0' && bytes[0] <= '9' &&
                     number_parse_int(&number, bytes, size) && number <= INT_MAX;
    return is_number ? (int)number : -1;
}
