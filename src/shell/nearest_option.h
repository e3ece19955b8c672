/* nearest_option.h: which option was probably meant by an unknown name. Pure. */
#ifndef HEADLIGHT_SHELL_NEAREST_OPTION_H
#define HEADLIGHT_SHELL_NEAREST_OPTION_H

#include "shell/cli.h"

/* The id of the verb's option that is nearest to the word (base/nearest.h), or "". */
void nearest_option(char *out, size_t capacity, const Verb *verb, const char *word, size_t bytes);

#endif
