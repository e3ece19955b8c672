#include <math.h>
#include <stdlib.h>

#include "base/heap.h"
#include "export/png.h"
#include "export/shapes.h"
#include "export/svg_parts.h"

#define VECTORS_MAX 16384 /* a matrix with more cells is written as a bitmap */

/* The colour of one cell, and its index. */
typedef struct CellFill {
    Colour colour;
    int row, col;
} CellFill;

static int by_colour(const void *a, const void *b) {
    const CellFill *p = a, *q = b;
    if (p->colour != q->colour)
        return p->colour < q->colour ? -1 : 1;
    return p->row != q->row ? p->row - q->row : p->col - q->col;
}

static void put_rect(TextOut *out, Rect r) {
    text_out(out, "M%s %sh%sv%sh%sz", SVG_NUMBER(r.x), SVG_NUMBER(r.y), SVG_NUMBER(r.w),
             SVG_NUMBER(r.h), SVG_NUMBER(-r.w));
}

/* Begin a path of this colour; PATH_END ends it. */
static void begin_path(TextOut *out, Colour colour) {
    text_out(out, "<path");
    svg_put_colour(out, "fill", colour);
    text_out(out, " d=\"");
}
#define PATH_END "\"/>\n"

/* Write the cells as one path for each colour. A heatmap has few colours, and a user can select all
 * cells of one colour in an editor. */
static void put_fills(TextOut *out, const CellGrid *grid, const CellFill *fills, int count) {
    for (int i = 0; i < count; i++) {
        const CellFill *f = &fills[i];
        if (i == 0 || f->colour != fills[i - 1].colour) {
            text_out(out, i == 0 ? "" : PATH_END);
            begin_path(out, f->colour);
        }
        float value = cell_grid_value(grid->cells, f->row, f->col);
        put_rect(out, cell_grid_filled(grid, cell_grid_rect(grid, f->row, f->col), value));
    }
    text_out(out, PATH_END);
}

static void put_line(TextOut *out, Vec2 from, Vec2 to) {
    text_out(out, "M%s %sL%s %s", SVG_NUMBER(from.x), SVG_NUMBER(from.y), SVG_NUMBER(to.x),
             SVG_NUMBER(to.y));
}

/* Write the marks of cells: a stroke that rises to the right if masked, otherwise the cross of a
 * value that is not finite. */
static void put_strokes(TextOut *out, const CellGrid *grid, bool masked) {
    const DrawCells *cells = grid->cells;
    Rect first = cell_grid_rect(grid, 0, 0);
    float extent = fminf(first.w, first.h), reach = extent * (masked ? 0.1838f : 0.26f);
    bool any = false;
    if (extent < (masked ? STROKE_FROM : CROSS_FROM))
        return;
    for (int i = 0; i < cells->rows; i++)
        for (int j = 0; j < cells->cols; j++) {
            float value = cell_grid_value(cells, i, j);
            if ((value == DRAW_CELL_MASKED) != masked || isfinite(value))
                continue;
            if (!any) {
                text_out(out, "<path fill=\"none\"");
                svg_put_colour(out, "stroke", masked ? cells->masked_stroke : cells->wrong);
                text_out(out, " stroke-width=\"%s\" d=\"",
                         SVG_NUMBER(2 * (masked ? 0.06f * extent + 0.2f : 0.07f * extent + 0.3f)));
                any = true;
            }
            Vec2 c = rect_centre(cell_grid_rect(grid, i, j));
            put_line(out, (Vec2){c.x - reach, c.y + reach}, (Vec2){c.x + reach, c.y - reach});
            if (!masked)
                put_line(out, (Vec2){c.x - reach, c.y - reach}, (Vec2){c.x + reach, c.y + reach});
        }
    if (any)
        text_out(out, PATH_END);
}

/* Write the dashes of one colour. A dash marks a negative value. */
static void put_dashes(TextOut *out, const CellGrid *grid, Colour colour) {
    const DrawCells *cells = grid->cells;
    float thickness = fmaxf(1, roundf(DRAW_DASH_THICKNESS * grid->scale));
    bool any = false;
    for (int i = 0; i < cells->rows; i++)
        for (int j = 0; j < cells->cols; j++) {
            float value = cell_grid_value(cells, i, j);
            if (!isfinite(value) || !(value < 0) || value > DRAW_MINUS_FROM * cells->lo ||
                palette_dash(cells->palette, cell_grid_value_colour(cells, value), cells->ground) !=
                    colour)
                continue;
            if (!any)
                begin_path(out, colour);
            any = true;
            Rect r = cell_grid_rect(grid, i, j);
            put_rect(out, cell_grid_centred(r, floorf(r.w / 2 + 0.5f), thickness));
        }
    if (any)
        text_out(out, PATH_END);
}

static bool put_vectors(TextOut *out, const CellGrid *grid, Err *err) {
    const DrawCells *cells = grid->cells;
    int count = 0;
    CellFill *fills = heap_get_zero((size_t)cells->rows * (size_t)cells->cols, sizeof *fills);
    if (fills == NULL)
        return err_fail(err, "memory", "too little for the picture; use a shorter --text");
    for (int i = 0; i < cells->rows; i++)
        for (int j = 0; j < cells->cols; j++)
            fills[count++] = (CellFill){cell_grid_colour(grid, i, j), i, j};
    qsort(fills, (size_t)count, sizeof *fills, by_colour);
    text_out(out, "<g shape-rendering=\"crispEdges\">\n");
    begin_path(out, cells->ground);
    put_rect(out, grid->rect);
    text_out(out, PATH_END);
    put_fills(out, grid, fills, count);
    if (grid->is_signed && grid->has_dash) {
        const Palette *palette = &PALETTES[cells->palette];
        Colour zero = palette->stops[palette->stop_count / 2];
        put_dashes(out, grid, cells->ground);
        if (zero != cells->ground)
            put_dashes(out, grid, zero);
    }
    text_out(out, "</g>\n");
    put_strokes(out, grid, true);
    put_strokes(out, grid, false);
    free(fills);
    return true;
}

/* Return the index of the row or column that contains the coordinate `at`. */
static int index_at(float at, float start, float extent, int count) {
    int index = (int)floorf((at - start) * (float)count / extent);
    index += index + 1 < count && cell_grid_border(index + 1, start, extent, count) <= at;
    index -= index > 0 && cell_grid_border(index, start, extent, count) > at;
    return index < 0 ? 0 : index >= count ? count - 1 : index;
}

static void fill_pixels(unsigned char *rgba, const CellGrid *grid, int width, int height) {
    const DrawCells *cells = grid->cells;
    const Rect *r = &grid->rect;
    for (int y = 0; y < height; y++) {
        int row = index_at(r->y + (float)y + 0.5f, r->y, r->h, cells->rows);
        for (int x = 0; x < width; x++, rgba += 4) {
            int col = index_at(r->x + (float)x + 0.5f, r->x, r->w, cells->cols);
            Rect cell = cell_grid_filled(grid, cell_grid_rect(grid, row, col),
                                         cell_grid_value(cells, row, col));
            Vec2 middle = {r->x + (float)x + 0.5f, r->y + (float)y + 0.5f};
            Colour c =
                rect_contains(cell, middle) ? cell_grid_colour(grid, row, col) : cells->ground;
            rgba[0] = (unsigned char)(c >> 24), rgba[1] = (unsigned char)(c >> 16);
            rgba[2] = (unsigned char)(c >> 8), rgba[3] = (unsigned char)c;
        }
    }
}

/* Write the cells as a bitmap with one pixel for each device pixel, so that a viewer does not
 * resample it at its original size. */
static bool put_image(TextOut *out, const CellGrid *grid, Err *err) {
    int width = (int)fminf(grid->rect.w, PNG_SIDE_MAX);
    int height = (int)fminf(grid->rect.h, PNG_SIDE_MAX);
    unsigned char *rgba = heap_get((size_t)width * (size_t)height * 4);
    TextOut png = {0};
    if (rgba == NULL)
        return err_fail(err, "memory", "too little for the picture; use a smaller --size");
    fill_pixels(rgba, grid, width, height);
    bool encoded = png_encode(&png, rgba, width, height, NULL, err);
    free(rgba);
    text_out(out, "<image preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\"");
    svg_put_place(out, grid->rect);
    svg_put_png(out, &png);
    text_out(out, "/>\n");
    return encoded;
}

bool svg_cells(TextOut *out, const DrawCells *cells, float scale, Err *err) {
    if (cells->rows <= 0 || cells->cols <= 0 || !(cells->rect.w > 0) || !(cells->rect.h > 0))
        return true;
    CellGrid grid = cell_grid(cells, scale);
    bool few = (long long)cells->rows * cells->cols <= VECTORS_MAX;
    return few ? put_vectors(out, &grid, err) : put_image(out, &grid, err);
}
