#include <assert.h>
#include <math.h>
#include <string.h>

#include "gfx/soft_items.h"

#define MASKED_BITS 0xFF800000u
#define WRONG_BITS  0x7F800000u /* bits of +inf, for every value that is drawn as a cross */

typedef struct SoftCells {
    const PaintCells *as;
    const DrawCells *cells;
    const Colour *palette;
    SoftColour ground, masked, stroke, wrong;
} SoftCells;

/* How a cell looks: one colour, or with is_marked a colour that differs from pixel to pixel. */
typedef struct CellLook {
    uint32_t bits;
    SoftColour colour;
    bool is_marked;
} CellLook;

/* A cell's look, its look before, and the progress between them. */
typedef struct CellPass {
    CellLook now, before;
    float way;
} CellPass;

/* Along an axis the pixels from start to gap belong to the cell, those from gap to end to the
 * background. */
typedef struct CellRun {
    int index, start, gap, end;
} CellRun;

static int border_of(int index, float start, float extent, int count) {
    return (int)floorf(start + (float)index * extent / (float)count + 0.5f);
}

/* Find the cells with pixels from first to end - 1. Return their number. */
static int find_runs(CellRun *runs, float start, float extent, int count, float gap, int first,
                     int end) {
    int found = 0;
    float near = ((float)first - 1 - start) * (float)count / extent;
    for (int i = (int)fmaxf(0, fminf((float)count, near)); i < count; i++) {
        CellRun run = {.index = i,
                       .start = border_of(i, start, extent, count),
                       .end = border_of(i + 1, start, extent, count)};
        run.gap = run.end - (i < count - 1 ? (int)gap : 0);
        if (run.start >= end)
            break;
        if (run.end > first && run.end > run.start)
            runs[found++] = run;
    }
    return found;
}

/* smaller: the smaller side of the cell, px. */
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
        look.colour = soft_colour(s->palette[(int)(t * (PAINT_TEXELS - 1) + 0.5f)]);
        look.is_marked =
            value < 0 && (s->as->minus == MINUS_HALF ||
                          (s->as->minus == MINUS_DASH && value <= DRAW_MINUS_FROM * lo));
    }
    return look;
}

static bool in_bar(float x, float y, float width, float height, float bar_w, float bar_h) {
    float left = floorf(0.5f * (width - bar_w)), top = floorf(0.5f * (height - bar_h));
    return x > left && y > top && x < left + bar_w && y < top + bar_h;
}

static float luma_apart(SoftColour a, SoftColour b) {
    return fabsf(0.2126f * (a.r - b.r) + 0.7152f * (a.g - b.g) + 0.0722f * (a.b - b.b));
}

/* x and y count from the cell's corner. */
static SoftColour colour_at(const SoftCells *s, const CellLook *look, float x, float y, float width,
                            float height) {
    float mid_x = x - 0.5f * width, mid_y = y - 0.5f * height, extent = fminf(width, height);
    if (!look->is_marked)
        return look->colour;
    if (look->bits == MASKED_BITS) { /* a masked cell: a short stroke that rises to the right */
        float across = fabsf(mid_x + mid_y) * 0.70711f, along = fabsf(mid_x - mid_y) * 0.70711f;
        float inside =
            soft_coverage(0.06f * extent + 0.2f - across) * soft_coverage(0.26f * extent - along);
        return soft_between(s->masked, s->stroke, inside);
    }
    if ((look->bits & WRONG_BITS) == WRONG_BITS) { /* a cross */
        float across = fabsf(fabsf(mid_x) - fabsf(mid_y)) * 0.70711f;
        float reach = fmaxf(fabsf(mid_x), fabsf(mid_y));
        float inside =
            soft_coverage(0.07f * extent + 0.3f - across) * soft_coverage(0.26f * extent - reach);
        return soft_between(s->ground, s->wrong, inside);
    }
    if (s->as->minus == MINUS_HALF) {
        float half = fmaxf(1, floorf(0.5f * height + 0.5f));
        return in_bar(x, y, width, height, width, half) ? look->colour : s->ground;
    }
    if (!in_bar(x, y, width, height, floorf(0.5f * width + 0.5f), s->as->thickness))
        return look->colour;
    /* A dash: see palette_dash. */
    SoftColour zero = soft_colour(s->palette[(PAINT_TEXELS - 1) / 2]);
    return 2 * luma_apart(s->ground, look->colour) >= luma_apart(zero, look->colour) ? s->ground
                                                                                     : zero;
}

static bool varies_across(const SoftCells *s, const CellLook *look) {
    bool is_finite = (look->bits & WRONG_BITS) != WRONG_BITS;
    return look->is_marked && !(is_finite && s->as->minus == MINUS_HALF);
}

static bool is_same_look(const CellLook *a, const CellLook *b) {
    return a->bits == b->bits && a->is_marked == b->is_marked && a->colour.r == b->colour.r &&
           a->colour.g == b->colour.g && a->colour.b == b->colour.b && a->colour.a == b->colour.a;
}

static void lay_cell(uint32_t *row, const SoftCells *s, const CellPass *pass, const CellRun *across,
                     const CellRun *down, int y, const PixelRect *clip) {
    int from = soft_within(across->start, clip->left, clip->right);
    int to = soft_within(across->gap, clip->left, clip->right);
    float width = (float)(across->gap - across->start), height = (float)(down->gap - down->start);
    int step = varies_across(s, &pass->now) || varies_across(s, &pass->before) ? 1 : to - from;
    for (int x = from; x < to; x += step) {
        float at_x = (float)(x - across->start) + 0.5f, at_y = (float)(y - down->start) + 0.5f;
        SoftColour now = colour_at(s, &pass->now, at_x, at_y, width, height);
        if (pass->way < 1)
            now = soft_between(colour_at(s, &pass->before, at_x, at_y, width, height), now,
                               pass->way);
        soft_lay(row, x, x + step, now);
    }
}

static void draw_row(const SoftPicture *picture, const PixelRect *clip, const SoftCells *s,
                     const CellRun *runs, int count, const CellRun *down) {
    const PaintCells *as = s->as;
    CellPass passes[SOFT_TILE_WIDTH];
    const float *values = s->cells->values + (ptrdiff_t)down->index * s->cells->stride;
    const float *before = s->cells->before;
    for (int k = 0; k < count; k++) {
        int column = runs[k].index;
        float smaller = (float)(runs[k].gap - runs[k].start);
        smaller = fminf(smaller, (float)(down->gap - down->start));
        passes[k] =
            (CellPass){.now = look_of(s, values[column], as->lo, as->hi, smaller), .way = 1};
        if (before == NULL)
            continue;
        passes[k].before = look_of(s, before[(ptrdiff_t)down->index * s->cells->cols + column],
                                   as->before_lo, as->before_hi, smaller);
        if (!is_same_look(&passes[k].now, &passes[k].before))
            passes[k].way = cell_way(as->way, as->sweep, column, s->cells->cols);
    }
    int bottom = soft_within(down->end, clip->top, clip->bottom);
    for (int y = soft_within(down->start, clip->top, clip->bottom); y < bottom; y++) {
        uint32_t *row = soft_row(picture, y);
        if (y >= down->gap) {
            soft_lay(row, clip->left, clip->right, s->ground);
            continue;
        }
        for (int k = 0; k < count; k++) {
            lay_cell(row, s, &passes[k], &runs[k], down, y, clip);
            soft_lay(row, soft_within(runs[k].gap, clip->left, clip->right),
                     soft_within(runs[k].end, clip->left, clip->right), s->ground);
        }
    }
}

void soft_cells(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    const PaintCells *as = &item->as.cells;
    const PaintEdges *e = &as->edges;
    const SoftCells s = {.as = as,
                         .cells = item->cells,
                         .palette = picture->palettes + (size_t)as->palette * PAINT_TEXELS,
                         .ground = soft_colour(as->ground),
                         .masked = soft_colour(as->masked),
                         .stroke = soft_colour(as->stroke),
                         .wrong = soft_colour(as->wrong)};
    CellRun across[SOFT_TILE_WIDTH], down[SOFT_TILE_HEIGHT];
    assert(clip->right - clip->left <= SOFT_TILE_WIDTH &&
           clip->bottom - clip->top <= SOFT_TILE_HEIGHT);
    int columns = find_runs(across, e->left, e->right - e->left, (int)as->cols, as->gap, clip->left,
                            clip->right);
    int rows = find_runs(down, e->top, e->bottom - e->top, (int)as->rows, as->gap, clip->top,
                         clip->bottom);
    for (int i = 0; i < rows; i++)
        draw_row(picture, clip, &s, across, columns, &down[i]);
}
