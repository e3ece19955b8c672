#include "shell/programs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shell/output.h"

#define OPTIONS_MAX 40
#define SAID_BYTES  300
#define ROOM_BYTES  65536 /* bytes for which the disk must have room after a film */
#define ABOUT_FD    3     /* file descriptor of ffmpeg's second input; its digit is also in ABOUT */

extern char **environ;

static const char *const INPUT[] = {"ffmpeg", "-v", "error", "-f", "yuv4mpegpipe", "-i", "-"};
static const char *const ABOUT[] = {"-f", "ffmetadata", "-i", "/dev/fd/3", "-map_metadata", "1"};
static const char *const COLOURS[] = {"-color_range", "tv",         "-color_primaries",
                                      "bt709",        "-color_trc", "bt709",
                                      "-colorspace",  "bt709",      "-y"};

static int append(const char **words, int count, const char *const *more, size_t more_count) {
    for (size_t i = 0; i < more_count && count < OPTIONS_MAX; i++)
        words[count++] = more[i];
    return count;
}

#define APPEND(words, count, more) append(words, count, more, sizeof(more) / sizeof *(more))

/* Start a program. Its standard input is a pipe from *input. Its standard error is the file `said`,
 * and its descriptor ABOUT_FD is the file `about`; both may be NULL. It gets no other file of
 * Headlight. Return 0 or the error number. */
static int start(pid_t *process, int *input, const char *const *words, FILE *said, FILE *about) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t pipes;
    int ends[2];
    *process = 0;
    *input = -1;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    if (pipe(ends) != 0)
        return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    int code = posix_spawn_file_actions_init(&actions);
    if (code == 0 && (code = posix_spawnattr_init(&attributes)) == 0) {
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        if (said != NULL)
            posix_spawn_file_actions_adddup2(&actions, fileno(said), STDERR_FILENO);
        else
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        if (about != NULL)
            posix_spawn_file_actions_adddup2(&actions, fileno(about), ABOUT_FD);
        posix_spawnattr_setsigdefault(&attributes, &pipes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        code = posix_spawnp(process, words[0], &actions, &attributes,
                            (char *const *)(uintptr_t)words, environ);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[0]);
    if (code != 0)
        close(ends[1]);
    *process = code == 0 ? *process : 0;
    *input = code == 0 ? ends[1] : -1;
    return code;
}

static bool put_all(int input, const void *bytes, size_t size) {
    const char *from = bytes;
    while (size > 0) {
        ssize_t wrote = write(input, from, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        from += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

static bool succeeds(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool refuse(const char *name, int code, Err *err) {
    if (code == ENOENT)
        return err_fail(err, name,
                        "needs ffmpeg, which is not installed; install it, or record to a .gif, "
                        ".apng, .y4m or frames/%%05d.png, which need no other program");
    return err_fail(err, name,
                    "ffmpeg: %s; record to a .gif, .apng, .y4m or frames/%%05d.png instead",
                    strerror(code));
}

/* Write the text to a new file without a name, to be read from its beginning. */
static FILE *keep(const char *text) {
    FILE *file = tmpfile();
    if (file != NULL &&
        (fputs(text, file) == EOF || fflush(file) != 0 || fseek(file, 0, SEEK_SET) != 0)) {
        fclose(file);
        return NULL;
    }
    return file;
}

bool ffmpeg_begin(Ffmpeg *ffmpeg, const char *const *options, const char *about,
                  const FileOut *film, Err *err) {
    const char *words[OPTIONS_MAX + 2];
    char file[4200];
    int count = APPEND(words, 0, INPUT);
    if (about != NULL)
        count = APPEND(words, count, ABOUT);
    snprintf(file, sizeof file, "file:%s", film->temporary);
    while (*options != NULL)
        count = append(words, count, options++, 1);
    count = APPEND(words, count, COLOURS);
    words[count++] = file;
    words[count] = NULL;
    *ffmpeg = (Ffmpeg){
        .input = -1, .film = film, .said = tmpfile(), .about = about != NULL ? keep(about) : NULL};
    if (ffmpeg->said == NULL || (about != NULL && ffmpeg->about == NULL))
        return refuse(film->name, errno, err);
    fcntl(fileno(ffmpeg->said), F_SETFD, FD_CLOEXEC);
    if (ffmpeg->about != NULL)
        fcntl(fileno(ffmpeg->about), F_SETFD, FD_CLOEXEC);
    output_hold(true); /* signals wait until they can end the new process */
    int code = start(&ffmpeg->process, &ffmpeg->input, words, ffmpeg->said, ffmpeg->about);
    output_set_writer(ffmpeg->process);
    output_hold(false);
    return code == 0 || refuse(film->name, code, err);
}

static bool fail_said(Ffmpeg *ffmpeg, Err *err) {
    char said[SAID_BYTES], last[SAID_BYTES] = "it stopped early; is the disk full?";
    rewind(ffmpeg->said);
    while (fgets(said, sizeof said, ffmpeg->said) != NULL) {
        said[strcspn(said, "\n")] = '\0';
        if (said[0] != '\0')
            memcpy(last, said, sizeof last);
    }
    return err_fail(err, ffmpeg->film->name, "ffmpeg: %s", last);
}

bool ffmpeg_put(Ffmpeg *ffmpeg, const void *bytes, size_t size, Err *err) {
    return put_all(ffmpeg->input, bytes, size) ||
           (ffmpeg_end(ffmpeg, err) && fail_said(ffmpeg, err));
}

/* True if the film can still grow. ffmpeg 5.1 reports success although the disk became full while
 * it wrote the end of a film. */
static bool has_room(const char *path) {
    static const char more[ROOM_BYTES];
    struct stat before;
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    bool has = file >= 0 && fstat(file, &before) == 0 && put_all(file, more, sizeof more);
    has = file >= 0 && ftruncate(file, before.st_size) == 0 && has;
    if (file >= 0)
        close(file);
    return has;
}

bool ffmpeg_end(Ffmpeg *ffmpeg, Err *err) {
    if (ffmpeg->input >= 0)
        close(ffmpeg->input);
    ffmpeg->input = -1;
    /* Keep the process number until the second wait, so that a signal never ends another
     * process. */
    siginfo_t info;
    while (waitid(P_PID, (id_t)ffmpeg->process, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    output_set_writer(0);
    bool done = succeeds(ffmpeg->process);
    ffmpeg->process = 0;
    if (done && !has_room(ffmpeg->film->temporary))
        return err_fail(err, ffmpeg->film->name,
                        "ffmpeg filled the disk, or reached the largest file size allowed");
    return done || fail_said(ffmpeg, err);
}

void ffmpeg_release(Ffmpeg *ffmpeg) {
    Err unheard;
    if (ffmpeg->process > 0) {
        kill(ffmpeg->process, SIGKILL);
        ffmpeg_end(ffmpeg, &unheard);
    }
    if (ffmpeg->input >= 0)
        close(ffmpeg->input);
    if (ffmpeg->said != NULL)
        fclose(ffmpeg->said);
    if (ffmpeg->about != NULL)
        fclose(ffmpeg->about);
    *ffmpeg = (Ffmpeg){.input = -1};
}

bool clip_picture(const void *png, size_t size, Err *err) {
    static const char *const x11[] = {"xclip", "-selection", "clipboard", "-t", "image/png", NULL};
    static const char *const wayland[] = {"wl-copy", "--type", "image/png", NULL};
    const char *display = getenv("WAYLAND_DISPLAY");
    const char *const *words = display != NULL && display[0] != '\0' ? wayland : x11;
    pid_t process;
    int input;
    if (start(&process, &input, words, NULL, NULL) != 0)
        return err_fail(err, words[0],
                        "is not installed; install it to copy pictures, or save the picture");
    bool wrote = put_all(input, png, size);
    close(input);
    return (succeeds(process) && wrote) ||
           err_fail(err, words[0], "did not accept the picture; save it instead");
}
