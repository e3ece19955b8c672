#include "web/page.h"

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

static void remove_file(const char *path) {
    unlink(path);
    if (is_kept(path))
        browser_keep(kept_name(path), NULL, 0);
}

static bool set_aside(void *context, char *aside, Err *err) {
    (void)context, (void)err;
    snprintf(aside, sizeof "damaged", "damaged");
    rename(RECOVER, aside);
    remove_file(RECOVER);
    return true;
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
                      .read = file_read,
                      .write = write_file,
                      .exists = file_exists,
                      .stamp = file_stamp,
                      .list = file_list,
                      .remove = remove_file,
                      .set_aside = set_aside,
                      .choose = browser_choose_file};
}
