/* desk.h: the session's file: opening, saving, autosave; and the files that keep settings, own keys
 * and recent files for the next start. A failure shows a message and loses nothing. */
#ifndef HEADLIGHT_APP_DESK_H
#define HEADLIGHT_APP_DESK_H

#include "app/app_state.h"

/* Set the session to the first of EXAMPLES. On failure it is released. */
bool desk_first_example(Session *session, Err *err);

/* Read remembered keys and restore the autosave that an earlier window left. */
void desk_begin(App *app);

/* Restore the autosave of an earlier window, unless this window was started with a file. */
void desk_recover(App *app);

/* From now on save to this path. The file there contains the user's own state and has this stamp.
 * is_new: the file is another document, so earlier undo steps do not belong to it. */
void desk_use_path(App *app, const char *path, uint64_t stamp, bool is_new);

/* Return AppFiles.stamp of a file, 0 for the path "". */
uint64_t desk_stamp(const App *app, const char *path);

/* Write the autosave: the user's own layer and, if the layer on screen is another one that the user
 * edited, that layer, too. */
bool desk_write_kept(App *app, Err *err);

/* Once per frame after all edits: update the title, the autosave and the remembered settings. */
void desk_frame(App *app);

/* True if the window may close: unsaved work is kept for the next start, or the user knows that it
 * is lost. Otherwise show a message and ask for a file. */
bool desk_may_quit(App *app);

void desk_release(App *app);

/* Open a session or a text, by its suffix. On failure show a message and return false. */
bool desk_open(App *app, const char *path);

/* Read a whole file of at most `most` bytes. Return them, followed by a NUL, in memory that the
 * caller frees; or NULL, and set err. */
char *desk_read(App *app, const char *path, size_t most, size_t *size, Err *err);

/* Show the errors in a file that was opened in spite of errors, line by line. */
void desk_say_faults(App *app, const char *file, const DocumentFaults *faults);

/* True if a path has this suffix and something before it. */
bool desk_has_suffix(const char *path, const char *suffix);

/* Save the user's own session or, from Save as, what is shown, and use this path from now on. On
 * failure show a message and return false. */
bool desk_save_as(App *app, const char *path);

/* True if saving writes the user's own layer, although a question or a tour shows another one. */
bool desk_saves_own(const App *app);

/* True if another program or window has written to a file since it had this stamp. */
bool desk_has_changed(const App *app, const char *path, uint64_t stamp);

/* Forget the path if the user undid the opening of its file. */
void desk_undone(App *app);

/* Write the absolute form of a path, because a window started in another folder may restore the
 * session. */
void desk_whole_path(const App *app, char out[DOCUMENT_PATH_MAX], const char *path);

/* Return the last part of a path. */
const char *desk_name(const char *path);

/* Find recent files that still exist, into app->desk.recents. */
void desk_find_recents(App *app);

/* Read the user's keys, and report skipped lines of the settings' file. */
void remember_begin(App *app);

/* Write changed settings a second after the first change; call once per frame. The second function
 * writes them immediately. */
void remember_frame(App *app);
void remember_write(App *app);

/* Write the settings' file soon. Call it if another value in the file changed, such as the step of
 * a tour. */
void remember_soon(App *app);

/* Add a path at the top of the recent files. */
void recent_add(App *app, const char *path);

/* True if a row of PICTURE_OPTIONS is remembered for the next start. Rows that belong to the
 * session are not. */
bool settings_remembers(const OptionRow *row);

/* Replace the remembered options in `settings` by those in `now`. */
void settings_keep_remembered(Settings *settings, const Settings *now);

/* Return the settings of a first start, except that remembered settings keep their current value.
 */
Settings settings_fresh(const App *app);

/* Change settings to those of a fresh window, which differ from the defaults: one head instead of
 * all, and no cell explained until the user points at one. Does nothing in a window that remembers
 * no settings. */
void settings_open(const App *app, Settings *settings);

/* Read the settings' file into settings. Invalid lines are skipped, and listed in faults. Hints,
 * captions and the steps at which tours were left are stored in app, unless it is NULL. Without a
 * line for the hints, they stay as they are. */
void settings_read(App *app, Settings *settings, const char *bytes, size_t size,
                   DocumentFaults *faults);

#endif
