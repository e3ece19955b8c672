/* plain_similarity.h: the special case W_Q = W_K = W_V = I, where Q = K = V = X and attention is
 * plain similarity of word vectors; and how to leave it. */
#ifndef HEADLIGHT_RESULTS_PLAIN_SIMILARITY_H
#define HEADLIGHT_RESULTS_PLAIN_SIMILARITY_H

#include "document/session.h"

#define PLAIN_TEXT "king queen dog" /* two similar words and an unlike one */

/* True if the session is the special case: one head as wide as the model, the three matrices the
 * identity, no biases and no positions. */
bool plain_is(const Session *session);

/* For edit_push_change. plain_enter makes the session the special case, and sets PLAIN_TEXT unless
 * the text contains its words. plain_leave restores `kept` or, if kept is NULL, sampled weights. If
 * either fails, discard the session. */
bool plain_enter(Session *session, const Session *kept, Err *err);
bool plain_leave(Session *session, const Session *kept, Err *err);

#endif
