/* help.h: prints `--help` and `--version`, from the tables of verbs and options. */
#ifndef HEADLIGHT_SHELL_HELP_H
#define HEADLIGHT_SHELL_HELP_H

#include "shell/cli.h"

/* Print how to call the verb; for the bare one, also the list of verbs. */
bool help_print(const Verb *verb, Err *err);
bool help_print_version(Err *err);

#endif
