/* gpt2.h: text split as GPT-2 splits it: into pieces by a pattern, and each piece into tokens by
 * byte pair encoding. Pure. */
#ifndef HEADLIGHT_TEXT_GPT2_H
#define HEADLIGHT_TEXT_GPT2_H

#include "text/tokenizer.h"

/* Where the piece that begins at text[at] ends; at < size and a character border. All of a text is
 * in pieces: an English clitic ('s 't 're 've 'm 'll 'd), or a run of letters, of numbers, or of
 * what is neither, each with one space before it, or blanks; of blanks before something else the
 * last one is left to that. Letters and numbers are the general categories L and N, blanks what
 * Unicode calls White_Space, as in the regex module that GPT-2 was trained with.
 * Source: Radford et al. 2019; the pattern in https://github.com/openai/gpt-2, src/encoder.py. */
size_t gpt2_piece_end(const char *text, size_t size, size_t at);

/* The `gpt2` tokenizer; see Tokenizer.split and Tokenizer.ready. Every byte is in a token. A token
 * may begin or end inside a character. Fails where resources has no merges, or memory ran out. */
bool gpt2_split(TokenList *out, const char *text, size_t size, const TextResources *resources,
                Err *err);
bool gpt2_ready(const TextResources *resources, Err *err);

#endif
