/* plain_similarity.h: the special case W_Q = W_K = W_V = I, where Q = K = V = X and attention is
 * plain similarity of word vectors; and how to leave it. */
#ifndef HEADLIGHT_RESULTS_PLAIN_SIMILARITY_H
#define HEADLIGHT_RESULTS_PLAIN_SIMILARITY_H

#include "document/session.h"

#define PLAIN_TEXT "king queen dog" /* two similar words, and one that is not similar to them */

/* True if the session is the special case: one head as wide as the model, the three matrices the
 * identity, no biases and no positions. */
bool plain_is(const Session *session);

/* Changes of a session for edit_push_change. The first enters the special case, and sets PLAIN_TEXT
 * unless the text contains its words. The second restores `kept` or, if kept is NULL, sampled
 * weights. If one fails, discard the session. */
bool plain_enter(Session *session, const Session *kept, Err *err);
bool plain_leave(Session *session, const Session *kept, Err *err);

#endif
