/* hall.h: draws a presented tour for its audience (the hall). The stage shows the view or, if the
 * step's `frame` lists parts, only these parts. Letters are large enough for a lecture hall. A bar
 * below the stage shows the caption. */
#ifndef HEADLIGHT_APP_HALL_H
#define HEADLIGHT_APP_HALL_H

#include "app/app_state.h"
#include "draw/camera.h"

/* Smallest letters that a hall can read, as a share of the window's height. */
#define HALL_LEAST 0.032f

/* True while a tour is presented to an audience. */
bool hall_is_on(const App *app);

/* While presenting, use the theme of the settings instead of the projector theme. hall_keeps_theme
 * is true after this call, and for a tour whose state sets a theme. */
void hall_keep_theme(App *app);
bool hall_keeps_theme(const App *app);

/* Call before a pass with the window's size. If it has changed, the search for the size of the
 * letters starts again. */
void hall_resize(App *app, float width_px, float height_px);

/* Return the number of device pixels in one logical pixel. */
float hall_scale(const App *app, float height_px);

/* After ui_begin: convert the pointer's position to the point of the view that the camera shows
 * there, and handle the presenter's keys. */
void hall_aim(App *app);

/* Zoom in by this factor at a point of the stage. Factor 0 shows the whole stage again. */
void hall_zoom(App *app, float factor, Vec2 at);

void hall_draw(App *app);

/* Begin to present from the step with this id (NULL: the current step), with a limit in minutes (0:
 * none). Fail if there is no such step. */
bool presenter_begin(App *app, const char *from, int minutes, Err *err);

/* Handle the keys that mean something only while presenting, and the left button while the pen is
 * on. Call once a frame, before the widgets. */
void presenter_keys(App *app);

/* Set the number of displays. With two, the notes are in a window of their own (app/console.h). */
void presenter_displays(App *app, int count);

/* Report that the window of the notes was closed or could not be opened. */
void presenter_close_console(App *app);

/* Draw what covers the stage: spotlight, pen strokes, notes, the typed step number, or a black or
 * white picture. */
void presenter_draw(App *app, Rect stage);

/* Write a time in minutes and seconds, such as "−1:05". */
void presenter_time(char *out, size_t capacity, double seconds);

/* True if the pointer is the pen or the laser. presenter_draw then draws the pointer, and no
 * control is hovered. */
bool pen_has_pointer(const App *app);

#endif
