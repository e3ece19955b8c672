/* file_map.h: a whole file seen as memory, of which the system keeps only what is looked at. For
 * the program's own files: one that is cut short while it is mapped ends the program. */
#ifndef HEADLIGHT_IO_FILE_MAP_H
#define HEADLIGHT_IO_FILE_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* All zero is none. */
typedef struct FileMap {
    const char *bytes;
    void *start; /* the same, where there are any */
    size_t size;
} FileMap;

/* Map a regular file, not to be written to. Fails for anything else, and where it has more than
 * most bytes. Release with file_unmap. */
bool file_map(FileMap *map, const char *path, size_t most, Err *err);

/* Let go of what was looked at so far: it is read again when it is needed. */
void file_map_rest(const FileMap *map);

void file_unmap(FileMap *map);

#endif
