/* remember.h: what a window knows at its next start: settings, own keys, recent files. */
#ifndef HEADLIGHT_APP_REMEMBER_H
#define HEADLIGHT_APP_REMEMBER_H

#include "app/app_state.h"

/* Read own keys, and what the settings' file says that was passed over. */
void remember_begin(App *app);

/* Once a frame: write the settings that the person has changed, a while after the first change;
 * or at once. */
void remember_frame(App *app);
void remember_write(App *app);

/* What the settings are now was not chosen by the person, but by a file. */
void settings_seen(App *app);

/* Put a path first in the list of recent files. */
void recent_add(App *app, const char *path);

/* Whether a row of PICTURE_OPTIONS is remembered: not what belongs to the session. */
bool settings_remembers(const OptionRow *row);

/* Set what is remembered to the values that it has now. */
void settings_keep_remembered(Settings *settings, const Settings *now);

/* Return the settings of a first start, with what is remembered as it is now. */
Settings settings_fresh(const App *app);

/* Read the settings' file over settings; what is wrong in it is passed over, and told in faults
 * where that is not NULL. */
void settings_read(Settings *settings, const char *bytes, size_t size, DocumentFaults *faults);

#endif
