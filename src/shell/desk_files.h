/* desk_files.h: the files of a window: where the system stores settings and states, and which
 * autosave belongs to this window. On macOS and Windows all are in SDL's own folder, elsewhere in
 * $XDG_CONFIG_HOME/headlight (~/.config) and $XDG_STATE_HOME/headlight (~/.local/state). */
#ifndef HEADLIGHT_SHELL_DESK_FILES_H
#define HEADLIGHT_SHELL_DESK_FILES_H

#include "app/files.h"
#include "io/file.h"

/* The files of a window. Every window has a slot, whose lock file is locked until the program ends
 * or crashes. A slot with an autosave and without a lock was left by a window that no longer
 * runs. */
typedef struct DeskFiles {
    char paths[PLACE_COUNT][FILE_PATH_BYTES];
    int slot_lock, recover_lock; /* file descriptors, or -1 */
    char autosave_note[512];     /* see AppFiles; "" for none */
} DeskFiles;

/* Find the places and take a slot. A place that cannot be found is "". */
void desk_files_begin(DeskFiles *desk);
void desk_files_end(DeskFiles *desk);

/* Find only the place of the settings, before the command line is read. */
bool desk_files_settings(char *path, size_t capacity);

/* Write the path of the user's own folder for data files, ending in '/': $XDG_DATA_HOME/headlight/
 * (~/.local/share/headlight/), or SDL's own folder on macOS and Windows. */
bool desk_files_data(char *folder, size_t capacity);

AppFiles desk_files(DeskFiles *desk);

#endif
