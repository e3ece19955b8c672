#include "model/analysis/factor_transform.h"

#include <assert.h>
#include <math.h>

#include "base/rng.h"
#include "math/decompose.h"

#define PI      3.14159265358979323846
#define STRETCH 2.0 /* largest exponent of the factors in S, reached at turn = 1 */

/* Random streams of the transform's seed: for the orthogonal matrix O, and for the angles of the
 * rotation B. */
enum { STREAM_FRAME, STREAM_ANGLES };

bool factor_transform_frame(Mat *frame, uint64_t seed, Err *err) {
    mat_normals(frame, rng_stream(seed, STREAM_FRAME), 0, 1);
    return decompose_orthogonal(frame, err);
}

/* Return the factor by which S stretches direction k. Even k take the factors from the smallest up,
 * odd k from the largest down, so that the two directions of a pair differ much. */
static double stretch_of(const FactorTransform *transform, int k, int m) {
    int place = k % 2 == 0 ? k / 2 : m - 1 - k / 2;
    double exponent = m > 1 ? 2.0 * place / (m - 1) - 1 : 1;
    return transform->is_rotation ? 1 : exp(STRETCH * (double)transform->turn * exponent);
}

/* Fill own and other (1, m) so that column k of out = within·S·B (right side: within·S⁻¹·B) is
 * own[k] times column k of within plus other[k] times the other column of its pair. B is a
 * rotation, so B⁻ᵀ = B. The last column of an odd m has no pair. */
static void set_factors(Mat *own, Mat *other, const FactorTransform *transform, FactorSide side) {
    int m = own->cols;
    Rng rng = rng_stream(transform->seed, STREAM_ANGLES);
    for (int k = 0; k < m; k++) {
        int even = k - k % 2, odd = even + 1;
        bool is_alone = odd == m;
        double angle =
            is_alone ? 0 : PI * (double)transform->turn * rng_uniform(rng, (uint64_t)even);
        double mine = stretch_of(transform, k, m);
        double theirs = is_alone ? 1 : stretch_of(transform, k == even ? odd : even, m);
        mine = side == FACTOR_LEFT ? mine : 1 / mine;
        theirs = side == FACTOR_LEFT ? theirs : 1 / theirs;
        own->at[k] = (float)(mine * cos(angle));
        other->at[k] = (float)(theirs * (k == even ? sin(angle) : -sin(angle)));
    }
}

void factor_transform_apply(Mat *out, const Mat *within, const Mat *frame,
                            const FactorTransform *transform, FactorSide side, Arena *scratch) {
    assert(out->rows == within->rows && out->cols == within->cols && frame->rows == within->cols);
    size_t mark = scratch->used;
    int m = within->cols;
    Mat own = mat_push(scratch, 1, m), other = mat_push(scratch, 1, m);
    Mat transformed = mat_push(scratch, within->rows, m);
    set_factors(&own, &other, transform, side);
    for (int i = 0; i < within->rows; i++) {
        const float *from = mat_row(within, i);
        float *to = mat_row(&transformed, i);
        for (int k = 0; k + 1 < m; k += 2) {
            to[k] = own.at[k] * from[k] + other.at[k] * from[k + 1];
            to[k + 1] = own.at[k + 1] * from[k + 1] + other.at[k + 1] * from[k];
        }
        if (m % 2 != 0)
            to[m - 1] = own.at[m - 1] * from[m - 1];
    }
    mat_mul_bt(out, &transformed, frame, 1);
    scratch->used = mark;
}

uint64_t factor_transform_scratch_bytes(int E, int m) {
    return mat_bytes(E, m) + mat_bytes(1, m) + mat_bytes(1, m);
}

double factor_transform_moved(const Mat *a, const Mat *b) {
    double moved = 0, all = 0;
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->cols; j++) {
            double was = (double)mat_row(a, i)[j], d = (double)mat_row(b, i)[j] - was;
            moved += d * d;
            all += was * was;
        }
    return all > 0 ? sqrt(moved / all) : moved > 0 ? INFINITY : 0;
}
