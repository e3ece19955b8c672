/* session.h: the document: what the user chose or typed, and nothing computed from it.
 * session_share copies a Session cheaply: its text, edges, numbers set by hand and weights are
 * shared, counted and never changed in place. */
#ifndef HEADLIGHT_DOCUMENT_SESSION_H
#define HEADLIGHT_DOCUMENT_SESSION_H

#include "base/err.h"
#include "document/edge_set.h"
#include "document/hand_set.h"
#include "document/options.h"
#include "document/weights.h"

#define SESSION_TEXT_STANDARD "the animal didn't cross the street because it was too tired"

/* A text: valid UTF-8 without NUL, at most TOKEN_TEXT_MAX bytes. bytes[size] is NUL. */
typedef struct Text {
    int owners;
    size_t size;
    char bytes[];
} Text;

typedef struct Session {
    Text *text;
    /* Edges opened and closed by hand on top of the mask, by position; NULL for none. */
    EdgeSet *edges;
    HandSet *hand;    /* numbers of the layer that were set by hand; NULL for none */
    Weights *weights; /* tensors that replace sampled ones, or NULL; the options agree with them */
    Options options;
} Session;

bool session_init(Session *session, Err *err);

/* Return a copy that shares text, edges, numbers set by hand and weights. session_release releases
 * a copy and leaves a zeroed Session. */
Session session_share(const Session *session);
void session_release(Session *session);

/* Replace the bytes from..to of the text. Asserts that both are character boundaries. Fails, and
 * changes nothing, if the result is too long, if insert is not UTF-8 without NUL (err has the
 * offset), or if memory runs out. */
bool session_edit_text(Session *session, size_t from, size_t to, const char *insert, size_t bytes,
                       Err *err);

/* Set one option. Fail, and change nothing, if value is invalid, or if the options would contradict
 * each other or the weights. If the number of heads falls below the number of the chosen head,
 * choose the last head. */
bool session_set(Session *session, const OptionRow *row, const char *value, size_t bytes, Err *err);

/* Remove numbers set by hand whose place exists in no layer with these options, whatever the length
 * of the text. Fails, and changes nothing, if memory runs out. */
bool session_fit_numbers(Session *session, Err *err);

/* Use these weights (NULL: none), and take ownership of them, even on failure. Options change as in
 * weights_set_options and weights_fit; the tokenizer `model` becomes `words` if the weights have no
 * vocabulary. On failure the session does not change. */
bool session_set_weights(Session *session, Weights *weights, uint64_t fixed, Err *err);

/* Replace the text by a list of token ids such as "5,17,2", and choose the tokenizer of token ids.
 * Fails, and changes nothing, if the list is malformed or too long, or if memory runs out. */
bool session_set_ids(Session *session, const char *list, size_t bytes, Err *err);

/* True if X is the residual stream of a checkpoint's model at the chosen layer, computed from the
 * text's tokens. */
bool session_streams(const Session *session);

/* Split the text with the chosen tokenizer, which may be the model's own; see tokenizer_split and
 * tokenizer_ready. resources may be NULL. */
bool session_split(TokenList *out, const Session *session, const TextResources *resources,
                   Err *err);
bool session_split_ready(const Session *session, const TextResources *resources, Err *err);

/* Return the tokenizers to offer. Token ids need a checkpoint's model, and the tokenizer `model`
 * needs that model's vocabulary, unless the tokenizer is already chosen. */
const Registry *session_tokenizers(const Session *session);

const Vocabulary *session_vocabulary(const Session *session);

bool session_has_layers(const Session *session);

/* True if X comes from the weights, as the residual stream or as a tensor. Then no embedding is
 * looked up and no positions are added. */
bool session_gives_x(const Session *session);

/* True if options, weights and numbers set by hand agree with each other for every text; otherwise
 * err names the option and the remedy. */
bool session_check(const Session *session, Err *err);

bool session_equal(const Session *a, const Session *b);

#endif
