#include "math/decompose.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

#ifdef __APPLE__
#include <Accelerate/Accelerate.h>

/* Accelerate has LAPACK but not LAPACKE, so give four functions the arguments of LAPACKE. */
#define LAPACK_COL_MAJOR 102

static int geqrf(int layout, int m, int n, double *a, int lda, double *tau, double *work,
                 int room) {
    int info;
    (void)layout;
    dgeqrf_(&m, &n, a, &lda, tau, work, &room, &info);
    return info;
}

static int orgqr(int layout, int m, int n, int k, double *a, int lda, const double *tau,
                 double *work, int room) {
    int info;
    (void)layout;
    dorgqr_(&m, &n, &k, a, &lda, tau, work, &room, &info);
    return info;
}

static int ormqr(int layout, char side, char trans, int m, int n, int k, const double *a, int lda,
                 const double *tau, double *c, int ldc, double *work, int room) {
    int info;
    (void)layout;
    dormqr_(&side, &trans, &m, &n, &k, a, &lda, tau, c, &ldc, work, &room, &info);
    return info;
}

static int gesdd(int layout, char job, int m, int n, double *a, int lda, double *s, double *u,
                 int ldu, double *vt, int ldvt, double *work, int room, int *integers) {
    int info;
    (void)layout;
    dgesdd_(&job, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, &room, integers, &info);
    return info;
}

/* Use one thread: it is faster at these sizes, and the results are repeatable. */
__attribute__((constructor)) static void use_one_thread(void) {
    setenv("VECLIB_MAXIMUM_THREADS", "1", 1);
}

static bool load(Err *err) {
    (void)err;
    return true;
}

#elif defined(__EMSCRIPTEN__)
#include "math/small_lapack.h"

/* Limit of rows or columns of a matrix whose singular vectors are needed: 512 would block a web
 * page for seconds. */
#define VECTORS_MOST 256

static __typeof__(small_geqrf) *const geqrf = small_geqrf;
static __typeof__(small_orgqr) *const orgqr = small_orgqr;
static __typeof__(small_ormqr) *const ormqr = small_ormqr;
static __typeof__(small_gesdd) *const gesdd = small_gesdd;

static bool load(Err *err) {
    (void)err;
    return true;
}

#else
#include <dlfcn.h>
#include <lapacke.h>
#include <pthread.h>
#include <sys/mman.h>

/* LAPACKE is not linked but loaded at the first decomposition. Its BLAS may be OpenBLAS, which
 * reads its number of threads while it is loaded, so use_one_thread must have run before. If memory
 * is short, OpenBLAS retries an allocation of 128 MB for ever (at load, in each thread and at
 * exit), so load() first checks that there is memory. */
#define LIBRARY "liblapacke.so.3"
#define ROOM    ((size_t)256 << 20)

static __typeof__(LAPACKE_dgeqrf_work) *geqrf;
static __typeof__(LAPACKE_dorgqr_work) *orgqr;
static __typeof__(LAPACKE_dormqr_work) *ormqr;
static __typeof__(LAPACKE_dgesdd_work) *gesdd;
static bool is_loaded;

/* Use one thread: it is faster at these sizes, and the results are repeatable. Set before main,
 * because other threads may read the environment later. */
__attribute__((constructor)) static void use_one_thread(void) {
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

/* Set the function pointer *function to the library's function of this name. Return false if it
 * does not exist. */
static bool find(void *function, void *library, const char *name) {
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void load_once(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    is_loaded = library != NULL && find(&geqrf, library, "LAPACKE_dgeqrf_work") &&
                find(&orgqr, library, "LAPACKE_dorgqr_work") &&
                find(&ormqr, library, "LAPACKE_dormqr_work") &&
                find(&gesdd, library, "LAPACKE_dgesdd_work");
}

static bool load(Err *err) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    /* True after the thread's first call. Later calls need no check, because LAPACK has its
     * memory. */
    static _Thread_local bool has_room;
    if (!has_room) {
        void *room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (room == MAP_FAILED)
            return err_fail(err, "memory", "LAPACK may need %zu MB; close other programs",
                            ROOM >> 20);
        munmap(room, ROOM);
        has_room = true;
    }
    pthread_once(&once, load_once);
    return is_loaded || err_fail(err, "singular values", "%s was not found; install it", LIBRARY);
}
#endif

static int smaller(int a, int b) {
    return a < b ? a : b;
}

#ifndef VECTORS_MOST
#define VECTORS_MOST INT_MAX
#endif

/* The matrix (rows, cols) that LAPACK decomposes, and its memory. All matrices are stored by
 * columns. u and vt are NULL if only values are needed. */
typedef struct Core {
    int rows, cols, count;
    double *at, *u, *vt; /* (rows, cols), (rows, count), (count, cols) */
    double *work;
    int room, *integers;
    double *extra, *block; /* extra: for the caller; block: all memory, to be freed */
} Core;

static bool core_open(Core *core, int rows, int cols, bool vectors, size_t extra, Err *err) {
    int count = smaller(rows, cols);
    size_t m = (size_t)rows, n = (size_t)cols, c = (size_t)count;
    size_t u = vectors ? m * c : 0, vt = vectors ? c * n : 0;
    /* Work space of gesdd, and of reflections in blocks of 64 columns. */
    size_t room = 4 * c * c + 64 * (m + n + 65);
    size_t doubles = m * n + u + vt + room + extra;
    *core = (Core){.rows = rows, .cols = cols, .count = count, .room = (int)room};
    if (!load(err))
        return false;
    if (vectors && count > VECTORS_MOST)
        return err_fail(err, "singular vectors",
                        "more than %d would take too long in a web page; use a smaller d_k",
                        VECTORS_MOST);
    double *at = core->block = heap_get(doubles * sizeof *at);
    core->integers = heap_get(8 * c * sizeof *core->integers);
    if (at == NULL || core->integers == NULL) {
        err_fail(err, "memory", "too little, %.1f MB are needed; use smaller matrices",
                 (double)(doubles * sizeof *at) / 1e6);
        return false;
    }
    core->at = at;
    core->u = vectors ? core->at + m * n : NULL;
    core->vt = vectors ? core->u + u : NULL;
    core->work = core->at + m * n + u + vt;
    core->extra = core->work + room;
    return true;
}

static void core_close(Core *core) {
    free(core->block);
    free(core->integers);
}

static bool core_solve(Core *core, double *sigma, Err *err) {
    int info = gesdd(LAPACK_COL_MAJOR, core->u != NULL ? 'S' : 'N', core->rows, core->cols,
                     core->at, core->rows, sigma, core->u, core->rows, core->vt, core->count,
                     core->work, core->room, core->integers);
    return info == 0 || err_fail(err, "singular values", "LAPACK's iteration did not converge");
}

static bool is_finite(const Mat *m, Err *err) {
    return mat_is_finite(m) || err_fail(err, "singular values", "the weights are too large");
}

static void read_columns(double *out, const Mat *m, bool transposed) {
    int rows = transposed ? m->cols : m->rows, cols = transposed ? m->rows : m->cols;
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++)
            *out++ = (double)(transposed ? mat_row(m, j)[i] : mat_row(m, i)[j]);
}

/* Copy doubles to floats: entry (i, j) of out is from[i * across + j * along]. */
static void write_rows(Mat *out, const double *from, size_t across, size_t along) {
    for (int i = 0; i < out->rows; i++)
        for (int j = 0; j < out->cols; j++)
            mat_row(out, i)[j] = (float)from[(size_t)i * across + (size_t)j * along];
}

static void choose_signs(Mat *u, Mat *v) {
    for (int r = 0; r < u->cols; r++) {
        float largest = 0;
        for (int i = 0; i < u->rows; i++)
            largest = fabsf(mat_row(u, i)[r]) > fabsf(largest) ? mat_row(u, i)[r] : largest;
        for (int i = 0; i < u->rows && largest < 0; i++)
            mat_row(u, i)[r] *= -1;
        for (int i = 0; i < v->rows && largest < 0; i++)
            mat_row(v, i)[r] *= -1;
    }
}

bool decompose_matrix(Mat *u, double *sigma, Mat *v, const Mat *m, Err *err) {
    assert(m->rows > 0 && m->cols > 0 && (u == NULL) == (v == NULL));
    Core core = {0};
    bool done = is_finite(m, err) && core_open(&core, m->rows, m->cols, u != NULL, 0, err);
    if (done) {
        read_columns(core.at, m, false);
        done = core_solve(&core, sigma, err);
    }
    if (done && u != NULL) {
        write_rows(u, core.u, 1, (size_t)m->rows);
        write_rows(v, core.vt, (size_t)core.count, 1);
        choose_signs(u, v);
    }
    core_close(&core);
    return done;
}

/* Replace the tall q (rows, n) by its Householder vectors and its triangle R. */
static void split(Core *core, double *q, int rows, int n, double *tau) {
    int info = geqrf(LAPACK_COL_MAJOR, rows, n, q, rows, tau, core->work, core->room);
    assert(info == 0);
}

/* Set core = a·bᵀ; both have `depth` columns, each `stride` after the previous one. If
 * are_triangles, only their entries on and above the diagonal are read. */
static void multiply(Core *core, const double *a, const double *b, int stride, int depth,
                     bool are_triangles) {
    size_t n = (size_t)core->rows;
    memset(core->at, 0, n * n * sizeof *core->at);
    for (size_t j = 0; j < n; j++)
        for (size_t p = are_triangles ? j : 0; p < (size_t)depth; p++) {
            const double *column = a + p * (size_t)stride;
            double factor = b[p * (size_t)stride + j], *to = core->at + j * n;
            size_t end = are_triangles ? p + 1 : n;
            for (size_t i = 0; i < end; i++)
                to[i] += column[i] * factor;
        }
}

/* Set out to `top` (n, n) above rows of 0. If q is not NULL, it contains the Householder vectors of
 * Q: multiply the result from the left by Q. Entry (i, j) of top is top[i * across + j * along].
 * room has out->rows·n doubles. */
static void write_vectors(Mat *out, Core *core, const double *q, const double *tau,
                          const double *top, size_t across, size_t along, double *room) {
    size_t D = (size_t)out->rows, n = (size_t)core->count;
    memset(room, 0, D * n * sizeof *room);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            room[j * D + i] = top[i * across + j * along];
    int info = q == NULL ? 0
                         : ormqr(LAPACK_COL_MAJOR, 'L', 'N', out->rows, core->count, core->count, q,
                                 out->rows, tau, room, out->rows, core->work, core->room);
    assert(info == 0);
    write_rows(out, room, 1, D);
}

bool decompose_product(Mat *u, double *sigma, Mat *v, const Mat *a, const Mat *b, Err *err) {
    int D = a->rows, K = a->cols, n = smaller(D, K);
    size_t entries = (size_t)D * (size_t)K, side = (size_t)n;
    assert(b->rows == D && b->cols == K && n > 0 && (u == NULL) == (v == NULL));
    Core core = {0};
    if (!is_finite(a, err) || !is_finite(b, err) ||
        !core_open(&core, n, n, u != NULL, 3 * entries + 2 * side, err)) {
        core_close(&core);
        return false;
    }
    double *left = core.extra, *right = left + entries, *room = right + entries;
    double *tau_left = room + entries, *tau_right = tau_left + n;
    read_columns(left, a, false);
    read_columns(right, b, false);
    if (D > K) {
        split(&core, left, D, K, tau_left);
        split(&core, right, D, K, tau_right);
    }
    multiply(&core, left, right, D, K, D > K);
    bool done = core_solve(&core, sigma, err);
    if (done && u != NULL) {
        write_vectors(u, &core, D > K ? left : NULL, tau_left, core.u, 1, side, room);
        write_vectors(v, &core, D > K ? right : NULL, tau_right, core.vt, side, 1, room);
        choose_signs(u, v);
    }
    core_close(&core);
    return done;
}

bool decompose_truncate(Mat *out, Mat *sigma, const Mat *a, const Mat *b, int rank, Err *err) {
    int D = a->rows, n = smaller(D, a->cols);
    uint64_t vectors = mat_bytes(D, n);
    Arena arena = {0};
    assert(rank > 0 && sigma->rows == 1 && sigma->cols >= n);
    if (!arena_reserve(&arena, 2 * vectors + arena_padded((size_t)n * sizeof(double)), err))
        return false;
    Mat u = mat_push(&arena, D, n), v = mat_push(&arena, D, n);
    double *values = arena_push(&arena, (size_t)n * sizeof *values);
    bool cuts = rank < n;
    bool done = decompose_product(cuts ? &u : NULL, values, cuts ? &v : NULL, a, b, err);
    for (int r = 0; r < sigma->cols && done; r++)
        sigma->at[r] = r < n ? (float)values[r] : 0;
    if (done && cuts) {
        Mat left = mat_cols(&u, 0, rank), right = mat_cols(&v, 0, rank);
        mat_scale_cols(&left, values);
        mat_mul_bt(out, &left, &right, 1);
    }
    arena_release(&arena);
    return done;
}

bool decompose_orthogonal(Mat *m, Err *err) {
    bool wide = m->rows < m->cols;
    int rows = wide ? m->cols : m->rows, n = wide ? m->rows : m->cols, info;
    size_t stride = (size_t)rows;
    assert(n > 0);
    Core core = {0};
    bool done = is_finite(m, err) && core_open(&core, rows, n, false, 2 * (size_t)n, err);
    if (done) {
        double *tau = core.extra, *sign = tau + n;
        read_columns(core.at, m, wide);
        split(&core, core.at, rows, n, tau);
        for (size_t j = 0; j < (size_t)n; j++)
            sign[j] = core.at[j * stride + j] < 0 ? -1 : 1;
        info = orgqr(LAPACK_COL_MAJOR, rows, n, n, core.at, rows, tau, core.work, core.room);
        assert(info == 0);
        for (size_t j = 0; j < (size_t)n; j++)
            for (size_t i = 0; i < stride; i++)
                core.at[j * stride + i] *= sign[j];
        write_rows(m, core.at, wide ? stride : 1, wide ? 1 : stride);
    }
    core_close(&core);
    return done;
}
