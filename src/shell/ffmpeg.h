/* ffmpeg.h: the ffmpeg program as an encoder. Frames go to its standard input, the film into a
 * file. SIGPIPE must be ignored. */
#ifndef HEADLIGHT_SHELL_FFMPEG_H
#define HEADLIGHT_SHELL_FFMPEG_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/err.h"

typedef struct Ffmpeg {
    pid_t process; /* 0: not running */
    int input;     /* -1: closed */
    FILE *said;    /* its messages */
    FILE *about;   /* its second input: chapters, or NULL */
} Ffmpeg;

/* Start ffmpeg with these options for the film, ended by NULL; it overwrites the file at path.
 * about is metadata in ffmpeg's own format, or NULL. If ffmpeg is not installed, fail with err
 * naming formats that do not need it. */
bool ffmpeg_begin(Ffmpeg *ffmpeg, const char *const *options, const char *about, const char *path,
                  Err *err);

/* Write bytes of YUV4MPEG2. On failure err contains ffmpeg's message. */
bool ffmpeg_put(Ffmpeg *ffmpeg, const void *bytes, size_t size, Err *err);

/* Wait until the film is complete. */
bool ffmpeg_end(Ffmpeg *ffmpeg, Err *err);

/* Stop ffmpeg if it runs, and release everything. */
void ffmpeg_release(Ffmpeg *ffmpeg);

#endif
