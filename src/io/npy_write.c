#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "io/npy.h"

#define ALIGN  64 /* bytes: the data start at a multiple */
#define BEFORE 10 /* bytes before the dictionary, in version 1.0 */

size_t npy_write_header(char out[NPY_HEADER_MAX], const char *description, const size_t *shape,
                        int rank) {
    assert(rank >= 0 && rank <= NPY_RANK_MAX);
    char dictionary[NPY_HEADER_MAX];
    size_t used =
        (size_t)snprintf(dictionary, sizeof dictionary,
                         "{'descr': '%s', 'fortran_order': False, 'shape': (", description);
    for (int i = 0; i < rank; i++)
        used += (size_t)snprintf(dictionary + used, sizeof dictionary - used, "%s%zu",
                                 i > 0 ? ", " : "", shape[i]);
    used += (size_t)snprintf(dictionary + used, sizeof dictionary - used, "%s), }",
                             rank == 1 ? "," : "");
    size_t total = (BEFORE + used + 1 + ALIGN - 1) / ALIGN * ALIGN;
    assert(total <= NPY_HEADER_MAX);
    size_t length = total - BEFORE;
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    out[8] = (char)(length & 0xff);
    out[9] = (char)(length >> 8);
    memcpy(out + BEFORE, dictionary, used);
    memset(out + BEFORE + used, ' ', length - used);
    out[total - 1] = '\n';
    return total;
}
