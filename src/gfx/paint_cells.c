#include <math.h>

#include "gfx/paint.h"

#define LARGE_CELL     10.0f /* logical pixels: from here a minus carries a dash */
#define DASH_THICKNESS 2.0f

/* How the shader shows a minus. */
typedef enum MinusRule { MINUS_PLAIN, MINUS_DASH, MINUS_HALF } MinusRule;

static MinusRule minus_rule(const DrawCells *cells) {
    if (!PALETTES[cells->palette].is_signed)
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

static const CellTexture *find_texture(Painter *painter, const DrawCells *cells) {
    const CellTexture *texture = cell_textures_find(painter->cells, cells);
    if (texture != NULL)
        return texture;
    painter->flush(painter->context);
    cell_textures_begin(painter->cells);
    return cell_textures_find(painter->cells, cells);
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
    const CellTexture *texture = find_texture(painter, cells);
    float hi = cells->hi > cells->lo ? cells->hi : cells->lo + 1;
    float thickness = fmaxf(1, roundf(DASH_THICKNESS * scale));
    uint32_t words[20] = {
        batch_word(quad.x),
        batch_word(quad.y),
        batch_word(rect_right(quad)),
        batch_word(rect_bottom(quad)),
        batch_word(rect.x),
        batch_word(rect.y),
        batch_word(rect_right(rect)),
        batch_word(rect_bottom(rect)),
        batch_word((float)texture->rows),
        batch_word((float)texture->cols),
        batch_word(cells->lo),
        batch_word(hi),
        cells->ground,
        cells->masked,
        cells->masked_stroke,
        cells->wrong,
        batch_word(gap_px(cells, rect, scale)),
        batch_word((float)cells->palette),
        batch_word((float)minus_rule(cells)),
        batch_word(thickness),
    };
    paint_add(painter, PIPELINE_CELLS, texture->texture, quad, true, words);
}
