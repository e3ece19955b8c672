/* files.h: the window's file access as an interface: the shell implements it with real files, a
 * test in memory. */
#ifndef HEADLIGHT_APP_FILES_H
#define HEADLIGHT_APP_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Paths known from the start; "" if the system has none. */
typedef enum FilePlace {
    PLACE_HOME,     /* the user's home folder, ending in '/' */
    PLACE_HERE,     /* the folder that the program was started in, ending in '/' */
    PLACE_SETTINGS, /* theme, size and so on */
    PLACE_KEYS,     /* own keys */
    PLACE_RECENT,   /* recently opened and saved files */
    PLACE_AUTOSAVE, /* this window's own */
    PLACE_RECOVER,  /* autosave of an earlier window */
    PLACE_COUNT
} FilePlace;

/* Names in a folder, sorted, folders ending in '/'. */
typedef struct FileNames {
    char *bytes; /* owned; names one after the other, each ended by NUL */
    int count;
} FileNames;

/* Each fails with what, why and the remedy in err. */
typedef struct AppFiles {
    void *context;
    const char *places[PLACE_COUNT];
    const char *autosave_note; /* why PLACE_AUTOSAVE is "", or a drawback of using it; or NULL */

    /* Read a whole file of at most most bytes into memory that the caller frees, ended by a NUL. */
    bool (*read)(void *context, char **bytes, size_t *size, const char *path, size_t most,
                 Err *err);

    /* Replace the file by these bytes, completely or not at all; create missing folders. durable
     * waits until the data are on the disk, which can take a while. */
    bool (*write)(void *context, const char *path, const void *bytes, size_t size, bool durable,
                  Err *err);

    bool (*exists)(void *context, const char *path);
    bool (*list)(void *context, FileNames *out, const char *folder, Err *err);
    void (*remove)(void *context, const char *path);

    /* Rename the damaged autosave PLACE_RECOVER, and write its new name to aside (DOCUMENT_PATH_MAX
     * bytes). PLACE_RECOVER is then the next older autosave, or "". */
    bool (*set_aside)(void *context, char *aside, Err *err);

    /* Let the person choose a file to open, which comes as INPUT_DROP_FILE. NULL if a path is typed
     * instead. */
    void (*choose)(void *context);
} AppFiles;

#endif
