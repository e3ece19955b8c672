/* disk.h: files in memory, for what an App reads and writes. */
#ifndef HEADLIGHT_TESTS_SUPPORT_DISK_H
#define HEADLIGHT_TESTS_SUPPORT_DISK_H

#include "app/files.h"

#define DISK_FILES 16

typedef struct Disk {
    struct {
        char path[256];
        char *bytes; /* owned; NULL for no file */
        size_t size;
    } at[DISK_FILES];
    bool is_full;           /* every write fails */
    const char *full_below; /* or, where it is not NULL, those to paths that begin so */
    int writes, durable_writes;
} Disk;

/* "/home/", "/here/", "/config/settings", "/config/keys", "/state/recent", "/state/0.headlight" for
 * the autosave and "/state/1.headlight" for what is recovered. Once that is set aside, as
 * "/state/damaged.headlight", it is what "/state/2.headlight" was. */
AppFiles disk_files(Disk *disk);

/* The state of a new window that remembers settings. */
#define START "focus=nothing&wall=one"
void disk_release(Disk *disk);

void disk_put(Disk *disk, const char *path, const char *text);

/* The text of a file, or NULL. */
const char *disk_text(const Disk *disk, const char *path);

#endif
