#include "gfx/surface.h"

/* Copy some rectangles from one surface to the other, and show them. */
static bool copy(SDL_Window *window, SDL_Surface *from, SDL_Surface *to, const PixelRect *parts,
                 int count) {
    SDL_Rect rects[SOFT_CHANGES_MAX];
    for (int i = 0; i < count; i++) {
        const PixelRect *r = &parts[i];
        rects[i] = (SDL_Rect){r->left, r->top, r->right - r->left, r->bottom - r->top};
        SDL_Rect at = rects[i]; /* a copy, because the blit clips it */
        if (SDL_BlitSurface(from, &rects[i], to, &at) != 0)
            return false;
    }
    return SDL_UpdateWindowSurfaceRects(window, rects, count) == 0;
}

bool surface_show(Soft *soft, SDL_Window *window, bool all) {
    PixelRect parts[SOFT_CHANGES_MAX];
    SDL_Surface *to = SDL_GetWindowSurface(window);
    int width, height, count;
    uint32_t *pixels = soft_pixels(soft, &width, &height);
    if (to == NULL || to->w != width || to->h != height)
        return false;
    SDL_Surface *from = SDL_CreateRGBSurfaceWithFormatFrom(
        pixels, width, height, 32, width * (int)sizeof *pixels, SDL_PIXELFORMAT_XRGB8888);
    if (from == NULL)
        return false;
    count = soft_changes(parts, soft);
    if (all) {
        parts[0] = (PixelRect){0, 0, width, height};
        count = 1;
    }
    bool is_shown = copy(window, from, to, parts, count);
    SDL_FreeSurface(from);
    if (is_shown)
        soft_mark_shown(soft);
    return is_shown;
}
