/* layout.h: where the parts of the window stand, for its size alone. Pure. */
#ifndef HEADLIGHT_APP_LAYOUT_H
#define HEADLIGHT_APP_LAYOUT_H

#include <stdbool.h>

#include "base/geom.h"

/* By logical width: 1728 and up, 1360, 1000, less. */
typedef enum LayoutWidth { LAYOUT_WIDE, LAYOUT_MEDIUM, LAYOUT_DRAWER, LAYOUT_NARROW } LayoutWidth;

typedef struct Layout {
    LayoutWidth width;
    bool too_small;    /* to show anything but a sentence that says so */
    bool state_folded; /* the state row is behind a button */
    bool is_drawer;    /* the inspector lies over the view */
    bool has_title;    /* the view has room for its title */
    Rect window, text_row, line, state_row, rail, view, inspector, status;
    Rect tour; /* a tour's panel; see tour_panel.h */
} Layout;

/* The device pixels of one logical pixel: automatic, times the person's own. density: see Input. */
float layout_scale(float width_px, float height_px, float density, float ui_scale);

/* The same of a lecture, which is made for 1024 × 768 pixels and has no word under 24 of them:
 * what a person's own scale asks for, as far as it leaves room. */
float layout_lecture_scale(float width_px, float height_px, float density, float ui_scale);

/* width and height are logical; drawer_open asks for the inspector where it is a drawer. */
Layout layout_of(float width, float height, bool drawer_open);

/* Make room for a line of that height under the text row. */
void layout_add_line(Layout *layout, float height);

/* The same where the view is one that takes the inspector's place, which then is a drawer. */
void layout_widen(Layout *layout, bool is_wide, bool drawer_open);

#endif
