/* canvas.h: both rasterisers without a display, for tests that look at pixels. The shaders draw
 * into a framebuffer of SDL's offscreen driver. */
#ifndef HEADLIGHT_TESTS_GFX_CANVAS_H
#define HEADLIGHT_TESTS_GFX_CANVAS_H

#include <SDL.h>
#include <stdbool.h>

#include "draw/draw.h"
#include "gfx/card.h"
#include "gfx/fonts.h"
#include "gfx/soft.h"

#define CANVAS_WIDTH  240
#define CANVAS_HEIGHT 160
#define CANVAS_GROUND COLOUR_RGB(0x102030)

typedef struct Canvas {
    GfxFonts *fonts;
    Soft *soft;
    Card *card; /* NULL if the processor draws */
    SDL_Window *window;
    SDL_GLContext context;
    DrawList list;
    unsigned char pixels[CANVAS_WIDTH * CANVAS_HEIGHT * 4];
} Canvas;

/* Run before all tests of a file: *state becomes a Canvas on which the processor or the shaders
 * draw. */
int canvas_begin_soft(void **state);
int canvas_begin_shaders(void **state);
int canvas_end(void **state);

/* Run the tests of this file with both rasterisers. */
#define CANVAS_TESTS                                                                               \
    TEST_ALL(canvas_begin_soft, canvas_end)                                                        \
    TEST_ALL(canvas_begin_shaders, canvas_end)

#define CANVAS_TEST(name)                                                                          \
    static void name##_on(Canvas *canvas);                                                         \
    TEST(name) {                                                                                   \
        name##_on(*state);                                                                         \
    }                                                                                              \
    static void name##_on(Canvas *canvas)

/* Empty the canvas's list, at this scale, and return it. */
DrawList *canvas_list(Canvas *canvas, float scale);

/* Draw the list and read the picture. */
void canvas_draw(Canvas *canvas);

/* A pixel of the last picture as 0xRRGGBBAA. */
Colour canvas_pixel(const Canvas *canvas, int x, int y);

/* Whether every channel of a pixel is within tolerance of a colour. */
bool canvas_is(const Canvas *canvas, int x, int y, Colour colour, int tolerance);

#define assert_pixel(canvas, x, y, colour, tolerance)                                              \
    do {                                                                                           \
        if (!canvas_is(canvas, x, y, colour, tolerance))                                           \
            fail_msg("pixel %d,%d is %08X, not %08X", x, y, canvas_pixel(canvas, x, y), colour);   \
    } while (0)

/* The pixels within the rectangle that are not the ground, and the box around them. */
typedef struct CanvasInk {
    int count, left, top, right, bottom; /* right and bottom are exclusive */
} CanvasInk;

CanvasInk canvas_ink(const Canvas *canvas, int left, int top, int right, int bottom);

#endif
