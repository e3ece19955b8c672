/* programs.h: other programs that Headlight starts: ffmpeg as an encoder, and a program that puts a
 * picture on the clipboard. SIGPIPE must be ignored. */
#ifndef HEADLIGHT_SHELL_PROGRAMS_H
#define HEADLIGHT_SHELL_PROGRAMS_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "io/file.h"

/* The encoder. It reads frames from its standard input and writes the film to a file. */
typedef struct Ffmpeg {
    pid_t process;       /* 0: not running */
    const FileOut *film; /* borrowed */
    int input;           /* -1: closed */
    FILE *said;          /* ffmpeg's messages */
    FILE *about;         /* ffmpeg's second input: chapters, or NULL */
} Ffmpeg;

/* Start ffmpeg with these options for the film, ended by NULL. It writes the temporary file
 * of film, whose name is in every error. about is metadata in ffmpeg's own format, or NULL. If
 * ffmpeg is not installed, fail; err names formats that do not need it. */
bool ffmpeg_begin(Ffmpeg *ffmpeg, const char *const *options, const char *about,
                  const FileOut *film, Err *err);

/* Write bytes of YUV4MPEG2. On failure err contains ffmpeg's message. */
bool ffmpeg_put(Ffmpeg *ffmpeg, const void *bytes, size_t size, Err *err);

bool ffmpeg_end(Ffmpeg *ffmpeg, Err *err);

void ffmpeg_release(Ffmpeg *ffmpeg);

/* Put a PNG on the system's clipboard with wl-copy (Wayland) or xclip, because SDL 2 cannot. These
 * programs keep the picture after Headlight ends. If the one that is needed is not installed, fail;
 * err says what to do instead. */
bool clip_picture(const void *png, size_t size, Err *err);

#endif
