/* print.h: prints a verb's output. It is collected in memory and written at once at the end, so
 * that a verb that fails prints nothing. A closed or full standard output is an error. */
#ifndef HEADLIGHT_SHELL_PRINT_H
#define HEADLIGHT_SHELL_PRINT_H

#include "base/text_out.h"
#include "io/file.h"

/* Write text to standard output and release it. Fails if memory for text ran out. */
bool print_text(TextOut *text, Err *err);

/* Append text to out and release it. After a failure out is discarded. */
bool print_append(FileOut *out, TextOut *text, Err *err);

#endif
