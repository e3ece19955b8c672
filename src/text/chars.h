/* chars.h: splits text into graphemes, which a reader sees as characters. Pure. */
#ifndef HEADLIGHT_TEXT_CHARS_H
#define HEADLIGHT_TEXT_CHARS_H

#include "text/tokenizer.h"

/* The `chars` tokenizer; see Tokenizer.split. Every grapheme is a token, blanks included.
 * Never fails. Linear time. Source: Unicode Standard Annex 29, section 3. */
bool chars_split(TokenList *out, const char *text, size_t size, const TextResources *resources,
                 Err *err);

#endif
