/* remember.h: files that keep settings, own keys and recent files for the next start. */
#ifndef HEADLIGHT_APP_REMEMBER_H
#define HEADLIGHT_APP_REMEMBER_H

#include "app/app_state.h"

/* Read the user's keys, and report skipped lines of the settings' file. */
void remember_begin(App *app);

/* remember_frame, called once per frame, writes changed settings a second after the first change;
 * remember_write writes them immediately. */
void remember_frame(App *app);
void remember_write(App *app);

/* Write the file soon, after a change of a value that is no setting, such as the step of a tour. */
void remember_soon(App *app);

/* Mark the current settings as those of a file, which are not remembered as the user's. */
void settings_seen(App *app);

/* Add a path at the top of the recent files. */
void recent_add(App *app, const char *path);

/* True if a row of PICTURE_OPTIONS is remembered. Rows that belong to the session are not. */
bool settings_remembers(const OptionRow *row);

/* Set the remembered options of `settings` to those of another. */
void settings_keep_remembered(Settings *settings, const Settings *now);

/* Return the settings of a first start, except that remembered settings keep their current value.
 */
Settings settings_fresh(const App *app);

/* Set how the picture of a fresh window differs from the default state: one head instead of all,
 * and no cell explained until the user points at one. Does nothing in a window that remembers
 * nothing. */
void settings_open(const App *app, Settings *settings);

/* Read the settings' file into settings. Invalid lines are skipped, and listed in faults. app, or
 * NULL, gets the lines that are no settings; hints without a line stay as they are. */
void settings_read(App *app, Settings *settings, const char *bytes, size_t size,
                   DocumentFaults *faults);

#endif
