#include "shell/assets.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/examples.h"
#include "base/util.h"
#include "document/tour.h"
#include "io/file.h"
#include "io/weights_file.h"
#include "shell/desk_files.h"

#define WORDS "words/glove.safetensors"
#define GPT2  "gpt2/gpt2.safetensors"

/* Folders with data files, relative to the program's own folder. */
static const char *const PLACES[] = {"../assets/", "../share/headlight/", "../../assets/"};

static bool is_there(char *out, size_t capacity, const char *folder, const char *place,
                     const char *name) {
    int bytes = snprintf(out, capacity, "%s%s%s", folder, place, name);
    return bytes > 0 && (size_t)bytes < capacity && file_exists(out);
}

bool assets_find(char *out, size_t capacity, const char *name, Err *err) {
    const char *chosen = getenv("HEADLIGHT_ASSETS");
    if (chosen != NULL && chosen[0] != '\0')
        return is_there(out, capacity, chosen, "/", name)
                   ? true
                   : err_fail(err, name, "is not in HEADLIGHT_ASSETS=%s; correct that variable",
                              chosen);
    char *folder = SDL_GetBasePath();
    bool found = false;
    for (size_t i = 0; i < ARRAY_COUNT(PLACES) && folder != NULL && !found; i++)
        found = is_there(out, capacity, folder, PLACES[i], name);
    if (!found)
        err_fail(err, name,
                 "is not next to the program (%s../assets or ../share/headlight); install again, "
                 "or set HEADLIGHT_ASSETS to its folder",
                 folder != NULL ? folder : "");
    SDL_free(folder);
    return found;
}

bool assets_tour(char **bytes, size_t *size, const char *id, Err *err) {
    char name[80], path[FILE_PATH_BYTES];
    snprintf(name, sizeof name, "tours/%.40s.tour", id);
    return assets_find(path, sizeof path, name, err) &&
           file_read(bytes, size, path, TOUR_BYTES_MAX, err);
}

Weights *assets_weights(const char *path, const WeightsRequest *request, Err *err) {
    static const char prefix[] = "trained:";
    size_t begun = sizeof prefix - 1;
    char name[80], file[FILE_PATH_BYTES], names[200];
    if (strncmp(path, prefix, begun) != 0)
        return weights_file_load(path, request, err);
    const char *id = path + begun;
    int row = registry_find(&TRAINED_REGISTRY, id, strlen(id));
    if (row < 0) {
        registry_ids(&TRAINED_REGISTRY, names, sizeof names);
        err_usage(err, path, "no such trained layer; there are: %s", names);
        return NULL;
    }
    const Example *example = (const Example *)registry_entry(&TRAINED_REGISTRY, row);
    snprintf(name, sizeof name, "trained/%.40s%s", id, example->layer > 0 ? "" : ".safetensors");
    return assets_find(file, sizeof file, name, err)
               ? weights_file_load_as(file, path, request, err)
               : NULL;
}

static bool take_words(Assets *assets, const char *path, Err *err) {
    if (!words_file_load(&assets->words, path, err))
        return false;
    assets->run.words = &assets->words.vectors;
    return true;
}

static bool own_words_path(char out[FILE_PATH_BYTES]) {
    char folder[FILE_PATH_BYTES];
    int bytes = desk_files_data(folder, sizeof folder)
                    ? snprintf(out, FILE_PATH_BYTES, "%s%s", folder, WORDS)
                    : -1;
    return bytes > 0 && bytes < FILE_PATH_BYTES;
}

/* Read the word vectors that come with the program or, if that fails, those that the user chose
 * earlier. */
static bool load_words(Assets *assets, Err *err) {
    char path[FILE_PATH_BYTES];
    if (assets_find(path, sizeof path, WORDS, err) && take_words(assets, path, err))
        return true;
    bool has_own = own_words_path(path) && file_exists(path);
    return has_own && take_words(assets, path, err);
}

bool assets_take_words(Assets *assets, bool *is_kept, const char *path, Err *err) {
    words_file_release(&assets->words);
    assets->run.words = NULL;
    if (!take_words(assets, path, err))
        return false;
    char path_kept[FILE_PATH_BYTES];
    *is_kept = (own_words_path(path_kept) ||
                err_fail(err, "HOME",
                         "is not set, so there is no folder in which to store the word vectors")) &&
               file_make_folders(path_kept, err) &&
               file_write_quick(path_kept, assets->words.bytes, assets->words.size, err);
    return true;
}

static bool load_gpt2(Assets *assets, Err *err) {
    char path[FILE_PATH_BYTES];
    if (assets_find(path, sizeof path, GPT2, err))
        assets->run.text.gpt2 = assets->gpt2 = bpe_file_load(path, err);
    return assets->gpt2 != NULL;
}

bool assets_load_used(Assets *assets, const Session *session, Err *err) {
    *assets = (Assets){0};
    bool wants_text = !weights_has(session->weights, WEIGHTS_X);
    bool wants_words =
        wants_text && !session_streams(session) && session->options.embedding == EMBEDDING_GLOVE;
    bool wants_gpt2 = wants_text && session->options.tokenizer == TOKENIZER_GPT2;
    if ((!wants_words || load_words(assets, err)) && (!wants_gpt2 || load_gpt2(assets, err)))
        return true;
    assets_release(assets);
    return false;
}

void assets_load_all(Assets *assets) {
    if (assets->run.words == NULL)
        load_words(assets, &assets->words_err);
    if (assets->gpt2 == NULL && !load_gpt2(assets, &assets->gpt2_err))
        assets->run.text.gpt2_missing = assets->gpt2_err.why;
}

void assets_release(Assets *assets) {
    words_file_release(&assets->words);
    vocabulary_release(assets->gpt2);
    *assets = (Assets){0};
}
