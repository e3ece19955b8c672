/* err.h: describes an expected failure. A function that can fail returns bool and fills an Err.
 * Only shell/ prints it or exits. A programmer's mistake is an assert, in release builds too. */
#ifndef HEADLIGHT_BASE_ERR_H
#define HEADLIGHT_BASE_ERR_H

#include <stdbool.h>
#include <stddef.h>

/* Exit status of a command: 1 for failed, 2 for usage. */
typedef enum ErrKind {
    ERR_NONE,
    ERR_FAILED, /* an operation failed, such as reading a file or allocating memory */
    ERR_USAGE,  /* the command line or a value in it is wrong */
} ErrKind;

/* Shown as one line, "what: why". what: the subject, such as a file, an option or a tensor; why:
 * the problem, then the remedy. Control characters and invalid UTF-8 are replaced by '?'. */
typedef struct Err {
    ErrKind kind;
    char what[160];
    char why[400];
} Err;

#if defined(__GNUC__)
#define ERR_PRINTF __attribute__((format(printf, 4, 5)))
#else
#define ERR_PRINTF
#endif

/* Fill err and return false or NULL, for `return err_fail(err, ...)`. A text that is too long is
 * cut at a whole character and gets an ellipsis. Macros, so that compilers and analysers see that
 * the value is false. */
#define err_fail(...)  (err_set(ERR_FAILED, __VA_ARGS__), err_false())
#define err_usage(...) (err_set(ERR_USAGE, __VA_ARGS__), err_false())
#define err_null(...)  (err_set(ERR_FAILED, __VA_ARGS__), NULL)
void err_set(ErrKind kind, Err *err, const char *what, const char *why_format, ...) ERR_PRINTF;
static inline bool err_false(void) {
    return false;
}

#endif
