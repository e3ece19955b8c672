/* picture_open.h: opens a picture that this program saved, and restores its state. */
#ifndef HEADLIGHT_APP_PICTURE_OPEN_H
#define HEADLIGHT_APP_PICTURE_OPEN_H

#include "app/app_state.h"

/* Use the state inside a PNG, SVG or PDF, as one undo step. On failure nothing changes. */
bool picture_open(App *app, const char *path, Err *err);

#endif
