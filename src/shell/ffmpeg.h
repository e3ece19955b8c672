/* ffmpeg.h: the ffmpeg program as an encoder: frames go into its standard input, the film into a
 * file. SIGPIPE must be ignored. */
#ifndef HEADLIGHT_SHELL_FFMPEG_H
#define HEADLIGHT_SHELL_FFMPEG_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/err.h"

typedef struct Ffmpeg {
    pid_t process; /* 0: none */
    int input;     /* -1: closed */
    FILE *said;    /* its messages */
    FILE *about;   /* its second input: chapters, or NULL */
} Ffmpeg;

/* Start ffmpeg with these options for the film, ended by NULL, writing over the file at path; about
 * is metadata in ffmpeg's own format, or NULL. Fails if ffmpeg is not installed: err then names
 * what needs none. */
bool ffmpeg_begin(Ffmpeg *ffmpeg, const char *const *options, const char *about, const char *path,
                  Err *err);

/* Hand on bytes of YUV4MPEG2. On failure err says what ffmpeg said. */
bool ffmpeg_put(Ffmpeg *ffmpeg, const void *bytes, size_t size, Err *err);

/* Wait until the film is whole. */
bool ffmpeg_end(Ffmpeg *ffmpeg, Err *err);

/* Stop it if it runs, and release everything. */
void ffmpeg_release(Ffmpeg *ffmpeg);

#endif
