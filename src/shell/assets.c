#include "shell/assets.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"

#define WORDS "words/glove.safetensors"

/* Folders from the program's own. */
static const char *const PLACES[] = {"../assets/", "../share/headlight/", "../../assets/"};

static bool is_there(char *out, size_t capacity, const char *folder, const char *place,
                     const char *name) {
    int bytes = snprintf(out, capacity, "%s%s%s", folder, place, name);
    return bytes > 0 && (size_t)bytes < capacity && access(out, F_OK) == 0;
}

bool assets_find(char *out, size_t capacity, const char *name, Err *err) {
    const char *chosen = getenv("HEADLIGHT_ASSETS");
    if (chosen != NULL && chosen[0] != '\0')
        return is_there(out, capacity, chosen, "/", name)
                   ? true
                   : err_fail(err, name, "is not in HEADLIGHT_ASSETS=%s; mend that variable",
                              chosen);
    char *folder = SDL_GetBasePath();
    bool found = false;
    for (size_t i = 0; i < ARRAY_COUNT(PLACES) && folder != NULL && !found; i++)
        found = is_there(out, capacity, folder, PLACES[i], name);
    if (!found)
        err_fail(err, name,
                 "is not beside the program (%s../assets or ../share/headlight); install again, "
                 "or set HEADLIGHT_ASSETS to its folder",
                 folder != NULL ? folder : "");
    SDL_free(folder);
    return found;
}

bool assets_load_words(WordsFile *words, Err *err) {
    char path[4096];
    *words = (WordsFile){0};
    return assets_find(path, sizeof path, WORDS, err) && words_file_load(words, path, err);
}
