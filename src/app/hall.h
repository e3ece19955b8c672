/* hall.h: the hall form of every view: the view alone over the whole stage, or the parts that a
 * tour's frame names, in letters that a room can read, above one bar with the caption. */
#ifndef HEADLIGHT_APP_HALL_H
#define HEADLIGHT_APP_HALL_H

#include "app/app_state.h"
#include "draw/camera.h"

#define HALL_LEAST 0.032f /* of the window's height: the smallest text */

/* True if the window is the hall's. */
bool hall_is_on(const App *app);

/* True if the tour asks for the dark theme; else a hall has the projector's. */
bool hall_is_dark(const App *app);

/* Forget the layout that was found for the step before. */
void hall_forget(App *app);

/* Return the device pixels of one logical pixel. */
float hall_scale(const App *app, float height_px);

/* After ui_begin: move the pointer to where it is before the camera, and take the presenter's
 * keys. */
void hall_aim(App *app);

/* Zoom in by that factor at a point of the stage; 0 shows the whole stage again. */
void hall_zoom(App *app, float factor, Vec2 at);

/* Draw the whole window. */
void hall_draw(App *app);

#endif
