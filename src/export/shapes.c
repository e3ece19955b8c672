#include "export/shapes.h"

#include <math.h>

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

/* Return where a row or column begins: on a whole pixel, as in the shader. */
float cell_grid_border(int index, float start, float extent, int count) {
    return floorf(start + (float)index * extent / (float)count + 0.5f);
}

Rect cell_grid_rect(const CellGrid *grid, int row, int col) {
    const DrawCells *cells = grid->cells;
    const Rect *r = &grid->rect;
    float left = cell_grid_border(col, r->x, r->w, cells->cols);
    float right = cell_grid_border(col + 1, r->x, r->w, cells->cols);
    float top = cell_grid_border(row, r->y, r->h, cells->rows);
    float bottom = cell_grid_border(row + 1, r->y, r->h, cells->rows);
    right -= col < cells->cols - 1 ? grid->gap : 0;
    bottom -= row < cells->rows - 1 ? grid->gap : 0;
    return (Rect){left, top, right - left, bottom - top};
}

float cell_grid_value(const DrawCells *cells, int row, int col) {
    return cells->values[(size_t)row * (size_t)cells->stride + (size_t)col];
}

Colour cell_grid_value_colour(const DrawCells *cells, float value) {
    float hi = cells->hi > cells->lo ? cells->hi : cells->lo + 1;
    return palette_colour(cells->palette, (value - cells->lo) / (hi - cells->lo));
}

Colour cell_grid_colour(const CellGrid *grid, int row, int col) {
    const DrawCells *cells = grid->cells;
    float value = cell_grid_value(cells, row, col);
    if (value == DRAW_CELL_MASKED)
        return cells->masked;
    if (isfinite(value))
        return cell_grid_value_colour(cells, value);
    Rect r = cell_grid_rect(grid, row, col);
    return fminf(r.w, r.h) < CROSS_FROM ? cells->wrong : cells->ground;
}

Rect cell_grid_centred(Rect r, float w, float h) {
    return (Rect){r.x + floorf((r.w - w) / 2), r.y + floorf((r.h - h) / 2), w, h};
}

Rect cell_grid_filled(const CellGrid *grid, Rect r, float value) {
    bool halved = grid->is_signed && !grid->has_dash && value < 0 && isfinite(value);
    return halved ? cell_grid_centred(r, r.w, fmaxf(1, floorf(r.h / 2 + 0.5f))) : r;
}
