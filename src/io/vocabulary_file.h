/* vocabulary_file.h: reads a tokenizer.json, the format of Hugging Face's tokenizers. */
#ifndef HEADLIGHT_IO_VOCABULARY_FILE_H
#define HEADLIGHT_IO_VOCABULARY_FILE_H

#include <jansson.h>

#include "text/vocabulary.h"

#define VOCABULARY_FILE        "tokenizer.json"
#define VOCABULARY_FILE_MAX    ((size_t)64 << 20) /* bytes */
#define VOCABULARY_FILE_VALUES ((size_t)1 << 21)

/* Read the text of a tokenizer.json. If the text is invalid or needs a step that this program
 * lacks, the result cannot split text, and its member `why` says why. The caller owns the result.
 * Return NULL and set err if memory runs out. */
Vocabulary *vocabulary_read(const char *text, size_t size, Err *err);

/* Everything below is only for vocabulary_*.c, which read the parts of the file. */
typedef struct VocabularyReader {
    Vocabulary *v;
    const json_t *root;
    Err *err;
} VocabularyReader;

/* Return false and set the error: this program does not support `what`, the value of the field. */
bool vocabulary_refuse(VocabularyReader *r, const char *field, const char *what);
/* Return false and set the error "field why": why is a predicate such as "has no type". */
bool vocabulary_invalid(VocabularyReader *r, const char *field, const char *why);

/* Return the boolean value of a key, or `otherwise` if the key is absent or is not a boolean. */
bool vocabulary_flag(const json_t *object, const char *key, bool otherwise);

/* Read the normalizer and the pre-tokenizer: fill v->steps and v->is_bytes. */
bool vocabulary_take_steps(VocabularyReader *r);

/* Read a model of one type. The tokens must already be in v. */
bool vocabulary_take_bpe(VocabularyReader *r, const json_t *model);
bool vocabulary_take_wordpiece(VocabularyReader *r, const json_t *model);
bool vocabulary_take_unigram(VocabularyReader *r, const json_t *model);

#endif
