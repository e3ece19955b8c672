/* camera.h: moves and scales draw commands, with their line widths and dashes, and cuts one part
 * out of a picture. Pure. */
#ifndef HEADLIGHT_DRAW_CAMERA_H
#define HEADLIGHT_DRAW_CAMERA_H

#include "draw/draw.h"

/* Maps x to at + zoom·x. */
typedef struct Camera {
    float zoom;
    Vec2 at;
} Camera;

/* Return the camera that fits `from` as large as possible into the middle of `to`. */
Camera camera_of(Rect from, Rect to);

Rect camera_rect(const Camera *camera, Rect rect);
DrawCurve camera_curve(const Camera *camera, const DrawCurve *curve);

/* Move one command, but not its clip. */
void camera_move(const Camera *camera, DrawCommand *command);

/* Move the commands from index from_command on, and all parts of the list. Clip both to `to`. */
void camera_apply(DrawList *list, size_t from_command, const Camera *camera, Rect to);

/* Return a rectangle around everything that a command of the list draws. */
Rect draw_bounds(const DrawList *list, const TextMeasure *measure, const DrawCommand *command);

/* Cut list to rect with this margin around it. Call after draw_end. An opaque box that covers all
 * of rect becomes the background. */
void draw_crop(DrawList *list, const TextMeasure *measure, Rect rect, float margin);

/* Return the most frequent letter size, in logical pixels; 0 without text. */
float draw_text_size(const DrawList *list);

#endif
