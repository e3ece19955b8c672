#include "base/pairs.h"

#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *trim(const char *bytes, size_t *size) {
    while (*size > 0 && is_blank(bytes[*size - 1]))
        --*size;
    for (; *size > 0 && is_blank(*bytes); bytes++)
        --*size;
    return bytes;
}

bool pairs_next(Pairs *pairs, Pair *out) {
    if (pairs->at == 0 && pairs->size >= 3 && memcmp(pairs->bytes, "\xEF\xBB\xBF", 3) == 0)
        pairs->at = 3;
    while (pairs->at < pairs->size) {
        const char *line = pairs->bytes + pairs->at;
        const char *end = memchr(line, '\n', pairs->size - pairs->at);
        size_t size = end != NULL ? (size_t)(end - line) : pairs->size - pairs->at;
        pairs->at += size + (end != NULL);
        pairs->line++;
        line = trim(line, &size);
        if (size == 0 || line[0] == '#')
            continue;
        const char *equals = line[0] != '=' ? memchr(line, '=', size) : NULL;
        *out = (Pair){.key_bytes = equals != NULL ? (size_t)(equals - line) : size};
        out->key = trim(line, &out->key_bytes);
        if (equals == NULL)
            return true;
        out->value_bytes = size - (size_t)(equals - line) - 1;
        out->value = trim(equals + 1, &out->value_bytes);
        return true;
    }
    return false;
}

bool pairs_next_joined(Pairs *pairs, Pair *out) {
    while (pairs->at < pairs->size && pairs->bytes[pairs->at] == '&')
        pairs->at++;
    if (pairs->at >= pairs->size)
        return false;
    const char *key = pairs->bytes + pairs->at, *end = memchr(key, '&', pairs->size - pairs->at);
    size_t size = end != NULL ? (size_t)(end - key) : pairs->size - pairs->at;
    const char *equals = key[0] != '=' ? memchr(key, '=', size) : NULL;
    *out = (Pair){.key = key, .key_bytes = equals != NULL ? (size_t)(equals - key) : size};
    out->value = equals != NULL ? equals + 1 : NULL;
    out->value_bytes = equals != NULL ? size - out->key_bytes - 1 : 0;
    pairs->at += size;
    return true;
}

bool pair_is(const Pair *pair, const char *key) {
    return pair->key_bytes == strlen(key) && memcmp(pair->key, key, pair->key_bytes) == 0;
}
