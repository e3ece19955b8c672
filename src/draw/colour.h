/* colour.h: colours as sRGB bytes, 0xRRGGBBAA, alpha not premultiplied. Pure. */
#ifndef HEADLIGHT_DRAW_COLOUR_H
#define HEADLIGHT_DRAW_COLOUR_H

#include <stdint.h>

typedef uint32_t Colour;

#define COLOUR_CLEAR 0u

/* An opaque colour from 0xRRGGBB. */
#define COLOUR_RGB(rgb) (((Colour)(rgb) << 8) | 0xFFu)

/* Return the colour with its alpha multiplied by alpha, 0 to 1. */
Colour colour_fade(Colour colour, float alpha);

/* Return the blend of a (t = 0) and b (t = 1), linear in sRGB. */
Colour colour_mix(Colour a, Colour b, float t);

/* Return the WCAG 2.1 contrast ratio of two opaque colours, 1 to 21. */
float colour_contrast(Colour a, Colour b);

#endif
