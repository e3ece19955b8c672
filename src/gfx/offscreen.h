/* offscreen.h: an OpenGL 3.3 core context without a display, and a target to draw to.
 * Uses SDL's offscreen video driver, so no window may be open beside it. One thread. */
#ifndef HEADLIGHT_GFX_OFFSCREEN_H
#define HEADLIGHT_GFX_OFFSCREEN_H

#include <stdbool.h>

#include "base/err.h"
#include "gfx/target.h"

#define OFFSCREEN_SIDE_MAX 16384

typedef struct Offscreen Offscreen;

/* Make the context current, and a target of this size. Fails, saying what to install,
 * where there is no OpenGL 3.3 core; and when the size is not 1 to OFFSCREEN_SIDE_MAX or more than
 * the driver can hold. Release with offscreen_release, after what was made in the context. */
bool offscreen_create(Offscreen **out, int width_px, int height_px, Err *err);
void offscreen_release(Offscreen *offscreen);

/* Change the target's size. A size that is out of range leaves it as it is. */
bool offscreen_resize(Offscreen *offscreen, int width_px, int height_px, Err *err);

/* Borrowed. */
Target *offscreen_target(Offscreen *offscreen);

#endif
