/* remember.h: what a window finds at its next start: settings, own keys, recent files. */
#ifndef HEADLIGHT_APP_REMEMBER_H
#define HEADLIGHT_APP_REMEMBER_H

#include "app/app_state.h"

/* Read the user's keys, and report skipped lines of the settings' file. */
void remember_begin(App *app);

/* Once per frame: write changed settings, a while after the first change; or write them at once. */
void remember_frame(App *app);
void remember_write(App *app);

/* Write soon, after a change of what is no setting: a tour's step, the offer of the first one. */
void remember_soon(App *app);

/* Note that the current settings come from a file, not from the user. */
void settings_seen(App *app);

/* Add a path at the top of the recent files. */
void recent_add(App *app, const char *path);

/* True if a row of PICTURE_OPTIONS is remembered; what belongs to the session is not. */
bool settings_remembers(const OptionRow *row);

/* Set what is remembered to its current values. */
void settings_keep_remembered(Settings *settings, const Settings *now);

/* Return the settings of a first start, with what is remembered as it is now. */
Settings settings_fresh(const App *app);

/* Set what a fresh window shows that differs from the default state: one head instead of all, and
 * no cell explained until one is pointed at. Does nothing in a window that remembers nothing. */
void settings_open(const App *app, Settings *settings);

/* Read the settings' file into settings; invalid lines are skipped, and listed in faults unless it
 * is NULL. */
void settings_read(Settings *settings, const char *bytes, size_t size, DocumentFaults *faults);

#endif
