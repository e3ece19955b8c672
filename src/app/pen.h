/* pen.h: what a presenter draws over the stage. Strokes of the pen stay until the eraser's key or
 * the next step. The laser is a dot at the pointer. Strokes move with the presenter's zoom. */
#ifndef HEADLIGHT_APP_PEN_H
#define HEADLIGHT_APP_PEN_H

#include "app/app_state.h"

/* True if the pointer is the pen or the laser. It is then drawn here, and hovers no control. */
bool pen_has_pointer(const App *app);

/* Handle the keys P, E and J. Return true if one was pressed. */
bool pen_keys(App *app);

/* Handle the left button while the pen is on. Return false if the pen is off. Call once a frame,
 * before the widgets. */
bool pen_take(App *app);

/* Put pen and laser away and erase every stroke. */
void pen_forget(App *app);

void pen_draw(App *app, Rect stage);

#endif
