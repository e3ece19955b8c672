#include <stdint.h>
#include <string.h>

#include "io/npy.h"

/* The dictionary that is being read, up to byte `at`. */
typedef struct Reader {
    const char *bytes;
    size_t size, at;
    const char *what;
    Err *err;
} Reader;

static bool fail(const Reader *r, const char *why) {
    return err_fail(r->err, r->what, "its npy header, at byte %zu: %s", r->at, why);
}

static void skip_blanks(Reader *r) {
    while (r->at < r->size && (r->bytes[r->at] == ' ' || r->bytes[r->at] == '\n'))
        r->at++;
}

static bool skip_word(Reader *r, const char *word) {
    size_t size = strlen(word);
    skip_blanks(r);
    if (size > r->size - r->at || memcmp(r->bytes + r->at, word, size) != 0)
        return false;
    r->at += size;
    return true;
}

/* Read a quoted text without escapes. */
static bool take_text(Reader *r, const char **text, size_t *size) {
    skip_blanks(r);
    char quote = r->at < r->size ? r->bytes[r->at] : '\0';
    if (quote != '\'' && quote != '"')
        return false;
    const char *from = r->bytes + r->at + 1;
    const char *end = memchr(from, quote, r->size - r->at - 1);
    if (end == NULL || memchr(from, '\\', (size_t)(end - from)) != NULL)
        return false;
    *text = from;
    *size = (size_t)(end - from);
    r->at += *size + 2;
    return true;
}

static bool is_digit(const Reader *r) {
    return r->at < r->size && r->bytes[r->at] >= '0' && r->bytes[r->at] <= '9';
}

/* Read a whole number. Skip the L that Python 2 wrote after a long one. */
static bool take_number(Reader *r, size_t *number) {
    skip_blanks(r);
    *number = 0;
    if (!is_digit(r))
        return false;
    for (; is_digit(r); r->at++) {
        size_t digit = (size_t)(r->bytes[r->at] - '0');
        if (*number > (SIZE_MAX - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    if (r->at < r->size && r->bytes[r->at] == 'L')
        r->at++;
    return true;
}

/* Read a type such as "<f4": byte order, kind, width. */
static bool read_description(NpyHeader *out, Reader *r) {
    static const char kinds[] = "fUSbiucmMV";
    const char *text;
    size_t size;
    if (skip_word(r, "["))
        return fail(r, "descr is of a structured array; save each field as an array of its own");
    if (!take_text(r, &text, &size) || size < 1)
        return fail(r, "descr must be a text such as '<f4'");
    char order = strchr("<>|=", text[0]) != NULL ? text[0] : '\0';
    const char *kind = order != '\0' ? text + 1 : text;
    if (kind[0] == 'O')
        return fail(r, "it holds pickled Python objects, which are not read; save numbers");
    Reader number = {kind + 1, size - (size_t)(kind + 1 - text), 0, NULL, NULL};
    if (kind[0] == '\0' || strchr(kinds, kind[0]) == NULL || !take_number(&number, &out->width))
        return fail(r, "descr is not a known type, such as '<f4'");
    out->big_endian = order == '>';
    out->kind = kind[0] == 'U'   ? NPY_UNICODE
                : kind[0] == 'S' ? NPY_BYTES
                : kind[0] == 'f' ? NPY_FLOAT
                                 : NPY_OTHER;
    if (out->kind != NPY_UNICODE)
        return true;
    if (out->width > SIZE_MAX / 4)
        return fail(r, "descr needs more bytes than memory has");
    out->width *= 4;
    return true;
}

static bool read_order(NpyHeader *out, Reader *r) {
    out->fortran_order = skip_word(r, "True");
    return out->fortran_order || skip_word(r, "False") ||
           fail(r, "fortran_order must be True or False");
}

static bool read_shape(NpyHeader *out, Reader *r) {
    if (!skip_word(r, "("))
        return fail(r, "shape must be a tuple such as (4, 64, 16)");
    bool comma = true;
    while (!skip_word(r, ")")) {
        if (!comma || out->rank == NPY_RANK_MAX)
            return fail(r, "shape must be a tuple of at most 8 numbers");
        if (!take_number(r, &out->shape[out->rank++]))
            return fail(r, "shape must have whole numbers from 0 up that fit into memory");
        comma = skip_word(r, ",");
    }
    return out->rank != 1 || comma || fail(r, "shape is not a tuple, because it has no comma");
}

static bool read_dictionary(NpyHeader *out, Reader *r) {
    static const struct {
        const char *key;
        bool (*read)(NpyHeader *out, Reader *r);
    } keys[] = {{"descr", read_description}, {"fortran_order", read_order}, {"shape", read_shape}};
    bool seen[3] = {false}, comma = true;
    if (!skip_word(r, "{"))
        return fail(r, "a dictionary must begin here");
    while (!skip_word(r, "}")) {
        const char *key;
        size_t size, i = 0;
        if (!comma || !take_text(r, &key, &size) || !skip_word(r, ":"))
            return fail(r, "a key and its value must be here");
        while (i < 3 && (strlen(keys[i].key) != size || memcmp(keys[i].key, key, size) != 0))
            i++;
        if (i == 3 || seen[i])
            return fail(r, "keys must be descr, fortran_order and shape, each once");
        seen[i] = true;
        if (!keys[i].read(out, r))
            return false;
        comma = skip_word(r, ",");
    }
    skip_blanks(r);
    if (!seen[0] || !seen[1] || !seen[2])
        return fail(r, "descr, fortran_order or shape is missing");
    return r->at == r->size || fail(r, "something follows the dictionary");
}

static bool count_entries(NpyHeader *out, const Reader *r) {
    size_t limit = SIZE_MAX / 16 / (out->width > 0 ? out->width : 1);
    out->count = 1;
    for (int i = 0; i < out->rank; i++) {
        if (out->shape[i] != 0 && out->count > limit / out->shape[i])
            return fail(r, "shape has more entries than memory can hold");
        out->count *= out->shape[i];
    }
    return true;
}

bool npy_read_header(NpyHeader *out, const char *what, const void *bytes, size_t size, Err *err) {
    const unsigned char *from = bytes;
    Reader r = {bytes, size, 0, what, err};
    *out = (NpyHeader){0};
    if (size < 12 || memcmp(from, "\x93NUMPY", 6) != 0)
        return fail(&r, "this is no npy array");
    size_t before = from[6] == 1 ? 10 : 12;
    size_t length = from[8] | (size_t)from[9] << 8;
    if (before == 12)
        length |= (size_t)from[10] << 16 | (size_t)from[11] << 24;
    r.at = 6;
    if (from[6] < 1 || from[6] > 3 || from[7] != 0)
        return fail(&r, "its version is not 1.0, 2.0 or 3.0");
    r.at = 8;
    if (length > NPY_HEADER_MAX - before)
        return fail(&r, "its length is more than 1 KiB, the limit");
    if (length > size - before)
        return fail(&r, "its length reaches past the end of the array");
    out->bytes = before + length;
    r.size = out->bytes;
    r.at = before;
    return read_dictionary(out, &r) && count_entries(out, &r);
}
