/* clip_picture.h: a PNG on the system's clipboard, which SDL 2 cannot put there: by the program
 * wl-copy under Wayland, or xclip. */
#ifndef HEADLIGHT_SHELL_CLIP_PICTURE_H
#define HEADLIGHT_SHELL_CLIP_PICTURE_H

#include <stddef.h>

#include "base/err.h"

/* SIGPIPE must be ignored. Fails if neither program is installed: err says what to do instead. */
bool clip_picture(const void *png, size_t size, Err *err);

#endif
