/* disk.h: files in memory that an App reads and writes. */
#ifndef HEADLIGHT_TESTS_SUPPORT_DISK_H
#define HEADLIGHT_TESTS_SUPPORT_DISK_H

#include "app/files.h"

#define DISK_FILES 16

typedef struct Disk {
    struct {
        char path[256];
        char *bytes; /* owned; NULL for no file */
        size_t size;
        uint64_t stamp; /* of the last write */
    } at[DISK_FILES];
    bool is_full;           /* every write fails */
    const char *full_below; /* if not NULL, only writes to paths that begin with it fail */
    int writes, durable_writes;
    uint64_t stamps; /* the last stamp given */
} Disk;

/* The disk of a test's windows; script_end empties it. */
extern Disk disk;

/* "/home/", "/here/", "/config/settings", "/config/keys", "/state/recent", "/state/0.headlight" for
 * the autosave and "/state/1.headlight" for the file to recover. If that is set aside as
 * "/state/damaged.headlight", the file to recover is "/state/2.headlight". */
AppFiles disk_files(void);

/* The state of a new window that remembers settings. */
#define START "focus=nothing&wall=one"
void disk_release(void);

void disk_put(const char *path, const char *text);

/* The text of a file, or NULL. */
const char *disk_text(const char *path);

#endif
