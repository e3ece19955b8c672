/* SDL_ttf.h: a type that gfx/fonts.h names; the page's fonts are the browser's. */
#ifndef HEADLIGHT_WEB_SDL_TTF_H
#define HEADLIGHT_WEB_SDL_TTF_H

typedef struct TTF_Font TTF_Font;

#endif
