#include "shell/fullscreen.h"

#include <string.h>

#if defined(SDL_VIDEO_DRIVER_X11) && defined(__has_include) && !defined(__cppcheck__)
#if __has_include(<X11/Xlib.h>)
#include <SDL_syswm.h>
#define HAS_X11 1
#endif
#endif

#define LOOKS   25 /* at whether the window manager has answered */
#define LOOK_MS 10

#ifdef HAS_X11
typedef Status (*XWindowAttributes_get)(Display *display, Window window, XWindowAttributes *out);

/* The size that the X server has for the window: SDL says what it has asked for. Xlib is SDL's own,
 * loaded already. */
static bool true_size(SDL_Window *window, int *width, int *height) {
    SDL_SysWMinfo info;
    XWindowAttributes attributes;
    XWindowAttributes_get get = NULL;
    SDL_VERSION(&info.version);
    if (!SDL_GetWindowWMInfo(window, &info) || info.subsystem != SDL_SYSWM_X11)
        return false;
    void *library = SDL_LoadObject("libX11.so.6"), *found = NULL;
    if (library != NULL)
        found = SDL_LoadFunction(library, "XGetWindowAttributes");
    memcpy(&get, &found, sizeof get);
    bool known = get != NULL && get(info.info.x11.display, info.info.x11.window, &attributes) != 0;
    *width = known ? attributes.width : 0;
    *height = known ? attributes.height : 0;
    if (library != NULL)
        SDL_UnloadObject(library);
    return known;
}
#else
static bool true_size(SDL_Window *window, int *width, int *height) {
    (void)window, (void)width, (void)height;
    return false;
}
#endif

/* Whether the window has become as large as its display, as far as that can be told. */
static bool is_filled(SDL_Window *window, const SDL_Rect *display) {
    int width, height;
    for (int look = 0; look < LOOKS && true_size(window, &width, &height); look++) {
        if (width == display->w && height == display->h)
            return true;
        SDL_Delay(LOOK_MS);
    }
    return !true_size(window, &width, &height);
}

static void place(SDL_Window *window, const SDL_Rect *to, bool has_border) {
    SDL_SetWindowBordered(window, has_border ? SDL_TRUE : SDL_FALSE);
    SDL_SetWindowSize(window, to->w, to->h);
    SDL_SetWindowPosition(window, to->x, to->y);
}

bool fullscreen_is_on(const Fullscreen *full, SDL_Window *window) {
    return full->is_stretched || (SDL_GetWindowFlags(window) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
}

void fullscreen_toggle(Fullscreen *full, SDL_Window *window) {
    SDL_Rect display;
    if (full->is_stretched) {
        full->is_stretched = false;
        place(window, &full->before, true);
        return;
    }
    bool was_on = fullscreen_is_on(full, window);
    SDL_GetWindowPosition(window, &full->before.x, &full->before.y);
    SDL_GetWindowSize(window, &full->before.w, &full->before.h);
    SDL_SetWindowFullscreen(window, was_on ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
    if (was_on || SDL_GetDisplayBounds(SDL_GetWindowDisplayIndex(window), &display) != 0 ||
        is_filled(window, &display))
        return;
    SDL_SetWindowFullscreen(window, 0);
    full->is_stretched = true;
    place(window, &display, false);
}
