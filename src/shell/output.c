#include "shell/output.h"

#include <SDL.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "base/util.h"
#include "gfx/fonts.h"

#define PATIENCE_MS 300 /* ms of work before progress is shown */

static bool is_stdout(const Call *call) {
    return strcmp(call->output, "-") == 0;
}

static const char *ending(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *point = strrchr(slash != NULL ? slash : path, '.');
    return point != NULL ? point + 1 : "";
}

static int find_format(const Registry *formats, const char *id) {
    for (int i = 0; i < formats->count; i++)
        if (strcasecmp(registry_entry(formats, i)->id, id) == 0)
            return i;
    return -1;
}

static bool unknown_format(const Registry *formats, const Call *call, Err *err) {
    char ids[120];
    registry_ids(formats, ids, sizeof ids);
    const char *what = call->format != NULL ? PRINT("--format %.120s", call->format)
                                            : PRINT("-o %.140s", call->output);
    if (call->format == NULL && ending(call->output)[0] == '\0')
        return err_usage(err, what, "the name does not end in a known format; there are: %s", ids);
    return err_usage(err, what, "headlight %s has no such format; there are: %s",
                     call->verb->entry.id, ids);
}

bool output_format(int *row, const Registry *formats, const Call *call, Err *err) {
    if (is_stdout(call) && call->format == NULL) {
        char ids[120];
        registry_ids(formats, ids, sizeof ids);
        return err_usage(err, "-o -", "needs --format, too; choose one of: %s", ids);
    }
    const char *id = call->format != NULL ? call->format : ending(call->output);
    *row = find_format(formats, id);
    if (*row < 0)
        return unknown_format(formats, call, err);
    const OutputFormat *format = (const OutputFormat *)(const void *)registry_entry(formats, *row);
    if (is_stdout(call) && !format->to_terminal)
        return err_usage(err, "-o -", "%s cannot go to standard output; name a file",
                         format->entry.id);
    return true;
}

static SDL_Thread *thread;
static SDL_sem *ended;
static Uint32 begun_ms;
static bool has_line;

static int tell(void *name) {
    int seconds = 0;
    while (SDL_SemWaitTimeout(ended, 1000) == SDL_MUTEX_TIMEDOUT) {
        fprintf(stderr, "\r%s: %d s\033[K", (const char *)name, ++seconds);
        fflush(stderr);
        has_line = true;
    }
    return 0;
}

void progress_begin(const char *name) {
    begun_ms = SDL_GetTicks();
    if (isatty(STDERR_FILENO) == 1)
        ended = SDL_CreateSemaphore(0);
    if (ended != NULL)
        thread = SDL_CreateThread(tell, "headlight progress", (void *)(uintptr_t)name);
}

static void stop_thread(void) {
    if (thread != NULL) {
        SDL_SemPost(ended);
        SDL_WaitThread(thread, NULL);
    }
    if (ended != NULL)
        SDL_DestroySemaphore(ended);
    thread = NULL;
    ended = NULL;
}

void progress_say(const char *words) {
    stop_thread();
    if (isatty(STDERR_FILENO) != 1 || SDL_GetTicks() - begun_ms < PATIENCE_MS)
        return;
    fprintf(stderr, "\r%s\033[K", words);
    has_line = true;
}

void progress_end(void) {
    stop_thread();
    if (has_line)
        fputs("\r\033[K", stderr);
    has_line = false;
}

/* Data for signal handlers. temporary, added: the incomplete files to remove. stopped: the message
 * to print. is_polled: true if the work polls output_stopped. is_held: true if signals must wait;
 * waits: true if one waits. writer: the process that writes the file; 0: this one. */
#define FILES_MAX 2 /* limit of files open at the same time */
static char temporary[FILES_MAX][FILE_PATH_BYTES], stopped[FILE_PATH_BYTES + 64];
static int file_count;
static FileSet added;
static volatile sig_atomic_t is_polled, asked_to_stop, is_held, waits, writer;

/* A copy of standard error, because standard error is silenced while fontconfig would print
 * messages. */
static int reports = STDERR_FILENO;

#define CRASH_STACK (1 << 16) /* bytes of the stack on which a crash is handled */

/* All signals stop the work, except these: they do not end a program, report its own mistake, or
 * cannot be handled. */
static const int NOT_STOPPING[] = {SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU,
                                   SIGURG,  SIGKILL, SIGABRT, SIGBUS,  SIGFPE,  SIGILL,
#ifdef SIGINFO
                                   SIGINFO,
#endif
                                   SIGSEGV, SIGSYS,  SIGTRAP, SIGWINCH};

/* Remove incomplete files and end the program. First end the process that writes the file, because
 * it could create a removed file again. Call only functions that a signal handler may call. */
static void fail(const char *why) {
    if (writer > 0 && kill(writer, SIGKILL) == 0)
        while (waitpid(writer, NULL, 0) < 0 && errno == EINTR)
            ;
    for (int i = 0; i < file_count; i++)
        if (temporary[i][0] != '\0')
            unlink(temporary[i]);
    file_set_remove(&added);
    ssize_t wrote = write(reports, why, strlen(why));
    (void)wrote; /* ignore this: there is no other way to report a failure */
    _exit(1);
}

static void stop(int signal_number) {
    (void)signal_number;
    if (is_held) {
        waits = 1;
        return;
    }
    if (is_polled && !asked_to_stop) {
        asked_to_stop = 1;
        return;
    }
    fail(stopped);
}

static struct sigaction before_crash, before_abort;

/* Handle a crash. If memory did not run out and fontconfig was not at work, restore the earlier
 * handler, so that the crash ends the program as usual. */
static void crash(int signal_number) {
    if (errno == ENOMEM || fonts_is_in_fontconfig())
        fail("headlight: memory: too little for a library; close other programs\n");
    sigaction(signal_number, signal_number == SIGSEGV ? &before_crash : &before_abort, NULL);
}

void output_take_crashes(void) {
    /* Use another stack, because the usual one may be full: SDL 2.26 calls itself for ever if it
     * cannot allocate its error message. */
    static char room[CRASH_STACK];
    sigaltstack(&(stack_t){.ss_sp = room, .ss_size = sizeof room}, NULL);
    struct sigaction ours = {.sa_handler = crash, .sa_flags = SA_ONSTACK};
    int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    reports = kept >= 0 ? kept : STDERR_FILENO;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGSEGV, &ours, &before_crash);
    sigaction(SIGABRT, &ours, &before_abort);
}

static bool may_stop(int signal_number) {
    for (size_t i = 0; i < ARRAY_COUNT(NOT_STOPPING); i++)
        if (NOT_STOPPING[i] == signal_number)
            return false;
    return true;
}

/* Leave alone signals that are ignored, as under nohup, or that a library handles. Blocking a
 * signal would not help, because any thread may receive it. */
void output_take_signals(const char *name) {
    struct sigaction before, ours = {.sa_handler = stop, .sa_flags = SA_RESTART};
    snprintf(stopped, sizeof stopped, "headlight: %s: stopped before all of it was written\n",
             name);
    sigemptyset(&ours.sa_mask);
    for (int i = 1; i < NSIG; i++)
        if (may_stop(i) && sigaction(i, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(i, &ours, NULL);
}

void output_hold(bool held) {
    is_held = held;
    if (!held && waits)
        stop(0);
}

void output_set_writer(pid_t process) {
    writer = process;
}

/* Fail if any allocation has failed since the program started, because the result may be
 * incomplete. */
static bool check_memory(Err *err) {
    return !heap_was_short() ||
           err_fail(err, "memory", "too little for all of the result; close other programs");
}

/* True if the file is first written under another name. Only then are signals held: opening a pipe
 * waits for its reader, and a held signal could not end that wait. */
static bool makes_part(const char *path) {
    struct stat info;
    return stat(path, &info) != 0 || S_ISREG(info.st_mode);
}

bool output_begin(FileOut *out, const Call *call, Err *err) {
    if (!check_memory(err))
        return false;
    is_held = !is_stdout(call) && makes_part(call->output);
    output_take_signals(is_stdout(call) ? "standard output" : call->output);
    if (is_stdout(call)) {
        progress_end();
        file_begin_stdout(out);
    } else if (!file_begin(out, call->output, err))
        return false;
    assert(file_count < FILES_MAX);
    snprintf(temporary[file_count++], FILE_PATH_BYTES, "%s", out->in_place ? "" : out->temporary);
    output_hold(false);
    return true;
}

bool print_append(FileOut *out, TextOut *text, Err *err) {
    bool wrote = !text->failed && check_memory(err);
    progress_end(); /* end the progress line, which must not mix with the result */
    if (wrote) {
        wrote = file_append(out, text->at, text->used, err);
    } else {
        file_abandon(out);
        err_fail(err, "memory", "too little to print the result; close other programs");
    }
    text_out_release(text);
    return wrote;
}

bool print_text(TextOut *text, Err *err) {
    FileOut out;
    file_begin_stdout(&out);
    return print_append(&out, text, err) && file_commit(&out, err);
}

bool output_commit(FileOut *out, Err *err) {
    is_held = 1;
    if (check_memory(err))
        return file_commit(out, err);
    file_abandon(out);
    return false;
}

bool output_add(const char *path, const void *bytes, size_t size, Err *err) {
    output_hold(true);
    bool wrote = check_memory(err) && file_set_add(&added, path, bytes, size, err);
    output_hold(false);
    return wrote;
}

bool output_commit_added(Err *err) {
    is_held = 1;
    return check_memory(err) && file_set_commit(&added, err);
}

void output_abandon_added(void) {
    is_held = 1;
    file_set_remove(&added);
    text_out_release(&added.names);
}

void output_poll(bool polls) {
    is_polled = polls;
}

bool output_stopped(void) {
    return asked_to_stop != 0;
}
