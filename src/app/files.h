/* files.h: the files that a window reads and writes, as an interface: the shell gives the real
 * ones, a test its own. */
#ifndef HEADLIGHT_APP_FILES_H
#define HEADLIGHT_APP_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Paths known from the start; "" where the system has no such place. */
typedef enum FilePlace {
    PLACE_HOME,     /* the person's folder, ending in '/' */
    PLACE_HERE,     /* that the program was started in, likewise */
    PLACE_SETTINGS, /* theme, size and the like */
    PLACE_KEYS,     /* own keys */
    PLACE_RECENT,   /* sessions opened and saved before */
    PLACE_AUTOSAVE, /* this window's own */
    PLACE_RECOVER,  /* one that a window before left behind */
    PLACE_COUNT
} FilePlace;

/* Names in a folder, sorted, folders ending in '/'. */
typedef struct FileNames {
    char *bytes; /* owned; one after the other, each ended by NUL */
    int count;
} FileNames;

/* Each fails with what, why and the remedy in err. */
typedef struct AppFiles {
    void *context;
    const char *places[PLACE_COUNT];
    const char *autosave_note; /* why PLACE_AUTOSAVE is "", or what using it costs; or NULL */

    /* The whole file in memory that the caller frees, a NUL behind it; at most most bytes. */
    bool (*read)(void *context, char **bytes, size_t *size, const char *path, size_t most,
                 Err *err);

    /* Put the bytes in the file's place, whole or not at all; the folders of places are made.
     * durable waits until they are on the disk, which can take a while. */
    bool (*write)(void *context, const char *path, const void *bytes, size_t size, bool durable,
                  Err *err);

    bool (*exists)(void *context, const char *path);
    bool (*list)(void *context, FileNames *out, const char *folder, Err *err);
    void (*remove)(void *context, const char *path);

    /* Give the damaged session of PLACE_RECOVER another name, and put that into aside, which has
     * DOCUMENT_PATH_MAX bytes. PLACE_RECOVER is then the next session that was left, or "". */
    bool (*set_aside)(void *context, char *aside, Err *err);
} AppFiles;

#endif
