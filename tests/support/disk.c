#include "support/disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Disk disk;

static int find(const char *path) {
    for (int i = 0; i < DISK_FILES; i++)
        if (disk.at[i].bytes != NULL && strcmp(disk.at[i].path, path) == 0)
            return i;
    return -1;
}

static void put(const char *path, const void *bytes, size_t size) {
    int at = find(path);
    for (int i = 0; i < DISK_FILES && at < 0; i++)
        at = disk.at[i].bytes == NULL ? i : -1;
    if (at < 0)
        abort();
    free(disk.at[at].bytes);
    disk.at[at].bytes = malloc(size + 1);
    memcpy(disk.at[at].bytes, bytes, size);
    disk.at[at].bytes[size] = '\0';
    disk.at[at].size = size;
    disk.at[at].stamp = ++disk.stamps;
    snprintf(disk.at[at].path, sizeof disk.at[at].path, "%s", path);
}

void disk_put(const char *path, const char *text) {
    put(path, text, strlen(text));
}

const char *disk_text(const char *path) {
    int at = find(path);
    return at >= 0 ? disk.at[at].bytes : NULL;
}

static bool read_file(char **bytes, size_t *size, const char *path, size_t most, Err *err) {
    int at = find(path);
    if (at < 0 || disk.at[at].size > most)
        return err_fail(err, path, "there is no such file; check the name");
    *size = disk.at[at].size;
    *bytes = malloc(*size + 1);
    memcpy(*bytes, disk.at[at].bytes, *size + 1);
    return true;
}

static bool write_file(void *context, const char *path, const void *bytes, size_t size,
                       bool durable, Err *err) {
    disk.writes++;
    disk.durable_writes += durable;
    bool is_below =
        disk.full_below == NULL || strncmp(path, disk.full_below, strlen(disk.full_below)) == 0;
    if (disk.is_full && is_below)
        return err_fail(err, path,
                        "no space is left on that disk; free some, or choose another place");
    put(path, bytes, size);
    return true;
}

static bool exists(const char *path) {
    return find(path) >= 0;
}

static uint64_t stamp(const char *path) {
    int at = find(path);
    return at >= 0 ? disk.at[at].stamp : 0;
}

static void remove_file(const char *path) {
    int at = find(path);
    if (at < 0)
        return;
    free(disk.at[at].bytes);
    disk.at[at].bytes = NULL;
}

static bool set_aside(void *context, char *aside, Err *err) {
    int damaged = find("/state/1.headlight"), next = find("/state/2.headlight");
    if (disk.is_full)
        return err_fail(err, "/state/1.headlight", "cannot be renamed");
    strcpy(aside, "/state/damaged.headlight");
    strcpy(disk.at[damaged].path, aside);
    if (next >= 0)
        strcpy(disk.at[next].path, "/state/1.headlight");
    return true;
}

/* The files in that very folder, in the order of their slots. */
static bool list(char **names, const char *folder, Err *err) {
    size_t used = 0, bytes = strlen(folder);
    *names = calloc(DISK_FILES, 256);
    for (int i = 0; i < DISK_FILES; i++) {
        const char *path = disk.at[i].path;
        if (disk.at[i].bytes == NULL || strncmp(path, folder, bytes) != 0 ||
            strchr(path + bytes, '/') != NULL)
            continue;
        used += (size_t)sprintf(*names + used, "%s", path + bytes) + 1;
    }
    return *names != NULL ? true : err_fail(err, folder, "cannot be listed");
}

AppFiles disk_files(void) {
    return (AppFiles){.places = {[PLACE_HOME] = "/home/",
                                 [PLACE_HERE] = "/here/",
                                 [PLACE_SETTINGS] = "/config/settings",
                                 [PLACE_KEYS] = "/config/keys",
                                 [PLACE_RECENT] = "/state/recent",
                                 [PLACE_AUTOSAVE] = "/state/0.headlight",
                                 [PLACE_RECOVER] = "/state/1.headlight"},
                      .read = read_file,
                      .write = write_file,
                      .exists = exists,
                      .stamp = stamp,
                      .list = list,
                      .remove = remove_file,
                      .set_aside = set_aside};
}

void disk_release(void) {
    for (int i = 0; i < DISK_FILES; i++)
        free(disk.at[i].bytes);
    disk = (Disk){0};
}
