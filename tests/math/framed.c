#include "math/framed.h"

#include <stdlib.h>

#include "base/rng.h"
#include "support/test.h"

#define UNTOUCHED 12345.0F

Framed framed(int rows, int cols, uint64_t stream) {
    Framed f = {NULL, rows + 2, cols + 5, {0}};
    f.block = malloc((size_t)f.rows * (size_t)f.cols * sizeof *f.block);
    assert_non_null(f.block);
    for (int e = 0; e < f.rows * f.cols; e++)
        f.block[e] = UNTOUCHED;
    f.m = (Mat){f.block + f.cols + 2, rows, cols, f.cols};
    Rng rng = rng_stream(7, stream);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            mat_row(&f.m, i)[j] = (float)rng_normal(rng, (uint64_t)(i * cols + j));
    return f;
}

void assert_frame_untouched(const Framed *f) {
    for (int i = 0; i < f->rows; i++)
        for (int j = 0; j < f->cols; j++) {
            bool inside = i >= 1 && i < f->rows - 1 && j >= 2 && j < f->cols - 3;
            assert_true(inside || f->block[i * f->cols + j] == UNTOUCHED);
        }
}
