/* bidi.h: finds the parts of a line of text that read from right to left. Pure. Source: Unicode
 * Standard Annex 9, rules P2 to L1, by FriBidi. */
#ifndef HEADLIGHT_DRAW_BIDI_H
#define HEADLIGHT_DRAW_BIDI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/font.h"

/* True if a character may read from right to left or change the order. If false, every level is 0
 * unless the direction is TEXT_RTL. Fast. */
bool bidi_is_needed(const char *text, size_t bytes);

/* Fill levels[0..bytes), unless levels is NULL, with the level of each byte's character; odd levels
 * read from right to left. Return true if the base direction of the line is right to left.
 * Malformed bytes count as U+FFFD. All levels are 0 if memory runs out. */
bool bidi_levels(uint8_t *levels, const char *text, size_t bytes, TextDirection direction);

/* Return the direction of the first strong character; TEXT_AUTO if no character can read from right
 * to left; TEXT_LTR if memory runs out. */
TextDirection bidi_direction(const char *text, size_t bytes);

/* Set order[i] to the piece at place i from the left, for pieces with these levels, by rule L2. */
void bidi_order(int *order, const uint8_t *levels, int count);

#endif
