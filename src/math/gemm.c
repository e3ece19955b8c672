#include "math/gemm.h"

#include <assert.h>
#include <stddef.h>

#include "math/lanes.h"

/* A tile of the product is TILE_ROWS rows of TILE_VECTORS vectors, and stays in registers while
 * the depth passes: 24 of 32 vector registers, or 12 of 16. A panel is the tile's columns of b;
 * DEPTH_BLOCK rows of it stay in the first cache while all rows of a pass.
 *
 * Time of OpenBLAS 0.3.21 by ours, one core of an AMD EPYC (Zen 5), where it has 256-bit kernels:
 *   (rows, depth)·(depth, cols)   512 bits   256 bits
 *   (8, 64)·(64, 192)                  3.0        1.7
 *   (16, 128)·(128, 384)               2.8        1.5
 *   (32, 256)·(256, 256)               2.4        1.3
 *   (128, 512)·(512, 512)              1.9        1.0
 *   (512, 768)·(768, 2304)             1.8        1.0
 *   (16, 384)·(128, 384)ᵀ              2.0        1.2
 *   (8, 64)ᵀ·(8, 192)                  1.4        0.9
 * So no product is left to BLAS, and one law holds for all. */
#if LANES == 16 || defined __aarch64__
#define TILE_ROWS 8
#else
#define TILE_ROWS 4
#endif
#define TILE_VECTORS 3
#define PANEL_COLS   (TILE_VECTORS * LANES)
#define DEPTH_BLOCK  (LANES == 16 ? 192 : LANES == 8 ? 256 : 384)
#define DIRECT       32   /* up to so many rows or so deep, b is read where it lies */
#define DEPTH_DIRECT 1024 /* of so few rows, which the second cache is soon enough for */
#define SWAPPED      8192 /* floats of a product that is made turned */
#define WATCHED      3e8  /* multiply-adds between two looks at a watch */
#define WATCHED_ROWS 256  /* of fewer rows packing b would take too large a part */

/* One side of a product. */
typedef struct Side {
    const float *at;
    ptrdiff_t across,
        deep; /* floats from one row of a, or column of b, to the next; and in depth */
} Side;

/* What the tiles of one panel share. */
typedef struct Panel {
    const float *b;
    ptrdiff_t b_deep, a_across, a_deep;
    ptrdiff_t out_stride;
    int depth, vectors, cols;
    bool turned; /* a's rows lie side by side */
    bool fresh;  /* sums start from 0, and do not go on from what out holds */
    bool add;    /* the product of each block of the depth is added to out */
    bool roomy;  /* out has room for whole vectors */
    float factor;
} Panel;

/* out = factor * (sums so far + a * b) for one tile. All arguments but the first three are
 * constants where this is called, so the loops over them unroll and sum is registers; a's rows are
 * counted from two places, since compilers keep no more strides than eight rows need. */
static inline __attribute__((always_inline)) void multiply_constant(float *out, const float *a,
                                                                    const Panel *panel, int rows,
                                                                    int vectors, bool turned,
                                                                    bool fresh) {
    Lanes sum[2 * TILE_ROWS][TILE_VECTORS];
    const Lanes none = {0};
    const float *b = panel->b;
    float factor = panel->factor;
    ptrdiff_t across = turned ? 1 : panel->a_across, deep = turned ? panel->a_deep : 1;
    ptrdiff_t out_stride = panel->out_stride;
    LANES_UNROLL for (int r = 0; r < rows; r++) LANES_UNROLL for (int v = 0; v < vectors; v++)
        sum[r][v] = fresh ? none : lanes_load(out + r * out_stride + v * LANES);
    const float *half = a + TILE_ROWS * across;
    for (int p = 0; p < panel->depth; p++, a += deep, half += deep, b += panel->b_deep) {
        Lanes row[TILE_VECTORS];
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
#define KERNEL(name, rows, vectors, turned, fresh)                                                 \
    static void name(float *out, const float *a, const Panel *panel) {                             \
        multiply_constant(out, a, panel, rows, vectors, turned, fresh);                            \
    }
#define KERNELS(rows, vectors)                                                                     \
    KERNEL(on_straight_##rows##_##vectors, rows, vectors, false, false)                            \
    KERNEL(on_turned_##rows##_##vectors, rows, vectors, true, false)                               \
    KERNEL(straight_##rows##_##vectors, rows, vectors, false, true)                                \
    KERNEL(turned_##rows##_##vectors, rows, vectors, true, true)
#define KERNEL_ROW(rows, vectors)                                                                  \
    {                                                                                              \
        {on_straight_##rows##_##vectors, on_turned_##rows##_##vectors}, {                          \
            straight_##rows##_##vectors, turned_##rows##_##vectors                                 \
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

/* By rows, 1 << log of them, and vectors; fresh or not and a turned or not. A tile of one vector
 * may have twice TILE_ROWS, so that enough sums are under way to wait for none. */
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
    return TILES[log][panel->vectors - 1][panel->fresh][panel->turned];
}

static int at_most(int a, int b) {
    return a < b ? a : b;
}

/* A tile whose columns do not fill its vectors, or that is added, is multiplied beside out. */
static void multiply_beside(float *out, const float *a, const Panel *panel, int log) {
    float beside[TILE_ROWS * PANEL_COLS];
    int rows = 1 << log, width = panel->vectors * LANES;
    Panel aside = *panel;
    aside.out_stride = width;
    for (int r = 0; !panel->fresh && r < rows; r++)
        lanes_copy(beside + r * width, out + r * panel->out_stride, panel->cols);
    kernel_of(panel, log)(beside, a, &aside);
    for (int r = 0; r < rows; r++) {
        float *to = out + r * panel->out_stride, *from = beside + r * width;
        for (int j = 0; panel->add && j < panel->cols; j++)
            from[j] += to[j];
        lanes_copy(to, from, panel->cols);
    }
}

/* All rows of one panel, for one block of the depth. */
static void multiply_panel(float *out, const float *a, const Panel *panel, int rows) {
    bool part = panel->cols < panel->vectors * LANES,
         beside = panel->add || (part && !panel->roomy);
    int log = (TILE_ROWS == 8 ? 3 : 2) + (panel->vectors == 1);
    while (rows > 0) {
        while (1 << log > rows)
            log--;
        Kernel *multiply = kernel_of(panel, log);
        if (beside)
            multiply_beside(out, a, panel, log);
        else
            multiply(out, a, panel);
        a += panel->a_across << log;
        out += panel->out_stride << log;
        rows -= 1 << log;
    }
}

/* b, for one panel, row after row and the columns filled up with 0. */
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

static void pack_turned(float *packed, const Side *b, const Panel *panel) {
    int width = panel->vectors * LANES;
    for (int j = 0; j < width; j += LANES)
        for (int p = 0; p < panel->depth; p += LANES) {
            const float *from = b->at + j * b->across + p * b->deep;
            float *to = packed + p * width + j;
            int cols = at_most(panel->cols - j, LANES), deep = at_most(panel->depth - p, LANES);
            if (cols == LANES && deep == LANES)
                lanes_turn(to, width, from, b->across, LANES, LANES);
            else if (deep == LANES)
                lanes_turn(to, width, from, b->across, cols, LANES);
            else
                lanes_turn_ends(to, width, from, b->across, cols, deep);
        }
}

/* Three vectors a panel; but four are shared out better as two and two. */
static int panel_vectors(int cols) {
    int vectors = (cols + LANES - 1) / LANES;
    return vectors == 4 ? 2 : at_most(vectors, TILE_VECTORS);
}

/* All panels, for one block of the depth, which the sides start with. */
static void multiply_block(Mat *out, const Side *a, const Side *b, bool b_turned,
                           const Panel *common) {
    float packed[DEPTH_BLOCK * PANEL_COLS] __attribute__((aligned(64)));
    Panel panel = *common;
    for (int j = 0; j < out->cols; j += panel.cols) {
        panel.vectors = panel_vectors(out->cols - j);
        panel.cols = at_most(out->cols - j, panel.vectors * LANES);
        Side columns = {b->at + j * b->across, b->across, b->deep};
        bool whole = panel.cols == panel.vectors * LANES;
        bool direct = !b_turned && whole && (out->rows <= DIRECT || panel.depth <= DIRECT);
        panel.b = direct ? columns.at : packed;
        panel.b_deep = direct ? b->deep : panel.vectors * LANES;
        if (!direct)
            (b_turned ? pack_turned : pack_straight)(packed, &columns, &panel);
        multiply_panel(out->at + j, a->at, &panel, out->rows);
    }
}

/* Both sides of a product and what all of its panels share but their depth. */
typedef struct Sides {
    Side left, right;
    int depth;
    Panel panel;
} Sides;

static Sides sides_of(const Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan) {
    int depth = plan->a_turned ? a->rows : a->cols;
    assert(!plan->go_on || (!plan->add && !plan->b_turned));
    assert(out->rows == (plan->a_turned ? a->cols : a->rows));
    assert(out->cols == (plan->b_turned ? b->rows : b->cols));
    assert(depth == (plan->b_turned ? b->cols : b->rows));
    Sides sides = {.left = {a->at, plan->a_turned ? 1 : a->stride, plan->a_turned ? a->stride : 1},
                   .right = {b->at, plan->b_turned ? b->stride : 1, plan->b_turned ? 1 : b->stride},
                   .depth = depth};
    sides.panel = (Panel){.a_across = sides.left.across,
                          .a_deep = sides.left.deep,
                          .out_stride = out->stride,
                          .turned = plan->a_turned,
                          .add = plan->add};
    return sides;
}

/* So much of the depth is taken at once. What sums over blocks is the same to the bit as one sum,
 * unless each is added. */
static int depth_block(const Mat *out, const GemmPlan *plan) {
    bool direct = !plan->b_turned && out->rows <= DIRECT && out->cols % LANES == 0;
    if (plan->add)
        return DEPTH_BLOCK;
    if (out->cols <= LANES)
        return TILE_VECTORS * DEPTH_BLOCK;
    return direct ? DEPTH_DIRECT : DEPTH_BLOCK;
}

static void multiply(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan, bool roomy) {
    Sides sides = sides_of(out, a, b, plan);
    Panel *panel = &sides.panel;
    panel->roomy = roomy;
    int most = depth_block(out, plan), depth = sides.depth;
    int blocks = depth > most ? (depth + most - 1) / most : 1;
    for (int block = 0, done = 0; block < blocks; block++) {
        bool last = block == blocks - 1;
        panel->depth = last ? depth - done : (depth - done) / (blocks - block);
        panel->fresh = (block == 0 && !plan->go_on) || plan->add;
        panel->factor = last || plan->add ? plan->factor : 1;
        multiply_block(out, &sides.left, &sides.right, plan->b_turned, panel);
        sides.left.at += panel->depth * sides.left.deep;
        sides.right.at += panel->depth * sides.right.deep;
        done += panel->depth;
    }
}

/* Whether a * bᵀ is better had as the turned b * aᵀ: where a has few rows and b many, it is a that
 * is turned for the vectors to run along, and what comes out. Where a's rows leave a
 * quarter of the last vector empty, more would be lost on that. */
static bool is_swapped(const Mat *out, const GemmPlan *plan) {
    int empty = (LANES - out->rows % LANES) % LANES;
    return plan->b_turned && !plan->a_turned && !plan->add && out->rows <= DIRECT &&
           out->cols > out->rows && empty < LANES / 4;
}

static void turn_back(Mat *out, const Mat *turned) {
    for (int j = 0; j < out->cols; j += LANES)
        for (int i = 0; i < out->rows; i += LANES) {
            float *to = mat_row(out, i) + j;
            const float *from = mat_row(turned, j) + i;
            int rows = at_most(out->rows - i, LANES), cols = at_most(out->cols - j, LANES);
            if (rows == LANES && cols == LANES)
                lanes_turn(to, out->stride, from, turned->stride, LANES, LANES);
            else if (cols == LANES)
                lanes_turn(to, out->stride, from, turned->stride, LANES, rows);
            else
                for (int r = 0; r < rows; r++)
                    for (int c = 0; c < cols; c++) /* all of turned has been made */
                        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign) */
                        to[r * out->stride + c] = from[c * turned->stride + r];
        }
}

/* Each entry sums the same terms in the same order, and a term is the same with its factors
 * swapped. */
static void multiply_swapped(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan) {
    float sums[SWAPPED] __attribute__((aligned(64)));
    int width = (out->rows + LANES - 1) / LANES * LANES, count = SWAPPED / width;
    assert(count > 0);
    for (int j = 0; j < out->cols; j += count) {
        Mat part = mat_cols(out, j, at_most(out->cols - j, count));
        /* cppcheck-suppress legacyUninitvar; it is where the product goes */
        Mat rows = mat_rows(b, j, part.cols), turned = {sums, part.cols, out->rows, width};
        multiply(&turned, &rows, a, plan, true);
        turn_back(&part, &turned);
    }
}

void gemm(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan) {
    if (out->rows == 0 || out->cols == 0)
        return;
    if (is_swapped(out, plan))
        multiply_swapped(out, a, b, plan);
    else
        multiply(out, a, b, plan, false);
}

/* Of one panel and one block of the depth each. */
static bool is_small(const Mat *out, int depth) {
    return panel_vectors(out->cols) * LANES >= out->cols && depth <= DEPTH_BLOCK;
}

void gemm_each(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan, const GemmEach *each) {
    bool small = is_small(out, plan->a_turned ? a->rows : a->cols) && out->rows > 0;
    Sides sides = sides_of(out, a, b, plan);
    sides.panel.depth = sides.depth;
    sides.panel.fresh = !plan->go_on;
    sides.panel.factor = plan->factor;
    for (int i = 0; i < each->count; i++) {
        Mat to = {out->at + i * each->out, out->rows, out->cols, out->stride};
        Mat left = {a->at + i * each->a, a->rows, a->cols, a->stride};
        Mat right = {b->at + i * each->b, b->rows, b->cols, b->stride};
        sides.left.at = left.at;
        sides.right.at = right.at;
        if (small)
            multiply_block(&to, &sides.left, &sides.right, plan->b_turned, &sides.panel);
        else
            gemm(&to, &left, &right, plan);
    }
}

bool gemm_watched(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan, JobWatch *watch) {
    int depth = plan->a_turned ? a->rows : a->cols;
    double fits = WATCHED / ((double)depth * out->cols + 1);
    int rows = watch == NULL || fits > out->rows ? out->rows
               : fits < WATCHED_ROWS             ? WATCHED_ROWS
                                                 : (int)fits;
    for (int first = 0; first < out->rows; first += rows) {
        int count = at_most(out->rows - first, rows);
        Mat part = mat_rows(out, first, count);
        Mat left = plan->a_turned ? mat_cols(a, first, count) : mat_rows(a, first, count);
        gemm(&part, &left, b, plan);
        if (!job_goes_on(watch))
            return false;
    }
    return true;
}

bool gemm_each_watched(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan,
                       const GemmEach *each, JobWatch *watch) {
    if (each->count == 1)
        return gemm_watched(out, a, b, plan, watch);
    gemm_each(out, a, b, plan, each);
    return job_goes_on(watch);
}
