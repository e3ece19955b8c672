/* assets.h: where the program's data files lie: in $HEADLIGHT_ASSETS, else beside the program as
 * built (../assets) or as installed (../share/headlight); where those have no word vectors, the
 * person's own folder (shell/desk_files.h). */
#ifndef HEADLIGHT_SHELL_ASSETS_H
#define HEADLIGHT_SHELL_ASSETS_H

#include "io/bpe_file.h"
#include "io/words_file.h"
#include "results/results.h"

/* Put the path of an asset, "words/glove.safetensors", into out. Fails, saying where it was
 * looked for, when there is no such file. */
bool assets_find(char *out, size_t capacity, const char *name, Err *err);

/* Read a tour that ships into memory that the caller frees. */
bool assets_tour(char **bytes, size_t *size, const char *id, Err *err);

/* A WeightsLoad: a file or folder, or "trained:NAME" for a layer that ships. */
Weights *assets_weights(const char *path, const WeightsWish *wish, Err *err);

/* What was loaded, and as the Results takes it; must not be copied while in use. Whatever was not
 * loaded is absent in run. */
typedef struct Assets {
    WordsFile words;
    BpeFile gpt2;
    Err gpt2_err;
    ResultsResources run;
    Err words_err; /* why run.words is NULL after assets_load_all */
} Assets;

/* Load what the session uses, and nothing else. On failure assets holds nothing. */
bool assets_load_used(Assets *assets, const Session *session, Err *err);

/* Load all there is, for a session that will change. What cannot be loaded is left out. */
void assets_load_all(Assets *assets);

/* Take the word vectors in a file that a person chose, after assets_load_all has found none, and
 * copy them into the person's own folder, where every later call finds them: *is_kept, else err
 * says why not. False, with what is wrong in err, where it is no such file. */
bool assets_take_words(Assets *assets, bool *is_kept, const char *path, Err *err);

void assets_release(Assets *assets);

#endif
