/* picture.h: encodes a frame as a PNG or SVG file in memory. */
#ifndef HEADLIGHT_SHELL_PICTURE_H
#define HEADLIGHT_SHELL_PICTURE_H

#include "app/app.h"
#include "export/svg.h"
#include "gfx/soft.h"

/* Return the state string of the picture, to be freed by the caller; NULL if memory runs out. */
char *picture_state(const App *app);

/* Two files, to be freed by the caller, that contain the state string. */
bool picture_png(unsigned char **bytes, size_t *size, const App *app, Soft *soft, Err *err);

/* Encode list, the App's last frame, measured with fonts. Of about, only the members that the App
 * does not determine are used. */
bool picture_svg(unsigned char **bytes, size_t *size, const App *app, const DrawList *list,
                 GfxFonts *fonts, const SvgAbout *about, Err *err);

#endif
