/* vocabulary_file.h: reads a tokenizer.json, the format of Hugging Face's tokenizers. */
#ifndef HEADLIGHT_IO_VOCABULARY_FILE_H
#define HEADLIGHT_IO_VOCABULARY_FILE_H

#include "text/vocabulary.h"

#define VOCABULARY_FILE        "tokenizer.json"
#define VOCABULARY_FILE_MAX    ((size_t)64 << 20) /* bytes */
#define VOCABULARY_FILE_VALUES ((size_t)1 << 21)

/* Read the text of a tokenizer.json. If it is invalid or needs a step that this program lacks, the
 * result cannot split text, and its `why` says why not. The caller owns the result. Return NULL and
 * set err if memory runs out. */
Vocabulary *vocabulary_read(const char *text, size_t size, Err *err);

#endif
