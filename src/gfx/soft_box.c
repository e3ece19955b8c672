#include <math.h>

#include "gfx/soft_items.h"

typedef struct SoftBox {
    const PaintBox *as;
    Vec2 middle, half; /* centre of the box, and half its size */
    SoftColour fill, fill_right, stroke;
} SoftBox;

/* Return the distance from the box's edge, positive inside. */
static float inside_of(const SoftBox *box, float x, float y) {
    float radius = box->as->radius;
    float beyond_x = fabsf(x) - box->half.x + radius, beyond_y = fabsf(y) - box->half.y + radius;
    float out_x = soft_most(beyond_x, 0), out_y = soft_most(beyond_y, 0);
    float corner = out_x > 0 && out_y > 0 ? sqrtf(out_x * out_x + out_y * out_y) : out_x + out_y;
    return radius - corner - soft_least(soft_most(beyond_x, beyond_y), 0);
}

/* Return the coverage of dashes along the middle of the border. The number of dashes is whole, and
 * one dash is centred at the top. */
static float dashes_at(const SoftBox *box, float x, float y) {
    const PaintBox *b = box->as;
    float half_w = box->half.x - 0.5f * b->border, half_h = box->half.y - 0.5f * b->border;
    float radius = fmaxf(0, b->radius - 0.5f * b->border);
    float straight_w = half_w - radius, straight_h = half_h - radius, arc = 1.5707963f * radius;
    float quarter = straight_w + arc + straight_h;
    float beyond_x = fabsf(x) - straight_w, beyond_y = fabsf(y) - straight_h, along;
    if (beyond_x > 0 && beyond_y > 0)
        along = straight_w + radius * atan2f(beyond_x, beyond_y);
    else if (beyond_y > beyond_x)
        along = fminf(fabsf(x), straight_w);
    else
        along = straight_w + arc + straight_h - fminf(fabsf(y), straight_h);
    float position = y < 0 ? along : 2 * quarter - along, period = b->dash_on + b->dash_off;
    position = x < 0 ? 4 * quarter - position : position;
    float fitted = 4 * quarter / fmaxf(1, floorf(4 * quarter / period + 0.5f));
    float on = b->dash_on * fitted / period;
    return soft_dash(position + 0.5f * on, on, fitted);
}

/* Return the colour without the coverage of the outer edge. */
static SoftColour colour_at(const SoftBox *box, float x, float y, float inside) {
    const PaintBox *b = box->as;
    SoftColour fill = box->fill;
    if (b->fill != b->fill_right)
        fill = soft_between(fill, box->fill_right,
                            (x + box->middle.x - b->edges.left) / (2 * box->half.x));
    float share = b->border > 0 ? soft_coverage(b->border - inside) : 0;
    if (b->dash_on > 0 && share > 0)
        share *= dashes_at(box, x, y);
    if (!(share > 0))
        return fill;
    float over = box->stroke.a * share, under = fill.a * (1 - over), all = over + under;
    SoftColour mixed = soft_between(fill, box->stroke, all > 0 ? over / all : 0);
    mixed.a = all;
    return mixed;
}

static void draw_span(uint32_t *pixels, const SoftBox *box, int row, int from, int to) {
    float y = (float)row + 0.5f - box->middle.y;
    for (int column = from; column < to; column++) {
        float x = (float)column + 0.5f - box->middle.x, inside = inside_of(box, x, y);
        if (inside <= -0.5f)
            continue;
        SoftColour colour = colour_at(box, x, y, inside);
        colour.a *= soft_coverage(inside);
        pixels[column] = soft_laid(pixels[column], colour);
    }
}

/* Return the pixels of clip that all show the fill: inside the corners, the border and the soft
 * edges. None if the fill is a gradient. */
static PixelRect plain_middle(const PaintBox *b, const PixelRect *clip) {
    const PaintEdges *e = &b->edges;
    bool is_aligned = e->left == floorf(e->left) && e->top == floorf(e->top) &&
                      e->right == floorf(e->right) && e->bottom == floorf(e->bottom);
    float inset = fmaxf(b->radius, b->border) + (is_aligned ? 0 : 1);
    if (b->fill != b->fill_right)
        return (PixelRect){0};
    return (PixelRect){soft_clamped(ceilf(e->left + inset), clip->left, clip->right),
                       soft_clamped(ceilf(e->top + inset), clip->top, clip->bottom),
                       soft_clamped(floorf(e->right - inset), clip->left, clip->right),
                       soft_clamped(floorf(e->bottom - inset), clip->top, clip->bottom)};
}

void soft_box(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    const PaintBox *b = &item->as.box;
    SoftBox box = {
        .as = b,
        .middle = {0.5f * (b->edges.left + b->edges.right),
                   0.5f * (b->edges.top + b->edges.bottom)},
        .half = {0.5f * (b->edges.right - b->edges.left), 0.5f * (b->edges.bottom - b->edges.top)},
        .fill = soft_colour(b->fill),
        .fill_right = soft_colour(b->fill_right),
        .stroke = soft_colour(b->stroke)};
    box.fill.a *= b->alpha;
    box.fill_right.a *= b->alpha;
    box.stroke.a *= b->alpha;
    PixelRect middle = plain_middle(b, clip);
    for (int row = clip->top; row < clip->bottom; row++) {
        uint32_t *pixels = soft_row(picture, row);
        if (row < middle.top || row >= middle.bottom || middle.left >= middle.right) {
            draw_span(pixels, &box, row, clip->left, clip->right);
            continue;
        }
        draw_span(pixels, &box, row, clip->left, middle.left);
        if (box.fill.a > 0)
            soft_lay(pixels, middle.left, middle.right, box.fill);
        draw_span(pixels, &box, row, middle.right, clip->right);
    }
}
