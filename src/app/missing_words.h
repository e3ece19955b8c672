/* missing_words.h: where no word vectors were found: one line under the text field that says so,
 * and a person's own file of them. */
#ifndef HEADLIGHT_APP_MISSING_WORDS_H
#define HEADLIGHT_APP_MISSING_WORDS_H

#include "app/app_state.h"

/* Before the parts are drawn: give the line its place in the layout, where it is to be seen. */
void missing_words_place(App *app);
void missing_words_draw(App *app);

/* Take the word vectors in that file in place of none. Fails, saying what is wrong in it, where it
 * holds none, for want of memory, and while something is computed that does not end; the window
 * shows what it did then. */
bool missing_words_take(App *app, const char *path, Err *err);

/* Whether there are none, and somebody who can read a file of them. */
bool missing_words_can_take(const App *app);

#endif
