/* card.h: draws a draw list with OpenGL into the bound framebuffer. One program contains all of
 * shaders/, embedded at build time. Edges are antialiased by their distance from a pixel. Needs a
 * current OpenGL 3.3 core context. One thread. */
#ifndef HEADLIGHT_GFX_CARD_H
#define HEADLIGHT_GFX_CARD_H

#include "base/err.h"
#include "draw/draw.h"
#include "gfx/fonts.h"

typedef struct Card Card;

/* Compile the shaders. Borrows fonts. Fails if a shader does not compile or memory runs out. Owned:
 * card_release. */
bool card_create(Card **out, GfxFonts *fonts, Err *err);
void card_release(Card *card);

/* Draw an ended list over the whole framebuffer, which has this size. If memory runs out, commands
 * are left out. */
void card_draw(Card *card, const DrawList *list, int width_px, int height_px);

#endif
