/* blend.h: blends colours onto pixels, for soft_items.h. Pure. */
#ifndef HEADLIGHT_GFX_BLEND_H
#define HEADLIGHT_GFX_BLEND_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "draw/colour.h"

#define SOFT_LANES                                                                                 \
    8 /* pixels computed together: compilers vectorise loops of this length                  \ */

/* A colour with straight alpha; each value from 0 to 1. */
typedef struct SoftColour {
    float r, g, b, a;
} SoftColour;

static inline float soft_number(uint32_t word) {
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* The larger and the smaller of two numbers. fminf and fmaxf would be calls, because they also
 * handle NaN. */
static inline float soft_least(float a, float b) {
    return a < b ? a : b;
}

static inline float soft_most(float a, float b) {
    return a > b ? a : b;
}

static inline float soft_unit(float t) {
    t = t > 0 ? t : 0;
    return t < 1 ? t : 1;
}

/* Return the share of a pixel inside an edge at this distance from its middle, positive inside. */
static inline float soft_coverage(float distance_px) {
    return soft_unit(distance_px + 0.5f);
}

static inline float soft_dash(float position, float on, float period) {
    float at = position - 0.5f * on + 0.5f * period;
    float from_middle = at - period * floorf(at / period) - 0.5f * period;
    return soft_coverage(0.5f * on - fabsf(from_middle));
}

/* Return the same float as byte / 255 for every byte, without a division. */
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

/* Return the pixel of a colour, as if that were opaque. */
static inline uint32_t soft_pixel(Colour c) {
    return 0xFF000000u | c >> 8;
}

static inline uint32_t soft_mixed_channel(uint32_t under, uint32_t over, float alpha, int shift) {
    float from = (float)(int32_t)(under >> shift & 255), to = (float)(int32_t)(over >> shift & 255);
    return (uint32_t)(int32_t)(from + (to - from) * alpha + 0.5f) << shift;
}

/* Return one pixel blended over another. */
static inline uint32_t soft_mixed(uint32_t under, uint32_t over, float alpha) {
    return 0xFF000000u | soft_mixed_channel(under, over, alpha, 16) |
           soft_mixed_channel(under, over, alpha, 8) | soft_mixed_channel(under, over, alpha, 0);
}

static inline uint32_t soft_pixel_of(SoftColour c) {
    return 0xFF000000u | (uint32_t)(c.r * 255 + 0.5f) << 16 | (uint32_t)(c.g * 255 + 0.5f) << 8 |
           (uint32_t)(c.b * 255 + 0.5f);
}

static inline uint32_t soft_laid(uint32_t under, SoftColour c) {
    return soft_mixed(under, soft_pixel_of(c), c.a);
}

#endif
