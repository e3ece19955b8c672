/* words_file.h: word vectors read from a safetensors file: `vectors` F16 (count, width) and
 * `words` U8, the words in the same order, each as token_fold (text/tokenizer.h) writes it and
 * ending in '\n'. To make such a file: assets/words/README.md. */
#ifndef HEADLIGHT_IO_WORDS_FILE_H
#define HEADLIGHT_IO_WORDS_FILE_H

#include <stddef.h>

#include "base/err.h"
#include "model/attention/embedding.h"

#define WORDS_FILE_MAX ((size_t)256 << 20) /* bytes */

/* Word vectors and their memory; must not be copied while in use. */
typedef struct WordsFile {
    WordVectors vectors;
    char *bytes; /* owned: the whole file */
    size_t size;
    uint32_t *word_at; /* owned */
    uint32_t *slots;   /* owned */
} WordsFile;

/* Read the file at path. Fails, naming the file and the field, if it is invalid, if a word is
 * empty, repeated or not UTF-8, or if an entry is not finite. On failure out holds nothing. Release
 * with words_file_release. */
bool words_file_load(WordsFile *out, const char *path, Err *err);

void words_file_release(WordsFile *file);

#endif
