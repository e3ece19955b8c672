/* complete.h: prints what can follow on a command line, for shell completion. */
#ifndef HEADLIGHT_SHELL_COMPLETE_H
#define HEADLIGHT_SHELL_COMPLETE_H

#include "shell/cli.h"

/* Print the candidates for the last of the words, one per line: the candidate, a tab, its help.
 * words are those after the program's name; the last may be empty. Prints nothing if a file or a
 * number is expected. */
bool complete_print(int count, char *const *words, Err *err);

#endif
