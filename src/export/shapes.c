#include "export/shapes.h"

#include <math.h>

#define STROKE_FROM 6.0f /* px: a masked cell at least this wide gets a stroke */
#define CROSS_FROM  5.0f /* px: a cell at least this wide gets a cross if it is not finite */

Vec2 triangle_gradient(DrawTriangle *t) {
    Colour a = t->colour_a, b = t->colour_b, c = t->colour_c;
    if (a == b && b != c)
        *t = (DrawTriangle){t->c, t->a, t->b, c, a, b};
    else if (a == c && b != c)
        *t = (DrawTriangle){t->b, t->c, t->a, b, c, a};
    else if (b != c)
        t->colour_b = t->colour_c = colour_mix(b, c, 0.5f);
    Vec2 edge = {t->c.x - t->b.x, t->c.y - t->b.y};
    float square = edge.x * edge.x + edge.y * edge.y;
    float way = square > 0 ? ((t->a.x - t->b.x) * edge.x + (t->a.y - t->b.y) * edge.y) / square : 0;
    return (Vec2){t->b.x + way * edge.x, t->b.y + way * edge.y};
}

CellGrid cell_grid(const DrawCells *cells, float scale) {
    Rect r = cells->rect;
    CellGrid grid = {.cells = cells, .scale = scale};
    grid.rect = draw_cells_rect(&grid.gap, cells, scale);
    grid.is_signed = PALETTES[cells->palette].is_signed && !cells->has_numbers;
    grid.has_dash = fminf(r.w / (float)cells->cols, r.h / (float)cells->rows) >= DRAW_CELL_LARGE;
    return grid;
}

/* Return the coordinate at which a row or column begins: on a whole pixel, as in the shader. */
static float border_of(int index, float start, float extent, int count) {
    return floorf(start + (float)index * extent / (float)count + 0.5f);
}

static Rect cell_grid_rect(const CellGrid *grid, int row, int col) {
    const DrawCells *cells = grid->cells;
    const Rect *r = &grid->rect;
    float left = border_of(col, r->x, r->w, cells->cols);
    float right = border_of(col + 1, r->x, r->w, cells->cols);
    float top = border_of(row, r->y, r->h, cells->rows);
    float bottom = border_of(row + 1, r->y, r->h, cells->rows);
    right -= col < cells->cols - 1 ? grid->gap : 0;
    bottom -= row < cells->rows - 1 ? grid->gap : 0;
    return (Rect){left, top, right - left, bottom - top};
}

static float cell_grid_value(const DrawCells *cells, int row, int col) {
    return cells->values[(size_t)row * (size_t)cells->stride + (size_t)col];
}

Colour cell_grid_colour(const CellGrid *grid, int row, int col) {
    const DrawCells *cells = grid->cells;
    float value = cell_grid_value(cells, row, col);
    float hi = cells->hi > cells->lo ? cells->hi : cells->lo + 1;
    if (value == DRAW_CELL_MASKED)
        return cells->masked;
    if (isfinite(value))
        return palette_colour(cells->palette, (value - cells->lo) / (hi - cells->lo));
    Rect r = cell_grid_rect(grid, row, col);
    return fminf(r.w, r.h) < CROSS_FROM ? cells->wrong : cells->ground;
}

static Rect centred(Rect r, float w, float h) {
    return (Rect){r.x + floorf((r.w - w) / 2), r.y + floorf((r.h - h) / 2), w, h};
}

/* Return the part of a cell that is filled: all of it or, for a negative value in a small cell, a
 * bar of half its height. */
static Rect filled(const CellGrid *grid, Rect r, float value) {
    bool halved = grid->is_signed && !grid->has_dash && value < 0 && isfinite(value);
    return halved ? centred(r, r.w, fmaxf(1, floorf(r.h / 2 + 0.5f))) : r;
}

/* Set *out to the place of the dash that marks a negative value in the cell r. Return false if this
 * value gets no dash. */
static bool find_dash(Rect *out, const CellGrid *grid, Rect r, float value) {
    *out = centred(r, floorf(r.w / 2 + 0.5f), fmaxf(1, roundf(DRAW_DASH_THICKNESS * grid->scale)));
    return grid->is_signed && grid->has_dash && value < 0 && isfinite(value) &&
           value <= DRAW_MINUS_FROM * grid->cells->lo;
}

/* Return a cell's colour while it fades from `before`, as gfx/soft_cells.c does. */
static Colour colour_now(const CellGrid *grid, int row, int col) {
    const DrawCells *cells = grid->cells;
    Colour now = cell_grid_colour(grid, row, col);
    if (cells->before == NULL)
        return now;
    float before = cells->before[(size_t)row * (size_t)cells->cols + (size_t)col];
    float hi = cells->before_hi > cells->before_lo ? cells->before_hi : cells->before_lo + 1;
    Colour old =
        before == DRAW_CELL_MASKED ? cells->masked
        : !isfinite(before)
            ? cells->ground
            : palette_colour(cells->palette, (before - cells->before_lo) / (hi - cells->before_lo));
    return colour_mix(old, now, cell_way(cells->way, cells->sweep, col, cells->cols));
}

void cell_grid_fill(const CellGrid *grid, CellFill *fill, void *context) {
    const DrawCells *cells = grid->cells;
    fill(context, grid->rect, cells->ground, CELL_GROUND);
    for (int row = 0; row < cells->rows; row++)
        for (int col = 0; col < cells->cols; col++) {
            float value = cell_grid_value(cells, row, col);
            Rect r = cell_grid_rect(grid, row, col), dash;
            if (!(r.w > 0) || !(r.h > 0)) /* a cell that covers no pixel's centre is not drawn */
                continue;
            Colour colour = colour_now(grid, row, col);
            fill(context, filled(grid, r, value), colour, CELL_WHOLE);
            if (find_dash(&dash, grid, r, value))
                fill(context, dash, palette_dash(cells->palette, colour, cells->ground), CELL_DASH);
        }
}

typedef struct Bitmap {
    unsigned char *rgba;
    Rect rect;
} Bitmap;

static void paint_rect(void *context, Rect r, Colour colour, CellLayer layer) {
    const Bitmap *to = context;
    const Rect *all = &to->rect;
    (void)layer;
    int width = (int)all->w, left = (int)fmaxf(0, r.x - all->x), top = (int)fmaxf(0, r.y - all->y);
    int right = (int)fminf(all->w, rect_right(r) - all->x);
    int bottom = (int)fminf(all->h, rect_bottom(r) - all->y);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            unsigned char *p = to->rgba + 4 * ((size_t)y * (size_t)width + (size_t)x);
            p[0] = (unsigned char)(colour >> 24), p[1] = (unsigned char)(colour >> 16);
            p[2] = (unsigned char)(colour >> 8), p[3] = (unsigned char)colour;
        }
}

void cell_grid_paint(unsigned char *rgba, const CellGrid *grid) {
    cell_grid_fill(grid, paint_rect, &(Bitmap){rgba, grid->rect});
}

float cell_grid_marks(const CellGrid *grid, bool masked, float pixel, CellMark *line,
                      void *context) {
    const DrawCells *cells = grid->cells;
    Rect first = cell_grid_rect(grid, 0, 0);
    float extent = fminf(first.w, first.h), reach = extent * (masked ? 0.1838f : 0.26f);
    if (extent < pixel * (masked ? STROKE_FROM : CROSS_FROM))
        return 0;
    for (int i = 0; i < cells->rows; i++)
        for (int j = 0; j < cells->cols; j++) {
            float value = cell_grid_value(cells, i, j);
            if ((value == DRAW_CELL_MASKED) != masked || isfinite(value))
                continue;
            Vec2 c = rect_centre(cell_grid_rect(grid, i, j));
            line(context, (Vec2){c.x - reach, c.y + reach}, (Vec2){c.x + reach, c.y - reach});
            if (!masked)
                line(context, (Vec2){c.x - reach, c.y - reach}, (Vec2){c.x + reach, c.y + reach});
        }
    return 2 * (masked ? 0.06f * extent + 0.2f * pixel : 0.07f * extent + 0.3f * pixel);
}
