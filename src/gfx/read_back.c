#include "gfx/read_back.h"

#include <stddef.h>

static void swap_rows(unsigned char *a, unsigned char *b, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        unsigned char kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

void read_back(unsigned char *rgba, GLuint framebuffer, int width_px, int height_px) {
    size_t row = (size_t)width_px * 4;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_px, height_px, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    for (int y = 0; y < height_px / 2; y++)
        swap_rows(rgba + row * (size_t)y, rgba + row * (size_t)(height_px - 1 - y), row);
}
