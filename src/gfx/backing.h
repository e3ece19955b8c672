/* backing.h: a picture that lasts from one frame to the next, beside a window's own framebuffers,
 * which hold nothing to rely on after a swap: frames are drawn to it in part and copied out whole.
 * Needs a current OpenGL 3.3 core context. */
#ifndef HEADLIGHT_GFX_BACKING_H
#define HEADLIGHT_GFX_BACKING_H

#include <epoxy/gl.h>
#include <stdbool.h>

/* All zero is none yet. */
typedef struct Backing {
    GLuint framebuffer, picture;
    int width_px, height_px;
} Backing;

/* Bind it in this size for drawing. *keeps says whether it still holds what was drawn last. False,
 * with the window's own framebuffer bound, where the driver has no memory for it. */
bool backing_bind(Backing *backing, int width_px, int height_px, bool *keeps);

/* Copy it to the window's own framebuffer, which is bound from then on. */
void backing_show(const Backing *backing);

/* Copy the picture into rgba, rows top-down, width_px * height_px * 4 bytes. */
void backing_read(const Backing *backing, unsigned char *rgba);

void backing_release(Backing *backing);

#endif
