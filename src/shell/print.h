/* print.h: what a verb prints. It is gathered in memory and written in one go at the end, so that
 * a verb that fails has printed nothing, and a closed or full standard output is an error. */
#ifndef HEADLIGHT_SHELL_PRINT_H
#define HEADLIGHT_SHELL_PRINT_H

#include "base/text_out.h"
#include "io/file.h"

/* Write text to standard output, and release it. Fails if text has failed. */
bool print_text(TextOut *text, Err *err);

/* Append text to out, and release it. After a failure out has been given up. */
bool print_append(FileOut *out, TextOut *text, Err *err);

#endif
