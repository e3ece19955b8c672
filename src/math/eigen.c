#include "math/eigen.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
#include <Accelerate/Accelerate.h>
#define LAPACK_dsyevd dsyevd_
#define LAPACK_dsytrd dsytrd_
#define LAPACK_dsterf dsterf_
#define LAPACK_dormtr dormtr_
#else
#include <lapacke.h>
#endif

#include "math/bidiagonal.h"

#define LANES 16   /* values whose factors are computed side by side */
#define BLOCK 64   /* of LAPACK's panels */
#define CLOSE 1e-8 /* of the largest: vectors of closer values would not be orthogonal enough */

/* m is Q·T·Qᵀ, with T's diagonals. */
typedef struct Tridiagonal {
    int n;
    double *diagonal, *beside; /* n, n − 1 */
    double *tau, *used;        /* of Q, and a second n that LAPACK may use up */
    double *downward, *upward; /* (n, LANES): pivots of T less a value, from above and below */
    double *work;
    int room;
} Tridiagonal;

static double *tridiagonal_place(Tridiagonal *t, int n, Err *err) {
    size_t side = (size_t)n, room = side * BLOCK, lanes = side * LANES;
    assert(room <= INT_MAX);
    double *scratch = bidiagonal_scratch(4 * side + 2 * lanes + room, err);
    *t = (Tridiagonal){.n = n, .room = (int)room};
    if (scratch == NULL)
        return NULL;
    t->diagonal = scratch;
    t->beside = t->diagonal + side;
    t->tau = t->beside + side;
    t->used = t->tau + side;
    t->downward = t->used + side;
    t->upward = t->downward + lanes;
    t->work = t->upward + lanes;
    return scratch;
}

/* The pivots of T − value for LANES values at once. A pivot of 0 gives the next an infinite one,
 * and that the next but one its own again. */
static void factor(Tridiagonal *t, const double values[LANES]) {
    int n = t->n;
    for (int k = 0; k < LANES; k++) {
        t->downward[k] = t->diagonal[0] - values[k];
        t->upward[(size_t)(n - 1) * LANES + (size_t)k] = t->diagonal[n - 1] - values[k];
    }
    for (int i = 1; i < n; i++) {
        double *down = t->downward + (size_t)i * LANES;
        double *up = t->upward + (size_t)(n - 1 - i) * LANES;
        double above = t->beside[i - 1] * t->beside[i - 1];
        double below = t->beside[n - 1 - i] * t->beside[n - 1 - i];
        for (int k = 0; k < LANES; k++) {
            down[k] = t->diagonal[i] - values[k] - above / down[k - LANES];
            up[k] = t->diagonal[n - 1 - i] - values[k] - below / up[k + LANES];
        }
    }
}

/* Where the two factors leave the least: the vector is largest thereabouts. */
static int twist_of(const Tridiagonal *t, double value, int lane) {
    double least = INFINITY;
    int at = 0;
    for (int i = 0; i < t->n; i++) {
        size_t place = (size_t)i * LANES + (size_t)lane;
        double left = fabs(t->downward[place] + t->upward[place] - (t->diagonal[i] - value));
        if (left < least) {
            least = left;
            at = i;
        }
    }
    return at;
}

/* False where it is not finite. */
static bool write_vector(double *out, const Tridiagonal *t, double value, int lane) {
    int at = twist_of(t, value, lane);
    double squares = 1;
    out[at] = 1;
    for (int i = at - 1; i >= 0; i--) {
        out[i] = -out[i + 1] * t->beside[i] / t->downward[(size_t)i * LANES + (size_t)lane];
        squares += out[i] * out[i];
    }
    for (int i = at + 1; i < t->n; i++) {
        out[i] = -out[i - 1] * t->beside[i - 1] / t->upward[(size_t)i * LANES + (size_t)lane];
        squares += out[i] * out[i];
    }
    for (int i = 0; i < t->n; i++)
        out[i] /= sqrt(squares);
    return isfinite(squares);
}

/* Of T, for `count` values. */
static bool write_vectors(double *vectors, Tridiagonal *t, const double *values, int count) {
    for (int first = 0; first < count; first += LANES) {
        double lanes[LANES];
        int few = count - first < LANES ? count - first : LANES;
        for (int k = 0; k < LANES; k++)
            lanes[k] = values[first + (k < few ? k : 0)];
        factor(t, lanes);
        for (int k = 0; k < few; k++)
            if (!write_vector(vectors + (size_t)(first + k) * (size_t)t->n, t, lanes[k], k))
                return false;
    }
    return true;
}

/* Whether each of the `count` largest stands far enough from its neighbours. */
static bool is_apart(const double *values, int n, int count) {
    double most = fmax(fabs(values[0]), fabs(values[n - 1]));
    for (int i = n - count; i < n; i++)
        if (i > 0 && !(values[i] - values[i - 1] > CLOSE * most))
            return false;
    return n > 1 && isfinite(most);
}

/* False where vectors must be had in another way. m is used up. */
static bool by_twisting(double *values, double *vectors, double *m, int count, Tridiagonal *t) {
    int n = t->n, info;
    LAPACK_dsytrd("U", &n, m, &n, t->diagonal, t->beside, t->tau, t->work, &t->room, &info);
    memcpy(values, t->diagonal, (size_t)n * sizeof *values);
    memcpy(t->used, t->beside, (size_t)(n - 1) * sizeof *t->used);
    LAPACK_dsterf(&n, values, t->used, &info);
    if (info != 0 || !is_apart(values, n, count) ||
        !write_vectors(vectors, t, values + n - count, count))
        return false;
    LAPACK_dormtr("L", "U", "N", &n, &count, m, &n, t->tau, vectors, &n, t->work, &t->room, &info);
    return info == 0;
}

/* All vectors, of which the last are kept. */
static bool by_dividing(double *values, double *vectors, double *m, int n, int count, Err *err) {
    size_t side = (size_t)n, doubles = 1 + 6 * side + 2 * side * side;
    int room = (int)doubles, whole_room = 3 + 5 * n, info = 0;
    assert(doubles <= INT_MAX);
    double *work = bidiagonal_scratch(doubles, err);
    int *whole = malloc((size_t)whole_room * sizeof *whole);
    bool has_room = work != NULL && whole != NULL;
    if (has_room)
        LAPACK_dsyevd("V", "U", &n, m, &n, values, work, &room, whole, &whole_room, &info);
    if (has_room && info == 0)
        memcpy(vectors, m + (side - (size_t)count) * side, (size_t)count * side * sizeof *vectors);
    free(whole);
    free(work);
    if (!has_room)
        return err_fail(err, "memory", "too little for singular values; use smaller matrices");
    return info == 0 || err_fail(err, "singular values", "LAPACK's iteration did not settle");
}

bool eigen_largest(double *values, double *vectors, double *m, int n, int count, Err *err) {
    assert(n > 0 && count > 0 && count <= n);
    size_t bytes = (size_t)n * (size_t)n * sizeof *m;
    Tridiagonal t;
    double *scratch = tridiagonal_place(&t, n, err), *kept = malloc(bytes);
    if (scratch == NULL || kept == NULL) {
        free(scratch);
        free(kept);
        return err_fail(err, "memory", "too little for singular values; use smaller matrices");
    }
    memcpy(kept, m, bytes);
    bool found = by_twisting(values, vectors, m, count, &t);
    free(scratch);
    if (!found)
        found = by_dividing(values, vectors, kept, n, count, err);
    free(kept);
    return found;
}
