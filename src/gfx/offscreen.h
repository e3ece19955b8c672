/* offscreen.h: where to draw without a display: a target, and for a card's sake an OpenGL 3.3 core
 * context, by SDL's offscreen video driver, so that no window may be open beside that. One thread.
 */
#ifndef HEADLIGHT_GFX_OFFSCREEN_H
#define HEADLIGHT_GFX_OFFSCREEN_H

#include <stdbool.h>

#include "base/err.h"
#include "gfx/target.h"

#define OFFSCREEN_SIDE_MAX 16384

typedef struct Offscreen Offscreen;

/* Make a target of this kind and size, and for TARGET_CARD a context that is current; TARGET_NONE
 * leaves the kind to the system: a card's if there is one that does, else TARGET_SOFT. Fails where
 * a context is asked for and there is none, saying what to install; and when the size is not 1 to
 * OFFSCREEN_SIDE_MAX or more than there is memory for. Release with offscreen_release, after what
 * was made in the context. */
bool offscreen_create(Offscreen **out, TargetKind kind, int width_px, int height_px, Err *err);
void offscreen_release(Offscreen *offscreen);

/* Change the target's size. A size that is out of range leaves it as it is. */
bool offscreen_resize(Offscreen *offscreen, int width_px, int height_px, Err *err);

/* Borrowed; never of TARGET_NONE. */
Target *offscreen_target(Offscreen *offscreen);

/* Wait until the card has drawn all that it was told to. */
void offscreen_finish(const Offscreen *offscreen);

#endif
