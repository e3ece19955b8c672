#include <assert.h>
#include <math.h>

#include "gfx/paint.h"

#define LARGE_CELL     10.0f /* logical pixels: from here a minus carries a dash */
#define DASH_THICKNESS 2.0f

/* How the shader shows a minus. */
typedef enum MinusRule { MINUS_PLAIN, MINUS_DASH, MINUS_HALF } MinusRule;

static MinusRule minus_rule(const DrawCells *cells) {
    if (!PALETTES[cells->palette].is_signed || cells->has_numbers)
        return MINUS_PLAIN;
    float width = cells->rect.w / (float)cells->cols, height = cells->rect.h / (float)cells->rows;
    return fminf(width, height) >= LARGE_CELL ? MINUS_DASH : MINUS_HALF;
}

/* Whole pixels, at least one where any was asked for, at most half a cell. */
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

/* Those of the values and, where there are any, of those before; else the first twice. */
static bool find_both(Painter *painter, const DrawCells *cells, const CellTexture *found[2]) {
    DrawCells before = *cells;
    before.values = cells->before;
    before.hash = cells->before_hash;
    before.stride = cells->cols;
    found[0] = cell_textures_find(painter->cells, cells);
    found[1] = cells->before != NULL ? cell_textures_find(painter->cells, &before) : found[0];
    return found[0] != NULL && found[1] != NULL;
}

/* Where OpenGL does not draw there are none. */
static void find_textures(Painter *painter, const DrawCells *cells, const CellTexture *found[2]) {
    static const CellTexture none = {0};
    found[0] = found[1] = &none;
    if (painter->cells == NULL || find_both(painter, cells, found))
        return;
    painter->flush(painter->context);
    cell_textures_begin(painter->cells);
    bool is_found = find_both(painter, cells, found);
    assert(is_found);
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
    const CellTexture *found[2];
    find_textures(painter, cells, found);
    float before_lo = cells->before_lo;
    float thickness = fmaxf(1, roundf(DASH_THICKNESS * scale));
    uint32_t words[24] = {
        batch_word(quad.x),
        batch_word(quad.y),
        batch_word(rect_right(quad)),
        batch_word(rect_bottom(quad)),
        batch_word(rect.x),
        batch_word(rect.y),
        batch_word(rect_right(rect)),
        batch_word(rect_bottom(rect)),
        batch_word((float)found[0]->rows),
        batch_word((float)found[0]->cols),
        batch_word(cells->lo),
        batch_word(upper_end(cells->lo, cells->hi)),
        cells->ground,
        cells->masked,
        cells->masked_stroke,
        cells->wrong,
        batch_word(gap_px(cells, rect, scale)),
        batch_word((float)cells->palette),
        batch_word((float)minus_rule(cells)),
        batch_word(thickness),
        batch_word(cells->way),
        batch_word(cells->sweep),
        batch_word(before_lo),
        batch_word(upper_end(before_lo, cells->before_hi)),
    };
    bool fades = cells->before != NULL;
    paint_add(painter, &(PaintItem){.pipeline = fades ? PIPELINE_CELLS_FADE : PIPELINE_CELLS,
                                    .words = words,
                                    .bounds = quad,
                                    .is_cut = true,
                                    .texture = found[0]->texture,
                                    .before = fades ? found[1]->texture : 0,
                                    .cells = cells});
}
