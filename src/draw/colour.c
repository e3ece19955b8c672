#include "draw/colour.h"

#include <math.h>

static float channel(Colour colour, int shift) {
    return (float)(colour >> shift & 0xFFu);
}

Colour colour_fade(Colour colour, float alpha) {
    return (colour & 0xFFFFFF00u) | (Colour)lrintf(channel(colour, 0) * fminf(fmaxf(alpha, 0), 1));
}

Colour colour_mix(Colour a, Colour b, float t) {
    Colour mixed = 0;
    t = fminf(fmaxf(t, 0), 1);
    for (int shift = 0; shift < 32; shift += 8) {
        float from = channel(a, shift), to = channel(b, shift);
        mixed |= (Colour)lrintf(from + (to - from) * t) << shift;
    }
    return mixed;
}

/* Source: WCAG 2.1. */
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
