/* file.h: reads whole files, and writes files so that a failure leaves the older file unchanged.
 * Only this code opens files that the user names. Errors name the path, the reason, and what to do.
 * The program should ignore SIGXFSZ and SIGPIPE, so that a file that is too large or a closed pipe
 * causes an error and does not end the program. */
#ifndef HEADLIGHT_IO_FILE_H
#define HEADLIGHT_IO_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text_out.h"

#define FILE_PATH_BYTES 4096 /* longest accepted path, with its NUL */

/* A file being written. A new or regular file is written under a temporary name in the same folder;
 * file_commit renames it, with the mode of the file that it replaces. If the path is a symbolic
 * link, its target is replaced. A device or pipe is written directly. */
typedef struct FileOut {
    int fd;
    bool quick;   /* true: do not wait for the disk */
    bool settled; /* true: the bytes are on the disk */
    /* True if there is no temporary file: for a device, a pipe or standard output. */
    bool in_place;
    char name[FILE_PATH_BYTES]; /* path as given by the user, for errors */
    char path[FILE_PATH_BYTES]; /* the path after symbolic links are followed */
    char temporary[FILE_PATH_BYTES];
} FileOut;

/* Open for writing. Fails for an empty or too long path, for a folder, for a link that leads
 * nowhere, or if the file or its folder is not writable; then no file is left behind. */
bool file_begin(FileOut *out, const char *path, Err *err);

void file_begin_stdout(FileOut *out);

/* Append bytes to the file. After a failure the file is discarded: call neither append nor commit
 * again. */
bool file_append(FileOut *out, const void *bytes, size_t size, Err *err);

/* Let the next file_append overwrite the file from byte `at` on. Fails for a pipe. After a failure
 * the file is discarded. */
bool file_seek(FileOut *out, uint64_t at, Err *err);

/* Wait until the bytes are on the disk, but don't replace the old file yet. If two files belong
 * together, settle both before you commit the first: then only the renames can fail. After a
 * failure the file is discarded. */
bool file_settle(FileOut *out, Err *err);

/* Replace the old file by the new one, and wait until the new one is on the disk. After a failure
 * the new file is discarded. */
bool file_commit(FileOut *out, Err *err);

/* Discard the file: remove the temporary file. Does nothing to a committed file. */
void file_abandon(FileOut *out);

bool file_write_atomic(const char *path, const void *bytes, size_t size, Err *err);

/* Write a whole file without waiting for the disk. If the program ends early, the file is complete
 * or unchanged; if the machine crashes, the file may be damaged. */
bool file_write_quick(const char *path, const void *bytes, size_t size, Err *err);

/* Files that are written one by one under temporary names and then renamed together, such as the
 * frames of a film. All zero: none. */
typedef struct FileSet {
    TextOut names; /* for each file its temporary path and its path, each ended by NUL */
} FileSet;

/* Write a whole file under a temporary name, without waiting for the disk. A device or pipe is
 * written directly. After a failure the set still has the files that were added before. */
bool file_set_add(FileSet *set, const char *path, const void *bytes, size_t size, Err *err);

/* Replace the old files by the new ones, and empty the set. This needs no space on the disk, so it
 * seldom fails. After a failure, the set's remaining files are not replaced. */
bool file_set_commit(FileSet *set, Err *err);

/* Remove the files of a set that was not committed; a signal handler may call this. It does not
 * release set->names. */
void file_set_remove(const FileSet *set);

bool file_exists(const char *path);
bool file_is_folder(const char *path);

/* List a folder: *names gets its sorted names, each ended by NUL, names of folders also by '/'. An
 * empty name ends the list. The caller frees *names, which is NULL on failure. */
bool file_list(char **names, const char *folder, Err *err);

/* Create the missing folders of path, accessible only to the user. Fails at the first folder that
 * cannot be created. */
bool file_make_folders(const char *path, Err *err);

/* A regular file from which any part can be read. */
typedef struct FileIn {
    int fd;
    uint64_t size;
    char name[FILE_PATH_BYTES]; /* path as given by the user, for errors */
} FileIn;

/* Open for reading; fails for anything but a regular file. Close with file_close. */
bool file_open(FileIn *in, const char *path, Err *err);

/* Read exactly size bytes from byte `at` on. Fails if the file is shorter. */
bool file_read_at(void *out, const FileIn *in, uint64_t at, size_t size, Err *err);

void file_close(FileIn *in);

bool file_is_same(const char *a, const char *b);

/* Return a number that changes when the file is replaced or written to; 0 if there is no file. The
 * time of the last change of status is left out: links, permissions and backups change it, too, and
 * a checkpoint would have to be opened again. */
uint64_t file_stamp(const char *path);

/* A part of a file that is mapped into memory. All threads may read it. */
typedef struct FileMap {
    void *at;    /* the file's bytes; read only */
    char *pages; /* the mapped pages, which contain `at`; NULL if nothing is mapped */
    size_t size; /* number of bytes in the pages */
    int slot;    /* index in the table of maps */
} FileMap;

/* Map size bytes from byte `at` on. Return false if the system cannot map them, or if too many maps
 * are in use. */
bool file_map(FileMap *map, const FileIn *in, uint64_t at, size_t size);

/* False if the file was cut off or could not be read while it was mapped; then all bytes of the map
 * have been 0 since. */
bool file_map_is_whole(const FileMap *map);

/* Unmap the map, if there is one. Return false if file_map_is_whole was false. */
bool file_unmap(FileMap *map);

/* Read a whole regular file, or standard input if path is "-", into memory that the caller frees. A
 * NUL that is not counted follows the bytes. Fails for more than `most` bytes (ERR_USAGE), and for
 * the path of a pipe or a device, which might never end. */
bool file_read(char **bytes, size_t *size, const char *path, size_t most, Err *err);

#endif
