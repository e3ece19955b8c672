/* vocabulary_read.h: what is shared by vocabulary_*.c, which read the parts of a tokenizer.json. */
#ifndef HEADLIGHT_IO_VOCABULARY_READ_H
#define HEADLIGHT_IO_VOCABULARY_READ_H

#include <jansson.h>

#include "text/vocabulary.h"

typedef struct VocabularyReader {
    Vocabulary *v;
    const json_t *root;
    Err *err;
} VocabularyReader;

/* Fail because of what stands in a field. */
bool vocabulary_refuse(VocabularyReader *r, const char *field, const char *what);

/* Return the truth of a key; otherwise if it is absent. */
bool vocabulary_flag(const json_t *object, const char *key, bool otherwise);

/* Fill v->steps and v->is_bytes. */
bool vocabulary_take_steps(VocabularyReader *r);

/* Fill the model, whose tokens are known. */
bool vocabulary_take_bpe(VocabularyReader *r, const json_t *model);
bool vocabulary_take_wordpiece(VocabularyReader *r, const json_t *model);
bool vocabulary_take_unigram(VocabularyReader *r, const json_t *model);

/* Return the token that the model's unk_token names; -1 if the vocabulary has none. */
int vocabulary_unknown(const VocabularyReader *r, const json_t *model, const char *otherwise);

/* Fill v->bytes. */
void vocabulary_take_bytes(Vocabulary *v);

#endif
