/* output.h: where and in which format a verb writes, from -o and --format. */
#ifndef HEADLIGHT_SHELL_OUTPUT_H
#define HEADLIGHT_SHELL_OUTPUT_H

#include <sys/types.h>

#include "io/file.h"
#include "shell/cli.h"

/* A format: the first member of every row in a verb's table of formats. */
typedef struct OutputFormat {
    Entry entry;      /* id is also the suffix of the file's name */
    bool to_terminal; /* true if it may be written to standard output */
} OutputFormat;

/* Find the format of the output: the one that --format names, otherwise that of the file's
 * suffix. */
bool output_format(int *row, const Registry *formats, const Call *call, Err *err);

/* Open the file named by -o; - is standard output. From then on, signals that would end the program
 * remove the incomplete file first and print a message. */
bool output_begin(FileOut *out, const Call *call, Err *err);

/* Like output_begin: from now on a signal that would end the program first removes incomplete
 * files. For code that opens its files itself. name is the file's name in the message. */
void output_take_signals(const char *name);

/* Write a verb's text to standard output and release it. The text is collected in memory first, so
 * that a verb that fails prints nothing. Fails if memory for the text ran out. */
bool print_text(TextOut *text, Err *err);

/* Append text to out and release text. After a failure out is discarded. */
bool print_append(FileOut *out, TextOut *text, Err *err);

/* While held is true, signals wait; they take effect when it becomes false. */
void output_hold(bool held);

/* Set the process that writes the file, 0 for none. On a signal the program first kills that
 * process, then removes the file. */
void output_set_writer(pid_t process);

/* Move the file to its final place. From then on signals wait until the program ends. */
bool output_commit(FileOut *out, Err *err);

/* Write several files that replace their older versions together or not at all. output_add writes
 * one of them under a temporary name. output_commit_added then renames all of them, as
 * output_commit does. output_abandon_added removes them; after a commit it does nothing. Call
 * output_take_signals first. */
bool output_add(const char *path, const void *bytes, size_t size, Err *err);
bool output_commit_added(Err *err);
void output_abandon_added(void);

/* If a library such as fontconfig crashes because memory ran out, report that and leave no
 * incomplete file behind. */
void output_take_crashes(void);

/* After output_poll(true), the first signal that would end the program only makes output_stopped
 * return true, so the caller must poll it; the second signal ends the program. output_poll(false)
 * withdraws this. */
void output_poll(bool polls);
bool output_stopped(void);

/* If standard error is a terminal, print every second how long the verb has taken. name must last
 * until progress_end. Only for the main thread, like the functions below. */
void progress_begin(const char *name);

/* Print these words about the verb's progress instead of the elapsed seconds. Does nothing in the
 * first 0.3 s. */
void progress_say(const char *words);

void progress_end(void);

#endif
