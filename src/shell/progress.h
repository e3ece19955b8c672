/* progress.h: shows on a terminal's standard error that a verb is still working, if it takes longer
 * than a second. Only for the first thread. */
#ifndef HEADLIGHT_SHELL_PROGRESS_H
#define HEADLIGHT_SHELL_PROGRESS_H

/* After a second, print every second how long the verb has taken. name must last until
 * progress_end. Does nothing if standard error is no terminal. */
void progress_begin(const char *name);

/* Stop, and clear the line. May be called more than once, or without progress_begin. */
void progress_end(void);

#endif
