/* files.h: the page's files: those that were dropped or chosen lie in memory, in the folder that
 * the program is in; what is saved is a download; settings and the autosave are kept by the
 * browser. */
#ifndef HEADLIGHT_WEB_FILES_H
#define HEADLIGHT_WEB_FILES_H

#include "app/files.h"

#define FILES_KEPT "/kept/" /* what the browser keeps: filled before the program starts */

/* Turn the autosave of the last visit into the one to restore. Call once. */
AppFiles files_begin(void);

#endif
