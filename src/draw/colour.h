/* colour.h: colours as sRGB bytes, 0xRRGGBBAA, alpha not premultiplied. Pure. */
#ifndef HEADLIGHT_DRAW_COLOUR_H
#define HEADLIGHT_DRAW_COLOUR_H

#include <stdint.h>

typedef uint32_t Colour;

#define COLOUR_CLEAR 0u

#define COLOUR_RGB(rgb) (((Colour)(rgb) << 8) | 0xFFu)

Colour colour_fade(Colour colour, float alpha);

/* Return a at t = 0, b at t = 1; linear in sRGB. */
Colour colour_mix(Colour a, Colour b, float t);

/* Return the contrast ratio of two opaque colours, 1 to 21. Source: WCAG 2.1. */
float colour_contrast(Colour a, Colour b);

#endif
