#include "shell/fullscreen.h"

#include "shell/x11.h"

#define LOOKS   25 /* how often to check whether the window manager has reacted */
#define LOOK_MS 10

/* True if the system reports that the window is as large as its display. */
static bool is_filled(SDL_Window *window, const SDL_Rect *display) {
    int width, height;
    for (int look = 0; look < LOOKS && x11_true_size(window, &width, &height); look++) {
        if (width == display->w && height == display->h)
            return true;
        SDL_Delay(LOOK_MS);
    }
    return !x11_true_size(window, &width, &height);
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
