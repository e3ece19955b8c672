/* theme.h: the colours of the window and of marks, named by purpose. Pure.
 * To add one, add a row to THEMES. */
#ifndef HEADLIGHT_DRAW_THEME_H
#define HEADLIGHT_DRAW_THEME_H

#include "base/registry.h"
#include "draw/colour.h"

#define THEME_HEADS  8
#define THEME_TOKENS 9

typedef enum ThemeId { THEME_DARK, THEME_LIGHT, THEME_PROJECTOR, THEME_COUNT } ThemeId;

typedef struct Theme {
    Entry entry;
    Colour canvas, chrome, raised, hover, hair, control;
    Colour text_1, text_2, text_3;
    Colour fill, text_on_fill, ring, casing, beam, warn, ok, masked;
    Colour heads[THEME_HEADS]; /* colours of marks, not of text */
    Colour tokens[THEME_TOKENS];
    int signed_palette; /* row of PALETTES */
} Theme;

extern const Theme THEMES[THEME_COUNT];
extern const Registry THEME_REGISTRY;

#endif
