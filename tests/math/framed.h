/* framed.h: matrices whose surroundings are watched. */
#ifndef HEADLIGHT_TESTS_MATH_FRAMED_H
#define HEADLIGHT_TESTS_MATH_FRAMED_H

#include <stdint.h>

#include "math/mat.h"

/* A matrix of normal draws in the middle of a larger one that is full of one number: what is
 * written beside it, or read from there, shows. */
typedef struct Framed {
    float *block; /* to be freed */
    int rows, cols;
    Mat m;
} Framed;

Framed framed(int rows, int cols, uint64_t stream);

void assert_frame_untouched(const Framed *f);

#endif
