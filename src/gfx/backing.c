#include "gfx/backing.h"

#include "gfx/read_back.h"

void backing_release(Backing *backing) {
    if (backing->framebuffer != 0)
        glDeleteFramebuffers(1, &backing->framebuffer);
    if (backing->picture != 0)
        glDeleteRenderbuffers(1, &backing->picture);
    *backing = (Backing){0};
}

static bool make(Backing *backing, int width_px, int height_px) {
    backing_release(backing);
    glGenRenderbuffers(1, &backing->picture);
    glBindRenderbuffer(GL_RENDERBUFFER, backing->picture);
    while (glGetError() != GL_NO_ERROR)
        continue;
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width_px, height_px);
    bool has_memory = glGetError() == GL_NO_ERROR;
    glGenFramebuffers(1, &backing->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, backing->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              backing->picture);
    if (!has_memory || glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return false;
    backing->width_px = width_px;
    backing->height_px = height_px;
    return true;
}

bool backing_bind(Backing *backing, int width_px, int height_px, bool *keeps) {
    *keeps = backing->framebuffer != 0 && backing->width_px == width_px &&
             backing->height_px == height_px;
    if (!*keeps && !make(backing, width_px, height_px)) {
        backing_release(backing);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        return false;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, backing->framebuffer);
    return true;
}

void backing_show(const Backing *backing) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, backing->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, backing->width_px, backing->height_px, 0, 0, backing->width_px,
                      backing->height_px, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void backing_read(const Backing *backing, unsigned char *rgba) {
    read_back(rgba, backing->framebuffer, backing->width_px, backing->height_px);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}
