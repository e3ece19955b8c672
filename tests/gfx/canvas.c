#include "gfx/canvas.h"

#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/context.h"

static bool begin_context(Canvas *canvas, Err *err) {
    GLuint framebuffer, texture;
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0)
        return err_fail(err, "OpenGL", "%s", SDL_GetError());
    context_request();
    canvas->window = SDL_CreateWindow("", 0, 0, 16, 16, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
    if (canvas->window == NULL)
        return err_fail(err, "OpenGL", "%s", SDL_GetError());
    canvas->context = context_create(canvas->window);
    if (canvas->context == NULL)
        return err_fail(err, "OpenGL", "no 3.3 core context: %s", SDL_GetError());
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, CANVAS_WIDTH, CANVAS_HEIGHT, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    return true;
}

static int begin(void **state, bool by_shaders) {
    Err err = {0};
    Canvas *canvas = calloc(1, sizeof *canvas);
    *state = canvas;
    bool begun = canvas != NULL && fonts_create(&canvas->fonts, &err);
    if (begun && by_shaders)
        begun = begin_context(canvas, &err) && card_create(&canvas->card, canvas->fonts, &err);
    else if (begun)
        begun = soft_create(&canvas->soft, canvas->fonts, (JobPool){.start = NULL}, &err);
    if (!begun)
        printf("# %s: %s\n", err.what, err.why);
    return begun ? 0 : -1;
}

int canvas_begin_soft(void **state) {
    return begin(state, false);
}

int canvas_begin_shaders(void **state) {
    return begin(state, true);
}

int canvas_end(void **state) {
    Canvas *canvas = *state;
    draw_release(&canvas->list);
    soft_release(canvas->soft);
    card_release(canvas->card);
    if (canvas->context != NULL)
        SDL_GL_DeleteContext(canvas->context);
    if (canvas->window != NULL)
        SDL_DestroyWindow(canvas->window);
    fonts_release(canvas->fonts);
    free(canvas);
    return 0;
}

DrawList *canvas_list(Canvas *canvas, float scale) {
    draw_begin(&canvas->list, CANVAS_WIDTH / scale, CANVAS_HEIGHT / scale, scale, CANVAS_GROUND);
    return &canvas->list;
}

void canvas_draw(Canvas *canvas) {
    Err err;
    draw_end(&canvas->list);
    if (canvas->card == NULL) {
        if (!soft_draw(canvas->soft, &canvas->list, CANVAS_WIDTH, CANVAS_HEIGHT, &err))
            printf("# %s: %s\n", err.what, err.why);
        soft_read(canvas->soft, canvas->pixels);
        return;
    }
    static unsigned char upside_down[sizeof canvas->pixels];
    const size_t row = (size_t)CANVAS_WIDTH * 4;
    card_draw(canvas->card, &canvas->list, CANVAS_WIDTH, CANVAS_HEIGHT);
    glReadPixels(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, upside_down);
    for (size_t y = 0; y < CANVAS_HEIGHT; y++)
        memcpy(canvas->pixels + y * row, upside_down + (CANVAS_HEIGHT - 1 - y) * row, row);
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
