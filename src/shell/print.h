/* print.h: what a verb prints. It is gathered in memory and written in one go at the end, so that
 * a verb that fails has printed nothing, and a closed or full standard output is an error. */
#ifndef HEADLIGHT_SHELL_PRINT_H
#define HEADLIGHT_SHELL_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "io/file.h"

/* Between print_begin and print_end, write to `to`. */
typedef struct Print {
    FILE *to;
    char *bytes;
    size_t size;
} Print;

bool print_begin(Print *print, Err *err);

/* Write all to standard output, or append it to out, and release. A failure to gather it in memory,
 * which `whole` may tell of too, writes nothing and gives out up. */
bool print_end(Print *print, Err *err);
bool print_end_to(Print *print, FileOut *out, bool whole, Err *err);

/* Release without printing. */
void print_discard(Print *print);

#endif
