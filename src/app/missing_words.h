/* missing_words.h: a line under the text field that is shown if there are no word vectors, with a
 * button to choose a file of them. */
#ifndef HEADLIGHT_APP_MISSING_WORDS_H
#define HEADLIGHT_APP_MISSING_WORDS_H

#include "app/app_state.h"

/* Reserve the line in the layout, if it is shown. Call before the parts are drawn. */
void missing_words_place(App *app);
void missing_words_draw(App *app);

/* Load the word vectors in this file. On failure err says why: a bad file, no memory, or a
 * computation that does not end. Then the window keeps its picture. */
bool missing_words_take(App *app, const char *path, Err *err);

/* True if there are no word vectors yet, but the shell can read a file of them. */
bool missing_words_can_take(const App *app);

#endif
