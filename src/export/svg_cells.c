#include <math.h>
#include <stdlib.h>

#include "base/heap.h"
#include "export/png.h"
#include "export/shapes.h"
#include "export/svg_parts.h"

#define VECTORS_MAX 16384 /* a matrix with more cells is written as a bitmap */

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

/* Append a line to the text of a path: a CellMark. */
static void put_line(void *path, Vec2 from, Vec2 to) {
    text_out(path, "M%s %sL%s %s", SVG_NUMBER(from.x), SVG_NUMBER(from.y), SVG_NUMBER(to.x),
             SVG_NUMBER(to.y));
}

static void put_strokes(TextOut *out, const CellGrid *grid, bool masked) {
    TextOut path = {0};
    float width = cell_grid_marks(grid, masked, 1, put_line, &path);
    if (path.used > 0) {
        text_out(out, "<path fill=\"none\"");
        svg_put_colour(out, "stroke", masked ? grid->cells->masked_stroke : grid->cells->wrong);
        text_out(out, " stroke-width=\"%s\" d=\"%s" PATH_END, SVG_NUMBER(width), path.at);
    }
    out->failed = out->failed || path.failed;
    text_out_release(&path);
}

/* Write the dashes of one colour. A dash marks a negative value. */
static void put_dashes(TextOut *out, const CellGrid *grid, Colour colour) {
    const DrawCells *cells = grid->cells;
    bool any = false;
    for (int i = 0; i < cells->rows; i++)
        for (int j = 0; j < cells->cols; j++) {
            float value = cell_grid_value(cells, i, j);
            Rect dash;
            if (!cell_grid_dash(&dash, grid, cell_grid_rect(grid, i, j), value) ||
                palette_dash(cells->palette, cell_grid_value_colour(cells, value), cells->ground) !=
                    colour)
                continue;
            if (!any)
                begin_path(out, colour);
            any = true;
            put_rect(out, dash);
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

/* Write the cells as a bitmap with one pixel for each device pixel, so that a viewer does not
 * resample it at its original size. */
static bool put_image(TextOut *out, const CellGrid *grid, Err *err) {
    int width = (int)grid->rect.w, height = (int)grid->rect.h;
    unsigned char *rgba = heap_get((size_t)width * (size_t)height * 4);
    TextOut png = {0};
    if (rgba == NULL)
        return err_fail(err, "memory", "too little for the picture; use a smaller --size");
    cell_grid_paint(rgba, grid);
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
