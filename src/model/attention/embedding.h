/* embedding.h: tokens become rows of X before any position is added. Pure; the word vectors'
 * memory belongs to the caller. To add an embedding, add a row to EMBEDDINGS. */
#ifndef HEADLIGHT_MODEL_ATTENTION_EMBEDDING_H
#define HEADLIGHT_MODEL_ATTENTION_EMBEDDING_H

#include "base/err.h"
#include "base/registry.h"
#include "math/mat.h"
#include "text/tokenizer.h"

typedef enum EmbeddingKind {
    EMBEDDING_RANDOM,
    EMBEDDING_ONEHOT,
    EMBEDDING_GLOVE,
    EMBEDDING_KIND_COUNT
} EmbeddingKind;
extern const Registry EMBEDDINGS;

/* Word vectors rotated to principal components, most frequent word first. */
typedef struct WordVectors {
    const uint16_t *halves; /* (count, width) IEEE half floats */
    int count, width;
    const char *words;       /* count folded words, each ending in '\n' */
    const uint32_t *word_at; /* where each starts in words, count + 1 entries */
    const uint32_t *slots;   /* open-addressing table: word number + 1, 0 for empty */
    uint32_t slot_count;     /* a power of two */
} WordVectors;

/* The row of a folded word, or -1. */
int words_find(const WordVectors *words, const char *folded, size_t bytes);

/* Where a row of X came from. */
typedef enum EmbedSource {
    EMBED_OWN,      /* the word's own vector, or a kind of embedding that has one for each */
    EMBED_BORROWED, /* another word's, as “n't” takes that of “not”; see EmbedNote.word */
    EMBED_HASHED,   /* no vector: N(0,1) drawn from a hash of the word */
} EmbedSource;

typedef struct EmbedNote {
    EmbedSource source;
    int word; /* the vector's row in WordVectors, or -1 */
} EmbedNote;

typedef struct EmbedInput {
    EmbeddingKind kind;
    const WordVectors *words; /* NULL where none could be loaded: every word is then hashed */
    const char *text;
    size_t text_bytes;
    const Token *tokens;
    bool cuts_words; /* as the tokenizer has it */
    uint64_t seed;   /* for EMBEDDING_RANDOM */
} EmbedInput;

/* Fill x (T, D) and notes[T]. Where tokens may be parts of words, only one that is a whole word
 * takes a word's vector: it begins and ends where no letter meets a letter and no number a number,
 * and the space it begins with does not count. Every row is scaled so that the root
 * mean square of its entries is 1, except one-hot rows, whose entries stay 0 and 1. Fails where
 * one-hot has more different tokens than D. */
bool embed(Mat *x, EmbedNote *notes, const EmbedInput *in, Err *err);

#endif
