/* hall.h: the hall form of every view: the view alone on the stage, or only the parts that a tour's
 * frame names, in letters that a room can read, above one bar with the caption. */
#ifndef HEADLIGHT_APP_HALL_H
#define HEADLIGHT_APP_HALL_H

#include "app/app_state.h"
#include "draw/camera.h"

/* Smallest letters that a hall can read, as a share of the window's height. */
#define HALL_LEAST 0.032f

/* True if the window is the one that the hall sees. */
bool hall_is_on(const App *app);

/* Use the window's theme in the hall in place of the projector's. A tour whose state sets a theme
 * does so, too. */
void hall_keep_theme(App *app);
bool hall_keeps_theme(const App *app);

/* Forget the layout of the previous step. */
void hall_forget(App *app);

/* Return the number of device pixels in one logical pixel. */
float hall_scale(const App *app, float height_px);

/* After ui_begin: map the pointer back through the camera, and handle the presenter's keys. */
void hall_aim(App *app);

/* Zoom in by this factor at a point of the stage. Factor 0 shows the whole stage again. */
void hall_zoom(App *app, float factor, Vec2 at);

/* Draw the whole window. */
void hall_draw(App *app);

#endif
