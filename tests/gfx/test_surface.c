/* A window without OpenGL, on SDL's driver that has no display. */
#include <stdlib.h>

#include "gfx/context.h"
#include "gfx/surface.h"
#include "support/test.h"

#define WIDTH  64
#define HEIGHT 100 /* two tiles */

typedef struct Desk {
    SDL_Window *window;
    GfxFonts *fonts;
    Soft *soft;
    DrawList list;
} Desk;

static int begin(void **state) {
    static Desk desk;
    Err err;
    *state = &desk;
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0)
        return -1;
    desk.window = SDL_CreateWindow("", 0, 0, WIDTH, HEIGHT, 0);
    return desk.window != NULL && fonts_create(&desk.fonts, &err) &&
                   soft_create(&desk.soft, desk.fonts, (JobPool){.start = NULL}, &err)
               ? 0
               : -1;
}

static int end(void **state) {
    Desk *desk = *state;
    soft_release(desk->soft);
    fonts_release(desk->fonts);
    draw_release(&desk->list);
    SDL_DestroyWindow(desk->window);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    return 0;
}

/* Draw a ground with a square in the lower tile. */
static void draw(Desk *desk, Colour ground, Colour square) {
    draw_begin(&desk->list, WIDTH, HEIGHT, 1, ground);
    draw_fill(&desk->list, (Rect){10, HEIGHT - 20, 10, 10}, 0, square);
    draw_end(&desk->list);
    must(soft_draw(desk->soft, &desk->list, WIDTH, HEIGHT, &told));
}

/* A pixel of the window, 0xRRGGBB. */
static unsigned seen(const Desk *desk, int x, int y) {
    const SDL_Surface *surface = SDL_GetWindowSurface(desk->window);
    Uint32 pixel;
    Uint8 r, g, b;
    const char *at = (const char *)surface->pixels + y * surface->pitch;
    SDL_memcpy(&pixel, at + x * surface->format->BytesPerPixel, sizeof pixel);
    SDL_GetRGB(pixel, surface->format, &r, &g, &b);
    return (unsigned)r << 16 | (unsigned)g << 8 | b;
}

TEST(only_what_changed_is_brought_to_the_window) {
    Desk *desk = *state;
    PixelRect changes[SOFT_CHANGES_MAX];
    draw(desk, COLOUR_RGB(0x102030), COLOUR_RGB(0xFFE08A));
    assert_true(surface_show(desk->soft, desk->window, true));
    assert_int_equal(seen(desk, 0, 0), 0x102030);
    assert_int_equal(seen(desk, 12, HEIGHT - 15), 0xFFE08A);
    assert_int_equal(soft_changes(changes, desk->soft), 0);
    int width, height;
    soft_pixels(desk->soft, &width, &height)[0] = 0xFFABCDEFu; /* which nothing has drawn */
    draw(desk, COLOUR_RGB(0x102030), COLOUR_RGB(0xFF8A5B));
    assert_true(surface_show(desk->soft, desk->window, false));
    assert_int_equal(seen(desk, 12, HEIGHT - 15), 0xFF8A5B);
    assert_int_equal(seen(desk, 0, 0), 0x102030);
    assert_true(surface_show(desk->soft, desk->window, true));
    assert_int_equal(seen(desk, 0, 0), 0xABCDEF);
}

/* As when it was resized since the picture was drawn. */
TEST(a_window_of_another_size_is_left_alone) {
    Desk *desk = *state;
    PixelRect changes[SOFT_CHANGES_MAX];
    SDL_SetWindowSize(desk->window, WIDTH + 8, HEIGHT);
    draw(desk, COLOUR_RGB(0x102030), COLOUR_RGB(0x00FF00));
    assert_false(surface_show(desk->soft, desk->window, false));
    assert_int_equal(soft_changes(changes, desk->soft), 1);
    SDL_SetWindowSize(desk->window, WIDTH, HEIGHT);
    assert_true(surface_show(desk->soft, desk->window, true));
}

TEST(software_is_known_without_a_driver) {
    static const char *const yes[] = {"1", "true"};
    for (size_t i = 0; i < 2; i++) {
        setenv("LIBGL_ALWAYS_SOFTWARE", yes[i], 1);
        assert_false(context_may_have_card());
    }
    unsetenv("LIBGL_ALWAYS_SOFTWARE");
}

TEST_ALL(begin, end)
