/* SDL_ttf.h: declares a type that gfx/fonts.h names. The page itself uses the browser's fonts. */
#ifndef HEADLIGHT_WEB_SDL_TTF_H
#define HEADLIGHT_WEB_SDL_TTF_H

typedef struct TTF_Font TTF_Font;

#endif
