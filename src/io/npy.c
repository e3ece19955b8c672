#include "io/npy.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool fail(const char *what, const char *why, Err *err) {
    return err_fail(err, what, "its npy header: %s", why);
}

/* Return the text of the dictionary from the value of a key on, without an opening quote; "" if the
 * key is missing. */
static const char *value_of(const char *dictionary, const char *key) {
    const char *at = strstr(dictionary, key);
    at = at != NULL ? at + strlen(key) : strchr(dictionary, '\0');
    return at + strspn(at, "'\" :");
}

/* Read a type such as <f4: byte order, kind, width. */
static bool read_type(NpyHeader *out, const char *what, const char *type, Err *err) {
    if (type[0] == '[')
        return fail(what, "descr is of a structured array; save each field as an array of its own",
                    err);
    const char *kind = type + strspn(type, "<>|=");
    if (kind[0] == 'O')
        return fail(what, "it holds pickled Python objects, which are not read; save numbers", err);
    size_t digits = strspn(kind + 1, "0123456789");
    if (kind[0] == '\0' || strchr("fUSbiucmMV", kind[0]) == NULL || digits < 1 || digits > 9)
        return fail(what, "descr is not a known type, such as '<f4'", err);
    out->big_endian = type[0] == '>';
    out->kind = kind[0] == 'U'   ? NPY_UNICODE
                : kind[0] == 'S' ? NPY_BYTES
                : kind[0] == 'f' ? NPY_FLOAT
                                 : NPY_OTHER;
    out->width = strtoul(kind + 1, NULL, 10) * (out->kind == NPY_UNICODE ? 4 : 1);
    return true;
}

/* Read a tuple such as (4, 64, 16), and count the entries. Skip the L that Python 2 wrote after a
 * long number. */
static bool read_shape(NpyHeader *out, const char *what, const char *at, Err *err) {
    size_t limit = SIZE_MAX / 16 / (out->width > 0 ? out->width : 1);
    out->count = 1;
    errno = 0;
    if (at[0] != '(')
        return fail(what, "shape must be a tuple such as (4, 64, 16)", err);
    const char *first = at;
    bool comma = true;
    at += 1 + strspn(at + 1, " ");
    while (comma && isdigit((unsigned char)*at)) {
        char *end;
        if (out->rank == NPY_RANK_MAX)
            return fail(what, "shape must be a tuple of at most 8 numbers", err);
        size_t size = out->shape[out->rank++] = strtoul(at, &end, 10);
        if (errno != 0 || (size != 0 && out->count > limit / size))
            return fail(what, "shape has more entries than memory can hold", err);
        out->count *= size;
        at = end + (*end == 'L');
        at += strspn(at, " ");
        comma = *at == ',';
        at += comma + strspn(at + comma, " ");
    }
    if (*at != ')')
        return fail(what, "shape must have whole numbers from 0 up", err);
    return out->rank != 1 || memchr(first, ',', (size_t)(at - first)) != NULL ||
           fail(what, "shape is not a tuple, because it has no comma", err);
}

/* True if the text is a dictionary of three keys, with nothing after it. */
static bool is_dictionary(const char *text, size_t size) {
    const char *end = strrchr(text, '}');
    int keys = 0;
    for (size_t i = 0; i < size; i++)
        keys += text[i] == ':';
    return strlen(text) == size && text[0] == '{' && keys == 3 && end != NULL &&
           end[1 + strspn(end + 1, " \n")] == '\0';
}

bool npy_read_header(NpyHeader *out, const char *what, const void *bytes, size_t size, Err *err) {
    const unsigned char *from = bytes;
    char dictionary[NPY_HEADER_MAX + 1] = "";
    *out = (NpyHeader){0};
    if (size < 12 || memcmp(from, "\x93NUMPY", 6) != 0)
        return fail(what, "this is no npy array", err);
    size_t before = from[6] == 1 ? 10 : 12, length = from[8] | (size_t)from[9] << 8;
    if (before == 12)
        length |= (size_t)from[10] << 16 | (size_t)from[11] << 24;
    if (from[6] < 1 || from[6] > 3 || from[7] != 0)
        return fail(what, "its version is not 1.0, 2.0 or 3.0", err);
    if (length > NPY_HEADER_MAX - before)
        return fail(what, "its length is more than 1 KiB, the limit", err);
    if (length > size - before)
        return fail(what, "its length reaches past the end of the array", err);
    memcpy(dictionary, from + before, length);
    out->bytes = before + length;
    if (!is_dictionary(dictionary, length))
        return fail(what, "it must be a dictionary of descr, fortran_order and shape, each once",
                    err);
    const char *order = value_of(dictionary, "fortran_order");
    out->fortran_order = strncmp(order, "True", 4) == 0;
    if (!out->fortran_order && strncmp(order, "False", 5) != 0)
        return fail(what, "fortran_order must be True or False", err);
    return read_type(out, what, value_of(dictionary, "descr"), err) &&
           read_shape(out, what, value_of(dictionary, "shape"), err);
}
