/* assets.h: finds the program's data files: in $HEADLIGHT_ASSETS if that is set, otherwise in
 * ../assets, ../../assets or ../share/headlight, seen from the program's folder; for word vectors
 * also in the user's own folder (shell/desk_files.h). */
#ifndef HEADLIGHT_SHELL_ASSETS_H
#define HEADLIGHT_SHELL_ASSETS_H

#include "io/bpe_file.h"
#include "io/words_file.h"
#include "results/results.h"

/* Write the path of a data file, such as "words/glove.safetensors", into out. If there is no such
 * file, fail and say where it was searched. */
bool assets_find(char *out, size_t capacity, const char *name, Err *err);

/* Read a tour that comes with the program into memory that the caller frees. */
bool assets_tour(char **bytes, size_t *size, const char *id, Err *err);

/* Read a file or folder, or "trained:NAME" for a layer that comes with the program: a function of
 * type WeightsLoad. */
Weights *assets_weights(const char *path, const WeightsRequest *request, Err *err);

/* The loaded data. `run` points to them and is passed to the Results; data that were not loaded are
 * NULL in run. Must not be copied while in use. */
typedef struct Assets {
    WordsFile words;
    Vocabulary *gpt2; /* owned; NULL for none */
    Err gpt2_err;
    ResultsResources run;
    Err words_err; /* why run.words is NULL after assets_load_all */
} Assets;

/* Load only the data that the session uses. On failure assets holds nothing. */
bool assets_load_used(Assets *assets, const Session *session, Err *err);

/* Load the data that assets does not have yet, for a session that will change. Data that cannot be
 * loaded are left out. */
void assets_load_all(Assets *assets);

/* Read the word vectors in a file that the user chose, after assets_load_all has found none. Copy
 * them into the user's own folder, where later starts find them. *is_kept: true if the copy
 * succeeded; otherwise err says why not. If the file is invalid, return false and set err. */
bool assets_take_words(Assets *assets, bool *is_kept, const char *path, Err *err);

void assets_release(Assets *assets);

#endif
