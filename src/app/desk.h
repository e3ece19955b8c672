/* desk.h: the session as a file: opening, saving, autosave, recent files, and the settings that a
 * window remembers. What fails is said, and nothing is lost by it. */
#ifndef HEADLIGHT_APP_DESK_H
#define HEADLIGHT_APP_DESK_H

#include "app/app_state.h"

/* Take up remembered keys and the session that a window before left behind. */
void desk_begin(App *app);

/* Once a frame, after all edits: the title, the autosave, the settings to be remembered. */
void desk_frame(App *app);

/* The window is about to close: keep what is not saved. */
void desk_end(App *app);

void desk_release(App *app);

/* Take a file by its ending: a session or a text. False where that failed, which is said. */
bool desk_open(App *app, const char *path);

/* Say what is wrong in a file that was taken all the same, line by line. */
void desk_say_faults(App *app, const char *file, const DocumentFaults *faults);

/* Whether a file of this name can be opened. */
bool desk_opens(const char *path);

/* Write the session; the path becomes its own. False where that failed, which is said. */
bool desk_save_as(App *app, const char *path);

/* Save under its own path, or ask for one. */
void desk_save(App *app);

/* Begin anew, as one step of undo. */
void desk_new(App *app);

/* Undo went to before the file was opened: the session is not that file's any more. */
void desk_undone(App *app);

/* Whether it differs from what is saved. */
bool desk_unsaved(App *app);

/* The path from the root on, into out, of one that begins where the program was started: a session
 * may be taken up by a window that is started elsewhere. */
void desk_whole_path(const App *app, char out[DOCUMENT_PATH_MAX], const char *path);

/* The last part of a path. */
const char *desk_name(const char *path);

/* Look up the files opened and saved before, and which of them are there still: into
 * app->desk.recents. */
void desk_find_recents(App *app);

#endif
