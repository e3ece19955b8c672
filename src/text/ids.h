/* ids.h: the `ids` tokenizer: a text that lists the numbers of tokens in a vocabulary. Pure. */
#ifndef HEADLIGHT_TEXT_IDS_H
#define HEADLIGHT_TEXT_IDS_H

#include "text/tokenizer.h"

/* Commas, blanks and line ends separate tokens; see Tokenizer.split. */
bool ids_split(TokenList *out, const char *text, size_t size, const TextResources *resources,
               Err *err);

/* Move *at to the next token. Return its bytes; 0 at the end. */
size_t ids_next(size_t *at, const char *text, size_t size);

/* Return the number that a token is, from 0, or -1 if it is no number below 2³¹. */
int ids_number(const char *bytes, size_t size);

#endif
