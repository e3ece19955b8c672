/* window_words.h: words in the window that no option, command or term of the glossary explains. */
#ifndef HEADLIGHT_APP_WINDOW_WORDS_H
#define HEADLIGHT_APP_WINDOW_WORDS_H

#include "app/glossary.h"

/* state: the id of the only view in which the word has this meaning; "" for all. */
extern const Term WINDOW_WORDS[];
extern const int WINDOW_WORD_COUNT;

#endif
