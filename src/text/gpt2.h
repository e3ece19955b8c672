/* gpt2.h: GPT-2's tokenizer: a pattern splits text into pieces, byte pair encoding splits pieces
 * into tokens. Pure. */
#ifndef HEADLIGHT_TEXT_GPT2_H
#define HEADLIGHT_TEXT_GPT2_H

#include "text/tokenizer.h"

#define GPT2_WORDS 50257 /* tokens of its vocabulary */

/* Return the end of the piece that starts at text[at]; at < size is a character boundary.
 * A piece is an English clitic ('s 't 're 've 'm 'll 'd); or a run of letters, of numbers, or of
 * other characters, each with one space before it; or a run of blanks. The last of several blanks
 * belongs to the next piece. Letters and numbers are the general categories L and N, blanks are
 * Unicode's White_Space, as in the regex module that GPT-2 was trained with.
 * Source: Radford et al. 2019; the pattern in https://github.com/openai/gpt-2, src/encoder.py. */
size_t gpt2_piece_end(const char *text, size_t size, size_t at);

/* The `gpt2` tokenizer; see Tokenizer.split and Tokenizer.ready. Every byte is in a token. A token
 * may start or end inside a character.
 * Fails if resources has no merges or memory runs out. */
bool gpt2_split(TokenList *out, const char *text, size_t size, const TextResources *resources,
                Err *err);
bool gpt2_ready(const TextResources *resources, Err *err);

/* Return GPT-2's number of the token with these bytes, as its vocabulary has it, or -1. */
int gpt2_number(const Bpe *bpe, const char *bytes, size_t size);

/* Write the bytes of the token with that number and return how many there are; 0 if the vocabulary
 * has no such token, or it has more than capacity bytes. */
size_t gpt2_token_bytes(char *out, size_t capacity, const Bpe *bpe, int number);

#endif
