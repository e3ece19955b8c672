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

/* Those for weights come first and are a person's to choose; the signed ones follow the theme. */
typedef enum PaletteId {
    PALETTE_CIVIDIS,
    PALETTE_VIRIDIS,
    PALETTE_WEIGHTS_COUNT,
    PALETTE_SIGNED_DARK = PALETTE_WEIGHTS_COUNT,
    PALETTE_SIGNED_LIGHT,
    PALETTE_COUNT
} PaletteId;

extern const Palette PALETTES[PALETTE_COUNT];
extern const Registry PALETTE_REGISTRY; /* of those for weights */

/* The colour at t from 0 to 1, clamped; t that is not a number gives the first. */
Colour palette_colour(int palette, float t);

#endif
