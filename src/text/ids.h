/* ids.h: the `ids` tokenizer: a text that lists numbers of a vocabulary. Pure. */
#ifndef HEADLIGHT_TEXT_IDS_H
#define HEADLIGHT_TEXT_IDS_H

#include "text/tokenizer.h"

/* Commas, blanks and line ends separate tokens; see Tokenizer.split. */
bool ids_split(TokenList *out, const char *text, size_t size, const TextResources *resources,
               Err *err);

/* Return the number of a token, from 0, or -1 if it is none below 2³¹. */
int ids_number(const char *bytes, size_t size);

#endif
