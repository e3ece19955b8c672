#include "math/small_lapack.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/job.h"

#define SWEEPS_MAX 60

/* The columns or rows of a matrix, as vectors: entry i of vector p is at[p * along + i * across].
 */
typedef struct Vectors {
    double *at;
    int count, length;
    ptrdiff_t along, across;
} Vectors;

static double *entry(const Vectors *v, int p, int i) {
    return v->at + p * v->along + i * v->across;
}

/* Four partial sums, because a single sum would wait for each addition. */
static double dot(const Vectors *v, int p, int q) {
    const double *x = entry(v, p, 0), *y = entry(v, q, 0);
    ptrdiff_t across = v->across;
    double sum[4] = {0};
    int i = 0;
    for (; i + 4 <= v->length; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += x[(i + k) * across] * y[(i + k) * across];
    for (; i < v->length; i++)
        sum[0] += x[i * across] * y[i * across];
    return sum[0] + sum[1] + (sum[2] + sum[3]);
}

static void rotate(const Vectors *v, int p, int q, double cosine, double sine) {
    double *restrict x = entry(v, p, 0), *restrict y = entry(v, q, 0);
    for (ptrdiff_t i = 0; i < v->length * v->across; i += v->across) {
        double old = x[i];
        x[i] = cosine * old - sine * y[i];
        y[i] = sine * old + cosine * y[i];
    }
}

static void scale(const Vectors *v, int p, double factor) {
    for (int i = 0; i < v->length; i++)
        *entry(v, p, i) *= factor;
}

static void swap(const Vectors *v, int p, int q) {
    for (int i = 0; i < v->length; i++) {
        double x = *entry(v, p, i);
        *entry(v, p, i) = *entry(v, q, i);
        *entry(v, q, i) = x;
    }
}

/* Set c = H·c for the Householder reflection H = I − tau·v·vᵀ. v is 1 followed by `tail`, which has
 * length − 1 entries. */
static void reflect(double *c, int columns, int ldc, const double *tail, int length, double tau) {
    for (int j = 0; j < columns; j++, c += ldc) {
        double sum = c[0];
        for (int i = 1; i < length; i++)
            sum += tail[i - 1] * c[i];
        sum *= tau;
        c[0] -= sum;
        for (int i = 1; i < length; i++)
            c[i] -= sum * tail[i - 1];
    }
}

/* Find the reflection H = I − tau·v·vᵀ that sets all entries of x (count, `across` apart) to 0
 * except the first, whose new value is returned. x becomes v, with v[0] = 1. */
static double make_reflection(double *x, int count, ptrdiff_t across, double *tau) {
    double square = 0, first = x[0];
    for (int i = 1; i < count; i++)
        square += x[i * across] * x[i * across];
    x[0] = 1;
    *tau = 0;
    if (square == 0)
        return first;
    double length = -copysign(sqrt(first * first + square), first);
    *tau = (length - first) / length;
    for (int i = 1; i < count; i++)
        x[i * across] /= first - length;
    return length;
}

int small_geqrf(int layout, int m, int n, double *a, int lda, double *tau, double *work, int room) {
    (void)layout, (void)work, (void)room;
    for (int k = 0; k < n; k++) {
        job_breathe();
        double *column = a + (ptrdiff_t)k * lda + k;
        double left = make_reflection(column, m - k, 1, &tau[k]);
        if (k + 1 < n)
            reflect(column + lda, n - k - 1, lda, column + 1, m - k, tau[k]);
        column[0] = left;
    }
    return 0;
}

int small_ormqr(int layout, char side, char trans, int m, int n, int k, const double *a, int lda,
                const double *tau, double *c, int ldc, double *work, int room) {
    (void)layout, (void)work, (void)room;
    assert(side == 'L' && trans == 'N');
    for (int p = k - 1; p >= 0; p--) {
        job_breathe();
        reflect(c + p, n, ldc, a + (ptrdiff_t)p * lda + p + 1, m - p, tau[p]);
    }
    return 0;
}

int small_orgqr(int layout, int m, int n, int k, double *a, int lda, const double *tau,
                double *work, int room) {
    (void)layout, (void)work, (void)room;
    assert(k == n);
    for (int p = n - 1; p >= 0; p--) {
        job_breathe();
        double *column = a + (ptrdiff_t)p * lda + p;
        if (p + 1 < n)
            reflect(column + lda, n - p - 1, lda, column + 1, m - p, tau[p]);
        for (int i = 1; i < m - p; i++)
            column[i] *= -tau[p];
        column[0] = 1 - tau[p];
        for (int i = 0; i < p; i++)
            a[(ptrdiff_t)p * lda + i] = 0;
    }
    return 0;
}

/* Make vectors p and q of w orthogonal by a rotation, and rotate p and q of v (or NULL), too.
 * Return false if they were orthogonal already, or if one is only rounding error. */
static bool make_orthogonal(const Vectors *w, const Vectors *v, int p, int q, double least) {
    double pp = dot(w, p, p), qq = dot(w, q, q), pq = dot(w, p, q);
    if (pp <= least || qq <= least || fabs(pq) <= 2 * DBL_EPSILON * sqrt(pp * qq))
        return false;
    double zeta = (qq - pp) / (2 * pq);
    double tangent = copysign(1 / (fabs(zeta) + hypot(1, zeta)), zeta);
    double cosine = 1 / hypot(1, tangent);
    rotate(w, p, q, cosine, cosine * tangent);
    if (v != NULL)
        rotate(v, p, q, cosine, cosine * tangent);
    return true;
}

/* Make all pairs orthogonal. Return false if that takes too many rounds. */
static bool iterate(const Vectors *w, const Vectors *v) {
    double total = 0;
    for (int p = 0; p < w->count; p++)
        total += dot(w, p, p);
    /* squared length of a vector that is only rounding error */
    double least = total * DBL_EPSILON * DBL_EPSILON;
    for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
        bool rotated = false;
        for (int p = 0; p < w->count; p++) {
            job_breathe();
            for (int q = p + 1; q < w->count; q++)
                rotated |= make_orthogonal(w, v, p, q, least);
        }
        if (!rotated)
            return true;
    }
    return false;
}

/* Set s to the lengths of the vectors, which are the singular values. Sort the vectors, and those
 * of v (or NULL), with the longest first. */
static void sort(double *s, const Vectors *w, const Vectors *v) {
    for (int p = 0; p < w->count; p++)
        s[p] = sqrt(dot(w, p, p));
    for (int p = 0; p < w->count; p++) {
        int most = p;
        for (int q = p + 1; q < w->count; q++)
            most = s[q] > s[most] ? q : most;
        double length = s[most];
        s[most] = s[p], s[p] = length;
        if (most == p)
            continue;
        swap(w, p, most);
        if (v != NULL)
            swap(v, p, most);
    }
}

/* Replace vector p by a unit vector orthogonal to all previous ones: the first coordinate axis
 * that, made orthogonal to them (twice because of rounding), is long enough. */
static void complete(const Vectors *w, int p) {
    for (int axis = 0; axis < w->length; axis++) {
        for (int i = 0; i < w->length; i++)
            *entry(w, p, i) = i == axis;
        for (int pass = 0; pass < 2; pass++)
            for (int q = 0; q < p; q++) {
                double part = dot(w, p, q);
                for (int i = 0; i < w->length; i++)
                    *entry(w, p, i) -= part * *entry(w, q, i);
            }
        double left = dot(w, p, p);
        if (left * 2 * w->length < 1)
            continue; /* too short: another axis has a squared remainder ≥ 1 / length */
        scale(w, p, 1 / sqrt(left));
        return;
    }
}

static void put(double *to, ptrdiff_t along, ptrdiff_t across, const Vectors *from) {
    for (int p = 0; p < from->count; p++)
        for (int i = 0; i < from->length; i++)
            to[p * along + i * across] = *entry(from, p, i);
}

/* Make a (m × n, m ≥ n) bidiagonal by reflections from both sides. band gets the entries of the two
 * diagonals in turn: d_1 e_1 d_2 e_2 … d_n. row has n doubles. */
static void make_bidiagonal(double *band, double *a, int m, int n, int lda, double *row) {
    for (int k = 0; k < n; k++) {
        job_breathe();
        double tau, *column = a + (ptrdiff_t)k * lda + k, *next = column + lda;
        band[2 * k] = make_reflection(column, m - k, 1, &tau);
        if (k + 1 == n)
            return;
        reflect(next, n - k - 1, lda, column + 1, m - k, tau);
        band[2 * k + 1] = make_reflection(next, n - k - 1, lda, &tau);
        for (int j = 0; j < n - k - 1; j++)
            row[j] = next[(ptrdiff_t)j * lda];
        /* the left reflection is done, so reuse its memory */
        double *sum = column + 1;
        memset(sum, 0, (size_t)(m - k - 1) * sizeof *sum);
        for (int j = 0; j < n - k - 1; j++)
            for (int i = 0; i < m - k - 1; i++)
                sum[i] += row[j] * next[(ptrdiff_t)j * lda + 1 + i];
        for (int j = 0; j < n - k - 1; j++)
            for (int i = 0; i < m - k - 1; i++)
                next[(ptrdiff_t)j * lda + 1 + i] -= tau * row[j] * sum[i];
    }
}

/* Return how many singular values of a bidiagonal matrix exceed x > 0: the number of positive
 * pivots of the symmetric tridiagonal matrix with −x on its diagonal and band next to it. */
static int count_above(const double *band, int n, double x) {
    double pivot = -x;
    int above = 0;
    for (int i = 0; i < 2 * n - 1; i++) {
        pivot = -x - band[i] * band[i] / (pivot != 0 ? pivot : -DBL_MIN);
        above += pivot > 0;
    }
    return above;
}

/* Compute the singular values of a bidiagonal matrix by bisection, largest first. */
static void bisect(double *s, const double *band, int n) {
    double most = 0;
    for (int i = 0; i < 2 * n - 1; i++)
        most = fmax(most, fabs(band[i]) + (i > 0 ? fabs(band[i - 1]) : 0));
    for (int r = 0; r < n; r++) {
        job_breathe();
        double low = 0, high = r > 0 ? s[r - 1] : most;
        for (double middle; middle = (low + high) / 2, high - low > 2 * DBL_EPSILON * most;) {
            if (count_above(band, n, middle) > r)
                low = middle;
            else
                high = middle;
        }
        s[r] = high <= 2 * DBL_EPSILON * most ? 0 : high;
    }
}

int small_gesdd(int layout, char job, int m, int n, double *a, int lda, double *s, double *u,
                int ldu, double *vt, int ldvt, double *work, int room, int *integers) {
    (void)layout, (void)integers;
    bool is_tall = m >= n, has_vectors = job == 'S';
    int count = is_tall ? n : m;
    Vectors w = {a, count, is_tall ? m : n, is_tall ? lda : 1, is_tall ? 1 : lda};
    Vectors v = {work, count, count, count, 1};
    assert((long long)room >= (has_vectors ? (long long)count * count : 3LL * count));
    if (is_tall && !has_vectors) {
        make_bidiagonal(work, a, m, n, lda, work + 2 * n);
        bisect(s, work, n);
        return 0;
    }
    for (int i = 0; has_vectors && i < count * count; i++)
        work[i] = i % (count + 1) == 0;
    if (!iterate(&w, has_vectors ? &v : NULL))
        return 1;
    sort(s, &w, has_vectors ? &v : NULL);
    if (!has_vectors)
        return 0;
    for (int p = 0; p < count; p++) {
        if (s[p] > s[0] * DBL_EPSILON)
            scale(&w, p, 1 / s[p]);
        else
            complete(&w, p);
    }
    put(u, ldu, 1, is_tall ? &w : &v);
    put(vt, 1, ldvt, is_tall ? &v : &w);
    return 0;
}
