#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/pdf_parts.h"
#include "export/shapes.h"

#define RECTS_MAX 16384 /* a matrix with more cells is drawn as a bitmap */
#define FINE      16    /* rectangles are rounded to 1/FINE logical pixel */

static void fill(cairo_t *to, Rect r, Colour colour) {
    pdf_colour(to, colour);
    cairo_rectangle(to, (double)r.x, (double)r.y, (double)r.w, (double)r.h);
    cairo_fill(to);
}

static void put_line(cairo_t *to, Vec2 from, Vec2 end) {
    cairo_move_to(to, (double)from.x, (double)from.y);
    cairo_line_to(to, (double)end.x, (double)end.y);
}

/* Draw the mark of one cell: a stroke that rises to the right if masked, a cross if not finite. */
static void put_stroke(cairo_t *to, const DrawCells *cells, Rect r, bool is_masked) {
    float extent = fminf(r.w, r.h), reach = extent * (is_masked ? 0.1838f : 0.26f);
    Vec2 c = rect_centre(r);
    pdf_colour(to, is_masked ? cells->masked_stroke : cells->wrong);
    cairo_set_line_width(to, (double)(2 * (is_masked ? 0.06f : 0.07f) * extent));
    put_line(to, (Vec2){c.x - reach, c.y + reach}, (Vec2){c.x + reach, c.y - reach});
    if (!is_masked)
        put_line(to, (Vec2){c.x - reach, c.y - reach}, (Vec2){c.x + reach, c.y + reach});
    cairo_stroke(to);
}

static void put_cell(cairo_t *to, const CellGrid *grid, int row, int col) {
    const DrawCells *cells = grid->cells;
    float value = cell_grid_value(cells, row, col);
    Rect r = cell_grid_rect(grid, row, col);
    Colour colour = cell_grid_colour(grid, row, col);
    fill(to, cell_grid_filled(grid, r, value), colour);
    if (!isfinite(value) && fminf(r.w, r.h) >= CROSS_FROM * FINE)
        put_stroke(to, cells, r, value == DRAW_CELL_MASKED);
    if (grid->is_signed && grid->has_dash && value < 0 && isfinite(value) &&
        value <= DRAW_MINUS_FROM * cells->lo)
        fill(to, cell_grid_centred(r, r.w / 2, DRAW_DASH_THICKNESS * FINE),
             palette_dash(cells->palette, cell_grid_value_colour(cells, value), cells->ground));
}

/* Draw the cells as a bitmap with one pixel for each. */
static bool put_picture(cairo_t *to, const CellGrid *grid) {
    const DrawCells *cells = grid->cells;
    cairo_surface_t *picture =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, cells->cols, cells->rows);
    if (cairo_surface_status(picture) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(picture);
        return false;
    }
    unsigned char *pixels = cairo_image_surface_get_data(picture);
    size_t stride = (size_t)cairo_image_surface_get_stride(picture);
    for (int row = 0; row < cells->rows; row++)
        for (int col = 0; col < cells->cols; col++) {
            uint32_t colour = cell_grid_colour(grid, row, col) >> 8;
            memcpy(pixels + (size_t)row * stride + 4 * (size_t)col, &colour, sizeof colour);
        }
    cairo_surface_mark_dirty(picture);
    const Rect *r = &grid->rect;
    cairo_translate(to, (double)r->x, (double)r->y);
    cairo_scale(to, (double)r->w / cells->cols, (double)r->h / cells->rows);
    cairo_set_source_surface(to, picture, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(to), CAIRO_FILTER_NEAREST);
    cairo_paint(to);
    cairo_surface_destroy(picture);
    return true;
}

bool pdf_cells(cairo_t *to, const DrawCells *cells) {
    if (cells->rows <= 0 || cells->cols <= 0 || !(cells->rect.w > 0) || !(cells->rect.h > 0))
        return true;
    CellGrid grid = cell_grid(cells, FINE);
    cairo_scale(to, 1.0 / FINE, 1.0 / FINE);
    if ((long long)cells->rows * cells->cols > RECTS_MAX)
        return put_picture(to, &grid);
    fill(to, grid.rect, cells->ground);
    for (int row = 0; row < cells->rows; row++)
        for (int col = 0; col < cells->cols; col++)
            put_cell(to, &grid, row, col);
    return true;
}
