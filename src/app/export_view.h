/* export_view.h: what leaves the view that is shown as a file: its numbers as CSV or JSON, its
 * schemes as PyTorch, its picture as PNG or SVG, a layer that it trained. The name is asked for by
 * the sheet of paths. */
#ifndef HEADLIGHT_APP_EXPORT_VIEW_H
#define HEADLIGHT_APP_EXPORT_VIEW_H

#include "app/app_state.h"

/* What a result's file ends in, ".csv", and what the sheet says of it. */
const char *export_view_suffix(ViewResult result);
const char *export_view_title(ViewResult result);

/* Ask where to save it; says so where the view has no such thing. */
void export_view_ask(App *app, ViewResult result);

/* Save what was asked for. Numbers are written at once, and so are weights, which are then put in
 * use; false where that failed, which is said. A picture is taken of the first frame without the
 * sheet: see export_view_frame. */
bool export_view_save(App *app, const char *path);

/* Ask for what a view wanted in this pass. */
void export_view_wanted(App *app);
void export_view_release(App *app);

/* At a frame's end: the picture that is due is an effect of it. */
void export_view_frame(App *app);

#endif
