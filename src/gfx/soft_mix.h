/* soft_mix.h: colours laid on pixels, for the parts of soft.h. Pure. */
#ifndef HEADLIGHT_GFX_SOFT_MIX_H
#define HEADLIGHT_GFX_SOFT_MIX_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "draw/colour.h"

#define SOFT_WHOLE 32768 /* a share of all */
#define SOFT_LANES 8     /* pixels whose shares are found at once before they are laid on */

/* Straight alpha, 0 to 1 each. */
typedef struct SoftColour {
    float r, g, b, a;
} SoftColour;

static inline float soft_number(uint32_t word) {
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* Of two numbers: fminf and fmaxf are calls, for the sake of what is not one. */
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

/* How much of a pixel lies inside an edge at this distance from its middle, positive inside. */
static inline float soft_coverage(float distance_px) {
    return soft_unit(distance_px + 0.5f);
}

static inline float soft_dash(float position, float on, float period) {
    float at = position - 0.5f * on + 0.5f * period;
    float from_middle = at - period * floorf(at / period) - 0.5f * period;
    return soft_coverage(0.5f * on - fabsf(from_middle));
}

/* The same float as byte / 255 for every byte, without a division. */
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

static inline int32_t soft_share(float alpha) {
    return (int32_t)(alpha * SOFT_WHOLE + 0.5f);
}

/* A colour's pixel as if it were opaque. */
static inline uint32_t soft_pixel(Colour c) {
    return 0xFF000000u | c >> 8;
}

static inline uint32_t soft_mixed(uint32_t under, uint32_t over, int32_t share) {
    int32_t r = (int32_t)(under >> 16 & 255), g = (int32_t)(under >> 8 & 255);
    int32_t b = (int32_t)(under & 255);
    r += (((int32_t)(over >> 16 & 255) - r) * share + SOFT_WHOLE / 2) >> 15;
    g += (((int32_t)(over >> 8 & 255) - g) * share + SOFT_WHOLE / 2) >> 15;
    b += (((int32_t)(over & 255) - b) * share + SOFT_WHOLE / 2) >> 15;
    return 0xFF000000u | (uint32_t)r << 16 | (uint32_t)g << 8 | (uint32_t)b;
}

/* A colour laid on a pixel. */
static inline uint32_t soft_laid(uint32_t under, SoftColour c) {
    int32_t share = soft_share(c.a);
    uint32_t over = (uint32_t)(c.r * 255 + 0.5f) << 16 | (uint32_t)(c.g * 255 + 0.5f) << 8 |
                    (uint32_t)(c.b * 255 + 0.5f);
    return soft_mixed(under, over, share);
}

/* One colour, of another share at each of at most SOFT_LANES pixels, count of them; the shares
 * behind those are 0, so that where room says that there are as many pixels all can be laid on
 * alike. */
static inline void soft_lay_shares(uint32_t *pixels, uint32_t over,
                                   const int32_t shares[SOFT_LANES], int count, int room) {
    if (room >= SOFT_LANES) {
        for (int i = 0; i < SOFT_LANES; i++)
            pixels[i] = soft_mixed(pixels[i], over, shares[i]);
        return;
    }
    for (int i = 0; i < count; i++)
        pixels[i] = soft_mixed(pixels[i], over, shares[i]);
}

#endif
