/* vocabulary_file.h: reads a tokenizer.json, the format of Hugging Face's tokenizers. */
#ifndef HEADLIGHT_IO_VOCABULARY_FILE_H
#define HEADLIGHT_IO_VOCABULARY_FILE_H

#include "text/vocabulary.h"

#define VOCABULARY_FILE        "tokenizer.json"
#define VOCABULARY_FILE_MAX    ((size_t)64 << 20) /* bytes */
#define VOCABULARY_FILE_VALUES ((size_t)1 << 21)

/* Read text, which is one. The result is unusable and says why if text is invalid, or asks for what
 * this program does not have: then splitting by it would be wrong. Return NULL and set err if
 * memory runs out. */
Vocabulary *vocabulary_read(const char *text, size_t size, Err *err);

/* Read the file at path. */
Vocabulary *vocabulary_load(const char *path, Err *err);

#endif
