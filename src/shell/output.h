/* output.h: where a verb writes and in which format, from -o and --format. */
#ifndef HEADLIGHT_SHELL_OUTPUT_H
#define HEADLIGHT_SHELL_OUTPUT_H

#include "io/file.h"
#include "shell/cli.h"

/* The first members of a row of a verb's table of formats. */
typedef struct OutputFormat {
    Entry entry;      /* the id is the ending of file names, too */
    bool to_terminal; /* may go to standard output */
} OutputFormat;

/* The row that the call means: --format's, or else the one that the file's ending names. */
bool output_format(int *row, const Registry *formats, const Call *call, Err *err);

/* False if an allocation failed since the program started: the result may lack something. */
bool output_check_memory(Err *err);

/* Open what -o names, - being standard output. From then on SIGINT, SIGTERM and SIGHUP leave no
 * part of the file behind: they end the program at once, with a line that says so. */
bool output_begin(FileOut *out, const Call *call, Err *err);

/* Put the file in its place. From then on the signals wait for the end of the program. */
bool output_commit(FileOut *out, Err *err);

/* Report a library that crashes for want of memory, as fontconfig does, and leave no part of the
 * file behind. */
void output_take_crashes(void);

/* While heeded is true, the work polls output_stopped, and only a second signal ends the program.
 */
void output_heed(bool heeds);
bool output_stopped(void);

#endif
