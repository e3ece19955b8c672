/* pan_zoom.h: a picture that is zoomed and panned inside a rectangle, its area. */
#ifndef HEADLIGHT_UI_PAN_ZOOM_H
#define HEADLIGHT_UI_PAN_ZOOM_H

#include "ui/ui.h"

/* The zoom and the position of a picture. All zero: the picture fills the area. */
typedef struct PanZoom {
    float zoom; /* 0 counts as 1 */
    /* Offset from the area's upper left corner to the picture's, in units of the area's size. */
    Vec2 at;
    Vec2 from;  /* the pointer in the last frame */
    bool moves; /* true if the press has become a drag */
} PanZoom;

typedef struct PanZoomLimits {
    float least, most; /* limits of the zoom; below 1 the picture is smaller than its area */
    float grain;   /* a zoom above 1 is rounded down to a multiple of this, at least to 1; 0: not
                      rounded */
    bool is_loose; /* true if the picture may leave its area */
} PanZoomLimits;

/* Zoom at the pointer with the wheel. Pan with a drag, or with the wheel turned sideways or with
 * Shift. state is that of the control under the pointer. Return true while a drag pans, including
 * its release, which must not count as a click. */
bool pan_zoom(Ui *ui, UiId id, UiState state, Rect area, const PanZoomLimits *limits, PanZoom *m);

/* Return how far a drag has moved since the last frame, for drags that do not move the picture. */
Vec2 pan_zoom_drag(Ui *ui, UiState state, PanZoom *m);

/* Return the zoom that is drawn. The next two functions return where the whole picture, or one of
 * its points, is drawn. */
float pan_zoom_drawn(const PanZoom *m, const PanZoomLimits *limits);
Rect pan_zoom_rect(const PanZoom *m, Rect area, float drawn);
Vec2 pan_zoom_point(const PanZoom *m, Rect area, Vec2 point);

#endif
