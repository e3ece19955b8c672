#include "io/file_map.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "io/file.h"

bool file_map(FileMap *map, const char *path, size_t most, Err *err) {
    FileIn in;
    *map = (FileMap){0};
    if (!file_open(&in, path, err))
        return false;
    map->size = (size_t)in.size;
    bool fits = in.size <= most;
    if (fits && in.size > 0)
        map->start = mmap(NULL, map->size, PROT_READ, MAP_PRIVATE, in.fd, 0);
    int code = errno;
    bool has_failed = map->start == MAP_FAILED;
    file_close(&in);
    if (fits && !has_failed) {
        map->bytes = map->start != NULL ? map->start : "";
        return true;
    }
    *map = (FileMap){0};
    return fits ? err_fail(err, path, "cannot be read: %s", strerror(code))
                : err_fail(err, path, "is larger than %zu bytes, the most that is taken", most);
}

void file_map_rest(const FileMap *map) {
    if (map->start != NULL)
        madvise(map->start, map->size, MADV_DONTNEED);
}

void file_unmap(FileMap *map) {
    if (map->start != NULL)
        munmap(map->start, map->size);
    *map = (FileMap){0};
}
