/* clip_picture.h: puts a PNG on the system's clipboard, which SDL 2 cannot do, by the program
 * wl-copy (Wayland) or xclip. */
#ifndef HEADLIGHT_SHELL_CLIP_PICTURE_H
#define HEADLIGHT_SHELL_CLIP_PICTURE_H

#include <stddef.h>

#include "base/err.h"

/* Put the PNG on the clipboard. SIGPIPE must be ignored. If neither program is installed, fail with
 * err saying what to do instead. */
bool clip_picture(const void *png, size_t size, Err *err);

#endif
