/* vocabulary_read.h: declarations shared by vocabulary_*.c, which read the parts of tokenizer.json.
 */
#ifndef HEADLIGHT_IO_VOCABULARY_READ_H
#define HEADLIGHT_IO_VOCABULARY_READ_H

#include <jansson.h>

#include "text/vocabulary.h"

typedef struct VocabularyReader {
    Vocabulary *v;
    const json_t *root;
    Err *err;
} VocabularyReader;

/* Return false and set the error: this program does not support the field's value, `what`. */
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
