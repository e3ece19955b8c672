/* record_out.h: writes a recording: one file, a file for each frame, or the ffmpeg program's file.
 * Every file is written under another name and then renamed. */
#ifndef HEADLIGHT_SHELL_RECORD_OUT_H
#define HEADLIGHT_SHELL_RECORD_OUT_H

#include "base/text_out.h"
#include "export/film_format.h"
#include "shell/output.h"
#include "shell/programs.h"

typedef struct RecordOut {
    const char *pattern;        /* pattern of the frames' names, or NULL */
    const char *const *encoder; /* ffmpeg's options, or NULL */
    FileOut file;
    Ffmpeg ffmpeg;
    TextOut chapters; /* owned by the caller: ffmpeg's metadata, or empty */
    uint64_t size;    /* bytes of the file so far */
} RecordOut;

/* Open the file that -o names. Set pattern or encoder first. */
bool record_out_begin(RecordOut *out, const Call *call, Err *err);

/* Return the interface for a format; it borrows out. */
FilmOut record_out_film(RecordOut *out);

/* Put the film in its place. */
bool record_out_commit(RecordOut *out, Err *err);

/* Discard files that are not committed. */
void record_out_release(RecordOut *out);

#endif
