/* words.h: text split into words as the Penn Treebank and GloVe count them. Pure. */
#ifndef HEADLIGHT_TEXT_WORDS_H
#define HEADLIGHT_TEXT_WORDS_H

#include "text/tokenizer.h"

/* The `words` tokenizer; see Tokenizer.split. Words, punctuation and English clitics stand apart
 * ("can't" gives "ca" and "n't"); inner hyphens, decimal points and thousands' commas, the points
 * of "U.S.", mail addresses and URLs stay inside a word; French and Italian elisions end in their
 * apostrophe ("l'" "homme"); a script without spaces gives one token a character; runs such as
 * "..." or "--" are one token. Never splits a grapheme; blanks, control and format characters
 * that stand alone are in no token. Linear in size; never fails.
 * Source: Marcus, Santorini and Marcinkiewicz 1993, "Building a large annotated corpus of
 * English: the Penn Treebank"; Unicode Standard Annex 29, sections 3 and 4. */
bool words_split(TokenList *out, const char *text, size_t size, const TextResources *resources,
                 Err *err);

#endif
