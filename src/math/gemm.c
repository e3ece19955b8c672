#include "math/gemm.h"

#include <assert.h>
#include <stddef.h>

#include "math/lanes.h"

/* A tile is TILE_ROWS rows of TILE_VECTORS vectors of the product. Its sums stay in registers (24
 * of 32, or 12 of 16) for a block of at most DEPTH_BLOCK steps of the depth. A panel is the columns
 * of b that the tile needs. A block of a panel stays in the first cache for all rows of a.
 *
 * Time of OpenBLAS 0.3.21 divided by that of this file with vectors of 512 or 256 bits, on one
 * core of an AMD EPYC (Zen 5), for which OpenBLAS has 256-bit kernels:
 *   (rows, depth)·(depth, cols)   512 bits   256 bits
 *   (8, 64)·(64, 192)                  3.3        1.7
 *   (16, 128)·(128, 384)               2.9        1.5
 *   (32, 256)·(256, 256)               2.5        1.3
 *   (128, 512)·(512, 512)              2.0        1.0
 *   (512, 768)·(768, 2304)             1.9        1.0
 *   (16, 384)·(128, 384)ᵀ              2.2        1.3
 *   (12, 16)·(12, 16)ᵀ                 1.5        1.0
 *   (64, 8)ᵀ·(64, 192)                 3.3        1.7
 * So no product is left to BLAS. */
#if LANES == 16 || defined __aarch64__
#define TILE_ROWS 8
#else
#define TILE_ROWS 4
#endif
#define TILE_VECTORS 3
#define PANEL_COLS   (TILE_VECTORS * LANES)
#define DEPTH_BLOCK  (LANES == 16 ? 192 : LANES == 8 ? 256 : 384)
/* b is not copied if a has at most this number of rows, or if the depth is at most this number. */
#define DIRECT 32
/* Columns that a thread computes at a time, if threads share a product: whole panels. */
#define PART_COLS (2 * PANEL_COLS)

typedef struct Side {
    const float *at;
    ptrdiff_t across, deep; /* distance in floats from one row of a (column of b) to the next, and
                               from one step of the depth to the next */
} Side;

typedef struct Panel {
    const float *b;
    ptrdiff_t b_deep, a_across, a_deep;
    ptrdiff_t out_stride;
    int depth, vectors, cols;
    bool transposed; /* a is transposed: its next row is one float away */
    bool fresh;      /* sums start from 0, otherwise from out */
    /* If true, each block of the depth is multiplied by factor and added to out. Otherwise out
     * holds the sums of the earlier blocks, and factor is applied after the last one. */
    bool add;
    float factor;
    /* The next columns, to be prefetched. They may lie past the end, because a prefetch does not
     * read. */
    const float *ahead;
    ptrdiff_t ahead_deep;
} Panel;

/* out = factor * (sums so far + a * b) for one tile. Callers pass constants for all arguments
 * except the first three, so the loops unroll and sum stays in registers. Rows of a are addressed
 * from two pointers, because compilers keep the multiples of a stride for at most eight rows in
 * registers. */
static inline __attribute__((always_inline)) void multiply_constant(float *out, const float *a,
                                                                    const Panel *panel, int rows,
                                                                    int vectors, bool transposed,
                                                                    bool fresh) {
    Lanes sum[2 * TILE_ROWS][TILE_VECTORS];
    const Lanes none = {0};
    const float *b = panel->b;
    float factor = panel->factor;
    ptrdiff_t across = transposed ? 1 : panel->a_across, deep = transposed ? panel->a_deep : 1;
    ptrdiff_t out_stride = panel->out_stride;
    LANES_UNROLL for (int r = 0; r < rows; r++) LANES_UNROLL for (int v = 0; v < vectors; v++)
        sum[r][v] = fresh ? none : lanes_load(out + r * out_stride + v * LANES);
    const float *half = a + TILE_ROWS * across, *ahead = panel->ahead;
    for (int p = 0; p < panel->depth; p++, a += deep, half += deep, b += panel->b_deep) {
        Lanes row[TILE_VECTORS];
        __builtin_prefetch(ahead + p * panel->ahead_deep);
        LANES_UNROLL for (int v = 0; v < vectors; v++) row[v] = lanes_load(b + v * LANES);
        LANES_UNROLL for (int r = 0; r < rows; r++) LANES_UNROLL for (int v = 0; v < vectors; v++)
            sum[r][v] += (r < TILE_ROWS ? a[r * across] : half[(r - TILE_ROWS) * across]) * row[v];
    }
    if (factor != 1)
        LANES_UNROLL for (int r = 0; r < rows; r++) LANES_UNROLL for (int v = 0; v < vectors; v++)
            sum[r][v] *= factor;
    LANES_UNROLL for (int r = 0; r < rows; r++) LANES_UNROLL for (int v = 0; v < vectors; v++)
        lanes_store(out + r * out_stride + v * LANES, sum[r][v]);
}

typedef void Kernel(float *out, const float *a, const Panel *panel);
#define KERNEL(name, rows, vectors, transposed, fresh)                                             \
    static void name(float *out, const float *a, const Panel *panel) {                             \
        multiply_constant(out, a, panel, rows, vectors, transposed, fresh);                        \
    }
#define KERNELS(rows, vectors)                                                                     \
    KERNEL(on_straight_##rows##_##vectors, rows, vectors, false, false)                            \
    KERNEL(on_transposed_##rows##_##vectors, rows, vectors, true, false)                           \
    KERNEL(straight_##rows##_##vectors, rows, vectors, false, true)                                \
    KERNEL(transposed_##rows##_##vectors, rows, vectors, true, true)
#define KERNEL_ROW(rows, vectors)                                                                  \
    {                                                                                              \
        {on_straight_##rows##_##vectors, on_transposed_##rows##_##vectors}, {                      \
            straight_##rows##_##vectors, transposed_##rows##_##vectors                             \
        }                                                                                          \
    }
KERNELS(1, 1)
KERNELS(1, 2)
KERNELS(1, 3)
KERNELS(2, 1)
KERNELS(2, 2)
KERNELS(2, 3)
KERNELS(4, 1)
KERNELS(4, 2)
KERNELS(4, 3)
KERNELS(8, 1)
#if TILE_ROWS == 8
KERNELS(8, 2)
KERNELS(8, 3)
KERNELS(16, 1)
#endif

/* The kernels, indexed by log2 of the number of rows, number of vectors - 1, fresh and transposed.
 * A tile of one vector may have twice TILE_ROWS, so that enough sums run in parallel. */
static Kernel *const TILES[][TILE_VECTORS][2][2] = {
    {KERNEL_ROW(1, 1), KERNEL_ROW(1, 2), KERNEL_ROW(1, 3)},
    {KERNEL_ROW(2, 1), KERNEL_ROW(2, 2), KERNEL_ROW(2, 3)},
    {KERNEL_ROW(4, 1), KERNEL_ROW(4, 2), KERNEL_ROW(4, 3)},
#if TILE_ROWS == 8
    {KERNEL_ROW(8, 1), KERNEL_ROW(8, 2), KERNEL_ROW(8, 3)},
    {KERNEL_ROW(16, 1)},
#else
    {KERNEL_ROW(8, 1)},
#endif
};

static Kernel *kernel_of(const Panel *panel, int log) {
    return TILES[log][panel->vectors - 1][panel->fresh][panel->transposed];
}

static int at_most(int a, int b) {
    return a < b ? a : b;
}

/* Compute a tile in a buffer, because its columns do not fill the vectors or it is added to out. */
static void multiply_buffered(float *out, const float *a, const Panel *panel, int log) {
    float buffer[TILE_ROWS * PANEL_COLS];
    int rows = 1 << log, width = panel->vectors * LANES;
    Panel aside = *panel;
    aside.out_stride = width;
    for (int r = 0; !panel->fresh && r < rows; r++)
        lanes_copy(buffer + r * width, out + r * panel->out_stride, panel->cols);
    kernel_of(panel, log)(buffer, a, &aside);
    for (int r = 0; r < rows; r++) {
        float *to = out + r * panel->out_stride, *from = buffer + r * width;
        for (int j = 0; panel->add && j < panel->cols; j++)
            from[j] += to[j];
        lanes_copy(to, from, panel->cols);
    }
}

/* Multiply all rows of a by one panel of b, for one block of the depth. */
static void multiply_panel(float *out, const float *a, Panel *panel, int rows) {
    bool buffered = panel->add || panel->cols < panel->vectors * LANES;
    int log = (TILE_ROWS == 8 ? 3 : 2) + (panel->vectors == 1);
    while (rows > 0) {
        while (1 << log > rows)
            log--;
        Kernel *multiply = kernel_of(panel, log);
        if (buffered)
            multiply_buffered(out, a, panel, log);
        else
            multiply(out, a, panel);
        panel->ahead += LANES;
        a += panel->a_across << log;
        out += panel->out_stride << log;
        rows -= 1 << log;
    }
}

/* Copy one panel of b, row by row, with columns padded with 0. */
static void pack_straight(float *packed, const Side *b, const Panel *panel) {
    int width = panel->vectors * LANES, rest = panel->cols % LANES, whole = panel->cols - rest;
    for (int p = 0; p < panel->depth; p++, packed += width) {
        const float *from = b->at + p * b->deep;
        for (int j = 0; j < whole; j += LANES)
            lanes_store(packed + j, lanes_load(from + j));
        if (rest > 0)
            lanes_store(packed + whole, lanes_load_some(from + whole, rest));
    }
}

static void pack_transposed(float *packed, const Side *b, const Panel *panel) {
    int width = panel->vectors * LANES;
    for (int j = 0; j < width; j += LANES)
        for (int p = 0; p < panel->depth; p += LANES) {
            const float *from = b->at + j * b->across + p * b->deep;
            float *to = packed + p * width + j;
            int cols = at_most(panel->cols - j, LANES), deep = at_most(panel->depth - p, LANES);
            if (cols == LANES && deep == LANES)
                lanes_transpose(to, width, from, b->across, LANES, LANES);
            else if (deep == LANES)
                lanes_transpose(to, width, from, b->across, cols, LANES);
            else
                lanes_transpose_ends(to, width, from, b->across, cols, deep);
        }
}

/* Multiply all panels for one block of the depth. a and b start at this block. */
static void multiply_block(Mat *out, const Side *a, const Side *b, bool transpose_b,
                           const Panel *common) {
    float packed[DEPTH_BLOCK * PANEL_COLS] __attribute__((aligned(64)));
    Panel panel = *common;
    for (int j = 0; j < out->cols; j += panel.cols) {
        job_breathe();
        /* Panels of three vectors, but 2 + 2 instead of 3 + 1 at the end. */
        int vectors = ((out->cols - j) + LANES - 1) / LANES;
        panel.vectors = vectors == 4 ? 2 : at_most(vectors, TILE_VECTORS);
        panel.cols = at_most(out->cols - j, panel.vectors * LANES);
        Side columns = {b->at + j * b->across, b->across, b->deep};
        bool whole = panel.cols == panel.vectors * LANES;
        bool direct = !transpose_b && whole && (out->rows <= DIRECT || panel.depth <= DIRECT);
        panel.b = direct ? columns.at : packed;
        panel.b_deep = direct ? b->deep : panel.vectors * LANES;
        if (!direct)
            (transpose_b ? pack_transposed : pack_straight)(packed, &columns, &panel);
        panel.ahead = columns.at + panel.cols * b->across;
        panel.ahead_deep = transpose_b ? b->across : b->deep;
        multiply_panel(out->at + j, a->at, &panel, out->rows);
    }
}

void gemm(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan) {
    bool turns_a = plan->transpose_a, turns_b = plan->transpose_b;
    int depth = turns_a ? a->rows : a->cols, most = DEPTH_BLOCK;
    if (out->rows == 0 || out->cols == 0)
        return;
    assert(out->rows == (turns_a ? a->cols : a->rows));
    assert(out->cols == (turns_b ? b->rows : b->cols));
    assert(depth == (turns_b ? b->cols : b->rows));
    Side left = {a->at, turns_a ? 1 : a->stride, turns_a ? a->stride : 1};
    Side right = {b->at, turns_b ? b->stride : 1, turns_b ? 1 : b->stride};
    Panel panel = {.a_across = left.across,
                   .a_deep = left.deep,
                   .out_stride = out->stride,
                   .transposed = turns_a,
                   .add = plan->add};
    int blocks = depth > most ? (depth + most - 1) / most : 1;
    for (int block = 0, done = 0; block < blocks; block++) {
        bool last = block == blocks - 1;
        panel.depth = last ? depth - done : (depth - done) / (blocks - block);
        panel.fresh = block == 0 || plan->add;
        panel.factor = last || plan->add ? plan->factor : 1;
        multiply_block(out, &left, &right, turns_b, &panel);
        left.at += panel.depth * left.deep;
        right.at += panel.depth * right.deep;
        done += panel.depth;
    }
}

typedef struct SplitProduct {
    Mat *out;
    const Mat *a, *b;
    const GemmPlan *plan;
} SplitProduct;

static void multiply_part(const void *context, int part) {
    const SplitProduct *p = context;
    int first = part * PART_COLS, count = at_most(PART_COLS, p->out->cols - first);
    Mat out = mat_cols(p->out, first, count);
    Mat b = p->plan->transpose_b ? mat_rows(p->b, first, count) : mat_cols(p->b, first, count);
    gemm(&out, p->a, &b, p->plan);
}

void gemm_in_job(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan, const Job *job) {
    job_split(job, multiply_part, &(SplitProduct){out, a, b, plan},
              (out->cols + PART_COLS - 1) / PART_COLS);
}
