#include "gfx/surface.h"

static bool copy(SDL_Window *window, SDL_Surface *from, SDL_Surface *to, const Damage *damage) {
    SDL_Rect rects[DAMAGE_RECTS];
    for (int i = 0; i < damage->count; i++) {
        const PixelRect *r = &damage->rects[i];
        rects[i] = (SDL_Rect){r->left, r->top, r->right - r->left, r->bottom - r->top};
        SDL_Rect at = rects[i]; /* the blit writes what it has clipped it to */
        if (SDL_BlitSurface(from, &rects[i], to, &at) != 0)
            return false;
    }
    return SDL_UpdateWindowSurfaceRects(window, rects, damage->count) == 0;
}

bool surface_show(Target *target, SDL_Window *window, bool all) {
    SDL_Surface *to = SDL_GetWindowSurface(window);
    int width = target->width_px, height = target->height_px;
    if (to == NULL || to->w != width || to->h != height)
        return false;
    SDL_Surface *from = SDL_CreateRGBSurfaceWithFormatFrom(target->pixels, width, height, 32,
                                                           width * (int)sizeof *target->pixels,
                                                           SDL_PIXELFORMAT_XRGB8888);
    if (from == NULL)
        return false;
    if (all)
        target->unshown = (Damage){.rects = {{0, 0, width, height}}, .count = 1};
    bool is_shown = copy(window, from, to, &target->unshown);
    SDL_FreeSurface(from);
    if (is_shown)
        target->unshown.count = 0;
    return is_shown;
}
