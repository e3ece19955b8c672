#include "math/wide.h"

#include <assert.h>

#include "math/lanes.h"

/* A tile of out is TILE_ROWS × TILE_COLS and stays in registers while a block of the depth passes:
 * 24 of 32 vector registers, or 12 of 16. Both sides are laid out tile after tile before; those of
 * BLOCK_TILES tiles of rows stay in the second cache while all columns pass. */
#define WIDTH        (LANES / 2) /* doubles of a vector */
#define TILE_VECTORS 3
#define TILE_ROWS    (TILE_VECTORS * WIDTH)
#if LANES == 16 || defined __aarch64__
#define TILE_COLS 8
#else
#define TILE_COLS 4
#endif
#define DEPTH_BLOCK 192
#define BLOCK_TILES (240 / TILE_ROWS)

typedef double LooseDoubles
    __attribute__((vector_size(WIDTH * sizeof(double)), aligned(sizeof(double)), may_alias));

static inline LaneDoubles load(const double *from) {
    return *(const LooseDoubles *)from;
}

static inline void store(double *to, LaneDoubles v) {
    *(LooseDoubles *)to = v;
}

static int at_most(int a, int b) {
    return a < b ? a : b;
}

static size_t rounded(int count, int tile) {
    return (size_t)(count + tile - 1) / (size_t)tile * (size_t)tile;
}

size_t wide_scratch(const WidePlan *plan) {
    size_t depth = (size_t)at_most(plan->depth, DEPTH_BLOCK);
    return (rounded(plan->rows, TILE_ROWS) + rounded(plan->cols, TILE_COLS)) * depth;
}

/* A tile of width rows of side, one after the other in depth, filled up with 0. */
static void pack_tile(double *packed, const WideSide *side, int row, int rows, int width, int from,
                      int depth) {
    ptrdiff_t at = row * side->across + from * side->deep;
    for (int p = 0; p < depth; p++, packed += width, at += side->deep)
        for (int i = 0; i < width; i++)
            packed[i] = i >= rows              ? 0
                        : side->floats != NULL ? (double)side->floats[at + i * side->across]
                                               : side->doubles[at + i * side->across];
}

/* The same where the rows lie side by side and all are there, as they mostly do. */
static void pack_whole(double *packed, const WideSide *side, int row, int width, int from,
                       int depth) {
    ptrdiff_t at = row + from * side->deep;
    for (int p = 0; p < depth; p++, packed += width, at += side->deep)
        for (int i = 0; i < width; i++)
            packed[i] = side->floats != NULL ? (double)side->floats[at + i] : side->doubles[at + i];
}

static void pack(double *packed, const WideSide *side, int rows, int width, int from, int depth) {
    for (int row = 0; row < rows; row += width, packed += (size_t)width * (size_t)depth)
        if (side->across == 1 && rows - row >= width)
            pack_whole(packed, side, row, width, from, depth);
        else
            pack_tile(packed, side, row, at_most(rows - row, width), width, from, depth);
}

/* One tile, of sides that are laid out. */
static void add_tile(double *out, ptrdiff_t stride, const double *left, const double *right,
                     int depth, double factor) {
    LaneDoubles sum[TILE_COLS][TILE_VECTORS];
    const LaneDoubles none = {0};
    LANES_UNROLL for (int j = 0; j < TILE_COLS; j++)
        LANES_UNROLL for (int v = 0; v < TILE_VECTORS; v++) sum[j][v] = none;
    for (int p = 0; p < depth; p++, left += TILE_ROWS, right += TILE_COLS) {
        LaneDoubles column[TILE_VECTORS];
        LANES_UNROLL for (int v = 0; v < TILE_VECTORS; v++) column[v] = load(left + v * WIDTH);
        LANES_UNROLL for (int j = 0; j < TILE_COLS; j++)
            LANES_UNROLL for (int v = 0; v < TILE_VECTORS; v++) sum[j][v] += right[j] * column[v];
    }
    LANES_UNROLL for (int j = 0; j < TILE_COLS; j++)
        LANES_UNROLL for (int v = 0; v < TILE_VECTORS; v++) store(
            out + j * stride + v * WIDTH, load(out + j * stride + v * WIDTH) + factor * sum[j][v]);
}

/* The same of a tile that reaches past out's end. */
static void add_part(double *out, ptrdiff_t stride, const double *left, const double *right,
                     const WidePlan *part) {
    double tile[TILE_COLS * TILE_ROWS] = {0};
    add_tile(tile, TILE_ROWS, left, right, part->depth, part->factor);
    for (int j = 0; j < part->cols; j++)
        for (int i = 0; i < part->rows; i++)
            out[j * stride + i] += tile[j * TILE_ROWS + i];
}

/* The tiles from row `first` to `end` of the columns that start at col. */
static void add_column(double *out, ptrdiff_t stride, const double *left, const double *right,
                       const WidePlan *block, int first, int end, int col) {
    size_t depth = (size_t)block->depth;
    for (int row = first; row < end; row += TILE_ROWS) {
        double *to = out + col * stride + row;
        const double *a = left + (size_t)row * depth, *b = right + (size_t)col * depth;
        int rows = at_most(block->rows - row, TILE_ROWS);
        int cols = at_most(block->cols - col, TILE_COLS);
        if (rows == TILE_ROWS && cols == TILE_COLS)
            add_tile(to, stride, a, b, block->depth, block->factor);
        else
            add_part(
                to, stride, a, b,
                &(WidePlan){
                    .rows = rows, .cols = cols, .depth = block->depth, .factor = block->factor});
    }
}

/* All of one block of the depth, whose sides are laid out. */
static void add_block(double *out, ptrdiff_t stride, const double *left, const double *right,
                      const WidePlan *block) {
    int step = BLOCK_TILES * TILE_ROWS;
    for (int first = 0; first < block->rows; first += step) {
        int end = at_most(block->rows, first + step);
        for (int col = 0; col < (block->lower ? at_most(block->cols, end) : block->cols);
             col += TILE_COLS) {
            int diagonal = block->lower ? col / TILE_ROWS * TILE_ROWS : 0;
            add_column(out, stride, left, right, block, diagonal > first ? diagonal : first, end,
                       col);
        }
    }
}

void wide_add(double *out, ptrdiff_t stride, const WideSide *left, const WideSide *right,
              const WidePlan *plan, double *scratch) {
    assert(!plan->lower || plan->rows == plan->cols);
    WidePlan block = *plan;
    for (int from = 0; from < plan->depth; from += block.depth) {
        block.depth = at_most(plan->depth - from, DEPTH_BLOCK);
        double *packed = scratch + rounded(plan->rows, TILE_ROWS) * (size_t)block.depth;
        pack(scratch, left, plan->rows, TILE_ROWS, from, block.depth);
        pack(packed, right, plan->cols, TILE_COLS, from, block.depth);
        add_block(out, stride, scratch, packed, &block);
    }
}
