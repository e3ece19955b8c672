/* help.h: `--help` and `--version`, made from the tables of verbs and options. */
#ifndef HEADLIGHT_SHELL_HELP_H
#define HEADLIGHT_SHELL_HELP_H

#include "shell/cli.h"

/* Print how to call the verb; for the bare one, what verbs there are too. */
bool help_print(const Verb *verb, Err *err);
bool help_print_version(Err *err);

#endif
