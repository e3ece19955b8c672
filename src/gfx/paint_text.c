#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "gfx/paint.h"
#include "gfx/raster.h"
#include "gfx/text.h"

/* Render rotated text at twice its size: this hides hinting and gives even edges at any angle. */
#define ROTATED_OVERSAMPLING 2

typedef struct TextLine {
    Painter *painter;
    Colour colour;
    int size_px, raster_px;
    Vec2 at; /* the start of the baseline */
    float cosine, sine;
    bool is_rotated;
} TextLine;

/* Return the run's image; render it if the atlas lacks it. If the atlas is full, first draw the
 * items that use the atlas and clear it. Return NULL if memory runs out. */
static const AtlasEntry *find_entry(Painter *painter, const TextRun *run, int size_px) {
    uint64_t parts[4] = {(uint64_t)(uint32_t)run->face << 1 | run->is_rtl, (uint64_t)size_px,
                         rng_hash(run->script->code, 4), rng_hash(run->text, run->bytes)};
    uint64_t hash = rng_hash(parts, sizeof parts), key = hash != 0 ? hash : 1;
    const AtlasEntry *entry = atlas_find(painter->atlas, key);
    if (entry != NULL)
        return entry;
    RasterImage image = raster_run(painter->fonts, run, size_px);
    if (!image.lacks_memory)
        entry = atlas_add(painter->atlas, key, &image);
    if (!image.lacks_memory && entry == NULL) {
        painter->flush(painter->context);
        atlas_clear(painter->atlas);
        entry = atlas_add(painter->atlas, key, &image);
    }
    free(image.pixels);
    painter->lacks_memory |= entry == NULL;
    return entry;
}

static Rect rotated_bounds(const TextLine *line, Rect quad) {
    float x[2] = {quad.x, rect_right(quad)}, y[2] = {quad.y, rect_bottom(quad)};
    float left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
    for (int i = 0; i < 4; i++) {
        float local_x = x[i & 1], local_y = y[i >> 1];
        float at_x = line->at.x + line->cosine * local_x - line->sine * local_y;
        float at_y = line->at.y + line->sine * local_x + line->cosine * local_y;
        left = fminf(left, at_x), right = fmaxf(right, at_x);
        top = fminf(top, at_y), bottom = fmaxf(bottom, at_y);
    }
    return (Rect){left, top, right - left, bottom - top};
}

static void add_run(void *context, const TextRun *run, float x, float width) {
    TextLine *line = context;
    (void)width;
    const AtlasEntry *entry = find_entry(line->painter, run, line->raster_px);
    if (entry == NULL || entry->width == 0)
        return;
    float scale = entry->scale * (float)line->size_px / (float)line->raster_px;
    float edge = line->is_rotated ? RASTER_EDGE : 0;
    x = line->is_rotated ? x : roundf(x);
    Rect texels = {(float)entry->x - edge, (float)entry->y - edge, (float)entry->width + 2 * edge,
                   (float)entry->height + 2 * edge};
    Rect quad = {x - ((float)entry->left + edge) * scale, -((float)entry->top + edge) * scale,
                 texels.w * scale, texels.h * scale};
    bool is_coloured = entry->sheet == ATLAS_COLOURED;
    PaintItem item = {.kind = DRAW_TEXT,
                      .as.text = {.edges = paint_edges(quad),
                                  .texels = paint_edges(texels),
                                  .about = line->at,
                                  .cosine = line->cosine,
                                  .sine = line->sine,
                                  .colour = line->colour | (is_coloured ? 0xFFFFFF00u : 0),
                                  .sheet = entry->sheet}};
    paint_add(line->painter, &item, rotated_bounds(line, quad));
}

void paint_text(Painter *painter, const DrawText *text) {
    bool is_placed = isfinite(text->at.x) && isfinite(text->at.y) && isfinite(text->angle_rad);
    if (!is_placed || !paint_is_visible(text->colour) || !(text->size > 0))
        return;
    float scale = painter->list->scale;
    int size_px = text_size_px(text->size * scale);
    TextLine line = {.painter = painter,
                     .colour = text->colour,
                     .size_px = size_px,
                     .raster_px = size_px,
                     .at = {text->at.x * scale, text->at.y * scale},
                     .cosine = cosf(text->angle_rad),
                     .sine = sinf(text->angle_rad),
                     .is_rotated = text->angle_rad != 0};
    if (line.is_rotated)
        line.raster_px = text_size_px((float)(size_px * ROTATED_OVERSAMPLING));
    else
        line.at = (Vec2){roundf(line.at.x), roundf(line.at.y)};
    text_layout(painter->fonts, text->font, size_px, painter->list->text + text->text_at,
                text->text_bytes, text->direction, add_run, &line);
}
