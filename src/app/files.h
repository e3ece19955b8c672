/* files.h: the window's file access as an interface. The shell implements it with real files, tests
 * in memory. */
#ifndef HEADLIGHT_APP_FILES_H
#define HEADLIGHT_APP_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Paths known from the start; "" if the system has none. */
typedef enum FilePlace {
    PLACE_HOME,     /* the user's home folder, ending in '/' */
    PLACE_HERE,     /* the folder that the program was started in, ending in '/' */
    PLACE_SETTINGS, /* theme, size and other settings */
    PLACE_KEYS,     /* the user's keys */
    PLACE_RECENT,   /* recently opened and saved files */
    PLACE_AUTOSAVE, /* autosave of this window */
    PLACE_RECOVER,  /* autosave that an earlier window left */
    PLACE_TRAINED,  /* folder for layers that were trained and used in the window, ending in '/' */
    PLACE_COUNT
} FilePlace;

/* A function that fails sets err: the file, the problem and the remedy. */
typedef struct AppFiles {
    void *context;
    const char *places[PLACE_COUNT];
    /* Why PLACE_AUTOSAVE is "", or why autosaving is limited; NULL if it works. */
    const char *autosave_note;

    /* Read a whole file of at most `most` bytes into memory that the caller frees. A NUL follows
     * the bytes. */
    bool (*read)(char **bytes, size_t *size, const char *path, size_t most, Err *err);

    /* Replace the file by these bytes, completely or not at all. Create missing folders. durable:
     * wait until the data are on the disk, which can take long. */
    bool (*write)(void *context, const char *path, const void *bytes, size_t size, bool durable,
                  Err *err);

    bool (*exists)(const char *path);

    /* Return a number that changes when the file is replaced or written to; 0 for no file. */
    uint64_t (*stamp)(const char *path);

    /* List a folder as file_list does. */
    bool (*list)(char **names, const char *folder, Err *err);
    void (*remove)(const char *path);

    /* Rename the damaged autosave PLACE_RECOVER, and write its new name to aside (DOCUMENT_PATH_MAX
     * bytes). Afterwards PLACE_RECOVER is the next older autosave, or "". */
    bool (*set_aside)(void *context, char *aside, Err *err);

    /* Let the user choose a file in the system's dialog. Its path arrives as INPUT_DROP_FILE. NULL
     * if there is no dialog; then the user types a path. */
    void (*choose)(void);
} AppFiles;

#endif
