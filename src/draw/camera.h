/* camera.h: maps one rectangle of a picture to another, for commands that are already drawn. Pure.
 * */
#ifndef HEADLIGHT_DRAW_CAMERA_H
#define HEADLIGHT_DRAW_CAMERA_H

#include "draw/draw.h"

/* Maps x to at + zoom · x. */
typedef struct Camera {
    float zoom;
    Vec2 at;
} Camera;

/* Return the camera that shows `from` as large as it fits in the middle of `to`. */
Camera camera_of(Rect from, Rect to);

Rect camera_rect(const Camera *camera, Rect rect);

/* Move the commands from the nth on, and all parts, and clip the commands to `to`. */
void camera_apply(DrawList *list, size_t from_command, const Camera *camera, Rect to);

#endif
