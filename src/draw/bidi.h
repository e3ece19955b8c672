/* bidi.h: which parts of a line of text read from right to left. Pure.
 * Source: Unicode Standard Annex 9, rules P2 to L1, by FriBidi. */
#ifndef HEADLIGHT_DRAW_BIDI_H
#define HEADLIGHT_DRAW_BIDI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/font.h"

/* Whether any character may read from right to left, or changes the order: else every level is 0
 * in a line that is not TEXT_RTL. Quick. */
bool bidi_is_needed(const char *text, size_t bytes);

/* The level of each byte's character into levels, bytes of them: odd reads from right to left. In
 * TEXT_AUTO the first strong character gives the line its direction. Returns whether the line as a
 * whole reads from right to left. Malformed bytes count as U+FFFD. Without memory all levels are
 * 0. */
bool bidi_levels(uint8_t *levels, const char *text, size_t bytes, TextDirection direction);

/* Which way a text as a whole reads, by its first strong character; TEXT_AUTO where nothing in it
 * may read from right to left, or there is no memory to say. */
TextDirection bidi_direction(const char *text, size_t bytes);

/* The order in which pieces of these levels are seen from left to right: order[i] is the piece in
 * place i. Source: rule L2. */
void bidi_order(int *order, const uint8_t *levels, int count);

#endif
