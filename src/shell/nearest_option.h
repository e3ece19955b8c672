/* nearest_option.h: finds the option that was probably meant by an unknown name. Pure. */
#ifndef HEADLIGHT_SHELL_NEAREST_OPTION_H
#define HEADLIGHT_SHELL_NEAREST_OPTION_H

#include "shell/cli.h"

/* Write the id of the verb's option that is closest to the word (base/nearest.h), or "". */
void nearest_option(char *out, size_t capacity, const Verb *verb, const char *word, size_t bytes);

#endif
