/* npy.h: reads the header of a NumPy array file. Pure. Source: the description of the
 * format, numpy.lib.format: "\x93NUMPY", two bytes of version, the header's length in two or four
 * bytes, little-endian, then a Python dictionary as text. */
#ifndef HEADLIGHT_IO_NPY_H
#define HEADLIGHT_IO_NPY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define NPY_RANK_MAX   8
#define NPY_HEADER_MAX 1024 /* limit of bytes before the data */

typedef enum NpyKind {
    NPY_FLOAT,   /* width 2, 4 or 8 bytes */
    NPY_UNICODE, /* a text of width / 4 code points, 4 bytes each, padded with 0 */
    NPY_BYTES,   /* a text of width bytes, padded with 0 */
    NPY_OTHER,   /* another known type with width bytes, such as whole numbers */
} NpyKind;

typedef struct NpyHeader {
    NpyKind kind;
    size_t width; /* bytes of one entry */
    bool big_endian;
    bool fortran_order; /* true if the first dimension varies fastest */
    int rank;           /* number of dimensions; 0 is a single entry; a dimension may be 0 */
    size_t shape[NPY_RANK_MAX];
    size_t count;
    size_t bytes; /* number of bytes of the header; the data follow it */
} NpyHeader;

/* Read the header at the start of bytes[0..size); more bytes may follow it. Fails for Python
 * objects, structured types, an array whose bytes do not fit a size_t, and headers longer than
 * NPY_HEADER_MAX. Errors call the array `what`. */
bool npy_read_header(NpyHeader *out, const char *what, const void *bytes, size_t size, Err *err);

#endif
