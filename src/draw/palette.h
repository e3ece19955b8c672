/* palette.h: colour scales for matrices. Pure.
 * To add one, add a row to PALETTES. */
#ifndef HEADLIGHT_DRAW_PALETTE_H
#define HEADLIGHT_DRAW_PALETTE_H

#include <stdbool.h>

#include "base/registry.h"
#include "draw/colour.h"

#define PALETTE_STOPS_MAX 16

/* Even stops from lo to hi, linear between, in sRGB. */
typedef struct Palette {
    Entry entry;
    bool is_signed; /* lo is -max, the middle 0 */
    int stop_count;
    Colour stops[PALETTE_STOPS_MAX];
} Palette;

/* Those for weights come first. The signed ones of the themes follow the theme, unless a person
 * chooses one of the last two. */
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
extern const Registry PALETTE_REGISTRY;        /* of those for weights */
extern const Registry SIGNED_PALETTE_REGISTRY; /* theme, puor, rdbu */

/* The row of PALETTES that a row of SIGNED_PALETTE_REGISTRY means with a theme's own one. */
int signed_palette_of(int choice, int own);

/* The colour at t from 0 to 1, clamped; t that is not a number gives the first. */
Colour palette_colour(int palette, float t);

/* The colour of the dash that marks a minus in a cell of that colour: the ground's, or zero's where
 * that is more than twice as far from the cell's. The shader of the cells has the same rule. */
Colour palette_dash(int palette, Colour cell, Colour ground);

#endif
