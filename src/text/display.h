/* display.h: the label of a token: one line of valid UTF-8 without invisible characters. Pure. */
#ifndef HEADLIGHT_TEXT_DISPLAY_H
#define HEADLIGHT_TEXT_DISPLAY_H

#include <stdbool.h>
#include <stddef.h>

#define TOKEN_DISPLAY_MAX 256 /* maximum bytes of a label; longer labels are cut */

/* Write the label of token into out and return its number of bytes. The work is bounded by the
 * capacity, however long token is. A space becomes “␣”, a tab “⇥”, a line end “↵”. Other control
 * characters and malformed bytes become hexadecimal, “⟨E2 80⟩”. Invisible blanks and format
 * characters become “⟨U+200B⟩”. A lone combining mark is put on “◌”. A label that is too long is
 * cut at a whole character and ends in “…”. */
size_t token_display(char out[TOKEN_DISPLAY_MAX], const char *token, size_t bytes);

/* True if the token is printable ASCII and short enough for a label, which then equals the token.
 */
bool token_is_plain(const char *token, size_t bytes);

#endif
