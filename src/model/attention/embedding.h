/* embedding.h: turns tokens into rows of X, before positions are added. Pure. To add an embedding,
 * add a row to EMBEDDINGS. */
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

/* Word vectors, rotated to their principal components; the most frequent word is first. Borrowed.
 */
typedef struct WordVectors {
    const uint16_t *halves; /* (count, width) IEEE half floats */
    int count, width;
    const char *words;       /* `count` words as token_fold writes them, each followed by '\n' */
    const uint32_t *word_at; /* count + 1 offsets into words */
    const uint32_t *slots;   /* open-addressing hash table: index of a word + 1; 0 if empty */
    uint32_t slot_count;     /* a power of two */
} WordVectors;

/* Return the slot of a word in the form of token_fold, or the empty slot for it if the word is
 * absent. Return slot_count if WORDS_PROBES_MAX slots from its hash on hold other words: chance
 * fills at most about 100 slots in a row, but a malicious file may fill them all. */
#define WORDS_PROBES_MAX 256
uint32_t words_slot(const WordVectors *words, const char *folded, size_t bytes);

/* Return the row of a word in the form of token_fold; -1 if the word is absent. */
int words_find(const WordVectors *words, const char *folded, size_t bytes);

typedef enum EmbedSource {
    EMBED_OWN,     /* the token's own vector, as every token has in random and one-hot embeddings */
    EMBED_TRAINED, /* from a weights file; embed() never sets this */
    EMBED_BORROWED, /* another word's: “n't” uses that of “not”; see EmbedNote.word */
    EMBED_HASHED,   /* no word vector exists: N(0, 1), seeded by a hash of the word */
} EmbedSource;

typedef struct EmbedNote {
    EmbedSource source;
    int word; /* the vector's row in WordVectors, or -1 */
} EmbedNote;

typedef struct EmbedInput {
    EmbeddingKind kind;
    /* May be NULL; then every word has a random vector. */
    const WordVectors *words;
    const char *text;
    size_t text_bytes;
    const Token *tokens;
    bool cuts_words; /* true if tokens may be parts of words */
    uint64_t seed;   /* for EMBEDDING_RANDOM */
} EmbedInput;

/* Fill x (T, D) and notes[T]. If cuts_words, a token gets a word's vector only if it is a whole
 * word: its ends, apart from a leading space, are not between two letters or two numbers. Rows have
 * root mean square 1, except one-hot rows of 0 and 1. Fails if one-hot has more different tokens
 * than D. */
bool embed(Mat *x, EmbedNote *notes, const EmbedInput *in, Err *err);

#endif
