#include "lab/form_timing.h"

#include "base/rng.h"
#include "math/mat.h"

#define ROUNDS 9
/* A round repeats the pass until this many seconds have passed, but at most LOOP_MAX times. */
#define LEAST_S  2e-4
#define LOOP_MAX 64

typedef struct Bench {
    Mat X, left, right, product, Q, K, XW, S;
} Bench;

static Mat push_normal(Arena *arena, int rows, int cols, uint64_t stream) {
    Mat m = mat_push(arena, rows, cols);
    for (int i = 0; i < rows * cols; i++)
        m.at[i] = (float)rng_normal(rng_stream(1, stream), (uint64_t)i);
    return m;
}

static void separate(Bench *b) {
    mat_mul(&b->Q, &b->X, &b->left, 1);
    mat_mul(&b->K, &b->X, &b->right, 1);
    mat_mul_bt(&b->S, &b->Q, &b->K, 1);
}

static void merged(Bench *b) {
    mat_mul(&b->XW, &b->X, &b->product, 1);
    mat_mul_bt(&b->S, &b->XW, &b->X, 1);
}

static double median_of(Bench *b, void (*pass)(Bench *), double (*now_s)(void)) {
    double rounds[ROUNDS] = {0}, start = now_s();
    pass(b);
    double once = now_s() - start;
    int loop = once > 0 && LEAST_S / once < LOOP_MAX ? 1 + (int)(LEAST_S / once) : LOOP_MAX;
    for (int r = 0; r < ROUNDS; r++) {
        start = now_s();
        for (int i = 0; i < loop; i++)
            pass(b);
        double took = (now_s() - start) / loop;
        int at = r;
        for (; at > 0 && rounds[at - 1] > took; at--)
            rounds[at] = rounds[at - 1];
        rounds[at] = took;
    }
    return rounds[ROUNDS / 2];
}

bool form_timing(FormTiming *out, int p, int n, int m, double (*now_s)(void)) {
    double work_separate = 2.0 * p * n * m + (double)p * p * m;
    double work_merged = (double)p * n * n + (double)p * p * n;
    if (work_separate > FORM_TIMING_WORK_MAX || work_merged > FORM_TIMING_WORK_MAX)
        return false;
    Err err;
    Arena arena = {0};
    uint64_t bytes = 2 * mat_bytes(p, n) + 2 * mat_bytes(n, m) + mat_bytes(n, n) +
                     2 * mat_bytes(p, m) + mat_bytes(p, p);
    if (!arena_reserve(&arena, bytes, &err))
        return false;
    Bench b = {.X = push_normal(&arena, p, n, 0),
               .left = push_normal(&arena, n, m, 1),
               .right = push_normal(&arena, n, m, 2),
               .product = push_normal(&arena, n, n, 3)};
    b.Q = mat_push(&arena, p, m);
    b.K = mat_push(&arena, p, m);
    b.XW = mat_push(&arena, p, n);
    b.S = mat_push(&arena, p, p);
    out->separate_s = median_of(&b, separate, now_s);
    out->merged_s = median_of(&b, merged, now_s);
    arena_release(&arena);
    return true;
}
