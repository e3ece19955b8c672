/* progress.h: shows on standard error that a verb is still working, if standard error is a
 * terminal. Only for the main thread. */
#ifndef HEADLIGHT_SHELL_PROGRESS_H
#define HEADLIGHT_SHELL_PROGRESS_H

/* After a second, print every second how long the verb has taken. name must last until
 * progress_end. */
void progress_begin(const char *name);

/* If the verb has worked for a while, print these words about its progress in place of the elapsed
 * seconds that progress_begin prints. */
void progress_say(const char *words);

/* Stop and clear the line. May be called more than once, or without progress_begin. */
void progress_end(void);

#endif
