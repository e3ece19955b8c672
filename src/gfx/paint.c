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

void paint_add(Painter *painter, const PaintItem *item) {
    PaintItem cut = *item;
    const Rect *r = &item->bounds;
    if (!isfinite(r->x + r->y + r->w + r->h) || !paint_cut(painter, &cut.bounds))
        return;
    touch(painter, cut.bounds);
    cut.is_cut = item->is_cut || (cut.bounds.x == r->x && cut.bounds.y == r->y &&
                                  rect_right(cut.bounds) == rect_right(*r) &&
                                  rect_bottom(cut.bounds) == rect_bottom(*r));
    if (!painter->is_rehearsal)
        painter->add(painter, &cut);
}
