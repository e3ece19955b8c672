#include <assert.h>
#include <float.h>

#include "gfx/soft.h"
#include "gfx/soft_mix.h"
#include "gfx/soft_scan.h"

#define MINUS_DASH  1
#define MINUS_HALF  2
#define MINUS_FROM  0.12f /* of the scale; below it the dash would be noise */
#define STRIP_WIDTH 256   /* pixels */
#define TEXEL_NONE  (-1)
#define TEXEL_HALF  (1 << 16) /* beside a texel */
#define MASKED_BITS 0xFF800000u
#define WRONG_BITS  0x7F800000u /* an exponent of ones: what is not finite */

/* The words of cells.vert. */
typedef struct SoftCells {
    const DrawCells *cells;
    const Colour *palette;
    float left, top, width, height; /* of the whole matrix */
    int rows, cols;
    SoftColour ground, masked, stroke, wrong;
    float gap, thickness;
    int minus;
    bool fades;
    float way, sweep;
} SoftCells;

/* A cell's values, as long as it has no mark of its own one colour. */
typedef struct CellLook {
    uint32_t bits;
    SoftColour colour;
    bool is_marked;
} CellLook;

/* Where cells lie along an axis: the first pixel, that of the gap, and the end. */
typedef struct CellRun {
    int index, start, gap, end;
} CellRun;

/* What is below zero and no higher has the dash of a minus. */
static float dashed_to(int minus, float lo) {
    return minus == MINUS_DASH ? MINUS_FROM * lo : -INFINITY;
}

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

static int cell_near(int pixel, float start, float extent, int count) {
    float index = floorf(((float)pixel - start) * (float)count / extent);
    return (int)fmaxf(0, fminf((float)count, index));
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

/* A short stroke that rises to the right. */
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

/* Whether a pixel lies in a bar in the middle of the cell. */
static bool in_bar(float x, float y, float width, float height, float bar_w, float bar_h) {
    float left = floorf(0.5f * (width - bar_w)), top = floorf(0.5f * (height - bar_h));
    return x > left && y > top && x < left + bar_w && y < top + bar_h;
}

/* How high the bar is that tells in half of a cell that it is below zero. */
static float half_bar(float height) {
    return fmaxf(1, floorf(0.5f * height + 0.5f));
}

static float luma_apart(SoftColour a, SoftColour b) {
    return fabsf(0.2126f * (a.r - b.r) + 0.7152f * (a.g - b.g) + 0.0722f * (a.b - b.b));
}

/* The ground's colour, or zero's where that is more than twice as far from the cell's: palette_dash
 * in draw/palette.h. */
static SoftColour dash_colour(const SoftCells *s, SoftColour shown) {
    SoftColour zero = soft_colour(s->palette[(SOFT_TEXELS - 1) / 2]);
    return 2 * luma_apart(s->ground, shown) >= luma_apart(zero, shown) ? s->ground : zero;
}

/* A marked cell's pixel: x and y from its corner. */
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

/* What a cell shows now and before, and how far it has got from there. */
typedef struct CellPass {
    CellLook now, before;
    float way;
} CellPass;

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

static SoftColour passed(const CellPass *pass, SoftColour now, SoftColour before) {
    return pass->way >= 1 ? now : soft_between(before, now, pass->way);
}

static void lay(uint32_t *pixels, int count, SoftColour colour) {
    uint32_t opaque = soft_laid(0, (SoftColour){colour.r, colour.g, colour.b, 1});
    int32_t share = soft_share(colour.a);
    for (int i = 0; i < count; i++)
        pixels[i] = soft_mixed(pixels[i], opaque, share);
}

/* The pixels of a cell in one row of pixels, from..to-1. */
static void lay_marked(uint32_t *pixels, const SoftCells *s, const CellPass *pass,
                       const CellRun *across, const CellRun *down, int y, int from, int to) {
    float width = (float)(across->gap - across->start), height = (float)(down->gap - down->start);
    for (int x = from; x < to; x++) {
        float at_x = (float)(x - across->start) + 0.5f, at_y = (float)(y - down->start) + 0.5f;
        SoftColour now = mark_at(s, &pass->now, at_x, at_y, width, height);
        SoftColour before = s->fades ? mark_at(s, &pass->before, at_x, at_y, width, height) : now;
        lay(pixels + x, 1, passed(pass, now, before));
    }
}

static int within(int at, int from, int to) {
    return at < from ? from : at > to ? to : at;
}

/* A cell within clip, pixel by pixel. */
static void draw_marked(const SoftPicture *picture, const PixelRect *clip, const SoftCells *s,
                        const CellPass *pass, const CellRun *across, const CellRun *down) {
    int left = within(across->start, clip->left, clip->right);
    int right = within(across->gap, clip->left, clip->right);
    int bottom = within(down->gap, clip->top, clip->bottom);
    for (int y = within(down->start, clip->top, clip->bottom); y < bottom; y++) {
        uint32_t *pixels = picture->pixels + (size_t)y * (size_t)picture->width;
        lay_marked(pixels, s, pass, across, down, y, left, right);
    }
}

/* The cells that lie in a strip of columns. */
typedef struct CellStrip {
    PixelRect clip; /* at most STRIP_WIDTH wide */
    CellRun runs[STRIP_WIDTH];
    int count;
    /* Of the row in hand, and of what fades: where the palette has the value, or TEXEL_NONE for
     * what has a mark of its own; with TEXEL_HALF where half of the cell tells that it is below
     * zero. */
    int texels[STRIP_WIDTH], before[STRIP_WIDTH];
    float ways[STRIP_WIDTH]; /* and how far each has got from there */
    /* Of a row's cells without marks of their own: where the bar is that cells of half their height
     * have, and above and below it. */
    uint32_t inside[STRIP_WIDTH], outside[STRIP_WIDTH];
} CellStrip;

/* Of a row of cells whose scale goes from lo to hi. */
static void find_texels(int *texels, const CellStrip *strip, const SoftCells *s,
                        const float *values, float lo, float hi) {
    float dashed = dashed_to(s->minus, lo);
    bool has_halves = s->minus == MINUS_HALF && s->ground.a >= 1;
    hi = hi > lo ? hi : lo + 1;
    for (int k = 0; k < strip->count; k++) {
        float value = values[strip->runs[k].index];
        bool is_plain = fabsf(value) <= FLT_MAX && !(value < 0 && value <= dashed) &&
                        (value >= 0 || s->minus != MINUS_HALF || has_halves);
        float t = soft_unit((value - lo) / (hi - lo));
        int texel =
            (int)(t * (SOFT_TEXELS - 1) + 0.5f) | (has_halves && value < 0 ? TEXEL_HALF : 0);
        texels[k] = is_plain ? texel : TEXEL_NONE;
    }
}

static void find_row(CellStrip *strip, const SoftCells *s, int row) {
    const DrawCells *c = s->cells;
    find_texels(strip->texels, strip, s, c->values + (ptrdiff_t)row * c->stride, c->lo, c->hi);
    if (s->fades)
        find_texels(strip->before, strip, s, c->before + (ptrdiff_t)row * c->cols, c->before_lo,
                    c->before_hi);
}

static SoftColour shown_at(const SoftCells *s, int texel, bool is_outside) {
    return is_outside && (texel & TEXEL_HALF) ? s->ground
                                              : soft_colour(s->palette[texel & ~TEXEL_HALF]);
}

/* The pixels of a cell whose values have no mark of their own, now and before, in the bar of half
 * its height and outside of it; false where one has. */
static bool find_pixels(uint32_t *inside, uint32_t *outside, const CellStrip *strip,
                        const SoftCells *s, int k) {
    int now = strip->texels[k], before = s->fades ? strip->before[k] : now;
    float way = strip->ways[k];
    if (now == TEXEL_NONE || before == TEXEL_NONE)
        return false;
    *inside =
        way >= 1
            ? soft_pixel(s->palette[now & ~TEXEL_HALF])
            : soft_laid(0, soft_between(shown_at(s, before, false), shown_at(s, now, false), way));
    *outside = *inside;
    if (((way < 1 ? now | before : now) & TEXEL_HALF) == 0)
        return true;
    SoftColour to = shown_at(s, now, true);
    *outside = soft_laid(0, way >= 1 ? to : soft_between(shown_at(s, before, true), to, way));
    return true;
}

/* The ground in a gap. */
static void lay_ground(const SoftPicture *picture, const PixelRect *clip, const SoftCells *s,
                       const PixelRect *gap) {
    int left = within(gap->left, clip->left, clip->right);
    int right = within(gap->right, clip->left, clip->right);
    int bottom = within(gap->bottom, clip->top, clip->bottom);
    for (int y = within(gap->top, clip->top, clip->bottom); y < bottom; y++)
        lay(picture->pixels + (size_t)y * (size_t)picture->width + left, right - left, s->ground);
}

static void set_run(CellStrip *strip, const CellRun *run, uint32_t inside, uint32_t outside) {
    int left = within(run->start, strip->clip.left, strip->clip.right);
    int right = within(run->gap, strip->clip.left, strip->clip.right);
    for (int x = left; x < right; x++) {
        strip->inside[x - strip->clip.left] = inside;
        strip->outside[x - strip->clip.left] = outside;
    }
}

/* Copy from..to-1 of the strip's pixels to every row of pixels that the cells have. */
static void lay_strip(const SoftPicture *picture, const CellStrip *strip, const CellRun *down,
                      int from, int to) {
    const PixelRect *clip = &strip->clip;
    int bottom = within(down->gap, clip->top, clip->bottom);
    float height = (float)(down->gap - down->start), bar = half_bar(height);
    for (int y = within(down->start, clip->top, clip->bottom); y < bottom && to > from; y++) {
        bool is_inside = in_bar(0.5f, (float)(y - down->start) + 0.5f, 1, height, 1, bar);
        memcpy(picture->pixels + (size_t)y * (size_t)picture->width + from,
               (is_inside ? strip->inside : strip->outside) + (from - clip->left),
               (size_t)(to - from) * sizeof(uint32_t));
    }
}

/* Set a cell without marks in the strip, or draw it pixel by pixel; which of them is returned. */
static bool set_cell(const SoftPicture *picture, CellStrip *strip, const SoftCells *s, int k,
                     const CellRun *down) {
    const CellRun *run = &strip->runs[k];
    uint32_t inside, outside;
    if (find_pixels(&inside, &outside, strip, s, k)) {
        set_run(strip, run, inside, outside);
        return true;
    }
    float width = (float)(run->gap - run->start), height = (float)(down->gap - down->start);
    CellPass pass = pass_of(s, down->index, run->index, fminf(width, height));
    SoftColour colour = passed(&pass, pass.now.colour, pass.before.colour);
    bool is_plain = !pass.now.is_marked && !pass.before.is_marked && colour.a >= 1;
    if (is_plain)
        set_run(strip, run, soft_laid(0, colour), soft_laid(0, colour));
    else
        draw_marked(picture, &strip->clip, s, &pass, run, down);
    return is_plain;
}

/* Cells that lie side by side are copied together. */
static void draw_row(const SoftPicture *picture, CellStrip *strip, const SoftCells *s,
                     const CellRun *down) {
    int from = strip->clip.left; /* of what is to be copied */
    find_row(strip, s, down->index);
    for (int k = 0; k < strip->count; k++) {
        const CellRun *run = &strip->runs[k];
        bool is_set = set_cell(picture, strip, s, k, down);
        PixelRect below = {run->start, down->gap, run->gap, down->end};
        lay_ground(picture, &strip->clip, s, &below);
        if (is_set && run->gap == run->end)
            continue;
        int to = within(is_set ? run->gap : run->start, from, strip->clip.right);
        lay_strip(picture, strip, down, from, to);
        from = within(run->end, from, strip->clip.right);
    }
    lay_strip(picture, strip, down, from, strip->clip.right);
}

static void find_columns(CellStrip *strip, const SoftCells *s) {
    int first = cell_near(strip->clip.left - 1, s->left, s->width, s->cols);
    int end = cell_near(strip->clip.right + 1, s->left, s->width, s->cols) + 1;
    strip->count = 0;
    for (int j = first; j < end && j < s->cols; j++) {
        CellRun run = run_of(j, s->left, s->width, s->cols, s->gap);
        if (run.end <= strip->clip.left || run.start >= strip->clip.right || run.end <= run.start)
            continue;
        strip->ways[strip->count] = s->fades ? cell_way(s->way, s->sweep, j, s->cols) : 1;
        strip->runs[strip->count++] = run;
    }
}

static void lay_gaps(const SoftPicture *picture, const CellStrip *strip, const SoftCells *s) {
    for (int k = 0; k < strip->count; k++) {
        PixelRect gap = {strip->runs[k].gap, strip->clip.top, strip->runs[k].end,
                         strip->clip.bottom};
        lay_ground(picture, &strip->clip, s, &gap);
    }
}

static void draw_strip(const SoftPicture *picture, CellStrip *strip, const SoftCells *s) {
    const PixelRect *clip = &strip->clip;
    int first = cell_near(clip->top - 1, s->top, s->height, s->rows);
    int end = cell_near(clip->bottom + 1, s->top, s->height, s->rows) + 1;
    find_columns(strip, s);
    if (s->gap > 0)
        lay_gaps(picture, strip, s);
    for (int i = first; i < end && i < s->rows; i++) {
        CellRun down = run_of(i, s->top, s->height, s->rows, s->gap);
        if (down.end > clip->top && down.start < clip->bottom && down.end > down.start)
            draw_row(picture, strip, s, &down);
    }
}

void soft_cells(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    assert(item->cells != NULL);
    SoftCells s = read_cells(picture, item);
    PixelRect quad = soft_quad(item->words, clip);
    CellStrip strip;
    for (int x = quad.left; x < quad.right; x += STRIP_WIDTH) {
        strip.clip = quad;
        strip.clip.left = x;
        strip.clip.right = x + STRIP_WIDTH < quad.right ? x + STRIP_WIDTH : quad.right;
        draw_strip(picture, &strip, &s);
    }
}
