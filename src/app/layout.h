/* layout.h: the places of the window's parts, which depend only on its size. Pure. */
#ifndef HEADLIGHT_APP_LAYOUT_H
#define HEADLIGHT_APP_LAYOUT_H

#include <stdbool.h>

#include "base/geom.h"

/* By logical width: from 1728, from 1360, from 1000, below. */
typedef enum LayoutWidth { LAYOUT_WIDE, LAYOUT_MEDIUM, LAYOUT_DRAWER, LAYOUT_NARROW } LayoutWidth;

typedef struct Layout {
    LayoutWidth width;
    bool too_small;    /* so small that it only shows a sentence that says so */
    bool state_folded; /* the state row opens from a button */
    bool is_drawer;    /* the inspector covers the view */
    bool has_title;    /* the view has room for its title */
    Rect window, text_row, line, state_row, rail, view, inspector, status;
    Rect tour; /* a tour's panel; see tour_panel.h */
} Layout;

/* Return the device pixels of one logical pixel: an automatic scale times the user's own. density:
 * see Input. */
float layout_scale(float width_px, float height_px, float density, float ui_scale);

/* Return the device pixels of one logical pixel in a lecture, whose layout needs 1024 × 768 logical
 * pixels and whose letters are at least 24 px. It fills any window, so the user's own scale does
 * not apply. */
float layout_lecture_scale(float width_px, float height_px, float density);

/* Lay the window out. width and height are logical. drawer_open: the user opened the inspector, if
 * it is a drawer. */
Layout layout_of(float width, float height, bool drawer_open);

/* Make room for a line of this height under the text row. */
void layout_add_line(Layout *layout, float height);

/* Lay out a window whose view takes the inspector's place; the inspector is then a drawer. */
void layout_widen(Layout *layout, bool is_wide, bool drawer_open);

#endif
