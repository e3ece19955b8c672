/* line_text.h: the borders that a caret stops at: graphemes and words. Pure.
 * Source: Unicode Standard Annex 29, section 3, by utf8proc. */
#ifndef HEADLIGHT_UI_LINE_TEXT_H
#define HEADLIGHT_UI_LINE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* One step over a whole grapheme, so that a letter keeps its marks; at is a border. */
size_t line_text_next(const char *text, size_t size, size_t at);
size_t line_text_previous(const char *text, size_t size, size_t at);

/* The last border at or below at. */
size_t line_text_floor(const char *text, size_t size, size_t at);

/* Behind the next word and its blanks, and to the start of the word before. A word is a stretch of
 * letters and digits of one way of writing: Han, kana or any other; or of signs. */
size_t line_text_word_next(const char *text, size_t size, size_t at);
size_t line_text_word_previous(const char *text, size_t size, size_t at);

/* The word, blanks or signs that the character at at belongs to; of the last one at the end. */
void line_text_word_at(size_t *from, size_t *to, const char *text, size_t size, size_t at);

/* Whether text begins with a blank. */
bool line_text_is_blank(const char *text, size_t size);

/* A step to the side as it is seen, where parts of the text read from right to left. *leads says
 * which of the two characters about a change of direction the caret belongs to. */
size_t line_text_step(const char *text, size_t size, size_t at, bool *leads, bool right);

/* Whether the text about at reads from right to left. */
bool line_text_is_rtl(const char *text, size_t size, size_t at);

#endif
