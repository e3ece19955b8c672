/* card.h: the card of a trained layer or model, which is its file's metadata. */
#ifndef HEADLIGHT_TESTS_SUPPORT_CARD_H
#define HEADLIGHT_TESTS_SUPPORT_CARD_H

#include <stddef.h>

#define CARD_BYTES 200

/* Return the bytes of a file in assets/, which the caller frees. */
char *read_asset(size_t *size, const char *name);

/* Copy a text of the card of a file in assets/. */
void read_card(char out[CARD_BYTES], const char *name, const char *key);

#endif
