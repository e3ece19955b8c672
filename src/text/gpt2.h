/* gpt2.h: GPT-2's tokenizer: a pattern splits text into pieces, byte pair encoding splits pieces
 * into tokens. Pure. */
#ifndef HEADLIGHT_TEXT_GPT2_H
#define HEADLIGHT_TEXT_GPT2_H

#include "text/tokenizer.h"

#define GPT2_WORDS 50257 /* tokens of its vocabulary */

/* The `gpt2` tokenizer; see Tokenizer.split and Tokenizer.ready. Every byte is in a token. A token
 * may start or end inside a character.
 * Fails if resources has no merges or memory runs out. */
bool gpt2_split(TokenList *out, const char *text, size_t size, const TextResources *resources,
                Err *err);
bool gpt2_ready(const TextResources *resources, Err *err);

/* Write the bytes of the token with that number and return their number; 0 if the vocabulary has no
 * such token, or if it has more than capacity bytes. */
size_t gpt2_token_bytes(char *out, size_t capacity, const Bpe *bpe, int number);

#endif
