/* progress.h: a sign of life on a terminal's standard error while a verb takes longer than a
 * second. The first thread calls. */
#ifndef HEADLIGHT_SHELL_PROGRESS_H
#define HEADLIGHT_SHELL_PROGRESS_H

/* From a second after now on, say each second how long the verb of this name has taken. name must
 * last until progress_end. Does nothing if standard error is no terminal. */
void progress_begin(const char *name);

/* Stop, and clear the line. May be called again, or without progress_begin. */
void progress_end(void);

#endif
