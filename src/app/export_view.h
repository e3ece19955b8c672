/* export_view.h: export of the current view: numbers as CSV or JSON, schemes as PyTorch, picture as
 * PNG or SVG. The path sheet asks for the name. The state and the layer are copied as text. */
#ifndef HEADLIGHT_APP_EXPORT_VIEW_H
#define HEADLIGHT_APP_EXPORT_VIEW_H

#include "app/app_state.h"

/* Return the file suffix of an export, such as ".csv", and the title of its sheet. */
const char *export_view_suffix(ViewResult result);
const char *export_view_title(ViewResult result);

/* Ask for a file name, or show a message if the view has no such export. */
void export_view_ask(App *app, ViewResult result);

/* Save the requested export. Numbers are written at once. A picture is taken in the first frame
 * without the sheet (export_view_frame). On failure show a message and return false. */
bool export_view_save(App *app, const char *path);

/* Ask for a name if a view requested an export in this pass, and use the layer that it trained. */
void export_view_wanted(App *app);
void export_view_release(App *app);

/* Commands: copy the state string, or the layer as a script (code is a LayerCode). */
void state_copy(App *app, int unused);
void layer_copy(App *app, int code);

/* At the end of a frame, ask the shell for the picture that is to be saved. */
void export_view_frame(App *app);

#endif
