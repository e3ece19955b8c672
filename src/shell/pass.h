/* pass.h: one whole pass for a verb: the word vectors are loaded, the session is computed, and
 * what the window would repair or cut short is an error. */
#ifndef HEADLIGHT_SHELL_PASS_H
#define HEADLIGHT_SHELL_PASS_H

#include "io/words_file.h"
#include "session/run.h"

typedef struct Pass {
    WordsFile words;
    Run run;
} Pass;

/* Compute the session, which must outlive pass. Fails for a text without tokens or with more than
 * TOKENS_MAX, for word vectors that are wanted and missing, and for want of memory; then there is
 * nothing to end. */
bool pass_begin(Pass *pass, const Session *session, Err *err);
void pass_end(Pass *pass);

/* Whether the text has 1 to TOKENS_MAX tokens; err names the option. */
bool pass_check_text(const Session *session, Err *err);

#endif
