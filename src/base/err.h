/* err.h: the description of an expected failure.
 * A function that can fail returns bool and fills an Err. Only shell/ prints it or exits.
 * A programmer's mistake is an assert, in release builds too. */
#ifndef HEADLIGHT_BASE_ERR_H
#define HEADLIGHT_BASE_ERR_H

#include <stdbool.h>

/* Chooses the exit status of a command: 1 for failed, 2 for usage. */
typedef enum ErrKind {
    ERR_NONE,
    ERR_FAILED, /* a file, memory or graphics operation failed */
    ERR_USAGE,  /* the command line or a value in it is wrong */
} ErrKind;

/* what: the name of the file, option or tensor. why: the problem, then the remedy.
 * Shown as one line, "what: why". Control characters and bytes that are no UTF-8 are replaced by
 * '?'. */
typedef struct Err {
    ErrKind kind;
    char what[160];
    char why[400];
} Err;

#if defined(__GNUC__)
#define ERR_PRINTF __attribute__((format(printf, 3, 4)))
#else
#define ERR_PRINTF
#endif

/* Fill err and return false, so that a caller can write `return err_fail(err, ...)`.
 * A text that is too long is cut at a whole UTF-8 character and ends with an ellipsis. */
bool err_fail(Err *err, const char *what, const char *why_format, ...) ERR_PRINTF;
bool err_usage(Err *err, const char *what, const char *why_format, ...) ERR_PRINTF;

#endif
