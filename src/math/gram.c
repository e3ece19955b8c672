#include "math/gram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/bidiagonal.h"
#include "math/tridiagonal.h"
#include "math/wide.h"

#define LEAST_EIGENVALUE 1e-14 /* of the largest */
#define LOW_EIGENVALUE   1e-8  /* of the largest: from there up the root is exact to 1e-7 */
#define LOW_MOST         64    /* of those below, in n of at least as many */
#define STEPS_PRODUCTS   0.4   /* measured, for each entry of n·n·n */
#define SMALL            1e-9  /* of two σ the product, whose rows of vᵀ are then askew */
#define SMALL_MOST       4     /* of so many rows one may; of more the matrix itself is as soon */
#define STRAIGHT         1e-9  /* cosine of two rows that are orthogonal */
#define SWEEPS           8     /* three are enough for what has been seen */

static size_t side_of(int n) {
    return (size_t)n;
}

/* The lower triangle of m·mᵀ. */
static void square(double *out, const double *m, int n, double *work) {
    const WideSide side = {NULL, m, 1, n};
    const WidePlan plan = {n, n, n, 1, true};
    memset(out, 0, side_of(n) * side_of(n) * sizeof *out);
    wide_add(out, n, &side, &side, &plan, work);
}

/* u's columns the other way round. */
static void reverse(double *u, int n) {
    for (int left = 0, right = n - 1; left < right; left++, right--)
        for (size_t i = 0; i < side_of(n); i++) {
            double kept = u[side_of(left) * side_of(n) + i];
            u[side_of(left) * side_of(n) + i] = u[side_of(right) * side_of(n) + i];
            u[side_of(right) * side_of(n) + i] = kept;
        }
}

static double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void turn(double *a, double *b, double cosine, double sine, int n) {
    for (int i = 0; i < n; i++) {
        double kept = a[i];
        a[i] = cosine * kept - sine * b[i];
        b[i] = sine * kept + cosine * b[i];
    }
}

/* Make two rows orthogonal, and turn the columns of u along so that u·rows stays. False where they
 * were so already. */
static bool straighten(double *a, double *b, double *u_a, double *u_b, int n) {
    double aa = dot(a, a, n), bb = dot(b, b, n), ab = dot(a, b, n);
    if (!(fabs(ab) > STRAIGHT * sqrt(aa * bb)))
        return false;
    double cotangent = (bb - aa) / (2 * ab); /* of twice the angle */
    double tangent = (cotangent < 0 ? -1 : 1) / (fabs(cotangent) + sqrt(1 + cotangent * cotangent));
    double cosine = 1 / sqrt(1 + tangent * tangent);
    turn(a, b, cosine, cosine * tangent, n);
    turn(u_a, u_b, cosine, cosine * tangent, n);
    return true;
}

/* The same of all pairs of count rows, which lie one after the other as u's columns do. False where
 * they do not get there. */
static bool straighten_all(double *rows, double *u, int count, int n) {
    bool turned = true;
    for (int sweep = 0; turned && sweep < SWEEPS; sweep++) {
        turned = false;
        for (int k = 1; k < count; k++)
            for (int l = 0; l < k; l++) {
                size_t at_k = side_of(k) * side_of(n), at_l = side_of(l) * side_of(n);
                turned |= straighten(rows + at_l, rows + at_k, u + at_l, u + at_k, n);
            }
    }
    return !turned;
}

static void copy_row(double *row, const double *vt, int r, int n) {
    for (int i = 0; i < n; i++)
        row[i] = vt[side_of(i) * side_of(n) + side_of(r)];
}

/* The rows of small σ, where u's errors are no longer small beside them: one-sided Jacobi
 * rotations. Source: Hestenes 1958, "Inversion of matrices by biorthogonalization and related
 * results". False where there are too many. */
static bool mend_small(double *u, double *sigma, double *vt, int n, Arena *scratch) {
    int first = 0;
    while (first < n && sigma[first] * sigma[n - 1] >= SMALL * sigma[0] * sigma[0])
        first++;
    int count = n - first;
    if (count > n / SMALL_MOST)
        return false;
    double *rows = arena_push(scratch, side_of(count) * side_of(n) * sizeof *rows);
    for (int k = 0; k < count; k++)
        copy_row(rows + side_of(k) * side_of(n), vt, first + k, n);
    if (!straighten_all(rows, u + side_of(first) * side_of(n), count, n))
        return false;
    for (int k = 0; k < count; k++) {
        const double *row = rows + side_of(k) * side_of(n);
        sigma[first + k] = sqrt(dot(row, row, n));
        for (int i = 0; i < n; i++)
            vt[side_of(i) * side_of(n) + side_of(first + k)] = row[i];
    }
    return true;
}

/* vt = uᵀ·m, whose rows have the singular values as their lengths. */
static void project(double *vt, double *sigma, const double *u, const double *m, int n,
                    double *work) {
    const WideSide rows = {NULL, u, n, 1}, cols = {NULL, m, n, 1};
    const WidePlan plan = {n, n, n, 1, false};
    memset(vt, 0, side_of(n) * side_of(n) * sizeof *vt);
    wide_add(vt, n, &rows, &cols, &plan, work);
    memset(sigma, 0, side_of(n) * sizeof *sigma);
    for (int i = 0; i < n; i++)
        for (int r = 0; r < n; r++)
            sigma[r] +=
                vt[side_of(i) * side_of(n) + side_of(r)] * vt[side_of(i) * side_of(n) + side_of(r)];
    for (int r = 0; r < n; r++)
        sigma[r] = sqrt(sigma[r]);
}

static void exchange(double *a, double *b) {
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* Put what is next to each other in the wrong order, by rounding at the small end, right. */
static void sort(double *u, double *sigma, double *vt, int n) {
    for (int r = 1; r < n; r++)
        for (int k = r; k > 0 && sigma[k] > sigma[k - 1]; k--) {
            exchange(&sigma[k], &sigma[k - 1]);
            for (size_t i = 0; i < side_of(n); i++) {
                exchange(&u[side_of(k) * side_of(n) + i], &u[side_of(k - 1) * side_of(n) + i]);
                exchange(&vt[i * side_of(n) + side_of(k)], &vt[i * side_of(n) + side_of(k - 1)]);
            }
        }
}

static void scale(double *vt, const double *sigma, int n) {
    for (int i = 0; i < n; i++)
        for (int r = 0; r < n; r++)
            vt[side_of(i) * side_of(n) + side_of(r)] /= sigma[r];
}

static GramResult find(double *u, double *sigma, double *vt, const double *m, int n, Arena *scratch,
                       JobWatch *watch, Err *err) {
    const WidePlan plan = {n, n, n, 1, false};
    double *gram = vt; /* until it is time for vt */
    double *work = arena_push(scratch, wide_scratch(&plan) * sizeof *work);
    double half = STEPS_PRODUCTS / 2 * n * (double)n * n;
    square(gram, m, n, work);
    if (!bidiagonal_step(watch, half, err) ||
        !tridiagonal_vectors(sigma, u, gram, n, scratch, watch, err))
        return GRAM_FAILED;
    if (!(sigma[0] > LEAST_EIGENVALUE * sigma[n - 1]))
        return GRAM_UNFIT;
    reverse(u, n);
    project(vt, sigma, u, m, n, work);
    if (!mend_small(u, sigma, vt, n, scratch))
        return GRAM_UNFIT;
    scale(vt, sigma, n);
    sort(u, sigma, vt, n);
    return bidiagonal_step(watch, half, err) ? GRAM_FOUND : GRAM_FAILED;
}

GramResult gram_vectors(double *u, double *sigma, double *vt, const double *m, int n,
                        JobWatch *watch, Err *err) {
    const WidePlan plan = {n, n, n, 1, false};
    Arena scratch = {0};
    size_t bytes =
        arena_padded(wide_scratch(&plan) * sizeof(double)) + tridiagonal_vectors_bytes(n);
    if (!arena_reserve(&scratch, bytes, err))
        return GRAM_FAILED;
    GramResult result = find(u, sigma, vt, m, n, &scratch, watch, err);
    arena_release(&scratch);
    return result;
}

/* The last of sigma, from the vectors of the low eigenvalues: the singular values of low = mᵀ times
 * these. */
static bool find_low(double *sigma, const TridiagonalLeast *least, const double *m, int n,
                     double *low, double *work, Err *err) {
    const WideSide rows = {NULL, m, n, 1}, cols = {NULL, least->vectors, n, 1};
    const WidePlan plan = {n, least->count, n, 1, false};
    if (least->count == 0)
        return true;
    memset(low, 0, side_of(n) * side_of(least->count) * sizeof *low);
    wide_add(low, n, &rows, &cols, &plan, work);
    return bidiagonal_values(sigma + n - least->count, low, n, least->count, NULL, err);
}

static void sort_values(double *sigma, int from, int n) {
    for (int r = from; r > 0 && r < n && sigma[r] > sigma[r - 1]; r++)
        sigma[r] = sigma[r - 1]; /* where rounding has let two that are next to each other pass */
}

static GramResult find_values(double *sigma, const double *m, int n, Arena *scratch,
                              JobWatch *watch, Err *err) {
    const WidePlan plan = {n, n, n, 1, false};
    int most = n < LOW_MOST ? n : LOW_MOST;
    size_t square_bytes = side_of(n) * side_of(n) * sizeof(double);
    double *gram = arena_push(scratch, square_bytes);
    double *values = arena_push(scratch, side_of(n) * sizeof *values);
    double *work = arena_push(scratch, wide_scratch(&plan) * sizeof *work);
    TridiagonalLeast least = {LOW_EIGENVALUE, most, NULL, 0};
    least.vectors = arena_push(scratch, side_of(n) * side_of(most) * sizeof *least.vectors);
    square(gram, m, n, work);
    if (!bidiagonal_step(watch, STEPS_PRODUCTS / 2 * n * (double)n * n, err) ||
        !tridiagonal_least(values, &least, gram, n, scratch, watch, err))
        return GRAM_FAILED;
    if (least.count > most)
        return GRAM_UNFIT;
    for (int r = 0; r < n - least.count; r++)
        sigma[r] = sqrt(values[n - 1 - r]);
    if (!find_low(sigma, &least, m, n, gram, work, err))
        return GRAM_FAILED;
    sort_values(sigma, n - least.count, n);
    return GRAM_FOUND;
}

GramResult gram_values(double *sigma, const double *m, int n, JobWatch *watch, Err *err) {
    const WidePlan plan = {n, n, n, 1, false};
    Arena scratch = {0};
    size_t most = side_of(n < LOW_MOST ? n : LOW_MOST);
    size_t bytes = arena_padded(side_of(n) * side_of(n) * sizeof(double)) +
                   arena_padded(side_of(n) * sizeof(double)) +
                   arena_padded(wide_scratch(&plan) * sizeof(double)) +
                   arena_padded(side_of(n) * most * sizeof(double)) + tridiagonal_least_bytes(n);
    if (!arena_reserve(&scratch, bytes, err))
        return GRAM_FAILED;
    GramResult result = find_values(sigma, m, n, &scratch, watch, err);
    arena_release(&scratch);
    return result;
}

/* The columns of seen the other way round. */
static void reverse_seen(double *seen, int k, int n) {
    for (int left = 0, right = n - 1; left < right; left++, right--)
        for (size_t i = 0; i < side_of(k); i++)
            exchange(&seen[side_of(left) * side_of(k) + i], &seen[side_of(right) * side_of(k) + i]);
}

/* The last count of sigma: the singular values of m times as many vectors. */
static bool find_lowest(double *sigma, const double *vectors, int count, const double *m, int rows,
                        int n, JobWatch *watch, Err *err) {
    const WideSide left = {NULL, m, 1, rows}, right = {NULL, vectors, n, 1};
    const WidePlan plan = {rows, count, n, 1, false};
    size_t entries = side_of(rows) * side_of(count);
    double *low = bidiagonal_scratch(entries + wide_scratch(&plan), err);
    if (low == NULL)
        return false;
    memset(low, 0, entries * sizeof *low);
    wide_add(low, rows, &left, &right, &plan, low + entries);
    JobWatch *long_watch = count > LOW_MOST ? watch : NULL; /* what few take was not announced */
    bool found = bidiagonal_values(sigma + n - count, low, rows, count, long_watch, err);
    free(low);
    return found;
}

static bool see(double *sigma, double *seen, int k, const double *m, int rows, int n,
                Arena *scratch, JobWatch *watch, Err *err) {
    const WideSide side = {NULL, m, rows, 1};
    const WidePlan plan = {n, n, rows, 1, true};
    size_t bytes = side_of(n) * side_of(n) * sizeof(double);
    double *values = arena_push(scratch, side_of(n) * sizeof *values);
    double *gram = arena_push_zero(scratch, bytes), *vectors = arena_push(scratch, bytes);
    double *work = arena_push(scratch, wide_scratch(&plan) * sizeof *work);
    TridiagonalSeen to = {seen, k, LOW_EIGENVALUE, vectors, 0};
    wide_add(gram, n, &side, &side, &plan, work);
    if (!bidiagonal_step(watch, STEPS_PRODUCTS / 2 * rows * (double)n * n, err) ||
        !tridiagonal_seen(values, &to, gram, n, scratch, watch, err))
        return false;
    bool is_zero = !(values[n - 1] > 0);
    for (int r = 0; r < n; r++)
        sigma[r] = is_zero || r >= n - to.count ? 0 : sqrt(values[n - 1 - r]);
    if (!is_zero && to.count > 0 && !find_lowest(sigma, vectors, to.count, m, rows, n, watch, err))
        return false;
    sort_values(sigma, n - to.count, n);
    reverse_seen(seen, k, n);
    return true;
}

bool gram_seen(double *sigma, double *seen, int k, const double *m, int rows, int n,
               JobWatch *watch, Err *err) {
    const WidePlan plan = {n, n, rows, 1, true};
    size_t square_bytes = arena_padded(side_of(n) * side_of(n) * sizeof(double));
    size_t bytes = arena_padded(side_of(n) * sizeof(double)) + 2 * square_bytes +
                   arena_padded(wide_scratch(&plan) * sizeof(double)) +
                   tridiagonal_seen_bytes(n, k);
    Arena scratch = {0};
    bool found = arena_reserve(&scratch, bytes, err) &&
                 see(sigma, seen, k, m, rows, n, &scratch, watch, err);
    arena_release(&scratch);
    return found;
}

double gram_seen_steps(int k, int rows, int n) {
    return STEPS_PRODUCTS / 2 * rows * (double)n * n + tridiagonal_seen_steps(n, k);
}

double gram_values_steps(int n) {
    return STEPS_PRODUCTS / 2 * n * (double)n * n + tridiagonal_values_steps(n);
}

double gram_vectors_steps(int n) {
    return STEPS_PRODUCTS * n * (double)n * n + tridiagonal_vectors_steps(n);
}
