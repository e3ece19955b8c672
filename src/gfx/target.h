/* target.h: a picture that lasts from one frame to the next, so that no more of it is drawn than
 * changes. A window's own framebuffers hold nothing to rely on after a swap: it is copied there
 * whole, but for one without OpenGL, which keeps its picture (surface.h). What a card draws needs a
 * current OpenGL 3.3 core context; what this program draws only to be shown by target_show. */
#ifndef HEADLIGHT_GFX_TARGET_H
#define HEADLIGHT_GFX_TARGET_H

#include <epoxy/gl.h>
#include <stdbool.h>
#include <stdint.h>

#include "gfx/damage.h"

/* Who draws: OpenGL into a framebuffer, or this program into memory. */
typedef enum TargetKind { TARGET_NONE, TARGET_CARD, TARGET_SOFT } TargetKind;

/* All zero is none yet. */
typedef struct Target {
    TargetKind kind;
    int width_px, height_px;
    GLuint framebuffer, texture; /* of a soft target: what it is shown by, once it is */
    uint32_t *pixels;            /* owned, of a soft target: 0xFFRRGGBB, rows top-down */
    Damage unshown;              /* of a soft target: what where it is shown does not have yet */
    bool is_drawn;               /* it holds a frame */
} Target;

/* Make it of this kind and size, unless it is. False, with nothing there, where there is no memory
 * for it. */
bool target_fit(Target *target, TargetKind kind, int width_px, int height_px);

/* Copy it to the window's own framebuffer, which is bound from then on. False where there is no
 * memory for that. */
bool target_show(Target *target);

/* Copy the picture into rgba, rows top-down, width_px * height_px * 4 bytes. */
void target_read(const Target *target, unsigned char *rgba);

void target_release(Target *target);

#endif
