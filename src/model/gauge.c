#include "model/gauge.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"

#define PI      3.14159265358979323846
#define STRETCH 6.0 /* the largest exponent at turn 1 */

/* Streams of the gauge's seed. */
enum { STREAM_TURN, STREAM_ANGLES, STREAM_STRETCH };

size_t gauge_scratch_bytes(int m) {
    size_t square = mat_bytes(m, m);
    return mat_bytes_add(square, mat_bytes_add(square, square));
}

static bool draw_orthogonal(Mat *m, uint64_t seed, uint64_t stream, Err *err) {
    Rng rng = rng_stream(seed, stream);
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            mat_row(m, i)[j] =
                (float)rng_normal(rng, (uint64_t)i * (uint64_t)m->cols + (uint64_t)j);
    return mat_orthogonalise(m, err);
}

/* out = o·B, B turning each pair of columns. */
static void turn_pairs(Mat *out, const Mat *o, const Gauge *gauge) {
    Rng rng = rng_stream(gauge->seed, STREAM_ANGLES);
    mat_copy(out, o);
    for (int k = 0; k + 1 < o->cols; k += 2) {
        double angle = PI * (double)gauge->turn * rng_uniform(rng, (uint64_t)k);
        float c = (float)cos(angle), s = (float)sin(angle);
        for (int i = 0; i < o->rows; i++) {
            float a = mat_row(o, i)[k], b = mat_row(o, i)[k + 1];
            mat_row(out, i)[k] = c * a + s * b;
            mat_row(out, i)[k + 1] = c * b - s * a;
        }
    }
}

/* out = p·diag(e^{±exponents})·pᵀ. */
static void stretch(Mat *out, const Mat *p, float turn, double sign, Mat *room) {
    int m = p->cols;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            double at = m > 1 ? 2.0 * j / (m - 1) - 1 : 1;
            mat_row(room, i)[j] =
                (float)((double)mat_row(p, i)[j] * exp(sign * STRETCH * (double)turn * at));
        }
    mat_mul_bt(out, room, p, 1);
}

static void set_identity(Mat *m) {
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            mat_row(m, i)[j] = i == j ? 1 : 0;
}

/* R = rotation·stretch, and R⁻ᵀ = rotation·stretch⁻¹, since the stretch is symmetric. */
static bool stretch_both(Mat *r, Mat *inverse, const Gauge *gauge, Mat *rotation, Mat *p, Mat *room,
                         Err *err) {
    if (!draw_orthogonal(p, gauge->seed, STREAM_STRETCH, err))
        return false;
    mat_copy(rotation, r);
    stretch(inverse, p, gauge->turn, 1, room);
    mat_mul(r, rotation, inverse, 1);
    Mat *unstretched = room;
    stretch(inverse, p, gauge->turn, -1, unstretched);
    mat_copy(room, inverse);
    mat_mul(inverse, rotation, room, 1);
    return true;
}

bool gauge_make(Mat *r, Mat *inverse, double *condition, const Gauge *gauge, Arena *scratch,
                Err *err) {
    int m = r->rows;
    size_t mark = scratch->used;
    set_identity(r);
    set_identity(inverse);
    *condition = 1;
    if (gauge->turn == 0)
        return true;
    Mat o = mat_push(scratch, m, m), p = mat_push(scratch, m, m), room = mat_push(scratch, m, m);
    bool made = draw_orthogonal(&o, gauge->seed, STREAM_TURN, err);
    if (made) {
        turn_pairs(&room, &o, gauge);
        mat_mul_bt(r, &room, &o, 1);
        mat_copy(inverse, r);
    }
    if (made && !gauge->is_rotation) {
        made = stretch_both(r, inverse, gauge, &o, &p, &room, err);
        *condition = m > 1 ? exp(2 * STRETCH * (double)gauge->turn) : 1;
    }
    scratch->used = mark;
    return made;
}

double gauge_moved(const Mat *a, const Mat *b) {
    double moved = 0, all = 0;
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->cols; j++) {
            double was = (double)mat_row(a, i)[j], d = (double)mat_row(b, i)[j] - was;
            moved += d * d;
            all += was * was;
        }
    return all > 0 ? sqrt(moved / all) : moved > 0 ? INFINITY : 0;
}
