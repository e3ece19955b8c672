#include "export/svg_cells.h"

#include <math.h>
#include <stdlib.h>

#include "export/png.h"

/* The same rules as the cells' shader has: shaders/cells.frag and gfx/paint_cells.c. */
#define LARGE_CELL     10.0f /* logical pixels: from here a minus carries a dash */
#define DASH_THICKNESS 2.0f
#define MINUS_FROM     0.12f /* of the scale; below it the dash would be noise */
#define STROKE_FROM    6.0f  /* device pixels: from here a masked cell has its stroke */
#define CROSS_FROM     5.0f

typedef struct CellGrid {
    const DrawCells *cells;
    Rect rect; /* device pixels, whole */
    float scale, gap;
    bool is_signed, has_dash;
} CellGrid;

/* What one cell is filled with, and its place among the others. */
typedef struct CellFill {
    Colour colour;
    int row, col;
} CellFill;

static CellGrid make_grid(const DrawCells *cells, float scale) {
    Rect r = cells->rect;
    float left = roundf(r.x * scale), top = roundf(r.y * scale);
    CellGrid grid = {.cells = cells, .scale = scale};
    grid.rect = (Rect){left, top, fmaxf(1, roundf(rect_right(r) * scale) - left),
                       fmaxf(1, roundf(rect_bottom(r) * scale) - top)};
    float cell = fminf(grid.rect.w / (float)cells->cols, grid.rect.h / (float)cells->rows);
    if (cells->gap > 0)
        grid.gap = fminf(fmaxf(1, roundf(cells->gap * scale)), floorf(cell / 2));
    grid.is_signed = PALETTES[cells->palette].is_signed && !cells->has_numbers;
    grid.has_dash = fminf(r.w / (float)cells->cols, r.h / (float)cells->rows) >= LARGE_CELL;
    return grid;
}

/* Where a row or column begins: on a whole pixel, as the shader has it. */
static float border_of(int index, float start, float extent, int count) {
    return floorf(start + (float)index * extent / (float)count + 0.5f);
}

static Rect cell_rect(const CellGrid *grid, int row, int col) {
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

static float value_at(const DrawCells *cells, int row, int col) {
    return cells->values[(size_t)row * (size_t)cells->stride + (size_t)col];
}

static Colour value_colour(const DrawCells *cells, float value) {
    float hi = cells->hi > cells->lo ? cells->hi : cells->lo + 1;
    return palette_colour(cells->palette, (value - cells->lo) / (hi - cells->lo));
}

static Colour cell_colour(const CellGrid *grid, int row, int col) {
    const DrawCells *cells = grid->cells;
    float value = value_at(cells, row, col);
    if (value == DRAW_CELL_MASKED)
        return cells->masked;
    if (isfinite(value))
        return value_colour(cells, value);
    Rect r = cell_rect(grid, row, col);
    return fminf(r.w, r.h) < CROSS_FROM ? cells->wrong : cells->ground;
}

static Rect centred(Rect r, float w, float h) {
    return (Rect){r.x + floorf((r.w - w) / 2), r.y + floorf((r.h - h) / 2), w, h};
}

/* A minus in a small cell is a bar of half its height. */
static Rect filled_part(const CellGrid *grid, Rect r, float value) {
    bool halved = grid->is_signed && !grid->has_dash && value < 0 && isfinite(value);
    return halved ? centred(r, r.w, fmaxf(1, floorf(r.h / 2 + 0.5f))) : r;
}

static int by_colour(const void *a, const void *b) {
    const CellFill *p = a, *q = b;
    if (p->colour != q->colour)
        return p->colour < q->colour ? -1 : 1;
    return p->row != q->row ? p->row - q->row : p->col - q->col;
}

static void put_rect(SvgOut *out, Rect r) {
    svg_put(out, "M");
    svg_put_numbers(out, (float[]){r.x, r.y}, 2);
    svg_put(out, "h");
    svg_put_number(out, r.w);
    svg_put(out, "v");
    svg_put_number(out, r.h);
    svg_put(out, "h");
    svg_put_number(out, -r.w);
    svg_put(out, "z");
}

/* One path a colour: a heatmap has few, and a person can pick one out. */
static void put_fills(SvgOut *out, const CellGrid *grid, const CellFill *fills, int count) {
    for (int i = 0; i < count; i++) {
        const CellFill *f = &fills[i];
        if (i == 0 || f->colour != fills[i - 1].colour) {
            svg_put(out, i == 0 ? "<path" : "\"/>\n<path");
            svg_put_colour(out, "fill", f->colour);
            svg_put(out, " d=\"");
        }
        float value = value_at(grid->cells, f->row, f->col);
        put_rect(out, filled_part(grid, cell_rect(grid, f->row, f->col), value));
    }
    svg_put(out, "\"/>\n");
}

static void put_line(SvgOut *out, Vec2 from, Vec2 to) {
    svg_put(out, "M");
    svg_put_numbers(out, (float[]){from.x, from.y}, 2);
    svg_put(out, "L");
    svg_put_numbers(out, (float[]){to.x, to.y}, 2);
}

/* The stroke of a masked cell rises to the right; a wrong one has a cross. */
static void put_strokes(SvgOut *out, const CellGrid *grid, bool masked) {
    const DrawCells *cells = grid->cells;
    Rect first = cell_rect(grid, 0, 0);
    float extent = fminf(first.w, first.h), reach = extent * (masked ? 0.1838f : 0.26f);
    bool any = false;
    if (extent < (masked ? STROKE_FROM : CROSS_FROM))
        return;
    for (int i = 0; i < cells->rows; i++)
        for (int j = 0; j < cells->cols; j++) {
            float value = value_at(cells, i, j);
            if ((value == DRAW_CELL_MASKED) != masked || isfinite(value))
                continue;
            if (!any) {
                svg_put(out, "<path fill=\"none\"");
                svg_put_colour(out, "stroke", masked ? cells->masked_stroke : cells->wrong);
                svg_put_attribute(out, "stroke-width",
                                  2 * (masked ? 0.06f * extent + 0.2f : 0.07f * extent + 0.3f));
                svg_put(out, " d=\"");
                any = true;
            }
            Vec2 c = rect_centre(cell_rect(grid, i, j));
            put_line(out, (Vec2){c.x - reach, c.y + reach}, (Vec2){c.x + reach, c.y - reach});
            if (!masked)
                put_line(out, (Vec2){c.x - reach, c.y - reach}, (Vec2){c.x + reach, c.y + reach});
        }
    if (any)
        svg_put(out, "\"/>\n");
}

/* Those in one colour. */
static void put_dashes(SvgOut *out, const CellGrid *grid, Colour colour) {
    const DrawCells *cells = grid->cells;
    float thickness = fmaxf(1, roundf(DASH_THICKNESS * grid->scale));
    bool any = false;
    for (int i = 0; i < cells->rows; i++)
        for (int j = 0; j < cells->cols; j++) {
            float value = value_at(cells, i, j);
            if (!isfinite(value) || !(value < 0) || value > MINUS_FROM * cells->lo ||
                palette_dash(cells->palette, value_colour(cells, value), cells->ground) != colour)
                continue;
            if (!any) {
                svg_put(out, "<path");
                svg_put_colour(out, "fill", colour);
                svg_put(out, " d=\"");
                any = true;
            }
            Rect r = cell_rect(grid, i, j);
            put_rect(out, centred(r, floorf(r.w / 2 + 0.5f), thickness));
        }
    if (any)
        svg_put(out, "\"/>\n");
}

static void put_all_dashes(SvgOut *out, const CellGrid *grid) {
    const Palette *palette = &PALETTES[grid->cells->palette];
    Colour zero = palette->stops[palette->stop_count / 2];
    if (!grid->is_signed || !grid->has_dash)
        return;
    put_dashes(out, grid, grid->cells->ground);
    if (zero != grid->cells->ground)
        put_dashes(out, grid, zero);
}

static void put_ground(SvgOut *out, const CellGrid *grid) {
    svg_put(out, "<path");
    svg_put_colour(out, "fill", grid->cells->ground);
    svg_put(out, " d=\"");
    put_rect(out, grid->rect);
    svg_put(out, "\"/>\n");
}

static bool put_vectors(SvgOut *out, const CellGrid *grid, Err *err) {
    const DrawCells *cells = grid->cells;
    int count = 0;
    CellFill *fills = calloc((size_t)cells->rows * (size_t)cells->cols, sizeof *fills);
    if (fills == NULL)
        return err_fail(err, "memory", "too little for the picture; use a shorter --text");
    for (int i = 0; i < cells->rows; i++)
        for (int j = 0; j < cells->cols; j++)
            fills[count++] = (CellFill){cell_colour(grid, i, j), i, j};
    qsort(fills, (size_t)count, sizeof *fills, by_colour);
    svg_put(out, "<g shape-rendering=\"crispEdges\">\n");
    put_ground(out, grid);
    put_fills(out, grid, fills, count);
    put_all_dashes(out, grid);
    svg_put(out, "</g>\n");
    put_strokes(out, grid, true);
    put_strokes(out, grid, false);
    free(fills);
    return true;
}

/* The cell whose borders enclose a pixel's middle. */
static int index_at(float at, float start, float extent, int count) {
    int index = (int)floorf((at - start) * (float)count / extent);
    index += index + 1 < count && border_of(index + 1, start, extent, count) <= at;
    index -= index > 0 && border_of(index, start, extent, count) > at;
    return index < 0 ? 0 : index >= count ? count - 1 : index;
}

static void fill_pixels(unsigned char *rgba, const CellGrid *grid, int width, int height) {
    const DrawCells *cells = grid->cells;
    const Rect *r = &grid->rect;
    for (int y = 0; y < height; y++) {
        int row = index_at(r->y + (float)y + 0.5f, r->y, r->h, cells->rows);
        for (int x = 0; x < width; x++, rgba += 4) {
            int col = index_at(r->x + (float)x + 0.5f, r->x, r->w, cells->cols);
            Rect cell = filled_part(grid, cell_rect(grid, row, col), value_at(cells, row, col));
            Vec2 middle = {r->x + (float)x + 0.5f, r->y + (float)y + 0.5f};
            Colour c = rect_contains(cell, middle) ? cell_colour(grid, row, col) : cells->ground;
            rgba[0] = (unsigned char)(c >> 24), rgba[1] = (unsigned char)(c >> 16);
            rgba[2] = (unsigned char)(c >> 8), rgba[3] = (unsigned char)c;
        }
    }
}

/* One pixel of the picture for one of the screen: nothing is resampled at its own size. */
static bool put_image(SvgOut *out, const CellGrid *grid, Err *err) {
    int width = (int)fminf(grid->rect.w, PNG_SIDE_MAX);
    int height = (int)fminf(grid->rect.h, PNG_SIDE_MAX);
    unsigned char *rgba = malloc((size_t)width * (size_t)height * 4), *png = NULL;
    size_t size = 0;
    if (rgba == NULL)
        return err_fail(err, "memory", "too little for the picture; use a smaller --size");
    fill_pixels(rgba, grid, width, height);
    bool encoded = png_encode(&png, &size, rgba, width, height, err);
    free(rgba);
    if (!encoded)
        return false;
    svg_put(out, "<image preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\"");
    svg_put_attribute(out, "x", grid->rect.x);
    svg_put_attribute(out, "y", grid->rect.y);
    svg_put_attribute(out, "width", grid->rect.w);
    svg_put_attribute(out, "height", grid->rect.h);
    svg_put(out, " xlink:href=\"data:image/png;base64,");
    svg_put_base64(out, png, size);
    svg_put(out, "\"/>\n");
    free(png);
    return true;
}

bool svg_cells(SvgOut *out, const DrawCells *cells, float scale, Err *err) {
    if (cells->rows <= 0 || cells->cols <= 0 || !(cells->rect.w > 0) || !(cells->rect.h > 0))
        return true;
    CellGrid grid = make_grid(cells, scale);
    bool few = (long long)cells->rows * cells->cols <= SVG_CELLS_MAX;
    return few ? put_vectors(out, &grid, err) : put_image(out, &grid, err);
}
