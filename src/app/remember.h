/* remember.h: files that keep settings, own keys and recent files for the next start. */
#ifndef HEADLIGHT_APP_REMEMBER_H
#define HEADLIGHT_APP_REMEMBER_H

#include "app/app_state.h"

/* Read the user's keys, and report skipped lines of the settings' file. */
void remember_begin(App *app);

/* Write changed settings a second after the first change; call once per frame. The second function
 * writes them immediately. */
void remember_frame(App *app);
void remember_write(App *app);

/* Write the file soon, because a value changed that is not a setting, such as the step of a
 * tour. */
void remember_soon(App *app);

/* Mark the current settings as coming from a file, so that they are not remembered as the
 * user's. */
void settings_seen(App *app);

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

/* Read the settings' file into settings. Invalid lines are skipped, and listed in faults. Lines
 * that are not settings go to app, if it is not NULL. Hints without a line stay as they are. */
void settings_read(App *app, Settings *settings, const char *bytes, size_t size,
                   DocumentFaults *faults);

#endif
