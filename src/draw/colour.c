#include "draw/colour.h"

#include <math.h>

static float channel(Colour colour, int shift) {
    return (float)(colour >> shift & 0xFFu);
}

static Colour pack(float r, float g, float b, float a) {
    return (Colour)lrintf(r) << 24 | (Colour)lrintf(g) << 16 | (Colour)lrintf(b) << 8 |
           (Colour)lrintf(a);
}

static float clamp_unit(float t) {
    return t > 0 ? (t < 1 ? t : 1) : 0;
}

Colour colour_fade(Colour colour, float alpha) {
    return (colour & 0xFFFFFF00u) | (Colour)lrintf(channel(colour, 0) * clamp_unit(alpha));
}

Colour colour_mix(Colour a, Colour b, float t) {
    t = clamp_unit(t);
    float mixed[4];
    for (int i = 0; i < 4; i++) {
        float from = channel(a, 24 - 8 * i), to = channel(b, 24 - 8 * i);
        mixed[i] = from + (to - from) * t;
    }
    return pack(mixed[0], mixed[1], mixed[2], mixed[3]);
}

/* Return the relative luminance of WCAG 2.1. */
static float luminance(Colour colour) {
    static const float weight[3] = {0.2126f, 0.7152f, 0.0722f};
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        float c = channel(colour, 24 - 8 * i) / 255;
        sum += weight[i] * (c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f));
    }
    return sum;
}

float colour_contrast(Colour a, Colour b) {
    float la = luminance(a), lb = luminance(b);
    return ((la > lb ? la : lb) + 0.05f) / ((la > lb ? lb : la) + 0.05f);
}
