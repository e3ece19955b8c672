#include "model/attention/position.h"

#include <assert.h>
#include <math.h>

#include "base/rng.h"
#include "base/util.h"

static void add_sinusoidal(Mat *x, int first) {
    for (int c = 0; c < x->cols; c++) {
        double frequency = pow(10000, -(double)(c - c % 2) / x->cols);
        double (*wave)(double) = c % 2 == 0 ? sin : cos;
        for (int t = 0; t < x->rows; t++)
            mat_row(x, t)[c] += (float)wave((first + t) * frequency);
    }
}

static void add_learned(Mat *x, int first, uint64_t seed) {
    static const char name[] = "learned positions";
    Rng rng = rng_stream(seed, rng_hash(name, sizeof name - 1));
    for (int t = 0; t < x->rows; t++)
        for (int c = 0; c < x->cols; c++) {
            uint64_t index = (uint64_t)(first + t) * (uint64_t)x->cols + (uint64_t)c;
            mat_row(x, t)[c] += (float)(sqrt(0.5) * rng_normal(rng, index));
        }
}

static const Entry POSITION_ROWS[] = {
    [POSITION_NONE] = {"none", "None", "",
                       "Nothing is added: without a mask the layer cannot tell one order of the "
                       "tokens from another."},
    [POSITION_SINUSOIDAL] = {"sinusoidal", "Sinusoidal",
                             "p(t, 2i) = sin(t / 10000^(2i/D)), p(t, 2i+1) = cos(t / 10000^(2i/D))",
                             "Each pair of columns is a wave of the position: one period is about "
                             "6 tokens in the first pair and longer in each later pair."},
    [POSITION_LEARNED] =
        {"learned", "Learned", "p(t, c) ~ N(0, 1/2)",
         "A vector for each position, which training would learn; before training it is random."},
    [POSITION_ROPE] = {"rope", "Rotary", "q(t) → q(t)·R(t), k(t) → k(t)·R(t)",
                       "Nothing is added: pairs of columns of each query and key are rotated by "
                       "the position. Scores depend on positions only through the distance i − j."},
};
static_assert(ARRAY_COUNT(POSITION_ROWS) == POSITION_KIND_COUNT, "one row for each kind");

const Registry POSITIONS = REGISTRY("positions", "position encoding", POSITION_ROWS);

void position_add(Mat *x, int first, PositionKind kind, uint64_t seed) {
    assert(first >= 0);
    if (kind == POSITION_SINUSOIDAL)
        add_sinusoidal(x, first);
    else if (kind == POSITION_LEARNED)
        add_learned(x, first, seed);
}

#define ROPE_BASE 10000

/* Return `angle`, the rotation from one position to the next, reduced by `factor` (Rope). */
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

/* sign -1 rotates backwards. */
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
