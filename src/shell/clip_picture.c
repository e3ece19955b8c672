#include "shell/clip_picture.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *const WAYLAND[] = {"wl-copy", "--type", "image/png", NULL};
static const char *const X11[] = {"xclip", "-selection", "clipboard", "-t", "image/png", NULL};

static bool write_all(int to, const unsigned char *bytes, size_t size) {
    while (size > 0) {
        ssize_t wrote = write(to, bytes, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        bytes += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

/* Start the program with *input as its standard input. It keeps the clipboard after we end. */
static bool start(pid_t *process, int *input, const char *const *words) {
    posix_spawn_file_actions_t actions;
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    int code = posix_spawn_file_actions_init(&actions);
    if (code == 0) {
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        code = posix_spawnp(process, words[0], &actions, NULL, (char *const *)(uintptr_t)words,
                            environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[0]);
    *input = ends[1];
    if (code != 0)
        close(ends[1]);
    return code == 0;
}

bool clip_picture(const void *png, size_t size, Err *err) {
    const char *wayland = getenv("WAYLAND_DISPLAY");
    const char *const *words = wayland != NULL && wayland[0] != '\0' ? WAYLAND : X11;
    pid_t process;
    int input, status;
    if (!start(&process, &input, words))
        return err_fail(err, words[0],
                        "is not installed; install it to copy pictures, or save the picture");
    bool wrote = write_all(input, png, size);
    close(input);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        ;
    return (wrote && WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           err_fail(err, words[0], "did not take the picture; save it instead");
}
