/* path_sheet.h: the sheet that asks for a file: a path field over a list of its folder and of
 * recent files. Tab completes the name, Enter accepts it. */
#ifndef HEADLIGHT_APP_PATH_SHEET_H
#define HEADLIGHT_APP_PATH_SHEET_H

#include "app/app_state.h"

/* Open the sheet: SHEET_OPEN, SHEET_SAVE, SHEET_WORDS for word vectors, or SHEET_RESULT for
 * app->result. */
void path_sheet_open(App *app, AppSheet sheet);
void path_sheet_draw(App *app);

#endif
