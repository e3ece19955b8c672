#include <math.h>

#include "gfx/paint.h"

#define THIN_BORDER 1.5f

/* Widen an extent below one pixel to one pixel. Return the factor for the box's alpha. */
static float widen_extent(float *start, float *extent) {
    if (*extent >= 1)
        return 1;
    float share = *extent;
    *start -= (1 - *extent) / 2;
    *extent = 1;
    return share;
}

void paint_box(Painter *painter, const DrawBox *draw) {
    const float scale = painter->list->scale;
    Rect r = draw_box_rect(draw, scale);
    if (!isfinite(r.x + r.y + r.w + r.h) || !(draw->rect.w > 0 && draw->rect.h > 0))
        return;
    float border = fmaxf(0, draw->border * scale);
    if (border > 0 && border < THIN_BORDER)
        border = fmaxf(1, roundf(border));
    float alpha = widen_extent(&r.x, &r.w) * widen_extent(&r.y, &r.h);
    float radius_max = 0.5f * fminf(r.w, r.h);
    border = paint_is_visible(draw->stroke) ? fminf(border, radius_max) : 0;
    if (!paint_is_visible(draw->fill) && !paint_is_visible(draw->fill_right) && border <= 0)
        return;
    PaintItem item = {.kind = DRAW_BOX,
                      .as.box = {.edges = paint_edges(r),
                                 .radius = fmaxf(0, fminf(draw->radius * scale, radius_max)),
                                 .border = border,
                                 .dash_on = draw->dash_on * scale,
                                 .dash_off = draw->dash_off * scale,
                                 .fill = draw->fill,
                                 .fill_right = draw->fill_right,
                                 .stroke = draw->stroke,
                                 .alpha = alpha}};
    float left = floorf(r.x - 0.5f), top = floorf(r.y - 0.5f);
    paint_add(
        painter, &item,
        (Rect){left, top, ceilf(rect_right(r) + 0.5f) - left, ceilf(rect_bottom(r) + 0.5f) - top});
}
