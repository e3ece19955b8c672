#include "math/updated_rank.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#ifdef __APPLE__
#include <Accelerate/Accelerate.h>
#define LAPACK_dsyevd dsyevd_
#else
#include <cblas.h>
#include <lapacke.h>
#endif

#define APART 1e-12 /* least by which σ² and least² differ, of least² */

/* Measured, in steps: of a multiply-add of the products, and of k·k·k. */
#define STEPS_OF_PRODUCT 0.3
#define STEPS_OF_CORE    12.0

/* All row by row: a = Uᵀ·F and b = Vᵀ·H (c, k), scaled (c, k), wide (n, c) and thin (n, k) for a
 * moment, core (2k, 2k). */
typedef struct Room {
    double *a, *b, *scaled, *wide, *thin, *core, *values, *work, *factor, *block;
    int *whole, work_count;
} Room;

double updated_rank_steps(int n, int c, int k) {
    double products = 2.0 * n * c * k + n * (double)k * k + 3.0 * c * k * k;
    return STEPS_OF_PRODUCT * products + STEPS_OF_CORE * k * (double)k * k;
}

static bool room_push(Room *room, int n, int c, int k, Err *err) {
    size_t rows = (size_t)n, count = (size_t)c, side = (size_t)k;
    size_t work = 4 * side + 1;
    size_t doubles =
        3 * count * side + rows * count + rows * side + 4 * side * side + 2 * side + work + side;
    double *at = malloc(doubles * sizeof *at);
    room->block = at;
    room->whole = malloc(sizeof *room->whole);
    if (at == NULL || room->whole == NULL) {
        free(at);
        free(room->whole);
        err_fail(err, "memory", "too little for the rank; use smaller matrices");
        return false;
    }
    room->a = at;
    room->b = room->a + count * side;
    room->scaled = room->b + count * side;
    room->wide = room->scaled + count * side;
    room->thin = room->wide + rows * count;
    room->core = room->thin + rows * side;
    room->values = room->core + 4 * side * side;
    room->factor = room->values + 2 * side;
    room->work = room->factor + side;
    room->work_count = (int)work;
    return true;
}

static void widen(double *out, const Mat *m) {
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            out[(size_t)i * (size_t)m->cols + (size_t)j] = (double)mat_row(m, i)[j];
}

/* What each column of F is multiplied by, and of H divided, so that they are of one size. */
static void balance(double *factor, const Mat *f, const Mat *h) {
    for (int j = 0; j < f->cols; j++) {
        double ff = 0, hh = 0;
        for (int i = 0; i < f->rows; i++) {
            ff += (double)mat_row(f, i)[j] * (double)mat_row(f, i)[j];
            hh += (double)mat_row(h, i)[j] * (double)mat_row(h, i)[j];
        }
        factor[j] = ff > 0 && hh > 0 ? pow(hh / ff, 0.25) : 1;
    }
}

/* With D = [−least W; Wᵀ −least] the core is −[0 I; I 0] − [F 0; 0 H]ᵀ·D⁻¹·[F 0; 0 H]. This is one
 * block of its diagonal, of F or of H: within W's vectors D is inverted by pairs, and outside of
 * them it is −least. a gets what is within. */
static void diagonal_block(double *block, double *a, Room *room, const UpdatedRank *of,
                           const Mat *vectors, const Mat *thin, double power, double least) {
    int n = vectors->rows, c = vectors->cols, k = thin->cols;
    widen(room->wide, vectors);
    widen(room->thin, thin);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++)
            room->thin[(size_t)i * (size_t)k + (size_t)j] *= pow(room->factor[j], power);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, c, k, n, 1, room->wide, c, room->thin, k,
                0, a, k);
    bool is_whole = c == n; /* then nothing is outside */
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, k, k, n, is_whole ? 0 : 1 / least,
                room->thin, k, room->thin, k, 0, block, 2 * k);
    for (int r = 0; r < c; r++) {
        double apart = of->sigma[r] * of->sigma[r] - least * least;
        apart = fabs(apart) < APART * least * least ? -APART * least * least : apart;
        double inside = -least / apart - (is_whole ? 0 : 1 / least);
        for (int j = 0; j < k; j++)
            room->scaled[(size_t)r * (size_t)k + (size_t)j] =
                inside * a[(size_t)r * (size_t)k + (size_t)j];
    }
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, k, k, c, 1, a, k, room->scaled, k, 1,
                block, 2 * k);
}

/* Its block between F and H. */
static void mixed_block(double *block, Room *room, const UpdatedRank *of, int c, int k,
                        double least) {
    for (int r = 0; r < c; r++) {
        double apart = of->sigma[r] * of->sigma[r] - least * least;
        apart = fabs(apart) < APART * least * least ? -APART * least * least : apart;
        for (int j = 0; j < k; j++)
            room->scaled[(size_t)r * (size_t)k + (size_t)j] =
                -of->sigma[r] / apart * room->b[(size_t)r * (size_t)k + (size_t)j];
    }
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, k, k, c, 1, room->a, k, room->scaled, k, 0,
                block, 2 * k);
    for (int j = 0; j < k; j++)
        block[(size_t)j * (size_t)(2 * k) + (size_t)j] -= 1;
}

/* How many eigenvalues of the core are above 0; -1 where they are not found. */
static int positive(Room *room, int k) {
    int side = 2 * k, one = 1, info;
    LAPACK_dsyevd("N", "L", &side, room->core, &side, room->values, room->work, &room->work_count,
                  room->whole, &one, &info);
    int count = 0;
    for (int i = 0; i < side; i++)
        count += room->values[i] > 0;
    return info == 0 ? count : -1;
}

bool updated_rank(int *rank, const UpdatedRank *of, double least, Err *err) {
    int n = of->f->rows, c = of->u->cols, k = of->f->cols;
    Room room;
    assert(least > 0 && n > 0 && k > 0 && of->u->rows == n && of->h->rows == n);
    if (!room_push(&room, n, c, k, err))
        return false;
    balance(room.factor, of->f, of->h);
    size_t corner = 2 * (size_t)k * (size_t)k + (size_t)k;
    diagonal_block(room.core, room.a, &room, of, of->u, of->f, 1, least);
    diagonal_block(room.core + corner, room.b, &room, of, of->v, of->h, -1, least);
    mixed_block(room.core + k, &room, of, c, k, least); /* above the diagonal, row by row */
    int above = 0, more = positive(&room, k);
    for (int r = 0; r < c; r++)
        above += of->sigma[r] * of->sigma[r] - least * least > APART * least * least;
    free(room.whole);
    free(room.block);
    *rank = above - k + more;
    return more >= 0 || err_fail(err, "rank", "LAPACK's iteration did not settle");
}
