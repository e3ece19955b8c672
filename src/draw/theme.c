#include "draw/theme.h"

#include "draw/palette.h"

#define RGB(hex) COLOUR_RGB(0x##hex)

/* Colours of heads 1 to 8 and of tokens 1 to 9; themes may share them. */
#define HEADS_DARK                                                                                 \
    {                                                                                              \
        RGB(219EE4), RGB(E67902), RGB(66F0A5), RGB(C786BD), RGB(EDD805), RGB(F53345), RGB(8967FE), \
            RGB(D2D8DC)                                                                            \
    }
#define HEADS_LIGHT                                                                                \
    {                                                                                              \
        RGB(0493F9), RGB(E07104), RGB(027250), RGB(7D3E75), RGB(849753), RGB(7B1F01), RGB(101CB4), \
            RGB(1A1A1A)                                                                            \
    }
#define HEADS_PROJECTOR                                                                            \
    {                                                                                              \
        RGB(0563AA), RGB(BA5D03), RGB(25874E), RGB(693560), RGB(373B00), RGB(3D0300), RGB(021096), \
            RGB(767677)                                                                            \
    }
#define TOKENS_ON_LIGHT                                                                            \
    {                                                                                              \
        RGB(4477AA), RGB(CC5533), RGB(8A7A00), RGB(CC4477), RGB(2F80B0), RGB(1F8060), RGB(6E7D00), \
            RGB(666600), RGB(777777)                                                               \
    }

const Theme THEMES[THEME_COUNT] = {
    [THEME_DARK] =
        {
            .entry = {"dark", "Dark", "", "For a screen in a dim room."},
            .canvas = RGB(0C0E11),
            .chrome = RGB(13161A),
            .raised = RGB(1E2228),
            .hover = RGB(2A3038),
            .hair = RGB(262B32),
            .control = RGB(727C89),
            .text_1 = RGB(F2F4F7),
            .text_2 = RGB(C3CAD3),
            .text_3 = RGB(A3ACB8),
            .fill = RGB(E9EDF2),
            .text_on_fill = RGB(0C0E11),
            .ring = RGB(FFFFFF),
            .casing = RGB(0C0E11),
            .beam = RGB(FFE08A),
            .warn = RGB(FF8A5B),
            .ok = RGB(7FD6B4),
            .masked = RGB(171A1F),
            .heads = HEADS_DARK,
            .tokens = {RGB(77AADD), RGB(EE8866), RGB(EEDD88), RGB(FFAABB), RGB(99DDFF), RGB(44BB99),
                       RGB(BBCC33), RGB(AAAA00), RGB(DDDDDD)},
            .signed_palette = PALETTE_SIGNED_DARK,
        },
    [THEME_LIGHT] =
        {
            .entry = {"light", "Light", "", "For a screen in daylight and for print."},
            .canvas = RGB(FFFFFF),
            .chrome = RGB(F4F5F7),
            .raised = RGB(E7E9ED),
            .hover = RGB(DADDE3),
            .hair = RGB(DFE2E7),
            .control = RGB(767E8A),
            .text_1 = RGB(14171B),
            .text_2 = RGB(3A414B),
            .text_3 = RGB(4A525D),
            .fill = RGB(1B1F24),
            .text_on_fill = RGB(FFFFFF),
            .ring = RGB(000000),
            .casing = RGB(FFFFFF),
            .beam = RGB(B98900),
            .warn = RGB(8F2F00),
            .ok = RGB(07523A),
            .masked = RGB(EEF0F2),
            .heads = HEADS_LIGHT,
            .tokens = TOKENS_ON_LIGHT,
            .signed_palette = PALETTE_SIGNED_LIGHT,
        },
    [THEME_PROJECTOR] =
        {
            .entry = {"projector", "Projector", "", "For a pale projector in a lit room."},
            .canvas = RGB(FFFFFF),
            .chrome = RGB(FFFFFF),
            .raised = RGB(E9EBEE),
            .hover = RGB(DADDE3),
            .hair = RGB(C9CED5),
            .control = RGB(5F6670),
            .text_1 = RGB(000000),
            .text_2 = RGB(1E2329),
            .text_3 = RGB(2E343C),
            .fill = RGB(1B1F24),
            .text_on_fill = RGB(FFFFFF),
            .ring = RGB(000000),
            .casing = RGB(FFFFFF),
            .beam = RGB(B98900),
            .warn = RGB(6B2300),
            .ok = RGB(053F2C),
            .masked = RGB(EEF0F2),
            .heads = HEADS_PROJECTOR,
            .tokens = TOKENS_ON_LIGHT,
            .signed_palette = PALETTE_SIGNED_LIGHT,
        },
};

const Registry THEME_REGISTRY = REGISTRY("themes", "theme", THEMES);
