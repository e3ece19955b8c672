#include "app/layout.h"

#include <math.h>

#define SCALE_LEAST 0.83f
/* The smallest supported windows: 1024 × 768 and 1280 × 720 at 300 % are 411 × 308 and 514 × 289
 * logical pixels. */
#define LEAST_W         400
#define LEAST_H         280
#define LECTURE_W       1024
#define LECTURE_H       768
#define TEXT_ROW        64
#define STATE_ROW       56
#define STATUS          40
#define RAIL            96
#define INSPECTOR       400
#define INSPECTOR_SMALL 340

float layout_scale(float width_px, float height_px, float density, float ui_scale) {
    float automatic = fminf(width_px / 1728, height_px / 1080);
    return fmaxf(automatic, SCALE_LEAST * fmaxf(density, 1)) * ui_scale;
}

float layout_lecture_scale(float width_px, float height_px, float density) {
    return fmaxf(fminf(width_px / LECTURE_W, height_px / LECTURE_H), fmaxf(density, 1));
}

static LayoutWidth width_of(float width) {
    /* Round, so that a float error in a width of exactly a limit does not choose the narrower
     * layout. */
    width += 0.5f;
    return width >= 1728   ? LAYOUT_WIDE
           : width >= 1360 ? LAYOUT_MEDIUM
           : width >= 1000 ? LAYOUT_DRAWER
                           : LAYOUT_NARROW;
}

Layout layout_of(float width, float height, float line_h, bool is_wide, bool drawer_open) {
    Layout l = {.width = width_of(width), .window = {0, 0, width, height}};
    Rect rest = l.window;
    l.too_small = width < LEAST_W || height < LEAST_H;
    l.state_folded = height < 820 || l.width == LAYOUT_NARROW;
    l.has_title = height >= 600;
    l.text_row = rect_cut_top(&rest, TEXT_ROW);
    l.line = rect_cut_top(&rest, line_h);
    l.state_row = rect_cut_top(&rest, l.state_folded ? 0 : STATE_ROW);
    l.status = rect_cut_bottom(&rest, STATUS);
    if (l.width != LAYOUT_NARROW)
        l.rail = rect_cut_left(&rest, RAIL);
    float inspector = l.width == LAYOUT_WIDE ? INSPECTOR : INSPECTOR_SMALL;
    l.view = rest;
    l.is_drawer = is_wide || l.width > LAYOUT_MEDIUM;
    if (!l.is_drawer) {
        l.inspector = rect_cut_right(&l.view, inspector);
    } else if (drawer_open) {
        Rect under = rest;
        l.inspector = rect_cut_right(&under, fminf(inspector, rest.w));
    }
    return l;
}
