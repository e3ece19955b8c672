/* framed.h: matrices with a frame that must not change. */
#ifndef HEADLIGHT_TESTS_MATH_FRAMED_H
#define HEADLIGHT_TESTS_MATH_FRAMED_H

#include <stdint.h>

#include "math/mat.h"

/* A matrix of normal samples in the middle of a larger one filled with one number, so that writes
 * or reads outside it are found. */
typedef struct Framed {
    float *block; /* to be freed */
    int rows, cols;
    Mat m;
} Framed;

Framed framed(int rows, int cols, uint64_t stream);

void assert_frame_untouched(const Framed *f);

#endif
