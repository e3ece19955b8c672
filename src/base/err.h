/* err.h: how an expected failure is told.
 * A function that can fail returns bool and fills an Err; only shell/ prints it or exits.
 * A programmer's mistake is an assert instead, and stays in release builds. */
#ifndef HEADLIGHT_BASE_ERR_H
#define HEADLIGHT_BASE_ERR_H

#include <stdbool.h>

/* The kind chooses the exit status of a verb: 1 for failed, 2 for usage. */
typedef enum ErrKind {
    ERR_NONE,
    ERR_FAILED, /* it could not be done: file, memory, graphics */
    ERR_USAGE,  /* the call or a value in it is wrong */
} ErrKind;

/* what names the file, option or tensor; why says what is wrong, then the remedy.
 * Shown as one line, "what: why". Control characters in either are shown as '?'. */
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
 * Texts that do not fit are cut at a whole UTF-8 character and end in an ellipsis. */
bool err_fail(Err *err, const char *what, const char *why_format, ...) ERR_PRINTF;
bool err_usage(Err *err, const char *what, const char *why_format, ...) ERR_PRINTF;

#endif
