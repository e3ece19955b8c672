#include "shell/desk_files.h"

#include <SDL.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/heap.h"

#define SLOTS     64 /* most windows at once that have an autosave of their own */
#define NAMES_MAX 4096
#define NO_LOCKS  (-2)

/* Write the folder named by a variable, or else one in the home folder, followed by "headlight/".
 * */
static bool xdg_folder(char *out, size_t capacity, const char *variable, const char *in_home) {
    const char *chosen = getenv(variable), *home = getenv("HOME");
    int bytes = -1;
    if (chosen != NULL && chosen[0] == '/') /* the standard says to ignore relative paths */
        bytes = snprintf(out, capacity, "%s/headlight/", chosen);
    else if (home != NULL && home[0] == '/')
        bytes = snprintf(out, capacity, "%s/%s/headlight/", home, in_home);
    return bytes > 0 && (size_t)bytes < capacity;
}

#if defined(__APPLE__) || defined(_WIN32)
static bool own_folder(char *out, size_t capacity) {
    char *path = SDL_GetPrefPath("", "Headlight");
    int bytes = path != NULL ? snprintf(out, capacity, "%s", path) : -1;
    SDL_free(path);
    return bytes > 0 && (size_t)bytes < capacity;
}
#endif

static bool config_folder(char *out, size_t capacity) {
#if defined(__APPLE__) || defined(_WIN32)
    return own_folder(out, capacity);
#else
    return xdg_folder(out, capacity, "XDG_CONFIG_HOME", ".config");
#endif
}

static bool state_folder(char *out, size_t capacity) {
#if defined(__APPLE__) || defined(_WIN32)
    return own_folder(out, capacity);
#else
    return xdg_folder(out, capacity, "XDG_STATE_HOME", ".local/state");
#endif
}

bool desk_files_data(char *folder, size_t capacity) {
#if defined(__APPLE__) || defined(_WIN32)
    return own_folder(folder, capacity);
#else
    return xdg_folder(folder, capacity, "XDG_DATA_HOME", ".local/share");
#endif
}

static void set_place(DeskFiles *desk, FilePlace place, const char *folder, const char *name) {
    char *out = desk->paths[place];
    int bytes = snprintf(out, FILE_PATH_BYTES, "%s%s", folder, name);
    if (bytes < 0 || bytes >= FILE_PATH_BYTES)
        out[0] = '\0';
}

static bool slot_path(char *out, const char *folder, int slot, const char *ending) {
    int bytes = snprintf(out, FILE_PATH_BYTES, "%sautosave/%d%s", folder, slot, ending);
    return bytes > 0 && bytes < FILE_PATH_BYTES;
}

/* Take the lock of a slot. Return -1 if a running window has it, NO_LOCKS if locks are impossible.
 * */
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

/* Compare to the nanosecond, because two files may have the same second. */
static bool is_newer(const struct stat *a, const struct stat *b) {
#ifdef __APPLE__
    struct timespec x = a->st_mtimespec, y = b->st_mtimespec;
#else
    struct timespec x = a->st_mtim, y = b->st_mtim;
#endif
    return x.tv_sec != y.tv_sec ? x.tv_sec > y.tv_sec : x.tv_nsec > y.tv_nsec;
}

typedef enum SlotKind { SLOT_FREE, SLOT_NEWEST, SLOT_OLDEST } SlotKind;

/* Take the lock of a slot that no running window has: the first slot without a session, or the slot
 * with the newest or oldest session. path gets the session's path. Return -1 if there is none. If
 * locks are impossible, return NO_LOCKS with the path of the first slot. */
static int take_slot(char path[FILE_PATH_BYTES], const char *folder, SlotKind kind) {
    char lock_path[FILE_PATH_BYTES], session[FILE_PATH_BYTES];
    struct stat info, taken = {0};
    int found = -1;
    path[0] = '\0';
    for (int slot = 0; slot < SLOTS && (found < 0 || kind != SLOT_FREE); slot++) {
        if (!slot_path(lock_path, folder, slot, ".lock") ||
            !slot_path(session, folder, slot, ".headlight"))
            return -1;
        if (kind != SLOT_FREE && stat(lock_path, &info) != 0)
            break; /* slots are used in order, so no further slot was ever used */
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

/* Take a free slot or, if there is none, the one that was left the longest time ago. */
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

bool desk_files_settings(char *path, size_t capacity) {
    char folder[FILE_PATH_BYTES];
    int bytes =
        config_folder(folder, sizeof folder) ? snprintf(path, capacity, "%ssettings", folder) : -1;
    return bytes > 0 && (size_t)bytes < capacity;
}

void desk_files_begin(DeskFiles *desk) {
    char folder[FILE_PATH_BYTES];
    const char *home = getenv("HOME");
    *desk =
        (DeskFiles){.slot_lock = -1,
                    .recover_lock = -1,
                    .autosave_note = "HOME: no folder to keep it in is known; set that variable"};
    if (home != NULL && home[0] != '\0')
        set_place(desk, PLACE_HOME, home, "/");
    if (getcwd(folder, sizeof folder) != NULL && folder[0] == '/')
        set_place(desk, PLACE_HERE, folder, "/");
    if (config_folder(folder, sizeof folder)) {
        set_place(desk, PLACE_SETTINGS, folder, "settings");
        set_place(desk, PLACE_KEYS, folder, "keys");
    }
    if (state_folder(folder, sizeof folder)) {
        Err err;
        char inside[FILE_PATH_BYTES];
        desk->autosave_note[0] = '\0';
        set_place(desk, PLACE_RECENT, folder, "recent");
        set_place(desk, PLACE_TRAINED, folder, "trained/");
        file_make_folders(desk->paths[PLACE_TRAINED], &err); /* writing a file reports a failure */
        if (slot_path(inside, folder, 0, ""))
            file_make_folders(inside, &err);
        take_slots(desk, folder);
    }
}

void desk_files_end(DeskFiles *desk) {
    give_back(&desk->slot_lock);
    give_back(&desk->recover_lock);
}

static bool read_file(void *context, char **bytes, size_t *size, const char *path, size_t most,
                      Err *err) {
    (void)context;
    return file_read(bytes, size, path, most, err);
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

static bool file_exists(void *context, const char *path) {
    struct stat info;
    (void)context;
    return stat(path, &info) == 0;
}

static void remove_file(void *context, const char *path) {
    (void)context;
    unlink(path);
}

static bool set_aside(void *context, char *aside, Err *err) {
    DeskFiles *desk = context;
    char *path = desk->paths[PLACE_RECOVER], folder[FILE_PATH_BYTES];
    int in_folder = (int)(strrchr(path, '/') - path) + 1;
    struct stat info;
    for (int number = 1, bytes = 0; number == 1 || stat(aside, &info) == 0; number++) {
        bytes =
            snprintf(aside, FILE_PATH_BYTES, "%.*sdamaged-%d.headlight", in_folder, path, number);
        if (bytes < 0 || bytes >= FILE_PATH_BYTES)
            return err_fail(err, path, "is damaged, and its folder has too long a name");
    }
    if (rename(path, aside) != 0)
        return err_fail(err, path, "is damaged, and cannot be renamed: %s", strerror(errno));
    give_back(&desk->recover_lock);
    path[0] = '\0';
    if (state_folder(folder, sizeof folder))
        desk->recover_lock = take_slot(path, folder, SLOT_NEWEST);
    return true;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Return an entry's name, with a '/' after the name of a folder. */
static char *entry_name(const char *folder, const char *name) {
    char path[FILE_PATH_BYTES];
    struct stat info;
    int bytes = snprintf(path, sizeof path, "%s/%s", folder, name);
    bool is_folder =
        bytes > 0 && (size_t)bytes < sizeof path && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    size_t size = strlen(name) + 2;
    char *out = heap_get(size);
    if (out != NULL)
        snprintf(out, size, "%s%s", name, is_folder ? "/" : "");
    return out;
}

static int read_names(char *names[NAMES_MAX], DIR *dir, const char *folder) {
    int count = 0;
    const struct dirent *entry;
    while (count < NAMES_MAX && (entry = readdir(dir)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            (names[count] = entry_name(folder, entry->d_name)) != NULL)
            count++;
    return count;
}

static bool list_folder(void *context, FileNames *out, const char *folder, Err *err) {
    (void)context;
    static char *names[NAMES_MAX];
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return err_fail(err, folder, "cannot be listed: %s", strerror(errno));
    int count = read_names(names, dir, folder);
    closedir(dir);
    qsort(names, (size_t)count, sizeof *names, by_name);
    size_t size = 1, used = 0;
    for (int i = 0; i < count; i++)
        size += strlen(names[i]) + 1;
    *out = (FileNames){heap_get(size), count};
    for (int i = 0; i < count; i++) {
        size_t bytes = strlen(names[i]) + 1;
        if (out->bytes != NULL)
            memcpy(out->bytes + used, names[i], bytes);
        used += bytes;
        free(names[i]);
    }
    return out->bytes != NULL ? true : err_fail(err, folder, "too little memory to list it");
}

AppFiles desk_files(DeskFiles *desk) {
    AppFiles files = {.context = desk,
                      .read = read_file,
                      .write = write_file,
                      .exists = file_exists,
                      .list = list_folder,
                      .remove = remove_file,
                      .set_aside = set_aside};
    if (desk->autosave_note[0] != '\0')
        files.autosave_note = desk->autosave_note;
    for (int i = 0; i < PLACE_COUNT; i++)
        files.places[i] = desk->paths[i];
    return files;
}
