#include "gfx/blend.h"
#include "gfx/soft_items.h"

PixelRect soft_quad(const uint32_t words[4], const PixelRect *clip) {
    float left = soft_number(words[0]), top = soft_number(words[1]);
    float right = soft_number(words[2]), bottom = soft_number(words[3]);
    PixelRect quad = {(int)ceilf(fmaxf(left, (float)clip->left) - 0.5f),
                      (int)ceilf(fmaxf(top, (float)clip->top) - 0.5f),
                      (int)ceilf(fminf(right, (float)clip->right) - 0.5f),
                      (int)ceilf(fminf(bottom, (float)clip->bottom) - 0.5f)};
    return quad;
}

void soft_fill(const SoftPicture *picture, const PixelRect *rect, Colour ground) {
    for (int y = rect->top; y < rect->bottom; y++)
        for (int x = rect->left; x < rect->right; x++)
            soft_row(picture, y)[x] = soft_pixel(ground);
}

void soft_solid(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    PixelRect quad = soft_quad(item->words, clip);
    Colour colour = item->words[4];
    float alpha = soft_channel(colour & 255);
    if (alpha >= 1) {
        soft_fill(picture, &quad, colour);
        return;
    }
    for (int y = quad.top; y < quad.bottom; y++) {
        uint32_t *row = soft_row(picture, y);
        for (int x = quad.left; x < quad.right; x++)
            row[x] = soft_mixed(row[x], soft_pixel(colour), alpha);
    }
}

typedef struct SoftBox {
    float left, middle_x, middle_y, half_w, half_h; /* middle and half the size of the box */
    float radius, border, dash_on, dash_off;
    SoftColour fill, fill_right, stroke;
    bool is_even; /* the fill has one colour */
} SoftBox;

static SoftBox read_box(const uint32_t *words) {
    float left = soft_number(words[4]), top = soft_number(words[5]);
    float right = soft_number(words[6]), bottom = soft_number(words[7]);
    float alpha = soft_number(words[15]);
    SoftBox box = {.left = left,
                   .middle_x = 0.5f * (left + right),
                   .middle_y = 0.5f * (top + bottom),
                   .half_w = 0.5f * (right - left),
                   .half_h = 0.5f * (bottom - top),
                   .radius = soft_number(words[8]),
                   .border = soft_number(words[9]),
                   .dash_on = soft_number(words[10]),
                   .dash_off = soft_number(words[11]),
                   .fill = soft_colour(words[12]),
                   .fill_right = soft_colour(words[13]),
                   .stroke = soft_colour(words[14]),
                   .is_even = words[12] == words[13]};
    box.fill.a *= alpha;
    box.fill_right.a *= alpha;
    box.stroke.a *= alpha;
    return box;
}

/* Return the distance from a point to the edge, positive inside. */
static float inside_of(const SoftBox *box, float x, float y) {
    float beyond_x = fabsf(x) - box->half_w + box->radius;
    float beyond_y = fabsf(y) - box->half_h + box->radius;
    float out_x = fmaxf(beyond_x, 0), out_y = fmaxf(beyond_y, 0);
    float corner = out_x > 0 && out_y > 0 ? sqrtf(out_x * out_x + out_y * out_y) : out_x + out_y;
    return box->radius - corner - fminf(fmaxf(beyond_x, beyond_y), 0);
}

/* Return the coverage of dashes along the middle of the border. Their number is whole, and one is
 * centred at the top. */
static float dashes_at(const SoftBox *box, float x, float y) {
    float half_w = box->half_w - 0.5f * box->border, half_h = box->half_h - 0.5f * box->border;
    float radius = fmaxf(0, box->radius - 0.5f * box->border);
    float straight_w = half_w - radius, straight_h = half_h - radius, arc = 1.5707963f * radius;
    float quarter = straight_w + arc + straight_h;
    float beyond_x = fabsf(x) - straight_w, beyond_y = fabsf(y) - straight_h, along;
    if (beyond_x > 0 && beyond_y > 0)
        along = straight_w + radius * atan2f(beyond_x, beyond_y);
    else if (beyond_y > beyond_x)
        along = fminf(fabsf(x), straight_w);
    else
        along = straight_w + arc + straight_h - fminf(fabsf(y), straight_h);
    float position = y < 0 ? along : 2 * quarter - along, period = box->dash_on + box->dash_off;
    position = x < 0 ? 4 * quarter - position : position;
    float fitted = 4 * quarter / fmaxf(1, floorf(4 * quarter / period + 0.5f));
    float on = box->dash_on * fitted / period;
    return soft_dash(position + 0.5f * on, on, fitted);
}

/* Blend the border over the fill; both have straight alpha. */
static SoftColour bordered(const SoftBox *box, SoftColour fill, float share) {
    float over = box->stroke.a * share, under = fill.a * (1 - over), all = over + under;
    SoftColour mixed = soft_between(fill, box->stroke, all > 0 ? over / all : 0);
    mixed.a = all;
    return mixed;
}

static SoftColour colour_at(const SoftBox *box, float x, float y, float inside) {
    SoftColour fill = box->fill;
    if (!box->is_even)
        fill = soft_between(fill, box->fill_right,
                            (x + box->middle_x - box->left) / (2 * box->half_w));
    if (box->border <= 0)
        return fill;
    float share = soft_coverage(box->border - inside);
    if (box->dash_on > 0 && share > 0)
        share *= dashes_at(box, x, y);
    return share > 0 ? bordered(box, fill, share) : fill;
}

void soft_box(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    PixelRect quad = soft_quad(item->words, clip);
    SoftBox box = read_box(item->words);
    for (int row = quad.top; row < quad.bottom; row++) {
        uint32_t *pixels = soft_row(picture, row);
        float y = (float)row + 0.5f - box.middle_y;
        for (int column = quad.left; column < quad.right; column++) {
            float x = (float)column + 0.5f - box.middle_x, inside = inside_of(&box, x, y);
            if (inside <= -0.5f)
                continue;
            SoftColour colour = colour_at(&box, x, y, inside);
            colour.a *= soft_coverage(inside);
            pixels[column] = soft_laid(pixels[column], colour);
        }
    }
}
