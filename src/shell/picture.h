/* picture.h: a frame as a PNG or SVG file in memory. */
#ifndef HEADLIGHT_SHELL_PICTURE_H
#define HEADLIGHT_SHELL_PICTURE_H

#include "app/app.h"
#include "gfx/soft.h"

/* Both files are to be freed by the caller; on failure there is none. */
bool picture_png(unsigned char **bytes, size_t *size, Soft *soft, Err *err);

/* list is the App's last frame, measured with fonts; the view and the state string stand in the
 * file, for readers. */
bool picture_svg(unsigned char **bytes, size_t *size, const App *app, const DrawList *list,
                 GfxFonts *fonts, Err *err);

#endif
