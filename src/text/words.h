/* words.h: splits text into words as the Penn Treebank and GloVe do. Pure. */
#ifndef HEADLIGHT_TEXT_WORDS_H
#define HEADLIGHT_TEXT_WORDS_H

#include "text/tokenizer.h"

/* The `words` tokenizer; see Tokenizer.split. Never fails. Linear time.
 * Words, punctuation and English clitics are separate tokens ("can't" gives "ca" and "n't"). A word
 * keeps inner hyphens, decimal points, commas in numbers, and the points of "U.S."; mail addresses
 * and URLs are one token. French and Italian elisions end in their apostrophe ("l'" "homme"). In a
 * script without spaces each character is a token. Runs such as "..." or "--" are one token. A
 * grapheme is never split. Lone blanks, control and format characters are in no token.
 * Source: Marcus, Santorini and Marcinkiewicz 1993, "Building a large annotated corpus of English:
 * the Penn Treebank"; Unicode Standard Annex 29, sections 3 and 4. */
bool words_split(TokenList *out, const char *text, size_t size, const TextResources *resources,
                 Err *err);

#endif
