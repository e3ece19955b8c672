#include <math.h>

#include "gfx/paint.h"

/* Logical pixels: in a cell at least this large a dash marks a negative value. */
#define LARGE_CELL     10.0f
#define DASH_THICKNESS 2.0f

static PaintMinus minus_rule(const DrawCells *cells) {
    if (!PALETTES[cells->palette].is_signed || cells->has_numbers)
        return MINUS_PLAIN;
    float width = cells->rect.w / (float)cells->cols, height = cells->rect.h / (float)cells->rows;
    return fminf(width, height) >= LARGE_CELL ? MINUS_DASH : MINUS_HALF;
}

static float upper_end(float lo, float hi) {
    return hi > lo ? hi : lo + 1;
}

void paint_cells(Painter *painter, const DrawCells *cells) {
    const float scale = painter->list->scale;
    const Rect *r = &cells->rect;
    if (!isfinite(r->x + r->y + r->w + r->h) || !(r->w > 0 && r->h > 0) || cells->rows <= 0 ||
        cells->cols <= 0)
        return;
    float left = roundf(r->x * scale), top = roundf(r->y * scale);
    Rect rect = {left, top, fmaxf(1, roundf(rect_right(*r) * scale) - left),
                 fmaxf(1, roundf(rect_bottom(*r) * scale) - top)};
    /* Round the gap to whole pixels: at least one for a gap above 0, at most half a cell. */
    float cell = fminf(rect.w / (float)cells->cols, rect.h / (float)cells->rows), gap = 0;
    if (cells->gap > 0)
        gap = fminf(fmaxf(1, roundf(cells->gap * scale)), floorf(cell / 2));
    PaintItem item = {.kind = DRAW_CELLS,
                      .cells = cells,
                      .as.cells = {.edges = paint_edges(rect),
                                   .rows = (uint32_t)cells->rows,
                                   .cols = (uint32_t)cells->cols,
                                   .palette = (uint32_t)cells->palette,
                                   .minus = minus_rule(cells),
                                   .ground = cells->ground,
                                   .masked = cells->masked,
                                   .stroke = cells->masked_stroke,
                                   .wrong = cells->wrong,
                                   .lo = cells->lo,
                                   .hi = upper_end(cells->lo, cells->hi),
                                   .before_lo = cells->before_lo,
                                   .before_hi = upper_end(cells->before_lo, cells->before_hi),
                                   .way = cells->before != NULL ? cells->way : 1,
                                   .sweep = cells->sweep,
                                   .gap = gap,
                                   .thickness = fmaxf(1, roundf(DASH_THICKNESS * scale))}};
    paint_add(painter, &item, rect);
}
