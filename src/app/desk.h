/* desk.h: the session's file: opening, saving, autosave, recent files, and the settings that are
 * remembered. A failure shows a message and loses nothing. */
#ifndef HEADLIGHT_APP_DESK_H
#define HEADLIGHT_APP_DESK_H

#include "app/app_state.h"

/* Set the session to the first of EXAMPLES. On failure it is released. */
bool desk_first_example(Session *session, Err *err);

/* Read remembered keys and restore the autosave that an earlier window left. */
void desk_begin(App *app);

/* Once per frame after all edits: update the title, the autosave and the remembered settings. */
void desk_frame(App *app);

/* Autosave unsaved work before the window closes. */
void desk_end(App *app);

void desk_release(App *app);

/* Open a session or a text, by its suffix. On failure show a message and return false. */
bool desk_open(App *app, const char *path);

/* Read a whole file of at most `most` bytes. Return them, followed by a NUL, in memory that the
 * caller frees; or NULL, and set err. */
char *desk_read(App *app, const char *path, size_t most, size_t *size, Err *err);

/* Show the errors in a file that was opened in spite of errors, line by line. */
void desk_say_faults(App *app, const char *file, const DocumentFaults *faults);

/* True if a file with this name can be opened. */
bool desk_opens(const char *path);

/* Save the session and use this path from now on. On failure show a message and return false. */
bool desk_save_as(App *app, const char *path);

/* Commands: save under the session's path, or ask for a path; start a new session, as one undo
 * step. */
void desk_save(App *app, int unused);
void desk_new(App *app, int unused);

/* Forget the path if the user undid the opening of its file. */
void desk_undone(App *app);

/* Write the absolute form of a path, because a window started in another folder may restore the
 * session. */
void desk_whole_path(const App *app, char out[DOCUMENT_PATH_MAX], const char *path);

/* Return the last part of a path. */
const char *desk_name(const char *path);

/* Find recent files that still exist, into app->desk.recents. */
void desk_find_recents(App *app);

#endif
