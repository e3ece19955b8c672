/* layout.h: the places of the window's parts, which depend only on its size. Pure. */
#ifndef HEADLIGHT_APP_LAYOUT_H
#define HEADLIGHT_APP_LAYOUT_H

#include <stdbool.h>

#include "base/geom.h"

/* Layouts by logical width: at least 1728, at least 1360, at least 1000, less. */
typedef enum LayoutWidth { LAYOUT_WIDE, LAYOUT_MEDIUM, LAYOUT_DRAWER, LAYOUT_NARROW } LayoutWidth;

typedef struct Layout {
    LayoutWidth width;
    /* True if the window is so small that it only shows a sentence that says so. */
    bool too_small;
    bool state_folded; /* true if the state row is hidden until a button opens it */
    bool is_drawer;    /* true if the inspector covers the view */
    bool has_title;    /* true if the view has room for its title */
    Rect window, text_row, line, state_row, rail, view, inspector, status;
    Rect tour; /* a tour's panel; see tour.h */
} Layout;

/* Return the number of device pixels in one logical pixel: an automatic scale times the user's own.
 * density: see Input. */
float layout_scale(float width_px, float height_px, float density, float ui_scale);

/* Return the number of device pixels in one logical pixel in a lecture. The layout of a lecture
 * needs 1024 × 768 logical pixels, and its letters are at least 24 px. The user's own scale does
 * not apply, because a lecture fills any window. */
float layout_lecture_scale(float width_px, float height_px, float density);

/* Place the window's parts. width and height are logical. line_h: height of the line under the text
 * row, 0 for none. is_wide: true if the view takes the inspector's place, so that the inspector is
 * a drawer. drawer_open: true if the user has opened that drawer. */
Layout layout_of(float width, float height, float line_h, bool is_wide, bool drawer_open);

#endif
