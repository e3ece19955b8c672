#include "gfx/target.h"

#include <stddef.h>
#include <stdlib.h>

void target_release(Target *target) {
    if (target->framebuffer != 0)
        glDeleteFramebuffers(1, &target->framebuffer);
    if (target->texture != 0)
        glDeleteTextures(1, &target->texture);
    free(target->pixels);
    *target = (Target){0};
}

/* Its bytes lie as a window's do, as a rule, so that showing it is a mere copy. */
static bool make_texture(Target *target) {
    glGenTextures(1, &target->texture);
    glBindTexture(GL_TEXTURE_2D, target->texture);
    while (glGetError() != GL_NO_ERROR)
        continue;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, target->width_px, target->height_px, 0, GL_BGRA,
                 GL_UNSIGNED_INT_8_8_8_8_REV, NULL);
    bool has_memory = glGetError() == GL_NO_ERROR;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &target->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->texture, 0);
    return has_memory && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static bool make_pixels(Target *target) {
    target->pixels =
        malloc((size_t)target->width_px * (size_t)target->height_px * sizeof *target->pixels);
    return target->pixels != NULL;
}

bool target_fit(Target *target, TargetKind kind, int width_px, int height_px) {
    if (target->kind == kind && target->width_px == width_px && target->height_px == height_px)
        return true;
    target_release(target);
    *target = (Target){.kind = kind, .width_px = width_px, .height_px = height_px};
    if (kind == TARGET_SOFT ? make_pixels(target) : make_texture(target))
        return true;
    target_release(target);
    return false;
}

/* Bring what its texture does not have yet from memory. */
static bool upload(Target *target) {
    if (target->texture == 0) {
        if (!make_texture(target))
            return false;
        target->unshown =
            (Damage){.rects = {{0, 0, target->width_px, target->height_px}}, .count = 1};
    }
    glBindTexture(GL_TEXTURE_2D, target->texture);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, target->width_px);
    for (int i = 0; i < target->unshown.count; i++) {
        const PixelRect *r = &target->unshown.rects[i];
        size_t first = (size_t)r->top * (size_t)target->width_px + (size_t)r->left;
        glTexSubImage2D(GL_TEXTURE_2D, 0, r->left, r->top, r->right - r->left, r->bottom - r->top,
                        GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, target->pixels + first);
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    target->unshown.count = 0;
    return true;
}

/* Rows that come from memory lie top-down in the texture: turning them over here is what makes
 * llvmpipe copy bytes, since its windows lie that way too. */
bool target_show(Target *target) {
    bool is_soft = target->kind == TARGET_SOFT;
    if (target->kind == TARGET_NONE || (is_soft && !upload(target)))
        return false;
    int width = target->width_px, height = target->height_px;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, width, height, 0, is_soft ? height : 0, width, is_soft ? 0 : height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return true;
}

static void swap_rows(unsigned char *a, unsigned char *b, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        unsigned char kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

static void read_card(const Target *target, unsigned char *rgba) {
    int height = target->height_px;
    size_t row = (size_t)target->width_px * 4;
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, target->width_px, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    for (int y = 0; y < height / 2; y++)
        swap_rows(rgba + row * (size_t)y, rgba + row * (size_t)(height - 1 - y), row);
}

void target_read(const Target *target, unsigned char *rgba) {
    size_t count = (size_t)target->width_px * (size_t)target->height_px;
    if (target->kind == TARGET_CARD)
        read_card(target, rgba);
    for (size_t i = 0; target->kind == TARGET_SOFT && i < count; i++)
        for (int channel = 0; channel < 4; channel++)
            rgba[4 * i + (size_t)channel] =
                (unsigned char)(target->pixels[i] >> (channel < 3 ? 16 - 8 * channel : 24));
}
