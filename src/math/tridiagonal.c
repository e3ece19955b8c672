#include "math/tridiagonal.h"

#include <assert.h>
#include <string.h>

#ifdef __APPLE__
#include <Accelerate/Accelerate.h>
#define LAPACK_dsytrd dsytrd_
#define LAPACK_dsterf dsterf_
#define LAPACK_dstein dstein_
#define LAPACK_dstedc dstedc_
#define LAPACK_dormtr dormtr_
#else
#include <lapacke.h>
/* A part of dsytrd that lapacke.h leaves out. */
void dlatrd_(const char *half, const int *n, const int *count, double *a, const int *a_stride,
             double *beside, double *tau, double *w, const int *w_stride);
#endif

#include "math/bidiagonal.h"
#include "math/wide.h"

#define PANEL 32 /* columns that are reduced together */
#define LAST  96 /* what is left at the end is reduced at once */

/* Measured, in steps for each entry of n·n·n. */
#define STEPS_REDUCE 0.45
#define STEPS_SOLVE  0.6
#define STEPS_APPLY  0.7
#define STEPS_SEE    1.0 /* of each entry of rows·n·n */

/* m = Q·T·Qᵀ with T tridiagonal; Q as reflections in m and tau. */
typedef struct Reduction {
    int n, room;
    double *m, *diagonal, *beside, *tau;
    double *wvw; /* (n, 3 PANEL): a panel's W, its reflections V and W again */
    double *work;
} Reduction;

/* Of what is left the rows and columns below a panel, less V·Wᵀ + W·Vᵀ. */
static WidePlan plan_of(int left) {
    return (WidePlan){left, left, 2 * PANEL, -1, true};
}

/* Take what a panel says of the rest, from its row and column PANEL on, out of it. */
static void take_out(Reduction *r, double *corner, int left) {
    size_t side = (size_t)r->n, width = PANEL * side;
    const WidePlan plan = plan_of(left - PANEL);
    for (size_t j = 0; j < PANEL; j++)
        memcpy(r->wvw + width + j * side, corner + j * side, (size_t)left * sizeof *corner);
    memcpy(r->wvw + 2 * width, r->wvw, width * sizeof *r->wvw);
    const WideSide vw = {NULL, r->wvw + width + PANEL, 1, r->n};
    const WideSide wv = {NULL, r->wvw + PANEL, 1, r->n};
    wide_add(corner + width + PANEL, r->n, &vw, &wv, &plan, r->work);
}

/* Reduce the PANEL columns from `at` on. */
static void reduce_panel(Reduction *r, int at) {
    const char lower = 'L';
    int left = r->n - at, panel = PANEL;
    double *corner = r->m + (size_t)at * (size_t)r->n + (size_t)at;
    dlatrd_(&lower, &left, &panel, corner, &r->n, r->beside + at, r->tau + at, r->wvw, &r->n);
    take_out(r, corner, left);
    for (int j = 0; j < PANEL; j++)
        r->diagonal[at + j] = corner[(size_t)j * (size_t)r->n + (size_t)j];
}

/* As LAPACK's dsytrd does it, panel by panel. */
static bool reduce(Reduction *r, JobWatch *watch, Err *err) {
    char lower = 'L';
    int at = 0, info;
    double all = tridiagonal_values_steps(r->n) / r->n;
    for (; r->n - at > LAST; at += PANEL) {
        reduce_panel(r, at);
        if (!bidiagonal_step(watch, all * PANEL, err))
            return false;
    }
    int left = r->n - at;
    LAPACK_dsytrd(&lower, &left, r->m + (size_t)at * (size_t)r->n + (size_t)at, &r->n,
                  r->diagonal + at, r->beside + at, r->tau + at, r->wvw, &r->room, &info);
    assert(info == 0);
    return bidiagonal_step(watch, all * left, err);
}

size_t tridiagonal_bytes(int n) {
    const WidePlan plan = plan_of(n);
    size_t side = (size_t)n;
    return arena_padded(((2 + 3 * PANEL) * side + wide_scratch(&plan)) * sizeof(double));
}

/* Room from scratch, of which *r keeps nothing else. */
static void reduction_push(Reduction *r, double *values, double *m, int n, Arena *scratch) {
    size_t side = (size_t)n;
    *r = (Reduction){.n = n, .room = n * PANEL, .m = m, .diagonal = values};
    r->beside = arena_push(scratch, tridiagonal_bytes(n));
    r->tau = r->beside + side;
    r->wvw = r->tau + side;
    r->work = r->wvw + 3 * PANEL * side;
}

static bool settled(int info, Err *err) {
    return info == 0 || err_fail(err, "singular values", "LAPACK's iteration did not settle");
}

bool tridiagonal_values(double *values, double *m, int n, Arena *scratch, JobWatch *watch,
                        Err *err) {
    assert(n > 0);
    size_t mark = scratch->used;
    int info = 0;
    Reduction r;
    reduction_push(&r, values, m, n, scratch);
    bool reduced = reduce(&r, watch, err);
    if (reduced)
        LAPACK_dsterf(&n, values, r.beside, &info);
    scratch->used = mark;
    return reduced && settled(info, err);
}

/* What dstein works in: doubles, with T's diagonals before them, and integers. */
static size_t least_doubles(int n) {
    return 7 * (size_t)n;
}

static size_t least_integers(int n) {
    return 4 * (size_t)n;
}

size_t tridiagonal_least_bytes(int n) {
    return tridiagonal_bytes(n) + arena_padded(least_doubles(n) * sizeof(double)) +
           arena_padded(least_integers(n) * sizeof(int));
}

/* Q times count columns of vectors. */
static void turn_back(Reduction *r, double *vectors, int count, double *work, int room) {
    char left = 'L', lower = 'L', plain = 'N';
    int n = r->n, info;
    LAPACK_dormtr(&left, &lower, &plain, &n, &count, r->m, &n, r->tau, vectors, &n, work, &room,
                  &info);
    assert(info == 0);
}

/* Q times the vectors of T, whose diagonal and the values beside it are in kept. */
static void find_least(TridiagonalLeast *least, Reduction *r, const double *values, double *kept,
                       Arena *scratch) {
    int n = r->n, info, *blocks = arena_push(scratch, least_integers(n) * sizeof *blocks);
    int *splits = blocks + n, *work = splits + n, *failed = work + n;
    size_t side = (size_t)n;
    for (int i = 0; i < n; i++)
        blocks[i] = 1;
    splits[0] = n;
    LAPACK_dstein(&n, kept, kept + side, &least->count, values, blocks, splits, least->vectors, &n,
                  kept + 2 * side, work, failed, &info);
    if (info != 0) {
        least->count = least->most + 1;
        return;
    }
    turn_back(r, least->vectors, least->count, r->wvw, r->room);
}

bool tridiagonal_least(double *values, TridiagonalLeast *least, double *m, int n, Arena *scratch,
                       JobWatch *watch, Err *err) {
    assert(n > 0 && least->most <= n);
    size_t mark = scratch->used, side = (size_t)n;
    int info = 0;
    Reduction r;
    reduction_push(&r, values, m, n, scratch);
    double *kept = arena_push(scratch, least_doubles(n) * sizeof *kept);
    bool found = reduce(&r, watch, err);
    if (found) {
        memcpy(kept, values, side * sizeof *kept);
        memcpy(kept + side, r.beside, (side - 1) * sizeof *kept);
        LAPACK_dsterf(&n, values, r.beside, &info);
        found = settled(info, err);
    }
    for (least->count = 0; found && least->count < n; least->count++)
        if (!(values[least->count] <= least->bound * values[n - 1]))
            break;
    if (found && least->count > 0 && least->count <= least->most)
        find_least(least, &r, values, kept, scratch);
    scratch->used = mark;
    return found;
}

static size_t solve_doubles(int n) {
    return 1 + 4 * (size_t)n + (size_t)n * (size_t)n;
}

static size_t solve_integers(int n) {
    return 3 + 5 * (size_t)n;
}

size_t tridiagonal_vectors_bytes(int n) {
    return tridiagonal_bytes(n) + arena_padded(solve_doubles(n) * sizeof(double)) +
           arena_padded(solve_integers(n) * sizeof(int));
}

/* T's vectors. */
static bool solve(Reduction *r, double *vectors, Arena *scratch, JobWatch *watch, Err *err) {
    char whole = 'I';
    size_t mark = scratch->used;
    int n = r->n, info, room = (int)solve_doubles(n), integer_room = (int)solve_integers(n);
    double *work = arena_push(scratch, solve_doubles(n) * sizeof *work);
    int *integers = arena_push(scratch, solve_integers(n) * sizeof *integers);
    LAPACK_dstedc(&whole, &n, r->diagonal, r->beside, vectors, &n, work, &room, integers,
                  &integer_room, &info);
    scratch->used = mark;
    return settled(info, err) && bidiagonal_step(watch, STEPS_SOLVE * (double)n * n * n, err);
}

bool tridiagonal_vectors(double *values, double *vectors, double *m, int n, Arena *scratch,
                         JobWatch *watch, Err *err) {
    assert(n > 0 && n <= 32768); /* whose square LAPACK's integers hold */
    size_t mark = scratch->used;
    Reduction r;
    reduction_push(&r, values, m, n, scratch);
    bool found = reduce(&r, watch, err) && solve(&r, vectors, scratch, watch, err);
    if (found) {
        double *work = arena_push(scratch, solve_doubles(n) * sizeof *work);
        turn_back(&r, vectors, n, work, (int)solve_doubles(n));
        found = bidiagonal_step(watch, STEPS_APPLY * (double)n * n * n, err);
    }
    scratch->used = mark;
    return found;
}

static WidePlan seen_plan(int n, int rows) {
    return (WidePlan){rows, n, n, 1, false};
}

/* What dormtr works in, with room for blocks of columns. */
static size_t seen_work(int rows) {
    return (size_t)rows * PANEL + 65 * 64;
}

size_t tridiagonal_seen_bytes(int n, int rows) {
    const WidePlan plan = seen_plan(n, rows);
    size_t thin = arena_padded((size_t)rows * (size_t)n * sizeof(double));
    return tridiagonal_vectors_bytes(n) + thin + arena_padded(seen_work(rows) * sizeof(double)) +
           arena_padded(wide_scratch(&plan) * sizeof(double));
}

/* seen·Q, and that times T's vectors. */
static void see(TridiagonalSeen *to, Reduction *r, Arena *scratch) {
    char right = 'R', lower = 'L', plain = 'N';
    int n = r->n, rows = to->rows, info, room = (int)seen_work(rows);
    const WidePlan plan = seen_plan(n, rows);
    size_t bytes = (size_t)rows * (size_t)n * sizeof(double);
    double *thin = arena_push(scratch, bytes);
    double *work = arena_push(scratch, seen_work(rows) * sizeof *work);
    double *packed = arena_push(scratch, wide_scratch(&plan) * sizeof *packed);
    memcpy(thin, to->seen, bytes);
    LAPACK_dormtr(&right, &lower, &plain, &rows, &n, r->m, &n, r->tau, thin, &rows, work, &room,
                  &info);
    assert(info == 0);
    const WideSide left = {NULL, thin, 1, rows}, vectors = {NULL, to->vectors, n, 1};
    memset(to->seen, 0, bytes);
    wide_add(to->seen, rows, &left, &vectors, &plan, packed);
}

bool tridiagonal_seen(double *values, TridiagonalSeen *seen, double *m, int n, Arena *scratch,
                      JobWatch *watch, Err *err) {
    assert(n > 0 && n <= 32768 && seen->rows > 0);
    size_t mark = scratch->used;
    Reduction r;
    reduction_push(&r, values, m, n, scratch);
    bool found = reduce(&r, watch, err) && solve(&r, seen->vectors, scratch, watch, err);
    if (found) {
        see(seen, &r, scratch);
        for (seen->count = 0; seen->count < n; seen->count++)
            if (!(values[seen->count] <= seen->bound * values[n - 1]))
                break;
        if (seen->count > 0)
            turn_back(&r, seen->vectors, seen->count, r.wvw, r.room);
        found = bidiagonal_step(watch, STEPS_SEE * seen->rows * (double)n * n, err);
    }
    scratch->used = mark;
    return found;
}

double tridiagonal_values_steps(int n) {
    return STEPS_REDUCE * n * (double)n * n;
}

double tridiagonal_seen_steps(int n, int rows) {
    return (STEPS_REDUCE + STEPS_SOLVE) * n * (double)n * n + STEPS_SEE * rows * (double)n * n;
}

double tridiagonal_vectors_steps(int n) {
    return (STEPS_REDUCE + STEPS_SOLVE + STEPS_APPLY) * n * (double)n * n;
}
