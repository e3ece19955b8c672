/* memory_file.h: a file in memory that a path leads to, for code that opens files by their names.
 * Linux alone. */
#ifndef HEADLIGHT_TESTS_FUZZ_MEMORY_FILE_H
#define HEADLIGHT_TESTS_FUZZ_MEMORY_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Return a path, ending in suffix, of a file with these bytes, until the next call. */
static inline const char *memory_file(const char *suffix, const void *bytes, size_t size) {
    static char path[64], target[64];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("headlight-fuzz", 0);
        snprintf(target, sizeof target, "/proc/%ld/fd/%d", (long)getpid(), fd);
    }
    if (path[0] != '\0')
        unlink(path);
    snprintf(path, sizeof path, "/dev/shm/headlight-fuzz-%ld%s", (long)getpid(), suffix);
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size ||
        symlink(target, path) != 0)
        abort();
    return path;
}

#endif
