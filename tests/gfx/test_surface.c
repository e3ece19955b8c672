/* A window without OpenGL, on SDL's driver that has no display. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "gfx/context.h"
#include "gfx/surface.h"

#define WIDTH  64
#define HEIGHT 48

typedef struct Desk {
    SDL_Window *window;
    Target target;
} Desk;

static int begin(void **state) {
    static Desk desk;
    *state = &desk;
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0)
        return -1;
    desk.window = SDL_CreateWindow("", 0, 0, WIDTH, HEIGHT, 0);
    return desk.window != NULL && target_fit(&desk.target, TARGET_SOFT, WIDTH, HEIGHT) ? 0 : -1;
}

static int end(void **state) {
    Desk *desk = *state;
    target_release(&desk->target);
    SDL_DestroyWindow(desk->window);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    return 0;
}

static void fill(Desk *desk, uint32_t pixel) {
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        desk->target.pixels[i] = pixel;
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

static void only_what_was_drawn_is_brought_to_the_window(void **state) {
    Desk *desk = *state;
    fill(desk, 0xFF102030);
    assert_true(surface_show(&desk->target, desk->window, true));
    assert_int_equal(seen(desk, 0, 0), 0x102030);
    assert_int_equal(seen(desk, WIDTH - 1, HEIGHT - 1), 0x102030);
    fill(desk, 0xFFFFE08A);
    damage_add(&desk->target.unshown, &(PixelRect){10, 20, 30, 40});
    assert_true(surface_show(&desk->target, desk->window, false));
    assert_int_equal(desk->target.unshown.count, 0);
    assert_int_equal(seen(desk, 10, 20), 0xFFE08A);
    assert_int_equal(seen(desk, 29, 39), 0xFFE08A);
    assert_int_equal(seen(desk, 9, 20), 0x102030);
    assert_int_equal(seen(desk, 30, 39), 0x102030);
    assert_true(surface_show(&desk->target, desk->window, false));
    assert_int_equal(seen(desk, 9, 20), 0x102030);
    assert_true(surface_show(&desk->target, desk->window, true));
    assert_int_equal(seen(desk, 9, 20), 0xFFE08A);
}

/* As when it was resized since the picture was drawn. */
static void a_window_of_another_size_is_left_alone(void **state) {
    Desk *desk = *state;
    SDL_SetWindowSize(desk->window, WIDTH + 8, HEIGHT);
    damage_add(&desk->target.unshown, &(PixelRect){0, 0, 4, 4});
    assert_false(surface_show(&desk->target, desk->window, false));
    assert_int_equal(desk->target.unshown.count, 1);
    SDL_SetWindowSize(desk->window, WIDTH, HEIGHT);
    assert_true(surface_show(&desk->target, desk->window, true));
}

static void software_is_known_without_a_driver(void **state) {
    (void)state;
    static const char *const yes[] = {"1", "true"};
    for (size_t i = 0; i < 2; i++) {
        setenv("LIBGL_ALWAYS_SOFTWARE", yes[i], 1);
        assert_false(context_may_have_card());
    }
    unsetenv("LIBGL_ALWAYS_SOFTWARE");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_was_drawn_is_brought_to_the_window),
        cmocka_unit_test(a_window_of_another_size_is_left_alone),
        cmocka_unit_test(software_is_known_without_a_driver),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
