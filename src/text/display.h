/* display.h: a token as it is shown: one line of valid UTF-8 in which nothing is invisible. Pure.
 */
#ifndef HEADLIGHT_TEXT_DISPLAY_H
#define HEADLIGHT_TEXT_DISPLAY_H

#include <stdbool.h>
#include <stddef.h>

#define TOKEN_DISPLAY_MAX 256 /* bytes; longer ones are cut */

/* Write what stands for token into out and return its bytes. A space is “␣”, a tab “⇥”, a line end
 * “↵”; other control characters and bytes that are no whole character are given in hexadecimal,
 * “⟨E2 80⟩”; blanks and format characters with nothing of their own to be seen as “⟨U+200B⟩”; a
 * mark that stands alone is put on “◌”. What does not fit is cut at a whole character and ends in
 * “…”. Linear in capacity, however long token is. */
size_t token_display(char out[TOKEN_DISPLAY_MAX], const char *token, size_t bytes);

/* Whether that is the token as it stands, as for nearly every one; false says nothing. */
bool token_is_plain(const char *token, size_t bytes);

#endif
