#include "lab/theory_parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/rng.h"
#include "math/softmax.h"
#include "model/analysis/stats.h"
#include "model/attention/position.h"

/* Fill gram with the inner products of the rows minus `origin`. */
static bool make_from(Gram *gram, const Mat *m, int cols, const double *origin) {
    int T = m->rows;
    double squares = 0;
    *gram = (Gram){.T = T, .at = heap_get((size_t)T * (size_t)T * sizeof *gram->at)};
    if (gram->at == NULL)
        return false;
    for (int i = 0; i < T; i++)
        for (int j = 0; j <= i; j++) {
            const float *a = mat_row(m, i), *b = mat_row(m, j);
            double sum = 0;
            for (int k = 0; k < cols; k++)
                sum += ((double)a[k] - origin[k]) * ((double)b[k] - origin[k]);
            double weight = i == j ? 1 : 2;
            gram->at[i * T + j] = gram->at[j * T + i] = sum;
            gram->square += i == j ? sum / T : 0;
            gram->centre += weight * sum / T / T;
            squares += weight * sum * sum / T / T;
        }
    gram->share = squares / (gram->square * gram->square);
    return true;
}

bool gram_make(Gram *gram, const Mat *m, int cols, bool apart) {
    double *origin = heap_get_zero((size_t)cols, sizeof *origin);
    for (int i = 0; origin != NULL && apart && i < m->rows; i++)
        for (int k = 0; k < cols; k++)
            origin[k] += (double)mat_row(m, i)[k] / m->rows;
    bool made = origin != NULL && make_from(gram, m, cols, origin);
    free(origin);
    return made;
}

void gram_release(Gram *gram) {
    free(gram->at);
    gram->at = NULL;
}

#define SEED 0x50f7u

/* Smallest pivot, as a share of its row's square. A smaller one is a rounding error: the row is a
 * combination of the previous rows. */
#define PIVOT_LEAST 1e-6

typedef struct Bench {
    Arena arena;
    Mat root;       /* (T, T): root·rootᵀ is x's Gram matrix */
    Mat normals;    /* room for random numbers: (T, width), (T, D) or (D, width) */
    Mat middle;     /* (T, D), in the nested form */
    Mat Q, K, S, A; /* (T, width), (T, T) */
    double *samples;
} Bench;

/* Fill root with the Cholesky factor of a Gram matrix, which may be singular. */
static void make_root(Mat *root, const Gram *x) {
    for (int j = 0; j < x->T; j++)
        for (int i = 0; i < x->T; i++) {
            double rest = x->at[i * x->T + j], pivot = (double)mat_row(root, j)[j];
            for (int k = 0; k < j && i >= j; k++)
                rest -= (double)mat_row(root, i)[k] * (double)mat_row(root, j)[k];
            bool is_known = rest <= PIVOT_LEAST * gram_square(x, j);
            if (i == j)
                mat_row(root, i)[j] = is_known ? 0 : (float)sqrt(rest);
            else
                mat_row(root, i)[j] = i < j || pivot == 0 ? 0 : (float)(rest / pivot);
        }
}

static bool bench_make(Bench *bench, const Gram *x, const AttnShape *shape, int width) {
    int T = x->T, D = shape->form == FORM_NESTED ? shape->D : 0;
    int most = T * (width > D ? width : D) > D * width ? T * (width > D ? width : D) : D * width;
    size_t samples = (size_t)most * sizeof *bench->samples;
    Err err;
    *bench = (Bench){.samples = NULL};
    if (!arena_reserve(&bench->arena,
                       3 * mat_bytes(T, T) + 2 * mat_bytes(T, width) + mat_bytes(T, D) +
                           mat_bytes(1, most) + arena_padded(samples),
                       &err))
        return false;
    bench->root = mat_push(&bench->arena, T, T);
    bench->S = mat_push(&bench->arena, T, T);
    bench->A = mat_push(&bench->arena, T, T);
    bench->Q = mat_push(&bench->arena, T, width);
    bench->K = mat_push(&bench->arena, T, width);
    bench->middle = mat_push(&bench->arena, T, D);
    bench->normals = mat_push(&bench->arena, 1, most);
    bench->samples = arena_push(&bench->arena, samples);
    make_root(&bench->root, x);
    return true;
}

static void times_normals(Mat *out, const Mat *a, Bench *bench, uint64_t stream, double factor) {
    size_t count = (size_t)a->cols * (size_t)out->cols;
    Mat normals = {bench->normals.at, a->cols, out->cols, out->cols};
    rng_normals(bench->samples, rng_stream(SEED, stream), 0, count);
    for (size_t i = 0; i < count; i++)
        normals.at[i] = (float)bench->samples[i];
    mat_mul(out, a, &normals, (float)factor);
}

/* Sample the rows of X times W_Q or W_K, whose entries have mean square 1. */
static void draw_rows(Mat *out, Bench *bench, const StudyLayer *layer, uint64_t stream) {
    bool is_nested = bench->middle.cols > 0;
    if (is_nested)
        times_normals(&bench->middle, &bench->root, bench, stream + 2, 1);
    times_normals(out, is_nested ? &bench->middle : &bench->root, bench, stream,
                  is_nested ? 1 / sqrt(bench->middle.cols) : 1);
    if (layer->shape->rope)
        rope_rotate(out, &layer->trace->rotations);
}

bool softmax_draws(SoftmaxFigure out[SOFTMAX_FIGURES], const Gram *x, const StudyLayer *layer,
                   double scores, DrawRange draws) {
    const AttnShape *s = layer->shape;
    bool is_free = s->form == FORM_FREE;
    int width = is_free ? x->T : s->K;
    double factor = scores / s->D / (is_free ? 1 : sqrt(s->K));
    Bench bench;
    double squares[SOFTMAX_FIGURES] = {0}; /* Σ (value − mean)² */
    memset(out, 0, SOFTMAX_FIGURES * sizeof *out);
    if (!bench_make(&bench, x, s, width))
        return false;
    for (int i = 0; i < draws.count; i++) {
        uint64_t stream = 4 * (uint64_t)(draws.first + i);
        HeadStats stats;
        draw_rows(&bench.Q, &bench, layer, stream);
        if (!is_free)
            draw_rows(&bench.K, &bench, layer, stream + 1);
        mat_mul_bt(&bench.S, &bench.Q, is_free ? &bench.root : &bench.K, (float)factor);
        softmax_rows(&bench.A, &bench.S, layer->mask->open);
        stats_head(&stats, &bench.S, &bench.A, layer->mask);
        const double values[] = {
            [SOFTMAX_ENTROPY] = stats.entropy,
            [SOFTMAX_LARGEST] = stats_mean_largest(&bench.A, layer->mask),
            [SOFTMAX_SATURATION] = stats.saturation,
        };
        for (int f = 0; f < SOFTMAX_FIGURES; f++) {
            double away = values[f] - out[f].mean;
            out[f].mean += away / (i + 1);
            squares[f] += away * (values[f] - out[f].mean);
            out[f].std = i > 0 ? sqrt(squares[f] / i) : NAN;
        }
    }
    arena_release(&bench.arena);
    return true;
}
