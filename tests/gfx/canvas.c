#include "gfx/canvas.h"

#include <stdio.h>
#include <stdlib.h>

static int begin(void **state, TargetKind kind, const char *shader_folder) {
    Err err = {0};
    Canvas *canvas = calloc(1, sizeof *canvas);
    *state = canvas;
    if (canvas != NULL && fonts_create(&canvas->fonts, &err) &&
        offscreen_create(&canvas->offscreen, kind, CANVAS_WIDTH, CANVAS_HEIGHT, &err) &&
        renderer_create(&canvas->renderer, kind, canvas->fonts, shader_folder, &err))
        return 0;
    printf("# %s: %s\n", err.what, err.why);
    return -1;
}

int canvas_begin_soft(void **state) {
    return begin(state, TARGET_SOFT, NULL);
}

int canvas_begin_shaders(void **state) {
    return begin(state, TARGET_CARD, "shaders");
}

int canvas_end(void **state) {
    Canvas *canvas = *state;
    draw_release(&canvas->list);
    renderer_release(canvas->renderer);
    offscreen_release(canvas->offscreen);
    fonts_release(canvas->fonts);
    free(canvas);
    return 0;
}

DrawList *canvas_list(Canvas *canvas, float scale) {
    draw_begin(&canvas->list, CANVAS_WIDTH / scale, CANVAS_HEIGHT / scale, scale, CANVAS_GROUND);
    return &canvas->list;
}

void canvas_draw(Canvas *canvas) {
    draw_end(&canvas->list);
    canvas_draw_again(canvas, false, canvas->pixels);
}

void canvas_draw_again(Canvas *canvas, bool keeps, unsigned char *pixels) {
    Target *target = offscreen_target(canvas->offscreen);
    target->is_drawn &= keeps;
    if (!renderer_draw(canvas->renderer, &canvas->list, target, CANVAS_WIDTH, CANVAS_HEIGHT))
        printf("# not drawn for want of memory\n");
    target_read(target, pixels);
}

Colour canvas_pixel(const Canvas *canvas, int x, int y) {
    const unsigned char *p = canvas->pixels + 4 * (y * CANVAS_WIDTH + x);
    return (Colour)p[0] << 24 | (Colour)p[1] << 16 | (Colour)p[2] << 8 | p[3];
}

bool canvas_is(const Canvas *canvas, int x, int y, Colour colour, int tolerance) {
    Colour pixel = canvas_pixel(canvas, x, y);
    for (int shift = 0; shift < 32; shift += 8)
        if (abs((int)(pixel >> shift & 255) - (int)(colour >> shift & 255)) > tolerance)
            return false;
    return true;
}

CanvasInk canvas_ink(const Canvas *canvas, int left, int top, int right, int bottom) {
    CanvasInk ink = {0, right, bottom, left, top};
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            if (canvas_is(canvas, x, y, CANVAS_GROUND, 3))
                continue;
            ink.count++;
            ink.left = x < ink.left ? x : ink.left;
            ink.top = y < ink.top ? y : ink.top;
            ink.right = x >= ink.right ? x + 1 : ink.right;
            ink.bottom = y >= ink.bottom ? y + 1 : ink.bottom;
        }
    return ink;
}
