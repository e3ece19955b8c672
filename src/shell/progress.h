/* progress.h: shows on a terminal's standard error that a verb is still working. Only for the first
 * thread. Does nothing if standard error is no terminal. */
#ifndef HEADLIGHT_SHELL_PROGRESS_H
#define HEADLIGHT_SHELL_PROGRESS_H

/* After a second, print every second how long the verb has taken. name must last until
 * progress_end. */
void progress_begin(const char *name);

/* Print how far the verb is, if it has worked for a while, in place of the seconds. */
void progress_say(const char *words);

/* Stop, and clear the line. May be called more than once, or without progress_begin. */
void progress_end(void);

#endif
