#include <assert.h>

#include "gfx/blend.h"
#include "gfx/soft_items.h"

#define MINUS_DASH  1
#define MINUS_HALF  2
#define MINUS_FROM  0.12f /* share of the scale; below it the dash would be noise */
#define MASKED_BITS 0xFF800000u
#define WRONG_BITS  0x7F800000u /* the exponent of a value that is not finite */

/* The words of an item, as in cells.vert. */
typedef struct SoftCells {
    const DrawCells *cells;
    const Colour *palette;
    float left, top, width, height; /* place of the whole matrix */
    int rows, cols;
    SoftColour ground, masked, stroke, wrong;
    float gap, thickness;
    int minus;
    bool fades;
    float way, sweep;
} SoftCells;

/* The look of a cell with one value. A cell without a mark has one colour. */
typedef struct CellLook {
    uint32_t bits;
    SoftColour colour;
    bool is_marked;
} CellLook;

/* A cell of a row: its look, the previous look, and the progress of its fade. */
typedef struct CellPass {
    CellLook now, before;
    float way;
} CellPass;

/* The pixels of a cell along an axis: its own from start to gap, the background's from gap to end.
 * */
typedef struct CellRun {
    int index, start, gap, end;
} CellRun;

static SoftCells read_cells(const SoftPicture *picture, const PaintItem *item) {
    const uint32_t *words = item->words;
    float left = soft_number(words[4]), top = soft_number(words[5]);
    SoftCells s = {.cells = item->cells,
                   .left = left,
                   .top = top,
                   .width = soft_number(words[6]) - left,
                   .height = soft_number(words[7]) - top,
                   .rows = item->cells->rows,
                   .cols = item->cells->cols,
                   .ground = soft_colour(words[12]),
                   .masked = soft_colour(words[13]),
                   .stroke = soft_colour(words[14]),
                   .wrong = soft_colour(words[15]),
                   .gap = soft_number(words[16]),
                   .minus = (int)soft_number(words[18]),
                   .thickness = soft_number(words[19]),
                   .fades = item->pipeline == PIPELINE_CELLS_FADE};
    s.palette = picture->palettes + (size_t)soft_number(words[17]) * SOFT_TEXELS;
    s.way = s.fades ? soft_number(words[20]) : 1;
    s.sweep = s.fades ? soft_number(words[21]) : 0;
    return s;
}

static int border_of(int index, float start, float extent, int count) {
    return (int)floorf(start + (float)index * extent / (float)count + 0.5f);
}

static CellRun run_of(int index, float start, float extent, int count, float gap) {
    CellRun run = {.index = index,
                   .start = border_of(index, start, extent, count),
                   .end = border_of(index + 1, start, extent, count)};
    run.gap = run.end - (index < count - 1 ? (int)gap : 0);
    return run;
}

/* Find the cells that have pixels from first to end - 1, and return their number. */
static int find_runs(CellRun *runs, float start, float extent, int count, float gap, int first,
                     int end) {
    int found = 0;
    float per_pixel = (float)count / extent;
    float near = fmaxf(0, fminf((float)count, ((float)first - 1 - start) * per_pixel));
    for (int i = (int)near; i < count; i++) {
        CellRun run = run_of(i, start, extent, count, gap);
        if (run.start >= end)
            break;
        if (run.end > first && run.end > run.start)
            runs[found++] = run;
    }
    return found;
}

static CellLook look_of(const SoftCells *s, float value, float lo, float hi, float smaller) {
    CellLook look = {0};
    memcpy(&look.bits, &value, sizeof look.bits);
    if (look.bits == MASKED_BITS) {
        look.colour = s->masked;
        look.is_marked = smaller >= 6;
    } else if ((look.bits & WRONG_BITS) == WRONG_BITS) {
        look.colour = s->wrong;
        look.is_marked = smaller >= 5;
    } else {
        float t = soft_unit((value - lo) / (hi - lo));
        look.colour = soft_colour(s->palette[(int)(t * (SOFT_TEXELS - 1) + 0.5f)]);
        look.is_marked = value < 0 && (s->minus == MINUS_HALF ||
                                       (s->minus == MINUS_DASH && value <= MINUS_FROM * lo));
    }
    return look;
}

/* Return the coverage of the short stroke of a masked cell, which rises to the right. */
static SoftColour masked_at(const SoftCells *s, float x, float y, float extent) {
    float across = fabsf(x + y) * 0.70711f, along = fabsf(x - y) * 0.70711f;
    float inside =
        soft_coverage(0.06f * extent + 0.2f - across) * soft_coverage(0.26f * extent - along);
    return soft_between(s->masked, s->stroke, inside);
}

static SoftColour wrong_at(const SoftCells *s, float x, float y, float extent) {
    float across = fabsf(fabsf(x) - fabsf(y)) * 0.70711f, reach = fmaxf(fabsf(x), fabsf(y));
    float inside =
        soft_coverage(0.07f * extent + 0.3f - across) * soft_coverage(0.26f * extent - reach);
    return soft_between(s->ground, s->wrong, inside);
}

/* True if a pixel lies in a bar in the middle of the cell. */
static bool in_bar(float x, float y, float width, float height, float bar_w, float bar_h) {
    float left = floorf(0.5f * (width - bar_w)), top = floorf(0.5f * (height - bar_h));
    return x > left && y > top && x < left + bar_w && y < top + bar_h;
}

/* Return the height of the bar, half a cell's, that marks a negative value. */
static float half_bar(float height) {
    return fmaxf(1, floorf(0.5f * height + 0.5f));
}

static float luma_apart(SoftColour a, SoftColour b) {
    return fabsf(0.2126f * (a.r - b.r) + 0.7152f * (a.g - b.g) + 0.0722f * (a.b - b.b));
}

/* Return the colour of a dash, as palette_dash in draw/palette.h. */
static SoftColour dash_colour(const SoftCells *s, SoftColour shown) {
    SoftColour zero = soft_colour(s->palette[(SOFT_TEXELS - 1) / 2]);
    return 2 * luma_apart(s->ground, shown) >= luma_apart(zero, shown) ? s->ground : zero;
}

/* Return the colour of a pixel of a cell with a mark; x and y from its corner. */
static SoftColour mark_at(const SoftCells *s, const CellLook *look, float x, float y, float width,
                          float height) {
    float smaller = fminf(width, height);
    if (!look->is_marked)
        return look->colour;
    if (look->bits == MASKED_BITS)
        return masked_at(s, x - 0.5f * width, y - 0.5f * height, smaller);
    if ((look->bits & WRONG_BITS) == WRONG_BITS)
        return wrong_at(s, x - 0.5f * width, y - 0.5f * height, smaller);
    if (s->minus == MINUS_HALF)
        return in_bar(x, y, width, height, width, half_bar(height)) ? look->colour : s->ground;
    return in_bar(x, y, width, height, floorf(0.5f * width + 0.5f), s->thickness)
               ? dash_colour(s, look->colour)
               : look->colour;
}

static CellPass pass_of(const SoftCells *s, int row, int column, float smaller) {
    const DrawCells *c = s->cells;
    ptrdiff_t i = row, j = column;
    float hi = c->hi > c->lo ? c->hi : c->lo + 1;
    CellPass pass = {.now = look_of(s, c->values[i * c->stride + j], c->lo, hi, smaller), .way = 1};
    if (!s->fades)
        return pass;
    float before_hi = c->before_hi > c->before_lo ? c->before_hi : c->before_lo + 1;
    pass.before = look_of(s, c->before[i * c->cols + j], c->before_lo, before_hi, smaller);
    pass.way = cell_way(s->way, s->sweep, column, s->cols);
    return pass;
}

static void lay(uint32_t *row, int from, int to, SoftColour colour) {
    uint32_t pixel = soft_pixel_of(colour);
    for (int x = from; x < to; x++)
        row[x] = colour.a >= 1 ? pixel : soft_mixed(row[x], pixel, colour.a);
}

static int within(int at, int from, int to) {
    return at < from ? from : at > to ? to : at;
}

/* True if a cell's pixels differ within a row of pixels. */
static bool varies_across(const SoftCells *s, const CellLook *look) {
    bool is_finite = (look->bits & WRONG_BITS) != WRONG_BITS;
    return look->is_marked && !(is_finite && s->minus == MINUS_HALF);
}

/* Draw the pixels of a cell in one row of pixels. */
static void lay_cell(uint32_t *row, const SoftCells *s, const CellPass *pass, const CellRun *across,
                     const CellRun *down, int y, const PixelRect *clip) {
    int from = within(across->start, clip->left, clip->right);
    int to = within(across->gap, clip->left, clip->right);
    float width = (float)(across->gap - across->start), height = (float)(down->gap - down->start);
    int step = varies_across(s, &pass->now) || varies_across(s, &pass->before) ? 1 : to - from;
    for (int x = from; x < to; x += step) {
        float at_x = (float)(x - across->start) + 0.5f, at_y = (float)(y - down->start) + 0.5f;
        SoftColour now = mark_at(s, &pass->now, at_x, at_y, width, height);
        SoftColour before = mark_at(s, &pass->before, at_x, at_y, width, height);
        lay(row, x, x + step, pass->way >= 1 ? now : soft_between(before, now, pass->way));
    }
}

static void draw_row(const SoftPicture *picture, const PixelRect *clip, const SoftCells *s,
                     const CellRun *runs, int count, const CellRun *down) {
    CellPass passes[SOFT_TILE_WIDTH];
    for (int k = 0; k < count; k++) {
        float width = (float)(runs[k].gap - runs[k].start);
        float height = (float)(down->gap - down->start);
        passes[k] = pass_of(s, down->index, runs[k].index, fminf(width, height));
    }
    int bottom = within(down->end, clip->top, clip->bottom);
    for (int y = within(down->start, clip->top, clip->bottom); y < bottom; y++) {
        uint32_t *row = soft_row(picture, y);
        if (y >= down->gap) {
            lay(row, clip->left, clip->right, s->ground);
            continue;
        }
        for (int k = 0; k < count; k++) {
            lay_cell(row, s, &passes[k], &runs[k], down, y, clip);
            lay(row, within(runs[k].gap, clip->left, clip->right),
                within(runs[k].end, clip->left, clip->right), s->ground);
        }
    }
}

void soft_cells(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    SoftCells s = read_cells(picture, item);
    PixelRect quad = soft_quad(item->words, clip);
    CellRun across[SOFT_TILE_WIDTH], down[SOFT_TILE_HEIGHT];
    assert(clip->right - clip->left <= SOFT_TILE_WIDTH &&
           clip->bottom - clip->top <= SOFT_TILE_HEIGHT);
    int columns = find_runs(across, s.left, s.width, s.cols, s.gap, quad.left, quad.right);
    int rows = find_runs(down, s.top, s.height, s.rows, s.gap, quad.top, quad.bottom);
    for (int i = 0; i < rows; i++)
        draw_row(picture, &quad, &s, across, columns, &down[i]);
}
