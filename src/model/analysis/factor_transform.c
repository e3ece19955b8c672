#include "model/analysis/factor_transform.h"

#include <assert.h>
#include <math.h>

#include "base/rng.h"
#include "math/decompose.h"

#define PI      3.14159265358979323846
#define STRETCH 2.0 /* largest exponent of the factors in S, reached at turn = 1 */

/* Random streams of the seed: for O, and for the angles of B. */
enum { STREAM_FRAME, STREAM_ANGLES };

bool factor_transform_frame(Mat *frame, uint64_t seed, Err *err) {
    mat_normals(frame, rng_stream(seed, STREAM_FRAME), 0, 1);
    return decompose_orthogonal(frame, err);
}

/* Return the factor by which S stretches direction k. Even k get the factors from the smallest up,
 * odd k from the largest down, so that the two factors of most pairs differ much. */
static double stretch_of(const FactorTransform *transform, int k, int m) {
    int place = k % 2 == 0 ? k / 2 : m - 1 - k / 2;
    double exponent = m > 1 ? 2.0 * place / (m - 1) - 1 : 1;
    return transform->is_rotation ? 1 : exp(STRETCH * (double)transform->turn * exponent);
}

/* Column k of within·S·B (right side: within·S⁻¹·B) depends on columns k and k + 1 or k − 1 of
 * within, which are a pair. B is a rotation, so B⁻ᵀ = B. The last column of an odd m has no pair.
 */
void factor_transform_apply(Mat *out, const Mat *within, const Mat *frame,
                            const FactorTransform *transform, FactorSide side, Arena *scratch) {
    assert(out->rows == within->rows && out->cols == within->cols && frame->rows == within->cols);
    size_t mark = scratch->used;
    int m = within->cols;
    Rng rng = rng_stream(transform->seed, STREAM_ANGLES);
    Mat transformed = mat_push(scratch, within->rows, m);
    for (int k = 0; k < m; k += 2) {
        bool is_alone = k + 1 == m;
        double angle = is_alone ? 0 : PI * (double)transform->turn * rng_uniform(rng, (uint64_t)k);
        double even = stretch_of(transform, k, m);
        double odd = is_alone ? 1 : stretch_of(transform, k + 1, m);
        even = side == FACTOR_LEFT ? even : 1 / even;
        odd = side == FACTOR_LEFT ? odd : 1 / odd;
        const float own[] = {(float)(even * cos(angle)), (float)(odd * cos(angle))};
        const float other[] = {(float)(odd * sin(angle)), (float)(even * -sin(angle))};
        for (int i = 0; i < within->rows; i++) {
            const float *from = mat_row(within, i) + k;
            float *to = mat_row(&transformed, i) + k;
            to[0] = own[0] * from[0] + (is_alone ? 0 : other[0] * from[1]);
            if (!is_alone)
                to[1] = own[1] * from[1] + other[1] * from[0];
        }
    }
    mat_mul_bt(out, &transformed, frame, 1);
    scratch->used = mark;
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
