#include "model/analysis/rope_offset_products.h"

#include "math/decompose.h"
#include "model/attention/position.h"

#define TERMS_BYTES_MAX ((size_t)256 << 20)
#define MS_MAX          20000.0
#define MS_OF_ENTRY     2e-6  /* ms per unit of (n + E)·n² work, with reference LAPACK */
#define SIDE_MAX        16384 /* largest T whose square fits an int */

static int narrower(int E, int m) {
    return m < E ? m : E;
}

/* Estimate the milliseconds to decompose the W_QK of all 2T − 1 distances. */
static double family_ms(int T, int E, int m) {
    double n = narrower(E, m);
    return (2.0 * T - 1) * (n + E) * n * n * MS_OF_ENTRY;
}

bool rope_offset_products_fit(int T, int E, int m) {
    return T <= SIDE_MAX && rope_offset_products_bytes(T, E, m) <= TERMS_BYTES_MAX &&
           family_ms(T, E, m) <= MS_MAX;
}

uint64_t rope_offset_products_bytes(int T, int E, int m) {
    return mat_bytes(T * T, narrower(E, m));
}

/* The pairs of tokens at one distance: their rows of the input, for queries and for keys. */
typedef struct Pairs {
    Mat queries, keys;
    int first_query, first_key;
} Pairs;

static Pairs pairs_at(const Mat *input, int offset) {
    int count = input->rows - (offset < 0 ? -offset : offset);
    int query = offset > 0 ? offset : 0, key = query - offset;
    return (Pairs){mat_rows(input, query, count), mat_rows(input, key, count), query, key};
}

static Mat rotated_left(const Mat *left, Rope rope, int offset, Arena *scratch) {
    Mat rotations = mat_push(scratch, 1, left->cols),
        out = mat_push(scratch, left->rows, left->cols);
    mat_copy(&out, left);
    rope_angles(rotations.at, left->cols, offset, rope);
    rope_rotate(&out, &rotations);
    return out;
}

static float dot(const float *a, const float *b, int count) {
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void through_one(Mat *dots, const Mat *input, const Mat *left, const Mat *right, Rope rope,
                        int offset, Arena *scratch) {
    Pairs pairs = pairs_at(input, offset);
    int E = left->rows;
    Mat rotated = rotated_left(left, rope, offset, scratch), product = mat_push(scratch, E, E);
    Mat asked = mat_push(scratch, pairs.queries.rows, E);
    mat_mul_bt(&product, &rotated, right, 1);
    mat_mul(&asked, &pairs.queries, &product, 1);
    for (int p = 0; p < asked.rows; p++)
        mat_row(dots, pairs.first_query + p)[pairs.first_key + p] =
            dot(mat_row(&asked, p), mat_row(&pairs.keys, p), E);
}

void rope_offset_products_through(Mat *dots, const Mat *input, const Mat *left, const Mat *right,
                                  Rope rope, Arena *scratch) {
    size_t mark = scratch->used;
    int T = input->rows;
    for (int offset = 1 - T; offset < T; offset++) {
        through_one(dots, input, left, right, rope, offset, scratch);
        scratch->used = mark;
    }
}

static bool terms_of_one(Mat *terms, const Mat *input, const Mat *left, const Mat *right, Rope rope,
                         int offset, Arena *scratch, Err *err) {
    Pairs pairs = pairs_at(input, offset);
    int T = input->rows, E = left->rows, c = terms->cols, count = pairs.queries.rows;
    Mat rotated = rotated_left(left, rope, offset, scratch);
    Mat u = mat_push(scratch, E, c), v = mat_push(scratch, E, c);
    Mat asks = mat_push(scratch, count, c), asked = mat_push(scratch, count, c);
    double *sigma = arena_push(scratch, (size_t)c * sizeof *sigma);
    if (!decompose_product(&u, sigma, &v, &rotated, right, err))
        return false;
    mat_mul(&asks, &pairs.queries, &u, 1);
    mat_mul(&asked, &pairs.keys, &v, 1);
    for (int p = 0; p < count; p++) {
        float *row = mat_row(terms, (pairs.first_query + p) * T + pairs.first_key + p);
        for (int k = 0; k < c; k++)
            row[k] = (float)sigma[k] * mat_row(&asks, p)[k] * mat_row(&asked, p)[k];
    }
    return true;
}

bool rope_offset_products_terms(Mat *terms, Arena *arena, const Mat *input, const Mat *left,
                                const Mat *right, Rope rope, Arena *scratch, Err *err) {
    size_t mark = scratch->used;
    int T = input->rows;
    *terms = mat_push(arena, T * T, narrower(left->rows, left->cols));
    bool goes_on = true;
    for (int offset = 1 - T; offset < T && goes_on; offset++) {
        goes_on = terms_of_one(terms, input, left, right, rope, offset, scratch, err);
        scratch->used = mark;
    }
    return goes_on;
}

void rope_offset_products_add(Mat *S, const Mat *terms, int from, int to, float factor) {
    for (int i = 0; i < S->rows; i++)
        for (int j = 0; j < S->cols; j++) {
            const float *row = mat_row(terms, i * S->cols + j);
            float sum = 0;
            for (int k = from; k < to; k++)
                sum += row[k];
            mat_row(S, i)[j] += factor * sum;
        }
}
