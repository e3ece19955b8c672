#include "io/file.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/heap.h"
#include "base/rng.h"
#include "base/util.h"

#define WRITE_MOST ((size_t)1 << 30) /* limit of bytes in one call: some systems refuse 2 GiB */
#define READ_LEAST 4096              /* free bytes in the buffer before each read */
#define STALE_NAME ".headlight-%ld-%d.part" /* incomplete file, with process number and counter */
#define NAMES_MOST 4096                     /* limit of names that are checked in a folder */

/* Messages that say what the user can do. Other errors are reported in the system's own words. */
static const struct Remedy {
    int code;
    const char *why;
} REMEDIES[] = {
    {ENOENT, "there is no such file or folder; check the name"},
    {ENOTDIR, "a part of the path is a file where a folder is needed; check the name"},
    {EISDIR, "is a folder; give the name of a file in it"},
    {EACCES, "permission denied; choose a place that you can use, or change its permissions"},
    {EPERM, "permission denied; choose a place that you can use, or change its permissions"},
    {EROFS, "is on a read-only file system; choose another place"},
    {ENOSPC, "no space is left on that disk; free some, or choose another place"},
    {EDQUOT, "your quota on that disk is used up; free some space, or choose another place"},
    {EFBIG, "the file would grow past the largest size allowed (ulimit -f); raise that limit"},
    {EBADF, "is closed; leave it open, or name a file with -o"},
    {EPIPE, "the reading program closed the pipe; the rest was not written"},
    {ENAMETOOLONG, "the name is too long; choose a shorter one"},
    {ELOOP, "the symbolic links form a loop; choose another name"},
    {ESPIPE, "is a pipe, which this format cannot be written to; name a file"},
    {ENXIO, "is a socket, or a device that is not connected; name a regular file"},
    {EMFILE, "too many files are open; raise the limit (ulimit -n)"},
};

static bool fail_errno(Err *err, const char *name, int code) {
    const char *why = NULL;
    for (size_t i = 0; i < ARRAY_COUNT(REMEDIES); i++)
        why = REMEDIES[i].code == code ? REMEDIES[i].why : why;
    return err_fail(err, name, "%s", why != NULL ? why : strerror(code));
}

static bool give_up(FileOut *out, int code, Err *err) {
    file_abandon(out);
    return fail_errno(err, out->name, code);
}

static bool check_name(const char *path, Err *err) {
    if (path[0] == '\0')
        return err_fail(err, "\"\"", "the name is empty; give a name");
    if (strlen(path) >= FILE_PATH_BYTES)
        return fail_errno(err, path, ENAMETOOLONG);
    return true;
}

/* Set out->path to the file that is written: the target if the name is a symbolic link to a regular
 * file, otherwise the name itself. The target of /dev/stdout, for example, may have no path. */
static bool follow_links(FileOut *out, bool *exists, struct stat *info, Err *err) {
    *exists = stat(out->name, info) == 0;
    int code = errno;
    if (!*exists) {
        struct stat link;
        if (code == ENOENT && lstat(out->name, &link) == 0)
            return err_fail(err, out->name,
                            "is a symbolic link that leads nowhere; choose another name");
        memcpy(out->path, out->name, sizeof out->path);
        return code == ENOENT ? true : fail_errno(err, out->name, code);
    }
    if (!S_ISREG(info->st_mode)) {
        memcpy(out->path, out->name, sizeof out->path);
        return true;
    }
    char *real = realpath(out->name, NULL);
    if (real == NULL || strlen(real) >= sizeof out->path) {
        code = real == NULL ? errno : ENAMETOOLONG;
        free(real);
        return fail_errno(err, out->name, code);
    }
    memcpy(out->path, real, strlen(real) + 1);
    free(real);
    return true;
}

/* True if this is the name of a temporary file whose process no longer runs. */
static bool is_left(const char *name) {
    long process;
    int number;
    char again[64];
    if (sscanf(name, STALE_NAME, &process, &number) != 2 || process <= 0 || process == getpid())
        return false;
    snprintf(again, sizeof again, STALE_NAME, process, number);
    return strcmp(again, name) == 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

static void remove_unlocked(int folder, const char *name) {
    int fd = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK))
        unlinkat(folder, name, 0);
    if (fd >= 0)
        close(fd);
}

/* Remove incomplete files that killed programs left in the folder of a path. Keep a file if its
 * process number is in use on this machine, or if a process of another machine holds its lock. */
static void remove_stale(const char *path) {
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

/* Create a file with a new name in the same folder. O_EXCL does not follow links and does not open
 * existing files, so a predictable name does no harm. */
static bool open_temporary(FileOut *out, Err *err) {
    static atomic_int number;
    remove_stale(out->path);
    const char *slash = strrchr(out->path, '/');
    int folder = slash == NULL ? 0 : (int)(slash - out->path) + 1;
    for (int attempt = 0; attempt < 100; attempt++) {
        int bytes = snprintf(out->temporary, sizeof out->temporary, "%.*s" STALE_NAME, folder,
                             out->path, (long)getpid(), atomic_fetch_add(&number, 1));
        if (bytes < 0 || (size_t)bytes >= sizeof out->temporary)
            return fail_errno(err, out->name, ENAMETOOLONG);
        out->fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (out->fd >= 0) {
            /* If locks do not work, only the process number shows that the file is in use. */
            flock(out->fd, LOCK_EX | LOCK_NB);
            return true;
        }
        if (errno != EEXIST)
            break;
    }
    int code = errno;
    out->temporary[0] = '\0';
    return fail_errno(err, out->name, code);
}

/* Fail if the file is read-only: renaming could replace it, but its owner wants to keep it. */
static bool open_replacement(FileOut *out, mode_t mode, Err *err) {
    if (faccessat(AT_FDCWD, out->path, W_OK, AT_EACCESS) != 0)
        return errno == EACCES ? err_fail(err, out->name,
                                          "is read-only; choose another name, or make it writable")
                               : fail_errno(err, out->name, errno);
    if (!open_temporary(out, err))
        return false;
    return fchmod(out->fd, mode & 07777) == 0 || give_up(out, errno, err);
}

bool file_begin(FileOut *out, const char *path, Err *err) {
    *out = (FileOut){.fd = -1};
    bool exists;
    struct stat info;
    if (!check_name(path, err))
        return false;
    memcpy(out->name, path, strlen(path) + 1);
    if (!follow_links(out, &exists, &info, err))
        return false;
    if (path[strlen(path) - 1] == '/' || (exists && S_ISDIR(info.st_mode)))
        return fail_errno(err, out->name, EISDIR);
    if (!exists)
        return open_temporary(out, err);
    if (S_ISREG(info.st_mode))
        return open_replacement(out, info.st_mode, err);
    out->in_place = true;
    out->fd = open(out->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return out->fd >= 0 || fail_errno(err, out->name, errno);
}

void file_begin_stdout(FileOut *out) {
    *out = (FileOut){.fd = STDOUT_FILENO, .in_place = true, .name = "standard output"};
}

bool file_append(FileOut *out, const void *bytes, size_t size, Err *err) {
    assert(out->fd >= 0);
    const char *from = bytes;
    while (size > 0) {
        ssize_t wrote = write(out->fd, from, size < WRITE_MOST ? size : WRITE_MOST);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return give_up(out, wrote == 0 ? ENOSPC : errno, err);
        from += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

bool file_seek(FileOut *out, uint64_t at, Err *err) {
    return lseek(out->fd, (off_t)at, SEEK_SET) >= 0 || give_up(out, errno, err);
}

/* Wait until the folder is on the disk. Otherwise the new file, which is always complete, may be
 * missing after a power failure. */
static void synchronise_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    char folder[FILE_PATH_BYTES];
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1,
             slash != NULL ? path : ".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

bool file_settle(FileOut *out, Err *err) {
    assert(out->fd >= 0);
    if (out->in_place || out->quick || out->settled)
        return true;
    out->settled = fsync(out->fd) == 0;
    /* Some file systems cannot synchronise a file; that is not a failure. */
    return out->settled || errno == EINVAL || errno == ENOTSUP || give_up(out, errno, err);
}

bool file_commit(FileOut *out, Err *err) {
    if (!file_settle(out, err))
        return false;
    int fd = out->fd; /* not closed earlier: its lock keeps other programs from removing the file */
    out->fd = -1;
    if (close(fd) != 0 && !out->settled)
        return give_up(out, errno, err);
    if (out->in_place)
        return true;
    if (rename(out->temporary, out->path) != 0)
        return give_up(out, errno, err);
    out->temporary[0] = '\0';
    if (!out->quick)
        synchronise_folder(out->path);
    return true;
}

void file_abandon(FileOut *out) {
    if (out->fd >= 0 && out->fd != STDOUT_FILENO)
        close(out->fd);
    out->fd = -1;
    if (out->temporary[0] != '\0')
        unlink(out->temporary);
    out->temporary[0] = '\0';
}

static bool write_whole(const char *path, const void *bytes, size_t size, bool quick, Err *err) {
    FileOut out;
    bool begun = file_begin(&out, path, err);
    out.quick = quick;
    return begun && file_append(&out, bytes, size, err) && file_commit(&out, err);
}

bool file_write_atomic(const char *path, const void *bytes, size_t size, Err *err) {
    return write_whole(path, bytes, size, false, err);
}

bool file_write_quick(const char *path, const void *bytes, size_t size, Err *err) {
    return write_whole(path, bytes, size, true, err);
}

bool file_set_add(FileSet *set, const char *path, const void *bytes, size_t size, Err *err) {
    FileOut out;
    TextOut *names = &set->names;
    size_t before = names->used;
    if (!file_begin(&out, path, err) || !file_append(&out, bytes, size, err))
        return false;
    if (!out.in_place) {
        text_out_bytes(names, out.temporary, strlen(out.temporary) + 1);
        text_out_bytes(names, out.path, strlen(out.path) + 1);
    }
    int fd = out.fd;
    out.fd = -1;
    if (close(fd) == 0 && !names->failed)
        return true;
    names->used = before;
    return give_up(&out, names->failed ? ENOMEM : errno, err);
}

static const char *after(const char *name) {
    return name + strlen(name) + 1;
}

bool file_set_commit(FileSet *set, Err *err) {
    const TextOut *names = &set->names;
    for (const char *at = names->at; at != NULL && at < names->at + names->used;
         at = after(after(at)))
        if (rename(at, after(at)) != 0)
            return fail_errno(err, after(at), errno);
    text_out_release(&set->names);
    return true;
}

void file_set_remove(const FileSet *set) {
    const TextOut *names = &set->names;
    for (const char *at = names->at; at != NULL && at < names->at + names->used;
         at = after(after(at)))
        unlink(at);
}

bool file_exists(const char *path) {
    return access(path, F_OK) == 0;
}

bool file_is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool file_list(char **names, const char *folder, Err *err) {
    struct dirent **entries;
    TextOut all = {0};
    int found = scandir(folder, &entries, NULL, alphasort);
    *names = NULL;
    if (found < 0)
        return err_fail(err, folder, "cannot be listed: %s", strerror(errno));
    for (int i = 0; i < found; i++) {
        const char *name = entries[i]->d_name;
        TextOut path = {0};
        text_out(&path, "%s/%s", folder, name);
        bool is_folder = !path.failed && file_is_folder(path.at);
        text_out_release(&path);
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            text_out(&all, "%s%s%c", name, is_folder ? "/" : "", '\0');
        free(entries[i]);
    }
    free(entries);
    text_out_bytes(&all, "", 1);
    if (all.failed) {
        text_out_release(&all);
        return err_fail(err, folder, "too little memory to list it");
    }
    *names = all.at;
    return true;
}

bool file_make_folders(const char *path, Err *err) {
    char folder[FILE_PATH_BYTES];
    if (!check_name(path, err))
        return false;
    memcpy(folder, path, strlen(path) + 1);
    for (char *at = folder + 1; *at != '\0'; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        int code = mkdir(folder, 0700) == 0 ? 0 : errno;
        if (code != 0 && !file_is_folder(folder))
            return fail_errno(err, folder, code == EEXIST ? ENOTDIR : code);
        *at = '/';
    }
    return true;
}

bool file_open(FileIn *in, const char *path, Err *err) {
    struct stat info;
    char byte;
    *in = (FileIn){.fd = -1};
    if (!check_name(path, err))
        return false;
    memcpy(in->name, path, strlen(path) + 1);
    in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (in->fd < 0)
        return fail_errno(err, path, errno);
    bool known = fstat(in->fd, &info) == 0;
    int code = errno;
    bool is_regular = known && S_ISREG(info.st_mode);
    if (is_regular && (info.st_size > 0 || pread(in->fd, &byte, 1, 0) == 0)) {
        in->size = (uint64_t)info.st_size;
        return true;
    }
    file_close(in);
    if (is_regular)
        return err_fail(err, path, "has no size, like the files in /proc; name a copy of it");
    if (!known || S_ISDIR(info.st_mode))
        return fail_errno(err, path, known ? EISDIR : code);
    return err_fail(err, path, "is not a regular file; pipes and devices cannot be read here");
}

bool file_read_at(void *out, const FileIn *in, uint64_t at, size_t size, Err *err) {
    char *to = out;
    while (size > 0) {
        ssize_t got = pread(in->fd, to, size < WRITE_MOST ? size : WRITE_MOST, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_errno(err, in->name, errno);
        if (got == 0)
            return err_fail(err, in->name,
                            "ends at byte %llu, where more is needed; fetch it again",
                            (unsigned long long)at);
        to += got;
        at += (uint64_t)got;
        size -= (size_t)got;
    }
    return true;
}

bool file_is_same(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

uint64_t file_stamp(const char *path) {
    struct stat s;
    if (stat(path, &s) != 0)
        return 0;
#ifdef __APPLE__
    struct timespec when = s.st_mtimespec;
#else
    struct timespec when = s.st_mtim;
#endif
    const uint64_t parts[] = {(uint64_t)s.st_dev, (uint64_t)s.st_ino, (uint64_t)s.st_size,
                              (uint64_t)when.tv_sec, (uint64_t)when.tv_nsec};
    return rng_hash(parts, sizeof parts);
}

void file_close(FileIn *in) {
    if (in->fd >= 0)
        close(in->fd);
    in->fd = -1;
}

static bool too_large(const char *name, size_t most, Err *err) {
    return err_usage(err, name, "is larger than %zu bytes, the limit; use a smaller file", most);
}

static bool read_input(char **bytes, size_t *size, size_t most, Err *err) {
    size_t capacity = 0;
    for (ssize_t got = 1; got != 0; *size += (size_t)(got > 0 ? got : 0)) {
        if (*size > most)
            return too_large("standard input", most, err);
        char *larger = heap_grow(*bytes, &capacity, *size + READ_LEAST, 1);
        if (larger == NULL)
            return fail_errno(err, "standard input", ENOMEM);
        *bytes = larger;
        got = read(STDIN_FILENO, *bytes + *size, capacity - *size - 1);
        if (got < 0 && errno != EINTR)
            return fail_errno(err, "standard input", errno);
    }
    return true;
}

static bool read_regular(char **bytes, size_t *size, const char *path, size_t most, Err *err) {
    FileIn in;
    if (!file_open(&in, path, err))
        return false;
    *size = (size_t)in.size;
    bool fits = in.size <= most;
    if (fits)
        *bytes = heap_get(*size + 1);
    bool read = !fits            ? too_large(path, most, err)
                : *bytes == NULL ? fail_errno(err, path, ENOMEM)
                                 : file_read_at(*bytes, &in, 0, *size, err);
    file_close(&in);
    return read;
}

bool file_read(char **bytes, size_t *size, const char *path, size_t most, Err *err) {
    *bytes = NULL;
    *size = 0;
    bool read = strcmp(path, "-") == 0 ? read_input(bytes, size, most, err)
                                       : read_regular(bytes, size, path, most, err);
    assert(!read || *bytes != NULL);
    if (read) {
        (*bytes)[*size] = '\0';
        return true;
    }
    free(*bytes);
    *bytes = NULL;
    *size = 0;
    return false;
}
