#include <math.h>

#include "gfx/paint.h"

#define HOLE_AREA_MIN 1024 /* pixels: such a plain middle is drawn separately */
#define THIN_BORDER   1.5f

/* A box in device pixels, in the shader's form. */
typedef struct PixelBox {
    Rect rect;
    float radius, border, dash_on, dash_off;
    float alpha;
    Colour fill, fill_right, stroke;
} PixelBox;

/* Move both ends of an extent to whole pixels, at least one apart, so that edges are sharp at any
 * scale. An extent far below a pixel is kept and drawn fainter. */
static void snap_extent(float *start, float *extent) {
    if (*extent < 0.5f)
        return;
    float end = roundf(*start + *extent);
    *start = roundf(*start);
    *extent = fmaxf(1, end - *start);
}

/* Make a box that is thinner than a pixel one pixel wide and fainter in proportion. */
static float widen_extent(float *start, float *extent) {
    if (*extent >= 1)
        return 1;
    float share = *extent;
    *start -= (1 - *extent) / 2;
    *extent = 1;
    return share;
}

static PixelBox to_pixels(const DrawBox *box, float scale) {
    PixelBox out = {.rect = {box->rect.x * scale, box->rect.y * scale, box->rect.w * scale,
                             box->rect.h * scale},
                    .border = fmaxf(0, box->border * scale),
                    .dash_on = box->dash_on * scale,
                    .dash_off = box->dash_off * scale,
                    .fill = box->fill,
                    .fill_right = box->fill_right,
                    .stroke = box->stroke};
    float shorter = fminf(box->rect.w, box->rect.h);
    /* Keep a circle at its exact place, because snapping would make it wobble and deform it. */
    bool is_circle = box->rect.w == box->rect.h && box->radius >= 0.5f * shorter;
    if (!is_circle) {
        snap_extent(&out.rect.x, &out.rect.w);
        snap_extent(&out.rect.y, &out.rect.h);
    }
    if (out.border > 0 && out.border < THIN_BORDER)
        out.border = fmaxf(1, roundf(out.border));
    out.alpha = widen_extent(&out.rect.x, &out.rect.w) * widen_extent(&out.rect.y, &out.rect.h);
    float radius_max = 0.5f * fminf(out.rect.w, out.rect.h);
    out.radius = fmaxf(0, fminf(box->radius * scale, radius_max));
    out.border = paint_is_visible(box->stroke) ? fminf(out.border, radius_max) : 0;
    return out;
}

static void add_quad(Painter *painter, const PixelBox *box, Rect quad) {
    if (!paint_cut(painter, &quad))
        return;
    const Rect *r = &box->rect;
    PaintItem item = {.pipeline = PIPELINE_BOX,
                      .bounds = quad,
                      .words = {
                          paint_word(quad.x),
                          paint_word(quad.y),
                          paint_word(rect_right(quad)),
                          paint_word(rect_bottom(quad)),
                          paint_word(r->x),
                          paint_word(r->y),
                          paint_word(rect_right(*r)),
                          paint_word(rect_bottom(*r)),
                          paint_word(box->radius),
                          paint_word(box->border),
                          paint_word(box->dash_on),
                          paint_word(box->dash_off),
                          box->fill,
                          box->fill_right,
                          box->stroke,
                          paint_word(box->alpha),
                      }};
    paint_add(painter, &item);
}

static void add_solid(Painter *painter, Rect quad, Colour fill) {
    if (!paint_is_visible(fill) || !paint_cut(painter, &quad))
        return;
    PaintItem item = {.pipeline = PIPELINE_SOLID,
                      .bounds = quad,
                      .words = {paint_word(quad.x), paint_word(quad.y),
                                paint_word(rect_right(quad)), paint_word(rect_bottom(quad)), fill}};
    paint_add(painter, &item);
}

/* Return the middle of the box in whole pixels, inside corners, border and soft edges. */
static Rect plain_middle(const PixelBox *box) {
    const Rect *r = &box->rect;
    bool is_aligned = r->x == floorf(r->x) && r->y == floorf(r->y) &&
                      rect_right(*r) == floorf(rect_right(*r)) &&
                      rect_bottom(*r) == floorf(rect_bottom(*r));
    float inset = fmaxf(box->radius, box->border) + (is_aligned ? 0 : 1);
    float left = ceilf(r->x + inset), top = ceilf(r->y + inset);
    float right = floorf(rect_right(*r) - inset), bottom = floorf(rect_bottom(*r) - inset);
    if (box->fill != box->fill_right || box->alpha < 1 || right <= left || bottom <= top)
        return (Rect){0};
    return (Rect){left, top, right - left, bottom - top};
}

void paint_box(Painter *painter, const DrawBox *draw) {
    bool is_placed = isfinite(draw->rect.x + draw->rect.y + draw->rect.w + draw->rect.h);
    if (!is_placed || !(draw->rect.w > 0 && draw->rect.h > 0))
        return;
    PixelBox box = to_pixels(draw, painter->list->scale);
    bool has_fill = paint_is_visible(box.fill) || paint_is_visible(box.fill_right);
    if (!has_fill && box.border <= 0)
        return;
    float left = floorf(box.rect.x - 0.5f), right = ceilf(rect_right(box.rect) + 0.5f);
    float top = floorf(box.rect.y - 0.5f), bottom = ceilf(rect_bottom(box.rect) + 0.5f);
    Rect middle = plain_middle(&box);
    if (middle.w == box.rect.w && middle.h == box.rect.h) {
        add_solid(painter, middle, box.fill);
        return;
    }
    if (middle.w * middle.h < HOLE_AREA_MIN) {
        add_quad(painter, &box, (Rect){left, top, right - left, bottom - top});
        return;
    }
    add_solid(painter, middle, box.fill);
    float inner_right = rect_right(middle), inner_bottom = rect_bottom(middle);
    add_quad(painter, &box, (Rect){left, top, right - left, middle.y - top});
    add_quad(painter, &box, (Rect){left, inner_bottom, right - left, bottom - inner_bottom});
    add_quad(painter, &box, (Rect){left, middle.y, middle.x - left, middle.h});
    add_quad(painter, &box, (Rect){inner_right, middle.y, right - inner_right, middle.h});
}
