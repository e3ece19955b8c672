#include <math.h>

#include "gfx/paint.h"

#define LARGE_CELL     10.0f /* logical pixels: from this size a dash marks a negative value */
#define DASH_THICKNESS 2.0f

/* How the shader marks a negative value. */
typedef enum MinusRule { MINUS_PLAIN, MINUS_DASH, MINUS_HALF } MinusRule;

static MinusRule minus_rule(const DrawCells *cells) {
    if (!PALETTES[cells->palette].is_signed || cells->has_numbers)
        return MINUS_PLAIN;
    float width = cells->rect.w / (float)cells->cols, height = cells->rect.h / (float)cells->rows;
    return fminf(width, height) >= LARGE_CELL ? MINUS_DASH : MINUS_HALF;
}

/* Return a gap in whole pixels: at least one for a size above 0, at most half a cell. */
static float gap_px(const DrawCells *cells, Rect rect, float scale) {
    if (!(cells->gap > 0))
        return 0;
    float cell = fminf(rect.w / (float)cells->cols, rect.h / (float)cells->rows);
    return fminf(fmaxf(1, roundf(cells->gap * scale)), floorf(cell / 2));
}

static Rect snapped(Rect rect, float scale) {
    float left = roundf(rect.x * scale), top = roundf(rect.y * scale);
    float right = roundf(rect_right(rect) * scale), bottom = roundf(rect_bottom(rect) * scale);
    return (Rect){left, top, fmaxf(1, right - left), fmaxf(1, bottom - top)};
}

static float upper_end(float lo, float hi) {
    return hi > lo ? hi : lo + 1;
}

void paint_cells(Painter *painter, const DrawCells *cells) {
    bool is_placed = isfinite(cells->rect.x + cells->rect.y + cells->rect.w + cells->rect.h);
    if (!is_placed || cells->rows <= 0 || cells->cols <= 0 ||
        !(cells->rect.w > 0 && cells->rect.h > 0))
        return;
    float scale = painter->list->scale;
    Rect rect = snapped(cells->rect, scale), quad = rect;
    if (!paint_cut(painter, &quad))
        return;
    float thickness = fmaxf(1, roundf(DASH_THICKNESS * scale));
    bool fades = cells->before != NULL;
    PaintItem item = {.pipeline = fades ? PIPELINE_CELLS_FADE : PIPELINE_CELLS,
                      .bounds = quad,
                      .cells = cells,
                      .words = {
                          paint_word(quad.x),
                          paint_word(quad.y),
                          paint_word(rect_right(quad)),
                          paint_word(rect_bottom(quad)),
                          paint_word(rect.x),
                          paint_word(rect.y),
                          paint_word(rect_right(rect)),
                          paint_word(rect_bottom(rect)),
                          paint_word((float)cells->rows),
                          paint_word((float)cells->cols),
                          paint_word(cells->lo),
                          paint_word(upper_end(cells->lo, cells->hi)),
                          cells->ground,
                          cells->masked,
                          cells->masked_stroke,
                          cells->wrong,
                          paint_word(gap_px(cells, rect, scale)),
                          paint_word((float)cells->palette),
                          paint_word((float)minus_rule(cells)),
                          paint_word(thickness),
                          paint_word(cells->way),
                          paint_word(cells->sweep),
                          paint_word(cells->before_lo),
                          paint_word(upper_end(cells->before_lo, cells->before_hi)),
                      }};
    paint_add(painter, &item);
}
