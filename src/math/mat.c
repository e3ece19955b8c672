#include "math/mat.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/job.h"
#include "math/gemm.h"
#include "math/lanes.h"

#define DRAWS 512 /* entries that are sampled at a time */

uint64_t mat_bytes(int rows, int cols) {
    assert(rows >= 0 && cols >= 0);
    return arena_padded((uint64_t)rows * (uint64_t)cols * sizeof(float));
}

Mat mat_push(Arena *arena, int rows, int cols) {
    float *at = arena_push(arena, (size_t)rows * (size_t)cols * sizeof *at);
    return (Mat){at, rows, cols, cols};
}

Mat mat_cols(const Mat *m, int first, int count) {
    assert(first >= 0 && count >= 0 && first <= m->cols - count);
    return (Mat){m->at + first, m->rows, count, m->stride};
}

Mat mat_rows(const Mat *m, int first, int count) {
    assert(first >= 0 && count >= 0 && first <= m->rows - count);
    return (Mat){mat_row(m, first), count, m->cols, m->stride};
}

Mat mat_gapless(const Mat *m) {
    bool whole = m->stride == m->cols && m->cols > 0 && m->rows <= INT_MAX / m->cols;
    int entries = whole ? m->rows * m->cols : 0;
    return whole ? (Mat){m->at, 1, entries, entries} : *m;
}

void mat_mul(Mat *out, const Mat *a, const Mat *b, float factor) {
    gemm(out, a, b, &(GemmPlan){.factor = factor});
}

void mat_mul_bt(Mat *out, const Mat *a, const Mat *b, float factor) {
    gemm(out, a, b, &(GemmPlan){.factor = factor, .transpose_b = true});
}

void mat_mul_at(Mat *out, const Mat *a, const Mat *b, float factor) {
    gemm(out, a, b, &(GemmPlan){.factor = factor, .transpose_a = true});
}

void mat_copy(Mat *out, const Mat *a) {
    assert(out->rows == a->rows && out->cols == a->cols);
    for (int i = 0; i < a->rows; i++)
        memcpy(mat_row(out, i), mat_row(a, i), (size_t)a->cols * sizeof *a->at);
}

Mat mat_push_copy(Arena *arena, const Mat *m) {
    Mat copy = mat_push(arena, m->rows, m->cols);
    mat_copy(&copy, m);
    return copy;
}

void mat_diagonal(Mat *m, float value) {
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            mat_row(m, i)[j] = i == j ? value : 0;
}

void mat_normals(Mat *m, Rng rng, uint64_t first, double factor) {
    uint64_t entries = (uint64_t)m->rows * (uint64_t)m->cols;
    double draws[DRAWS];
    for (uint64_t done = 0; done < entries; done += DRAWS) {
        int count = entries - done < DRAWS ? (int)(entries - done) : DRAWS;
        int row = (int)(done / (uint64_t)m->cols), col = (int)(done % (uint64_t)m->cols);
        job_breathe();
        rng_normals(draws, rng, first + done, (size_t)count);
        for (int k = 0; k < count; row++, col = 0)
            for (float *out = mat_row(m, row); col < m->cols && k < count; col++, k++)
                out[col] = (float)(factor * draws[k]);
    }
}

void mat_add_rows(Mat *m, const Mat *more) {
    for (int i = 0; i < m->rows; i++) {
        const float *from = mat_row(more, more->rows == 1 ? 0 : i);
        float *row = mat_row(m, i);
        for (int j = 0; j < m->cols; j++)
            row[j] += from[j];
    }
}

void mat_scale_cols(Mat *m, const double *factors) {
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            mat_row(m, i)[j] = (float)((double)mat_row(m, i)[j] * factors[j]);
}

static void transpose_square(Mat *out, const Mat *a, int i, int j) {
    float *to = mat_row(out, j) + i;
    const float *from = mat_row(a, i) + j;
    int rows = a->rows - i, cols = a->cols - j;
    if (rows >= LANES && cols >= LANES) {
        lanes_transpose(to, out->stride, from, a->stride, LANES, LANES);
        return;
    }
    for (int r = 0; r < rows && r < LANES; r++)
        for (int c = 0; c < cols && c < LANES; c++)
            to[c * out->stride + r] = from[r * a->stride + c];
}

void mat_transpose(Mat *out, const Mat *a) {
    assert(out->rows == a->cols && out->cols == a->rows);
    for (int i = 0; i < a->rows; i += LANES)
        for (int j = 0; j < a->cols; j += LANES)
            transpose_square(out, a, i, j);
}

/* This function and the next ones compare magnitudes as integers, so that the loops vectorise:
 * without the sign bit, the bits of floats sort like their magnitudes, with non-finite values above
 * all others. */
float row_difference(const float *a, const float *b, const uint8_t *open, int count) {
    int32_t most = 0;
    for (int j = 0; j < count; j++) {
        float away = a[j] - b[j];
        int32_t bits;
        memcpy(&bits, &away, sizeof bits);
        bits = open == NULL || open[j] ? bits & INT32_MAX : 0;
        most = bits > most ? bits : most;
    }
    float largest;
    memcpy(&largest, &most, sizeof largest);
    return largest;
}

float mat_max_difference(const Mat *a, const Mat *b) {
    assert(a->rows == b->rows && a->cols == b->cols);
    float largest = 0;
    for (int i = 0; i < a->rows && !isnan(largest); i++) {
        float here = row_difference(mat_row(a, i), mat_row(b, i), NULL, a->cols);
        largest = here <= largest ? largest : here;
    }
    return largest;
}

float mat_largest(const Mat *m) {
    int32_t most = 0;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++) {
            int32_t bits;
            memcpy(&bits, &mat_row(m, i)[j], sizeof bits);
            bits &= INT32_MAX;
            bits = bits < 0x7F800000 ? bits : 0; /* not finite */
            most = bits > most ? bits : most;
        }
    float largest;
    memcpy(&largest, &most, sizeof largest);
    return largest;
}

int mat_largest_first(int *out, int most, const float *values, int count) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        int at = found;
        if (!isfinite(values[i]))
            continue;
        for (; at > 0 && values[out[at - 1]] < values[i]; at--)
            if (at < most)
                out[at] = out[at - 1];
        if (at < most)
            out[at] = i;
        found += found < most;
    }
    return found;
}

bool mat_is_finite(const Mat *m) {
    for (int i = 0; i < m->rows; i++)
        if (!isfinite(row_largest(mat_row(m, i), m->cols)))
            return false;
    return true;
}

uint64_t mat_hash(uint64_t hash, const Mat *m) {
    const uint64_t shape[] = {hash, (uint64_t)m->rows, (uint64_t)m->cols};
    hash = rng_hash(shape, sizeof shape);
    for (int i = 0; i < m->rows; i++) {
        const uint64_t row[] = {hash, rng_hash(mat_row(m, i), (size_t)m->cols * sizeof *m->at)};
        hash = rng_hash(row, sizeof row);
    }
    return hash;
}

float row_largest(const float *row, int count) {
    int32_t most = 0;
    for (int j = 0; j < count; j++) {
        int32_t bits;
        memcpy(&bits, &row[j], sizeof bits);
        bits &= INT32_MAX;
        most = bits > most ? bits : most;
    }
    float largest;
    memcpy(&largest, &most, sizeof largest);
    return largest;
}
