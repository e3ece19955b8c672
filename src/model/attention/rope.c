#include "model/attention/rope.h"

#include <assert.h>
#include <math.h>

#define ROPE_BASE 10000

/* Return `angle`, the rotation from one position to the next, reduced as `factor` requires in
 * models that were adapted to longer texts. */
static double stretched(double angle, Rope rope) {
    double turns = (double)rope.old * angle / (2 * acos(-1)); /* turns in `old` positions */
    double kept = 0;
    if (!(rope.factor > 0))
        return angle;
    if (rope.old > 0 && turns > (double)rope.low)
        kept = fmin((turns - (double)rope.low) / (double)(rope.high - rope.low), 1);
    return kept * angle + (1 - kept) * angle / (double)rope.factor;
}

double rope_speed(int i, int count, Rope rope) {
    int width = rope.width > 0 && rope.width < count ? rope.width : count;
    double base = rope.base > 0 ? (double)rope.base : ROPE_BASE;
    assert(count % 2 == 0 && width % 2 == 0);
    return i < width ? stretched(pow(base, -(double)i / width), rope) : 0;
}

void rope_angles(float *rotations, int count, int position, Rope rope) {
    for (int i = 0; i < count; i += 2) {
        double angle = position * rope_speed(i, count, rope);
        rotations[i] = (float)cos(angle);
        rotations[i + 1] = (float)sin(angle);
    }
}

/* Rotate rows; sign -1 rotates backwards. */
static void rotate_rows(Mat *m, const Mat *rotations, float sign) {
    int width = rotations->cols;
    assert(width % 2 == 0 && m->cols % width == 0);
    assert(rotations->rows == 1 || rotations->rows == m->rows);
    for (int t = 0; t < m->rows; t++) {
        const float *angle = mat_row(rotations, rotations->rows == 1 ? 0 : t);
        float *row = mat_row(m, t);
        for (int first = 0; first < m->cols; first += width)
            for (int i = 0; i < width; i += 2) {
                float a = row[first + i], b = row[first + i + 1], sine = sign * angle[i + 1];
                row[first + i] = a * angle[i] - b * sine;
                row[first + i + 1] = a * sine + b * angle[i];
            }
    }
}

void rope_rotate(Mat *m, const Mat *rotations) {
    rotate_rows(m, rotations, 1);
}

void rope_rotate_back(Mat *m, const Mat *rotations) {
    rotate_rows(m, rotations, -1);
}
