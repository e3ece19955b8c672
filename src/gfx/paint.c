#include "gfx/paint.h"

#include <math.h>

static Rect clip_rect(const Painter *painter) {
    const PixelRect *clip = &painter->clip;
    return (Rect){(float)clip->left, (float)clip->top, (float)(clip->right - clip->left),
                  (float)(clip->bottom - clip->top)};
}

bool paint_cut(const Painter *painter, Rect *quad) {
    *quad = rect_intersect(*quad, clip_rect(painter));
    return quad->w > 0 && quad->h > 0;
}

static bool is_inside(Rect bounds, Rect clip) {
    return bounds.x >= clip.x && bounds.y >= clip.y && rect_right(bounds) <= rect_right(clip) &&
           rect_bottom(bounds) <= rect_bottom(clip);
}

/* Let what is touched reach around a rectangle, out to whole pixels. */
static void touch(Painter *painter, Rect r) {
    PixelRect *t = &painter->touched;
    PixelRect pixels = {(int)floorf(r.x), (int)floorf(r.y), (int)ceilf(rect_right(r)),
                        (int)ceilf(rect_bottom(r))};
    if (t->right <= t->left) {
        *t = pixels;
        return;
    }
    t->left = pixels.left < t->left ? pixels.left : t->left;
    t->top = pixels.top < t->top ? pixels.top : t->top;
    t->right = pixels.right > t->right ? pixels.right : t->right;
    t->bottom = pixels.bottom > t->bottom ? pixels.bottom : t->bottom;
}

void paint_add_textured(Painter *painter, Pipeline pipeline, unsigned texture, unsigned before,
                        Rect bounds, bool is_cut, const uint32_t *words) {
    Rect visible = bounds;
    if (!isfinite(bounds.x + bounds.y + bounds.w + bounds.h) || !paint_cut(painter, &visible))
        return;
    touch(painter, visible);
    if (painter->is_rehearsal)
        return;
    if (!batcher_has_room(painter->batcher))
        painter->flush(painter->context);
    BatchKey key = {.pipeline = pipeline,
                    .texture = texture,
                    .before = before,
                    .is_clipped = !is_cut && !is_inside(bounds, clip_rect(painter)),
                    .scissor = painter->clip,
                    .bounds = visible};
    batcher_add(painter->batcher, &key, words);
}

void paint_add(Painter *painter, Pipeline pipeline, Rect bounds, bool is_cut,
               const uint32_t *words) {
    paint_add_textured(painter, pipeline, 0, 0, bounds, is_cut, words);
}
