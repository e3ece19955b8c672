#include "model/attention/rope.h"

#include <assert.h>
#include <math.h>

#define ROPE_BASE 10000

void rope_angles(float *turn, int count, int position) {
    assert(count % 2 == 0);
    for (int i = 0; i < count; i += 2) {
        double angle = position * pow(ROPE_BASE, -(double)i / count);
        turn[i] = (float)cos(angle);
        turn[i + 1] = (float)sin(angle);
    }
}

/* Rotate rows; sign -1 rotates backwards. */
static void turn_rows(Mat *m, const Mat *turn, float sign) {
    int width = turn->cols;
    assert(width % 2 == 0 && m->cols % width == 0);
    assert(turn->rows == 1 || turn->rows == m->rows);
    for (int t = 0; t < m->rows; t++) {
        const float *angle = mat_row(turn, turn->rows == 1 ? 0 : t);
        float *row = mat_row(m, t);
        for (int first = 0; first < m->cols; first += width)
            for (int i = 0; i < width; i += 2) {
                float a = row[first + i], b = row[first + i + 1], sine = sign * angle[i + 1];
                row[first + i] = a * angle[i] - b * sine;
                row[first + i + 1] = a * sine + b * angle[i];
            }
    }
}

void rope_turn(Mat *m, const Mat *turn) {
    turn_rows(m, turn, 1);
}

void rope_turn_back(Mat *m, const Mat *turn) {
    turn_rows(m, turn, -1);
}
