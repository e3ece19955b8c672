/* files.h: the page's files. Dropped or chosen files are in memory, in the current folder; saving a
 * file downloads it; the browser keeps settings and the autosave. */
#ifndef HEADLIGHT_WEB_FILES_H
#define HEADLIGHT_WEB_FILES_H

#include "app/files.h"

#define FILES_KEPT "/kept/" /* folder that the browser keeps: filled before the program starts */

/* Make the autosave of the last visit the one to restore. Call once. */
AppFiles files_begin(void);

#endif
