/* plain_similarity.h: the special case W_Q = W_K = W_V = I, where Q = K = V = X and attention is
 * plain likeness of word vectors; and the way back. */
#ifndef HEADLIGHT_RESULTS_PLAIN_SIMILARITY_H
#define HEADLIGHT_RESULTS_PLAIN_SIMILARITY_H

#include "document/session.h"

#define PLAIN_TEXT "king queen dog" /* two that are alike, and one that is not */

/* Whether the session is that case: one head as wide as the model, the three matrices the identity,
 * no biases and no positions. */
bool plain_is(const Session *session);

/* As changes of a session for edit_push_change. The first makes it that case, of PLAIN_TEXT
 * unless its text has those words among others; the second puts kept, if there is one, in its
 * place, else drawn weights. On failure the session is to be given up. */
bool plain_enter(Session *session, const Session *kept, Err *err);
bool plain_leave(Session *session, const Session *kept, Err *err);

#endif
