#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "gfx/paint.h"
#include "gfx/raster.h"
#include "gfx/text.h"

/* Rotated text is rendered at twice its size and sampled down, which hides the hinting and gives
 * even edges at any angle. */
#define ROTATED_OVERSAMPLING 2

typedef struct TextLine {
    Painter *painter;
    const DrawText *text;
    int size_px, raster_px;
    Vec2 at; /* the start of the baseline */
    float cosine, sine;
    bool is_rotated;
} TextLine;

static uint64_t entry_key(const TextRun *run, int size_px) {
    uint64_t parts[4] = {(uint64_t)(uint32_t)run->face << 1 | run->is_rtl, (uint64_t)size_px,
                         rng_hash(run->script->code, 4), rng_hash(run->text, run->bytes)};
    uint64_t key = rng_hash(parts, sizeof parts);
    return key != 0 ? key : 1;
}

/* Return the run's image in the atlas. If the atlas is full, draw from it and clear it. Return NULL
 * if memory runs out. */
static const AtlasEntry *find_entry(Painter *painter, const TextRun *run, int size_px) {
    uint64_t key = entry_key(run, size_px);
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

/* Add the item of an image. quad is its place relative to the baseline's start. It may be cut, and
 * uv with it. */
static void add_quad(const TextLine *line, const AtlasEntry *entry, Rect quad, Rect uv) {
    Rect bounds = rotated_bounds(line, quad);
    if (!line->is_rotated &&
        uv.w == quad.w) { /* one texel per pixel: cut off what the clip hides */
        Rect whole = bounds;
        if (!paint_cut(line->painter, &bounds))
            return;
        uv = (Rect){uv.x + bounds.x - whole.x, uv.y + bounds.y - whole.y, bounds.w, bounds.h};
        quad = (Rect){bounds.x - line->at.x, bounds.y - line->at.y, bounds.w, bounds.h};
    }
    Colour colour = line->text->colour;
    const AtlasSheet *sheet = &line->painter->atlas->sheets[entry->sheet];
    PaintItem item = {.pipeline = PIPELINE_TEXT,
                      .bounds = bounds,
                      .sheet = sheet,
                      .words = {
                          paint_word(line->at.x),
                          paint_word(line->at.y),
                          paint_word(line->cosine),
                          paint_word(line->sine),
                          paint_word(quad.x),
                          paint_word(quad.y),
                          paint_word(rect_right(quad)),
                          paint_word(rect_bottom(quad)),
                          paint_word(uv.x),
                          paint_word(uv.y),
                          paint_word(rect_right(uv)),
                          paint_word(rect_bottom(uv)),
                          entry->sheet == ATLAS_COLOURED ? colour | 0xFFFFFF00u : colour,
                      }};
    paint_add(line->painter, &item);
}

/* Add the item of one run: a TextRunFn. */
static void add_run(void *context, const TextRun *run, float x, float width) {
    TextLine *line = context;
    (void)width;
    const AtlasEntry *entry = find_entry(line->painter, run, line->raster_px);
    if (entry == NULL || entry->width == 0)
        return;
    float scale = entry->scale * (float)line->size_px / (float)line->raster_px;
    float edge = line->is_rotated ? RASTER_EDGE : 0;
    x = line->is_rotated ? x : roundf(x);
    Rect uv = {(float)entry->x - edge, (float)entry->y - edge, (float)entry->width + 2 * edge,
               (float)entry->height + 2 * edge};
    Rect quad = {x - ((float)entry->left + edge) * scale, -((float)entry->top + edge) * scale,
                 uv.w * scale, uv.h * scale};
    add_quad(line, entry, quad, uv);
}

void paint_text(Painter *painter, const DrawText *text) {
    bool is_placed = isfinite(text->at.x) && isfinite(text->at.y) && isfinite(text->angle_rad);
    if (!is_placed || !paint_is_visible(text->colour) || !(text->size > 0))
        return;
    float scale = painter->list->scale;
    int size_px = text_size_px(text->size * scale);
    TextLine line = {.painter = painter,
                     .text = text,
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
