/* pan_zoom.h: a picture that is zoomed and panned inside a rectangle. */
#ifndef HEADLIGHT_UI_PAN_ZOOM_H
#define HEADLIGHT_UI_PAN_ZOOM_H

#include "ui/ui.h"

/* All zero shows the whole picture. */
typedef struct PanZoom {
    float zoom; /* 1 and up; 0 counts as 1 */
    Vec2 at;    /* logical pixels from the area's upper left to the picture's, 0 or less */
    Vec2 from;  /* the pointer in the last frame */
    bool moves; /* the pointer has moved since the press */
} PanZoom;

/* Zoom at the pointer by the wheel, from the whole picture, which fills the area, to `most`, and pan
 * by a drag. state is that of the control `id`, which covers the area. Return true for a drag that
 * pans, up to its release, which is no click. */
bool pan_zoom(Ui *ui, UiId id, UiState state, Rect area, float most, PanZoom *m);

#endif
