/* embedding.h: tokens become rows of X, before positions are added. Pure; the caller owns the word
 * vectors' memory. To add an embedding, add a row to EMBEDDINGS. */
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

/* Word vectors, rotated to their principal components. The most frequent word comes first. */
typedef struct WordVectors {
    const uint16_t *halves; /* (count, width) IEEE half floats */
    int count, width;
    const char *words;       /* count words as token_fold writes them, each ending in '\n' */
    const uint32_t *word_at; /* count + 1 offsets into words */
    const uint32_t *slots;   /* open-addressing table: index of a word + 1, 0 for empty */
    uint32_t slot_count;     /* a power of two */
} WordVectors;

/* Return the row of a word as token_fold writes it, or -1. */
int words_find(const WordVectors *words, const char *folded, size_t bytes);

/* The source of a row of X. */
typedef enum EmbedSource {
    EMBED_OWN,     /* the word's own vector; also for embeddings that have one for every word */
    EMBED_TRAINED, /* a vector from a weights file; embed() itself never sets this */
    EMBED_BORROWED, /* another word's vector, as “n't” uses that of “not”; see EmbedNote.word */
    EMBED_HASHED, /* no vector: N(0, 1), seeded by a hash of the word */
} EmbedSource;

typedef struct EmbedNote {
    EmbedSource source;
    int word; /* the vector's row in WordVectors, or -1 */
} EmbedNote;

typedef struct EmbedInput {
    EmbeddingKind kind;
    /* NULL if none could be loaded; then every word has a random vector. */
    const WordVectors *words;
    const char *text;
    size_t text_bytes;
    const Token *tokens;
    bool cuts_words; /* from the tokenizer's row */
    uint64_t seed;   /* for EMBEDDING_RANDOM */
} EmbedInput;

/* Fill x (T, D) and notes[T]. If tokens may be parts of words, only a token that is a whole word
 * gets a word's vector: its ends, apart from a leading space, do not lie between two letters or
 * between two numbers. Every row is scaled to root mean square 1, except one-hot rows of 0 and 1.
 * Fails if one-hot has more different tokens than D. */
bool embed(Mat *x, EmbedNote *notes, const EmbedInput *in, Err *err);

#endif
