#include "io/stale.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/heap.h"

#define NAMES_MOST 4096 /* most names that are read in a large folder */

void stale_lock(int fd) {
    flock(fd,
          LOCK_EX | LOCK_NB); /* on a system without locks, the process number is the only sign */
}

/* True if the name is that of a temporary file whose process no longer runs. */
static bool is_left(const char *name) {
    long process;
    int number;
    char again[64];
    if (sscanf(name, STALE_NAME, &process, &number) != 2 || process <= 0)
        return false;
    snprintf(again, sizeof again, STALE_NAME, process, number);
    return strcmp(again, name) == 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

static void remove_unlocked(int folder, const char *name) {
    int fd = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        unlinkat(folder, name, 0);
    close(fd);
}

void stale_remove(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash != NULL ? heap_copy(path, (size_t)(slash - path) + 1) : heap_copy("./", 2);
    DIR *dir = folder != NULL ? opendir(folder) : NULL;
    const struct dirent *entry;
    for (int i = 0; dir != NULL && i < NAMES_MOST && (entry = readdir(dir)) != NULL; i++)
        if (is_left(entry->d_name))
            remove_unlocked(dirfd(dir), entry->d_name);
    if (dir != NULL)
        closedir(dir);
    free(folder);
}
