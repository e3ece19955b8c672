/* assets.h: where the program's data files lie: in $HEADLIGHT_ASSETS, else beside the program as
 * built (../assets) or as installed (../share/headlight). */
#ifndef HEADLIGHT_SHELL_ASSETS_H
#define HEADLIGHT_SHELL_ASSETS_H

#include "io/words_file.h"

/* Put the path of an asset, "words/glove.safetensors", into out. Fails, saying where it was
 * looked for, when there is no such file. */
bool assets_find(char *out, size_t capacity, const char *name, Err *err);

/* Load the word vectors. On failure words holds nothing, and err says what to do without. */
bool assets_load_words(WordsFile *words, Err *err);

#endif
