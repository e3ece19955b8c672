/* camera.h: maps one rectangle of a picture to another, for draw commands that already exist.
 * Lengths such as widths and dashes are scaled, too. Pure. */
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
DrawCurve camera_curve(const Camera *camera, const DrawCurve *curve);

/* Move one command, but not its clip. */
void camera_move(const Camera *camera, DrawCommand *command);

/* Move all parts, and the commands from index from_command on, and clip these commands to `to`. */
void camera_apply(DrawList *list, size_t from_command, const Camera *camera, Rect to);

#endif
