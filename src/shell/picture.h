/* picture.h: a frame as a PNG or SVG file in memory. */
#ifndef HEADLIGHT_SHELL_PICTURE_H
#define HEADLIGHT_SHELL_PICTURE_H

#include "app/app.h"
#include "export/svg.h"
#include "gfx/soft.h"

/* Return the state string that makes the picture, to be freed by the caller; NULL if memory ran
 * out. */
char *picture_state(const App *app);

/* Both files are to be freed by the caller, and hold the state string; on failure there is none. */
bool picture_png(unsigned char **bytes, size_t *size, const App *app, Soft *soft, Err *err);

/* list is the App's last frame, measured with fonts. Of about only what is not the App's counts. */
bool picture_svg(unsigned char **bytes, size_t *size, const App *app, const DrawList *list,
                 GfxFonts *fonts, const SvgAbout *about, Err *err);

#endif
