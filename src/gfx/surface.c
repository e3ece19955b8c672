#include "gfx/surface.h"

bool surface_show(Soft *soft, SDL_Window *window, bool all) {
    PixelRect parts[SOFT_CHANGES_MAX];
    SDL_Rect rects[SOFT_CHANGES_MAX];
    SDL_Surface *to = SDL_GetWindowSurface(window);
    int width, height;
    uint32_t *pixels = soft_pixels(soft, &width, &height);
    if (to == NULL || to->w != width || to->h != height)
        return false;
    SDL_Surface *from = SDL_CreateRGBSurfaceWithFormatFrom(
        pixels, width, height, 32, width * (int)sizeof *pixels, SDL_PIXELFORMAT_XRGB8888);
    bool is_shown = from != NULL;
    int count = soft_changes(parts, soft);
    if (all) {
        parts[0] = (PixelRect){0, 0, width, height};
        count = 1;
    }
    for (int i = 0; is_shown && i < count; i++) {
        const PixelRect *r = &parts[i];
        rects[i] = (SDL_Rect){r->left, r->top, r->right - r->left, r->bottom - r->top};
        SDL_Rect at = rects[i]; /* a copy, because the blit changes it */
        is_shown = SDL_BlitSurface(from, &rects[i], to, &at) == 0;
    }
    is_shown = is_shown && SDL_UpdateWindowSurfaceRects(window, rects, count) == 0;
    SDL_FreeSurface(from);
    if (is_shown)
        soft_mark_shown(soft);
    return is_shown;
}
