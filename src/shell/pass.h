/* pass.h: one whole pass for a verb: what the session uses is loaded, the session is computed, and
 * what the window would repair or cut short is an error. */
#ifndef HEADLIGHT_SHELL_PASS_H
#define HEADLIGHT_SHELL_PASS_H

#include "shell/assets.h"

typedef struct Pass {
    Assets assets;
    Results run;
} Pass;

/* Compute the session, which must outlive pass. Fails for a text without tokens or with more than
 * TOKENS_MAX, for a file that is wanted and missing, and for want of memory; then there is
 * nothing to end. */
bool pass_begin(Pass *pass, const Session *session, Err *err);
void pass_end(Pass *pass);

/* Check that pass_begin would succeed. The window shows what it can of a text that is too long or
 * has no token; a verb does not. */
bool pass_check(const Session *session, Err *err);

#endif
