#include "draw/palette.h"

#include <math.h>
#include <stdlib.h>

/* cividis: Nuñez, Anderton and Renslow 2018; viridis and magma: van der Walt and Smith 2015; each
 * as evenly spaced stops of the published scale. greys: even steps of CIE L* from 14 to 86, so that
 * neither end equals a theme's ground or masked cell. PuOr and RdBu: Harrower and Brewer 2003
 * (ColorBrewer), 11 classes, reversed so that positive values are warm. */
const Palette PALETTES[PALETTE_COUNT] = {
    [PALETTE_CIVIDIS] = {{"cividis", "Cividis", "", "Blue to yellow; safe for all colour vision."},
                         false,
                         11,
                         {0x00224EFF, 0x083370FF, 0x35456CFF, 0x4F576CFF, 0x666970FF, 0x7D7C78FF,
                          0x948E77FF, 0xAEA371FF, 0xC8B866FF, 0xE5CF52FF, 0xFEE838FF}},
    [PALETTE_VIRIDIS] = {{"viridis", "Viridis", "", "Violet through green to yellow."},
                         false,
                         9,
                         {0x440154FF, 0x472D7BFF, 0x3B528BFF, 0x2C728EFF, 0x21918CFF, 0x28AE80FF,
                          0x5EC962FF, 0xADDC30FF, 0xFDE725FF}},
    [PALETTE_MAGMA] = {{"magma", "Magma", "", "Black through red to pale yellow."},
                       false,
                       9,
                       {0x000004FF, 0x1D1147FF, 0x51127CFF, 0x822681FF, 0xB63679FF, 0xE65164FF,
                        0xFB8861FF, 0xFEC287FF, 0xFCFDBFFF}},
    [PALETTE_GREYS] = {{"greys", "Greys", "", "Dark to pale, for print without colour."},
                       false,
                       9,
                       {0x242424FF, 0x373737FF, 0x4B4B4BFF, 0x616161FF, 0x777777FF, 0x8E8E8EFF,
                        0xA6A6A6FF, 0xBEBEBEFF, 0xD7D7D7FF}},
    [PALETTE_SIGNED_DARK] = {{"signed_dark", "Signed, dark", "",
                              "Purple below zero, orange above; zero is almost black."},
                             true,
                             7,
                             {0xC7B3FFFF, 0x8A6FD6FF, 0x4A3A80FF, 0x1B1D24FF, 0x7A4A12FF,
                              0xC97F22FF, 0xFFC069FF}},
    [PALETTE_SIGNED_LIGHT] = {{"signed_light", "Signed, light", "",
                               "Purple below zero, orange above; zero is almost white."},
                              true,
                              7,
                              {0x4B2A86FF, 0x7E62B8FF, 0xC5B8E0FF, 0xF4F3F5FF, 0xF5C98AFF,
                               0xCF7E1CFF, 0x7F3B08FF}},
    [PALETTE_PUOR] = {{"puor", "PuOr", "", "Purple below zero, orange above, zero pale."},
                      true,
                      11,
                      {0x2D004BFF, 0x542788FF, 0x8073ACFF, 0xB2ABD2FF, 0xD8DAEBFF, 0xF7F7F7FF,
                       0xFEE0B6FF, 0xFDB863FF, 0xE08214FF, 0xB35806FF, 0x7F3B08FF}},
    [PALETTE_RDBU] = {{"rdbu", "RdBu", "", "Blue below zero, red above, zero pale."},
                      true,
                      11,
                      {0x053061FF, 0x2166ACFF, 0x4393C3FF, 0x92C5DEFF, 0xD1E5F0FF, 0xF7F7F7FF,
                       0xFDDBC7FF, 0xF4A582FF, 0xD6604DFF, 0xB2182BFF, 0x67001FFF}},
};

const Registry PALETTE_REGISTRY = {"palettes", "palette", PALETTES, sizeof PALETTES[0],
                                   PALETTE_WEIGHTS_COUNT};

static const struct SignedRow {
    Entry entry;
    int palette; /* row of PALETTES, or -1 for the palette of the theme */
} SIGNED_ROWS[] = {
    {{"theme", "Theme", "",
      "Purple below zero, orange above; zero is close to the background colour."},
     -1},
    {{"puor", "PuOr", "", "Purple below zero, orange above, zero pale."}, PALETTE_PUOR},
    {{"rdbu", "RdBu", "", "Blue below zero, red above, zero pale."}, PALETTE_RDBU},
};
const Registry SIGNED_PALETTE_REGISTRY = REGISTRY("signed-palettes", "signed palette", SIGNED_ROWS);

int signed_palette_of(int choice, int own) {
    return SIGNED_ROWS[choice].palette < 0 ? own : SIGNED_ROWS[choice].palette;
}

Colour palette_colour(int palette, float t) {
    const Palette *p = &PALETTES[palette];
    int last = p->stop_count - 1;
    if (!(t > 0))
        return p->stops[0];
    if (t >= 1)
        return p->stops[last];
    float at = t * (float)last;
    int below = (int)at;
    return colour_mix(p->stops[below], p->stops[below + 1], at - (float)below);
}

/* Approximate lightness, 0 to 255·10000: the weights of Rec. ITU-R BT.709-6 applied to coded
 * values. Exact enough to compare distances. */
static int coded_luma(Colour c) {
    return 2126 * (int)(c >> 24) + 7152 * (int)(c >> 16 & 255) + 722 * (int)(c >> 8 & 255);
}

Colour palette_dash(int palette, Colour cell, Colour ground) {
    const Palette *p = &PALETTES[palette];
    Colour zero = p->stops[p->stop_count / 2];
    int of_cell = coded_luma(cell);
    return 2 * abs(coded_luma(ground) - of_cell) >= abs(coded_luma(zero) - of_cell) ? ground : zero;
}

static const Entry ROWS[] = {
    [WARP_LINEAR] = {"linear", "Linear", "", "Colour is proportional to the value."},
    [WARP_ROOT] = {"root", "Root", "", "Colour is proportional to the square root of the value."},
    [WARP_LOG] = {"log", "Log", "",
                  "Colour is proportional to the logarithm of the value, over four powers of ten."},
};
const Registry WARPS = REGISTRY("scales", "scale", ROWS);

float warp_at(Warp warp, float value, float hi) {
    if (!isfinite(value))
        return value;
    float share = fminf(fabsf(value) / hi, 1), at = share;
    if (warp == WARP_ROOT)
        at = sqrtf(share);
    if (warp == WARP_LOG)
        at = share > 0 ? fmaxf(1 + log10f(share) / WARP_DECADES, 0) : 0;
    return copysignf(at, value);
}
