/* chars.h: text split into graphemes: what a reader sees as one character. Pure. */
#ifndef HEADLIGHT_TEXT_CHARS_H
#define HEADLIGHT_TEXT_CHARS_H

#include "text/tokenizer.h"

/* The `chars` tokenizer; see Tokenizer.split. Every grapheme is a token, blanks too. Linear in
 * size; never fails. Source: Unicode Standard Annex 29, section 3. */
bool chars_split(TokenList *out, const char *text, size_t size, const TextResources *resources,
                 Err *err);

#endif
