/* card.h: items drawn by OpenGL's shaders, into the framebuffer that is bound. Needs a current
 * OpenGL 3.3 core context. */
#ifndef HEADLIGHT_GFX_CARD_H
#define HEADLIGHT_GFX_CARD_H

#include "base/err.h"
#include "gfx/damage.h"
#include "gfx/paint.h"

typedef struct Card Card;

/* Compile the shaders: the built-in ones where folder is NULL. Fails when one does not compile or
 * memory runs out. Release with card_release. */
bool card_create(Card **out, const char *folder, Err *err);
void card_release(Card *card);

/* Begin a frame of this size, of which only damage is drawn, on a ground. */
void card_begin(Card *card, int width_px, int height_px, const Damage *damage, Colour ground);

/* Where the values of cells lie: a Painter's cells. */
CellTextures *card_cells(Card *card);

/* A Painter's add; its context is the card. */
void card_add(const Painter *painter, const PaintItem *item);

/* Draw what was added since: a Painter's flush; its context is the card. */
void card_flush(void *context);

#endif
