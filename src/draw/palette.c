#include "draw/palette.h"

#include "base/util.h"

/* cividis: Nuñez, Anderton and Renslow 2018; viridis: van der Walt and Smith 2015; both as even
 * stops of the published scales. */
const Palette PALETTES[PALETTE_COUNT] = {
    [PALETTE_CIVIDIS] = {{"cividis", "Cividis", "", "Blue to yellow; safe for all colour vision."},
                         false,
                         11,
                         {0x00224EFF, 0x083370FF, 0x35456CFF, 0x4F576CFF, 0x666970FF, 0x7D7C78FF,
                          0x948E77FF, 0xAEA371FF, 0xC8B866FF, 0xE5CF52FF, 0xFEE838FF}},
    [PALETTE_VIRIDIS] = {{"viridis", "Viridis", "", "Violet over green to yellow."},
                         false,
                         9,
                         {0x440154FF, 0x472D7BFF, 0x3B528BFF, 0x2C728EFF, 0x21918CFF, 0x28AE80FF,
                          0x5EC962FF, 0xADDC30FF, 0xFDE725FF}},
    [PALETTE_SIGNED_DARK] = {{"signed_dark", "Signed, dark", "",
                              "Purple below zero, orange above, zero near a dark ground."},
                             true,
                             7,
                             {0xC7B3FFFF, 0x8A6FD6FF, 0x4A3A80FF, 0x1B1D24FF, 0x7A4A12FF,
                              0xC97F22FF, 0xFFC069FF}},
    [PALETTE_SIGNED_LIGHT] = {{"signed_light", "Signed, light", "",
                               "Purple below zero, orange above, zero near a pale ground."},
                              true,
                              7,
                              {0x4B2A86FF, 0x7E62B8FF, 0xC5B8E0FF, 0xF4F3F5FF, 0xF5C98AFF,
                               0xCF7E1CFF, 0x7F3B08FF}},
};

const Registry PALETTE_REGISTRY = {"palettes", "palette", PALETTES, sizeof PALETTES[0],
                                   PALETTE_WEIGHTS_COUNT};

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
