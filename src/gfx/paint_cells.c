#include <math.h>

#include "gfx/paint.h"

static PaintMinus minus_rule(const DrawCells *cells) {
    if (!PALETTES[cells->palette].is_signed || cells->has_numbers)
        return MINUS_PLAIN;
    float width = cells->rect.w / (float)cells->cols, height = cells->rect.h / (float)cells->rows;
    return fminf(width, height) >= DRAW_CELL_LARGE ? MINUS_DASH : MINUS_HALF;
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
    float gap;
    Rect rect = draw_cells_rect(&gap, cells, scale);
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
                                   .thickness = fmaxf(1, roundf(DRAW_DASH_THICKNESS * scale))}};
    paint_add(painter, &item, rect);
}
