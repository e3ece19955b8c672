/* pass.h: a complete pass for a verb: loads the data that the session uses and computes the
 * Results. Texts that the window would repair or shorten are errors here. */
#ifndef HEADLIGHT_SHELL_PASS_H
#define HEADLIGHT_SHELL_PASS_H

#include "shell/assets.h"

typedef struct Pass {
    Assets assets;
    Results run;
} Pass;

/* Compute the Results of a session, which must outlive pass. Fails for a text without tokens or
 * with more than TOKENS_MAX, for a pin outside the text, for numbers set by hand that the layer
 * lacks, for a missing file, and if memory runs out. After a failure, pass_end is not needed. */
bool pass_begin(Pass *pass, const Session *session, Err *err);
void pass_end(Pass *pass);

/* Fail if pass_begin would fail. */
bool pass_check(const Session *session, Err *err);

#endif
