/* npy.h: the header of a NumPy array file. Pure.
 * Source: the format's description, numpy.lib.format: "\x93NUMPY", two bytes of version, the
 * header's length in two or four bytes, little-endian, then a Python dictionary as text. */
#ifndef HEADLIGHT_IO_NPY_H
#define HEADLIGHT_IO_NPY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define NPY_RANK_MAX   8
#define NPY_HEADER_MAX 1024 /* bytes of a header read or written, all of it */

/* What an array's entries are. */
typedef enum NpyKind {
    NPY_FLOAT,   /* width 2, 4 or 8 bytes */
    NPY_UNICODE, /* a text of width / 4 code points of 4 bytes, padded with 0 */
    NPY_BYTES,   /* a text of width bytes, padded with 0 */
    NPY_OTHER,   /* a known type of that many bytes that is none of these: whole numbers, … */
} NpyKind;

typedef struct NpyHeader {
    NpyKind kind;
    size_t width; /* bytes of one entry */
    bool big_endian;
    bool fortran_order; /* the first dimension varies fastest */
    int rank;           /* 0 is a single entry; a dimension may be 0 */
    size_t shape[NPY_RANK_MAX];
    size_t count; /* entries */
    size_t bytes; /* of the header: the data follow */
} NpyHeader;

/* Write a header of version 1.0 and return its length, a multiple of 64, for entries of that
 * description ("<f4") in C order. */
size_t npy_write_header(char out[NPY_HEADER_MAX], const char *description, const size_t *shape,
                        int rank);

/* Read the header at the start of bytes[0..size), which may go on behind it. Strict: only the three
 * keys, each once, and only whole numbers. Fails, naming what as the array and the byte in it, for
 * Python objects, structured types, an array whose bytes do not fit a size_t, and whatever the
 * format forbids; headers longer than NPY_HEADER_MAX too. */
bool npy_read_header(NpyHeader *out, const char *what, const void *bytes, size_t size, Err *err);

#endif
