/* line_text.h: the boundaries where a caret can stop: graphemes and words. Pure.
 * Source: Unicode Standard Annex 29, section 3, by utf8proc. */
#ifndef HEADLIGHT_UI_LINE_TEXT_H
#define HEADLIGHT_UI_LINE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Return the next grapheme boundary, so that a letter keeps its marks. at is a boundary. The second
 * function returns the previous one. */
size_t line_text_next(const char *text, size_t size, size_t at);
size_t line_text_previous(const char *text, size_t size, size_t at);

/* Return the last boundary at or before `at`. */
size_t line_text_floor(const char *text, size_t size, size_t at);

/* Return the offset after the next word and its blanks. The second function returns the start of
 * the previous word. A word is a run of letters and digits of one script (Han, hiragana, katakana,
 * or any other), or of signs. */
size_t line_text_word_next(const char *text, size_t size, size_t at);
size_t line_text_word_previous(const char *text, size_t size, size_t at);

/* Find the word, blanks or signs around the character at `at`, and set *from and *to; at the end of
 * text, around the last character. */
void line_text_word_at(size_t *from, size_t *to, const char *text, size_t size, size_t at);

/* Move the caret one grapheme to the left or right on screen, in text of any direction. *leads
 * tells which of two characters the caret belongs to at a change of direction. */
size_t line_text_step(const char *text, size_t size, size_t at, bool *leads, bool right);

/* True if the text around `at` reads from right to left. */
bool line_text_is_rtl(const char *text, size_t size, size_t at);

#endif
