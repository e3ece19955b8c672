#include "shell/desk_files.h"

#if defined(__APPLE__) || defined(_WIN32)
#include <SDL.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SLOTS    64 /* limit of windows that have an autosave of their own at the same time */
#define NO_LOCKS (-2)

/* Write the path of "headlight/" + name in the folder that an environment variable names or, if it
 * is not set, in in_home inside the home folder. On macOS and Windows, use SDL's folder for the
 * program instead. */
static bool in_folder(char *out, size_t capacity, const char *variable, const char *in_home,
                      const char *name) {
    int bytes = -1;
#if defined(__APPLE__) || defined(_WIN32)
    (void)variable, (void)in_home;
    char *path = SDL_GetPrefPath("", "Headlight");
    if (path != NULL)
        bytes = snprintf(out, capacity, "%s%s", path, name);
    SDL_free(path);
#else
    const char *chosen = getenv(variable), *home = getenv("HOME");
    /* The XDG standard requires that relative paths are ignored. */
    if (chosen != NULL && chosen[0] == '/')
        bytes = snprintf(out, capacity, "%s/headlight/%s", chosen, name);
    else if (home != NULL && home[0] == '/')
        bytes = snprintf(out, capacity, "%s/%s/headlight/%s", home, in_home, name);
#endif
    if (bytes <= 0 || (size_t)bytes >= capacity)
        out[0] = '\0';
    return out[0] != '\0';
}

static bool config_path(char *out, size_t capacity, const char *name) {
    return in_folder(out, capacity, "XDG_CONFIG_HOME", ".config", name);
}

static bool state_path(char *out, size_t capacity, const char *name) {
    return in_folder(out, capacity, "XDG_STATE_HOME", ".local/state", name);
}

bool desk_files_data(char *folder, size_t capacity) {
    return in_folder(folder, capacity, "XDG_DATA_HOME", ".local/share", "");
}

bool desk_files_settings(char *path, size_t capacity) {
    return config_path(path, capacity, "settings");
}

static void set_place(char out[FILE_PATH_BYTES], const char *folder) {
    int bytes = snprintf(out, FILE_PATH_BYTES, "%s/", folder);
    if (bytes < 0 || bytes >= FILE_PATH_BYTES)
        out[0] = '\0';
}

static bool slot_path(char *out, const char *folder, int slot, const char *ending) {
    int bytes = snprintf(out, FILE_PATH_BYTES, "%sautosave/%d%s", folder, slot, ending);
    return bytes > 0 && bytes < FILE_PATH_BYTES;
}

/* Take the lock of a slot. Return -1 if a running window has this lock, NO_LOCKS if the lock's file
 * cannot be opened. */
static int take_lock(const char *path) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return NO_LOCKS;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static void give_back(int *lock) {
    if (*lock >= 0)
        close(*lock);
    *lock = -1;
}

/* Compare times to the nanosecond, because two files may be written in the same second. */
static bool is_newer(const struct stat *a, const struct stat *b) {
#ifdef __APPLE__
    struct timespec x = a->st_mtimespec, y = b->st_mtimespec;
#else
    struct timespec x = a->st_mtim, y = b->st_mtim;
#endif
    return x.tv_sec != y.tv_sec ? x.tv_sec > y.tv_sec : x.tv_nsec > y.tv_nsec;
}

typedef enum SlotKind { SLOT_FREE, SLOT_NEWEST, SLOT_OLDEST } SlotKind;

/* Take the lock of a slot that no running window has: for SLOT_FREE the first slot without a
 * session, for the other kinds the slot with the newest or oldest session. path gets the session's
 * path. Return -1 if there is no such slot. If a lock's file cannot be opened, return NO_LOCKS;
 * then only SLOT_FREE sets path. */
static int take_slot(char path[FILE_PATH_BYTES], const char *folder, SlotKind kind) {
    char lock_path[FILE_PATH_BYTES], session[FILE_PATH_BYTES];
    struct stat info, taken = {0};
    int found = -1;
    path[0] = '\0';
    for (int slot = 0; slot < SLOTS && (found < 0 || kind != SLOT_FREE); slot++) {
        if (!slot_path(lock_path, folder, slot, ".lock") ||
            !slot_path(session, folder, slot, ".headlight"))
            return -1;
        if (kind != SLOT_FREE && !file_exists(lock_path))
            break; /* slots are used in order, so the following ones were never used */
        int lock = take_lock(lock_path);
        bool has_session = stat(session, &info) == 0;
        bool is_better = found < 0 || is_newer(&info, &taken) == (kind == SLOT_NEWEST);
        if (lock == NO_LOCKS && kind == SLOT_FREE)
            memcpy(path, session, sizeof session);
        if (lock == NO_LOCKS)
            return NO_LOCKS;
        if (lock < 0 || has_session != (kind != SLOT_FREE) || !is_better) {
            give_back(&lock);
            continue;
        }
        give_back(&found);
        found = lock;
        taken = info;
        memcpy(path, session, sizeof session);
    }
    return found;
}

/* Take a free slot or, if there is none, the slot with the oldest session. To recover a lost
 * session, also take the slot with the newest session that no window uses. */
static void take_slots(DeskFiles *desk, const char *folder) {
    char *path = desk->paths[PLACE_AUTOSAVE];
    desk->slot_lock = take_slot(path, folder, SLOT_FREE);
    if (desk->slot_lock == -1) {
        desk->slot_lock = take_slot(path, folder, SLOT_OLDEST);
        snprintf(desk->autosave_note, sizeof desk->autosave_note,
                 desk->slot_lock >= 0
                     ? "%d sessions that were not saved fill %.300s. The oldest of them is replaced"
                     : "%d windows are open already, and %.300s has no place for one more; close "
                       "one",
                 SLOTS, folder);
    }
    desk->recover_lock = take_slot(desk->paths[PLACE_RECOVER], folder, SLOT_NEWEST);
}

void desk_files_begin(DeskFiles *desk) {
    char folder[FILE_PATH_BYTES];
    const char *home = getenv("HOME");
    *desk = (DeskFiles){.slot_lock = -1,
                        .recover_lock = -1,
                        .autosave_note =
                            "HOME: no folder for the autosave is known; set that variable"};
    if (home != NULL && home[0] != '\0')
        set_place(desk->paths[PLACE_HOME], home);
    if (getcwd(folder, sizeof folder) != NULL && folder[0] == '/')
        set_place(desk->paths[PLACE_HERE], folder);
    config_path(desk->paths[PLACE_SETTINGS], FILE_PATH_BYTES, "settings");
    config_path(desk->paths[PLACE_KEYS], FILE_PATH_BYTES, "keys");
    state_path(desk->paths[PLACE_RECENT], FILE_PATH_BYTES, "recent");
    state_path(desk->paths[PLACE_TRAINED], FILE_PATH_BYTES, "trained/");
    if (state_path(folder, sizeof folder, "")) {
        Err err;
        char inside[FILE_PATH_BYTES];
        desk->autosave_note[0] = '\0';
        /* Ignore an error here, because writing a file reports it. */
        file_make_folders(desk->paths[PLACE_TRAINED], &err);
        if (slot_path(inside, folder, 0, ""))
            file_make_folders(inside, &err);
        take_slots(desk, folder);
    }
}

void desk_files_end(DeskFiles *desk) {
    give_back(&desk->slot_lock);
    give_back(&desk->recover_lock);
}

static bool write_file(void *context, const char *path, const void *bytes, size_t size,
                       bool durable, Err *err) {
    const DeskFiles *desk = context;
    for (int i = 0; i < PLACE_COUNT; i++)
        if (strcmp(desk->paths[i], path) == 0 && !file_make_folders(path, err))
            return false;
    return durable ? file_write_atomic(path, bytes, size, err)
                   : file_write_quick(path, bytes, size, err);
}

static void remove_file(const char *path) {
    unlink(path);
}

static bool set_aside(void *context, char *aside, Err *err) {
    DeskFiles *desk = context;
    char *path = desk->paths[PLACE_RECOVER], folder[FILE_PATH_BYTES];
    int in_folder = (int)(strrchr(path, '/') - path) + 1;
    for (int number = 1, bytes = 0; number == 1 || file_exists(aside); number++) {
        bytes =
            snprintf(aside, FILE_PATH_BYTES, "%.*sdamaged-%d.headlight", in_folder, path, number);
        if (bytes < 0 || bytes >= FILE_PATH_BYTES)
            return err_fail(err, path, "is damaged; its path is too long to rename it");
    }
    if (rename(path, aside) != 0)
        return err_fail(err, path, "is damaged, and it cannot be renamed: %s", strerror(errno));
    give_back(&desk->recover_lock);
    path[0] = '\0';
    if (state_path(folder, sizeof folder, ""))
        desk->recover_lock = take_slot(path, folder, SLOT_NEWEST);
    return true;
}

AppFiles desk_files(DeskFiles *desk) {
    AppFiles files = {.context = desk,
                      .read = file_read,
                      .write = write_file,
                      .exists = file_exists,
                      .stamp = file_stamp,
                      .list = file_list,
                      .remove = remove_file,
                      .set_aside = set_aside};
    if (desk->autosave_note[0] != '\0')
        files.autosave_note = desk->autosave_note;
    for (int i = 0; i < PLACE_COUNT; i++)
        files.places[i] = desk->paths[i];
    return files;
}
