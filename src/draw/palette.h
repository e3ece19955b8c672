/* palette.h: colour scales for matrices, and the position of a value on a scale. Pure.
 * To add one, add a row to PALETTES. */
#ifndef HEADLIGHT_DRAW_PALETTE_H
#define HEADLIGHT_DRAW_PALETTE_H

#include <stdbool.h>

#include "base/registry.h"
#include "draw/colour.h"

#define PALETTE_STOPS_MAX 16

/* Evenly spaced stops from lo to hi, linear in sRGB between them. */
typedef struct Palette {
    Entry entry;
    bool is_signed; /* the scale goes from -hi to hi; the middle stop is 0 */
    int stop_count;
    Colour stops[PALETTE_STOPS_MAX];
} Palette;

/* Palettes for weights come first. A signed palette follows the theme, unless the user chooses PUOR
 * or RDBU. */
typedef enum PaletteId {
    PALETTE_CIVIDIS,
    PALETTE_VIRIDIS,
    PALETTE_MAGMA,
    PALETTE_GREYS,
    PALETTE_WEIGHTS_COUNT,
    PALETTE_SIGNED_DARK = PALETTE_WEIGHTS_COUNT,
    PALETTE_SIGNED_LIGHT,
    PALETTE_PUOR,
    PALETTE_RDBU,
    PALETTE_COUNT
} PaletteId;

extern const Palette PALETTES[PALETTE_COUNT];
extern const Registry PALETTE_REGISTRY;        /* palettes for weights */
extern const Registry SIGNED_PALETTE_REGISTRY; /* theme, puor, rdbu */

/* Return the row of PALETTES for a row of SIGNED_PALETTE_REGISTRY. own: the theme's palette. */
int signed_palette_of(int choice, int own);

/* Return the colour at t, clamped to 0 to 1; NaN gives the first colour. */
Colour palette_colour(int palette, float t);

/* Return the colour of the dash that marks a negative value in a cell: ground or, if the lightness
 * of zero's colour differs from the cell's more than twice as much as that of ground, the colour of
 * zero. The shader for cells uses the same rule. */
Colour palette_dash(int palette, Colour cell, Colour ground);

/* Rows of WARPS in this order. */
typedef enum Warp { WARP_LINEAR, WARP_ROOT, WARP_LOG, WARP_COUNT } Warp;
extern const Registry WARPS;

#define WARP_DECADES 4 /* decades that the logarithmic scale shows */

/* Return the position of value on a scale that ends at hi > 0: 0 for 0, ±1 at ±hi and beyond.
 * Linear v/hi, root √(v/hi), logarithmic max(0, 1 + log₁₀(v/hi)/WARP_DECADES); each keeps the sign
 * of v. Values that are not finite are returned unchanged. */
float warp_at(Warp warp, float value, float hi);

#endif
