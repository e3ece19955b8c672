/* desk_files.h: the real files of a window: where the system keeps settings and states, and which
 * autosave is this window's own.
 * Linux: $XDG_CONFIG_HOME/headlight (~/.config) and $XDG_STATE_HOME/headlight (~/.local/state);
 * elsewhere SDL's own folder for both. */
#ifndef HEADLIGHT_SHELL_DESK_FILES_H
#define HEADLIGHT_SHELL_DESK_FILES_H

#include "app/files.h"
#include "io/file.h"

/* Every window has a slot of its own, whose lock file is held for as long as the program runs, by
 * whatever end. A slot with an autosave and no holder is what a window left behind. */
typedef struct DeskFiles {
    char paths[PLACE_COUNT][FILE_PATH_BYTES];
    int slot_lock, recover_lock; /* file descriptors, or -1 */
    char autosave_note[512];     /* as AppFiles has it; "" for none */
} DeskFiles;

/* Find the places and take a slot. What cannot be had leaves its place "". */
void desk_files_begin(DeskFiles *desk);
void desk_files_end(DeskFiles *desk);

/* Only the place of the settings, for a call that is still being read. */
bool desk_files_settings(char *path, size_t capacity);

/* The person's own folder for data files, ending in '/': $XDG_DATA_HOME/headlight/
 * (~/.local/share/headlight/); elsewhere SDL's own. */
bool desk_files_data(char *folder, size_t capacity);

/* As the App takes them; borrowed from desk. */
AppFiles desk_files(DeskFiles *desk);

#endif
