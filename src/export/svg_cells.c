#include <math.h>
#include <stdlib.h>

#include "base/heap.h"
#include "export/png.h"
#include "export/shapes.h"
#include "export/svg_parts.h"

#define VECTORS_MAX 16384 /* a matrix with more cells is written as a bitmap */

typedef struct Fill {
    CellLayer layer;
    int place;
    Colour colour;
    Rect rect;
} Fill;

typedef struct Fills {
    Fill *at;
    int count;
} Fills;

/* A CellFill. */
static void add_fill(void *context, Rect rect, Colour colour, CellLayer layer) {
    Fills *fills = context;
    fills->at[fills->count] = (Fill){layer, fills->count, colour, rect};
    fills->count++;
}

static int by_colour(const void *a, const void *b) {
    const Fill *p = a, *q = b;
    if (p->layer != q->layer)
        return (int)p->layer - (int)q->layer;
    return p->colour != q->colour ? (p->colour > q->colour ? 1 : -1) : p->place - q->place;
}

static void put_rect(TextOut *out, Rect r) {
    text_out(out, "M%s %sh%sv%sh%sz", SVG_NUMBER(r.x), SVG_NUMBER(r.y), SVG_NUMBER(r.w),
             SVG_NUMBER(r.h), SVG_NUMBER(-r.w));
}

#define PATH_END "\"/>\n"

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

/* Write the cells as one path for each colour. A heatmap has few colours, and a user can select all
 * cells of one colour in an editor. */
static bool put_vectors(TextOut *out, const CellGrid *grid, Err *err) {
    size_t cells = (size_t)grid->cells->rows * (size_t)grid->cells->cols;
    Fills fills = {.at = heap_get((2 * cells + 1) * sizeof *fills.at)};
    if (fills.at == NULL)
        return err_fail(err, "memory", "too little for the picture; use a shorter --text");
    cell_grid_fill(grid, add_fill, &fills);
    qsort(fills.at, (size_t)fills.count, sizeof *fills.at, by_colour);
    text_out(out, "<g shape-rendering=\"crispEdges\">\n");
    for (const Fill *f = fills.at; f < fills.at + fills.count; f++) {
        if (f == fills.at || f->layer != f[-1].layer || f->colour != f[-1].colour) {
            text_out(out, f == fills.at ? "<path" : PATH_END "<path");
            svg_put_colour(out, "fill", f->colour);
            text_out(out, " d=\"");
        }
        put_rect(out, f->rect);
    }
    text_out(out, PATH_END "</g>\n");
    put_strokes(out, grid, true);
    put_strokes(out, grid, false);
    free(fills.at);
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
