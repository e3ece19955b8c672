/* read_back.h: the pixels of a framebuffer, brought back to memory. Needs a current OpenGL 3.3 core
 * context. */
#ifndef HEADLIGHT_GFX_READ_BACK_H
#define HEADLIGHT_GFX_READ_BACK_H

#include <epoxy/gl.h>

/* Copy the picture into rgba, rows top-down, width * height * 4 bytes. It is bound afterwards. */
void read_back(unsigned char *rgba, GLuint framebuffer, int width_px, int height_px);

#endif
