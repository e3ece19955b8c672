#include "web/page.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"
#include "io/tensors.h"
#include "web/browser.h"

#define RECOVER FILES_KEPT "recover"

static bool is_kept(const char *path) {
    return strncmp(path, FILES_KEPT, strlen(FILES_KEPT)) == 0;
}

static const char *kept_name(const char *path) {
    return path + strlen(FILES_KEPT);
}

static bool read_file(void *context, char **bytes, size_t *size, const char *path, size_t most,
                      Err *err) {
    (void)context;
    return file_read(bytes, size, path, most, err);
}

/* Write a file into the page's memory, so that the user can open it again by its name. The browser
 * also stores it if it is in FILES_KEPT, and otherwise downloads it. */
static bool write_file(void *context, const char *path, const void *bytes, size_t size,
                       bool durable, Err *err) {
    (void)context, (void)durable;
    if (!file_write_quick(path, bytes, size, err))
        return false;
    if (is_kept(path))
        return browser_keep(kept_name(path), bytes, size) ||
               err_fail(err, "autosave", "this browser stores no data for this page; save a file");
    browser_download(path, bytes, size);
    return true;
}

static bool file_exists(void *context, const char *path) {
    (void)context;
    return access(path, F_OK) == 0;
}

static uint64_t stamp_of(void *context, const char *path) {
    (void)context;
    return file_stamp(path);
}

static bool list_folder(void *context, FileNames *out, const char *folder, Err *err) {
    (void)context;
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return err_fail(err, folder, "cannot be listed: %s", strerror(errno));
    size_t used = 0;
    *out = (FileNames){0};
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        size_t bytes = strlen(entry->d_name) + 1;
        char *grown = entry->d_name[0] != '.' ? realloc(out->bytes, used + bytes) : NULL;
        if (grown == NULL)
            continue;
        memcpy(grown + used, entry->d_name, bytes);
        out->bytes = grown;
        out->count++;
        used += bytes;
    }
    closedir(dir);
    return true;
}

static void remove_file(void *context, const char *path) {
    (void)context;
    unlink(path);
    if (is_kept(path))
        browser_keep(kept_name(path), NULL, 0);
}

static bool set_aside(void *context, char *aside, Err *err) {
    (void)err;
    snprintf(aside, sizeof "damaged", "damaged");
    rename(RECOVER, aside);
    remove_file(context, RECOVER);
    return true;
}

static void choose_file(void *context) {
    (void)context;
    browser_choose_file();
}

/* Download a file that was written in the page's memory. It also stays in memory, so that the user
 * can open it again by its name. */
static bool download(const char *path, Err *err) {
    char *bytes;
    size_t size;
    if (!file_read(&bytes, &size, path, SIZE_MAX, err))
        return false;
    browser_download(path, bytes, size);
    free(bytes);
    return true;
}

bool files_save_weights(const char *path, const Weights *weights, const char *note, Err *err) {
    return weights_file_save(path, weights, note, err) && download(path, err);
}

bool files_save_tensors(const char *path, const Results *run, Err *err) {
    return tensors_save(path, run, err) && download(path, err);
}

AppFiles files_begin(void) {
    rename(FILES_KEPT "autosave", RECOVER);
    return (AppFiles){.places = {[PLACE_HOME] = "",
                                 [PLACE_HERE] = "",
                                 [PLACE_SETTINGS] = FILES_KEPT "settings",
                                 [PLACE_KEYS] = FILES_KEPT "keys",
                                 [PLACE_RECENT] = "",
                                 [PLACE_AUTOSAVE] = FILES_KEPT "autosave",
                                 [PLACE_RECOVER] = RECOVER,
                                 [PLACE_TRAINED] = "./"},
                      .read = read_file,
                      .write = write_file,
                      .exists = file_exists,
                      .stamp = stamp_of,
                      .list = list_folder,
                      .remove = remove_file,
                      .set_aside = set_aside,
                      .choose = choose_file};
}
