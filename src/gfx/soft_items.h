/* soft_items.h: for each kind of item, a function that draws its pixels inside clip, which lies in
 * one tile. The colours equal those of the item's shader, except for rounding. Pure. */
#ifndef HEADLIGHT_GFX_SOFT_ITEMS_H
#define HEADLIGHT_GFX_SOFT_ITEMS_H

#include "gfx/paint.h"
#include "gfx/soft.h"

/* Borrowed: the target, 0xFFRRGGBB, top row first; the palettes of paint_palettes; the sheets of
 * the atlas. */
typedef struct SoftPicture {
    uint32_t *pixels;
    int width, height;
    const Colour *palettes;
    const AtlasSheet *sheets;
} SoftPicture;

static inline uint32_t *soft_row(const SoftPicture *picture, int y) {
    return picture->pixels + (size_t)y * (size_t)picture->width;
}

typedef void SoftItemFn(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
SoftItemFn soft_box, soft_curve, soft_triangle, soft_cells, soft_text;

/* Straight alpha; values from 0 to 1. */
typedef struct SoftColour {
    float r, g, b, a;
} SoftColour;

/* fminf and fmaxf would not be inlined, because they also handle NaN. */
static inline float soft_least(float a, float b) {
    return a < b ? a : b;
}

static inline float soft_most(float a, float b) {
    return a > b ? a : b;
}

static inline float soft_unit(float t) {
    return soft_least(soft_most(t, 0), 1);
}

/* Round towards 0, and clamp to the range from least to most. */
static inline int soft_clamped(float at, int least, int most) {
    return at > (float)least ? at < (float)most ? (int)at : most : least;
}

static inline int soft_within(int at, int from, int to) {
    return at < from ? from : at > to ? to : at;
}

/* Return the share of a pixel that lies inside an edge. distance_px: distance of the pixel's centre
 * from the edge, positive inside. */
static inline float soft_coverage(float distance_px) {
    return soft_unit(distance_px + 0.5f);
}

static inline float soft_dash(float position, float on, float period) {
    float at = position - 0.5f * on + 0.5f * period;
    float from_middle = at - period * floorf(at / period) - 0.5f * period;
    return soft_coverage(0.5f * on - fabsf(from_middle));
}

/* Return byte / 255, exact for every byte, without a division. */
static inline float soft_channel(uint32_t byte) {
    return (float)((double)byte * (1.0 / 255));
}

static inline SoftColour soft_colour(Colour c) {
    return (SoftColour){soft_channel(c >> 24), soft_channel(c >> 16 & 255),
                        soft_channel(c >> 8 & 255), soft_channel(c & 255)};
}

static inline SoftColour soft_between(SoftColour a, SoftColour b, float t) {
    return (SoftColour){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t,
                        a.a + (b.a - a.a) * t};
}

static inline uint32_t soft_mixed_channel(uint32_t under, uint32_t over, float alpha, int shift) {
    float from = (float)(int32_t)(under >> shift & 255), to = (float)(int32_t)(over >> shift & 255);
    return (uint32_t)(int32_t)(from + (to - from) * alpha + 0.5f) << shift;
}

static inline uint32_t soft_mixed(uint32_t under, uint32_t over, float alpha) {
    return 0xFF000000u | soft_mixed_channel(under, over, alpha, 16) |
           soft_mixed_channel(under, over, alpha, 8) | soft_mixed_channel(under, over, alpha, 0);
}

/* Ignores alpha. */
static inline uint32_t soft_pixel(SoftColour c) {
    return 0xFF000000u | (uint32_t)(int32_t)(c.r * 255 + 0.5f) << 16 |
           (uint32_t)(int32_t)(c.g * 255 + 0.5f) << 8 | (uint32_t)(int32_t)(c.b * 255 + 0.5f);
}

static inline uint32_t soft_laid(uint32_t under, SoftColour c) {
    return soft_mixed(under, soft_pixel(c), c.a);
}

/* Blend a colour onto the pixels from `from` to `to` - 1 of a row. */
static inline void soft_lay(uint32_t *row, int from, int to, SoftColour colour) {
    uint32_t pixel = soft_pixel(colour);
    if (colour.a >= 1)
        for (int x = from; x < to; x++)
            row[x] = pixel;
    else
        for (int x = from; x < to; x++)
            row[x] = soft_mixed(row[x], pixel, colour.a);
}

#endif
