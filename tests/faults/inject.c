/* inject.c: fails one call of the C library in a program that it is preloaded into.
 * FAULT_CALL names the call, FAULT_AT its number from 1, FAULT_EVER=1 fails those after it, too.
 * FAULT_ERROR is the errno, 0 for a short count, or -1 to be sent SIGTERM after the call.
 * FAULT_IN lists the libraries that count, as parts of their names; the program itself always
 * does. FAULT_COUNT names a file that gets the number of calls at the end.
 * Linux with glibc alone. */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RANGES_MAX 64

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *at, size_t size);
void *__libc_memalign(size_t align, size_t size);

typedef enum Kind { NONE, ALLOC, OPEN, READ, WRITE, SYNC, RENAME, CLOSE, MAP, SEEK } Kind;
static const char *const NAMES[] = {"",     "alloc",  "open",  "read", "write",
                                    "sync", "rename", "close", "map",  "seek"};

static struct {
    Kind kind;
    long at;
    bool ever;
    int error;
    const char *libraries;
    uintptr_t from[RANGES_MAX], to[RANGES_MAX];
    int ranges;
} fault;
static atomic_long count;

static bool is_wanted(const char *name) {
    char libraries[256];
    snprintf(libraries, sizeof libraries, "%s", fault.libraries);
    for (char *at = strtok(libraries, ","); at != NULL; at = strtok(NULL, ","))
        if (strstr(name, at) != NULL)
            return true;
    return false;
}

/* The first object is the program. */
static int add_object(struct dl_phdr_info *info, size_t size, void *context) {
    bool *is_first = context;
    (void)size;
    for (int i = 0; (*is_first || is_wanted(info->dlpi_name)) && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || fault.ranges == RANGES_MAX)
            continue;
        fault.from[fault.ranges] = info->dlpi_addr + part->p_vaddr;
        fault.to[fault.ranges++] = info->dlpi_addr + part->p_vaddr + part->p_memsz;
    }
    *is_first = false;
    return 0;
}

static const char *setting(const char *name) {
    const char *value = getenv(name);
    return value != NULL ? value : "";
}

__attribute__((constructor)) static void begin(void) {
    bool is_first = true;
    fault.libraries = setting("FAULT_IN");
    fault.at = atol(setting("FAULT_AT"));
    fault.ever = atoi(setting("FAULT_EVER")) != 0;
    fault.error = atoi(setting("FAULT_ERROR"));
    dl_iterate_phdr(add_object, &is_first);
    for (int kind = ALLOC; kind <= SEEK; kind++)
        if (strcmp(NAMES[kind], setting("FAULT_CALL")) == 0)
            fault.kind = (Kind)kind;
}

__attribute__((destructor)) static void end(void) {
    const char *path = setting("FAULT_COUNT");
    FILE *file = path[0] != '\0' ? fopen(path, "w") : NULL;
    fault.kind = NONE;
    if (file == NULL)
        return;
    fprintf(file, "%ld\n", atomic_load(&count));
    fclose(file);
}

/* Count a call from that place; true if it is to fail. */
static bool is_due(Kind kind, const void *caller) {
    uintptr_t at = (uintptr_t)caller;
    bool counts = false;
    if (kind != fault.kind)
        return false;
    for (int i = 0; i < fault.ranges; i++)
        counts = counts || (at >= fault.from[i] && at < fault.to[i]);
    if (!counts)
        return false;
    long number = atomic_fetch_add(&count, 1) + 1;
    return fault.at > 0 && (number == fault.at || (fault.ever && number > fault.at));
}

/* True if the call is to return -1, or NULL. */
static bool fails(Kind kind, const void *caller) {
    bool due = is_due(kind, caller);
    if (due && fault.error == -1)
        kill(getpid(), SIGTERM);
    if (due && fault.error > 0)
        errno = fault.error;
    return due && fault.error > 0;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size) {
    return fails(ALLOC, CALLER) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    return fails(ALLOC, CALLER) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *at, size_t size) {
    return fails(ALLOC, CALLER) ? NULL : __libc_realloc(at, size);
}

void *aligned_alloc(size_t align, size_t size) {
    return fails(ALLOC, CALLER) ? NULL : __libc_memalign(align, size);
}

int posix_memalign(void **out, size_t align, size_t size) {
    if (fails(ALLOC, CALLER))
        return ENOMEM;
    *out = __libc_memalign(align, size);
    return *out != NULL ? 0 : ENOMEM;
}

/* Create the file first, so that the signal arrives right after the call. */
static int open_at(int folder, const char *path, int flags, mode_t mode, const void *caller) {
    bool due = is_due(OPEN, caller);
    if (due && fault.error > 0) {
        errno = fault.error;
        return -1;
    }
    int fd = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (due && fault.error == -1)
        kill(getpid(), SIGTERM);
    return fd;
}

static mode_t mode_of(int flags, va_list arguments) {
    return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

#define OPEN_BODY(folder)                                                                          \
    va_list arguments;                                                                             \
    va_start(arguments, flags);                                                                    \
    mode_t mode = mode_of(flags, arguments);                                                       \
    va_end(arguments);                                                                             \
    return open_at(folder, path, flags, mode, CALLER)

int open(const char *path, int flags, ...) {
    OPEN_BODY(AT_FDCWD);
}

int open64(const char *path, int flags, ...) {
    OPEN_BODY(AT_FDCWD);
}

int openat(int folder, const char *path, int flags, ...) {
    OPEN_BODY(folder);
}

/* With FAULT_ERROR=0 half as much is read or written. */
static bool transfers(Kind kind, size_t *size, const void *caller) {
    bool due = is_due(kind, caller);
    if (due && fault.error == 0 && *size > 1)
        *size /= 2;
    if (due && fault.error > 0)
        errno = fault.error;
    if (due && fault.error == -1)
        kill(getpid(), SIGTERM);
    return !due || fault.error <= 0;
}

ssize_t read(int fd, void *out, size_t size) {
    return transfers(READ, &size, CALLER) ? syscall(SYS_read, fd, out, size) : -1;
}

ssize_t pread(int fd, void *out, size_t size, off_t at) {
    return transfers(READ, &size, CALLER) ? syscall(SYS_pread64, fd, out, size, at) : -1;
}

ssize_t pread64(int fd, void *out, size_t size, off64_t at) {
    return transfers(READ, &size, CALLER) ? syscall(SYS_pread64, fd, out, size, at) : -1;
}

ssize_t write(int fd, const void *bytes, size_t size) {
    return transfers(WRITE, &size, CALLER) ? syscall(SYS_write, fd, bytes, size) : -1;
}

int fsync(int fd) {
    return fails(SYNC, CALLER) ? -1 : (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to) {
    return fails(RENAME, CALLER) ? -1
                                 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* The descriptor is closed in any case, as Linux does it. */
int close(int fd) {
    bool failed = fails(CLOSE, CALLER);
    int code = errno, closed = (int)syscall(SYS_close, fd);
    if (failed)
        errno = code;
    return failed ? -1 : closed;
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t from) {
    if (fails(MAP, CALLER))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, from);
}

off_t lseek(int fd, off_t at, int from) {
    return fails(SEEK, CALLER) ? -1 : (off_t)syscall(SYS_lseek, fd, at, from);
}
