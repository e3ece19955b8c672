/* vocabulary.h: the tokenizer of a checkpoint or of GPT-2: its tokens, and how it cuts a text into
 * them. Pure; io/vocabulary_file.h and io/bpe_file.h read it. A text is split at added tokens.
 * Steps (text/steps.h) normalise the text between added tokens. It is split at further added
 * tokens, and the text between these is cut into pieces. The model cuts each piece into tokens. */
#ifndef HEADLIGHT_TEXT_VOCABULARY_H
#define HEADLIGHT_TEXT_VOCABULARY_H

#include <stdint.h>

#include "text/steps.h"
#include "text/tokenizer.h"

#define VOCABULARY_MAX       (1 << 20) /* maximum number of tokens */
#define VOCABULARY_TEXT_MAX  (1 << 26) /* maximum bytes of all tokens together */
#define VOCABULARY_ADDED_MAX 512       /* maximum bytes of an added token */
#define VOCABULARY_STEPS_MAX 24
#define VOCABULARY_ENDS_MAX  8 /* maximum number of tokens that are added before or after a text */
#define VOCABULARY_BLANK     "▁"   /* the character that stands for a space in some vocabularies */
#define GPT2_WORDS           50257 /* number of GPT-2's tokens */

/* Byte pair encoding. Tokens are numbers; BPE_NO_TOKEN stands for none. Source: Sennrich, Haddow
 * and Birch 2016, "Neural machine translation of rare words with subword units", section 3.2; on
 * bytes, Radford et al. 2019, "Language models are unsupervised multitask learners", section 2.2.
 */
#define BPE_BYTES    256
#define BPE_NO_TOKEN UINT32_MAX

typedef struct BpeMerge {
    uint32_t left, right, joined; /* tokens */
    /* Set by bpe_sort; the merge with the lowest rank is applied first. */
    uint32_t rank;
} BpeMerge;

typedef struct Bpe {
    BpeMerge *merges;
    uint32_t count;
} Bpe;

/* Sort the merges for bpe_merge. They are given in order of rank. Return count on success.
 * Otherwise return the rank of a merge that repeats a pair; bpe is then not usable. */
uint32_t bpe_sort(Bpe *bpe);

const BpeMerge *bpe_merge(const Bpe *bpe, uint32_t left, uint32_t right);

/* A byte of a piece. Set only if a token starts there. */
typedef struct BpeNode {
    /* Position of the previous and the next token; next is also the end of this token. */
    uint32_t previous, next;
    uint32_t token;
    const BpeMerge *merge; /* the merge with the next token; NULL for none */
} BpeNode;

/* Join the tokens of a piece of `bytes` bytes (1 to UINT32_MAX - 1): repeatedly merge the adjacent
 * pair with the lowest rank, the leftmost if several have this rank. The caller has set next and
 * token of each node at which a token starts. queue has room for two entries for each byte. The
 * first token is bytes 0 to nodes[0].next; each further token starts where the previous one ends.
 * O(N log N). */
void bpe_join(BpeNode *nodes, uint64_t *queue, const Bpe *bpe, size_t bytes);

typedef enum VocabularyModelKind {
    VOCABULARY_BPE,
    VOCABULARY_WORDPIECE,
    VOCABULARY_UNIGRAM
} VocabularyModelKind;

typedef struct VocabularyModel {
    Entry entry; /* entry.id: the type of the model in tokenizer.json */
    /* Add the tokens of the piece at..end of flow, which is not empty. */
    bool (*split)(TokenList *out, const Vocabulary *v, const Flow *flow, size_t at, size_t end,
                  Err *err);
} VocabularyModel;
extern const VocabularyModel VOCABULARY_MODELS[];
extern const Registry VOCABULARY_MODEL_REGISTRY;

/* A token that is found in a text before the text is cut into pieces. */
typedef struct AddedToken {
    int id;
    uint32_t bytes;
    char *text; /* owned; normalised if the token is found in the normalised text */
    /* Index of the longest other added token that is a prefix of this one; -1 for none. */
    int start;
    bool takes_left, takes_right; /* true if the token includes the blanks before it, or after it */
} AddedToken;

typedef struct AddedTokens {
    AddedToken *at; /* owned: in the order of their bytes */
    int count;
    bool begins[256]; /* true if a token begins with this byte */
} AddedTokens;

struct Vocabulary {
    int owners;    /* number of additional owners */
    char why[400]; /* why this vocabulary cannot split text; "" if it can */
    const VocabularyModel *model;
    int count;        /* tokens have the ids 0 to count - 1 */
    char *text;       /* owned: the bytes of all tokens */
    uint32_t *starts; /* owned: count + 1 offsets in text, where each token starts; an unused id has
                         no bytes */
    uint32_t *order;  /* owned: ids of tokens with bytes, sorted by their bytes */
    int order_count;
    VocabularyStep steps[VOCABULARY_STEPS_MAX];
    int normal_count, step_count; /* the first normal_count steps are the normalizer */
    /* Tokens that are found in the original text and, later, those in the normalised text. */
    AddedTokens raw, normal;
    int before[VOCABULARY_ENDS_MAX], after[VOCABULARY_ENDS_MAX], before_count, after_count;
    int unknown;         /* id of the token for unknown characters; -1 for none */
    bool is_bytes;       /* true if tokens consist of bytes, not of characters */
    bool takes_whole;    /* true if a piece that is itself a token is not cut */
    bool falls_to_bytes; /* true if an unknown character becomes tokens such as <0x0A> */
    bool joins_unknown;  /* true if adjacent unknown tokens become one */
    char prefix[16];     /* text in front of each token inside a word; may be "" */
    int longest;         /* maximum characters of a word; a longer one becomes the unknown token */
    double *scores;      /* owned: score of each token, NAN for an added one; NULL for none */
    double unknown_score;
    Charsmap charsmap;
    int bytes[BPE_BYTES]; /* id of the token of each byte; -1 for none */
    Bpe bpe;              /* its merges are owned */
};

/* Remove an owner; NULL is allowed. */
void vocabulary_release(Vocabulary *v);

/* Sort the tokens. text, starts and count must be set. Return false if memory ran out. */
bool vocabulary_sort(Vocabulary *v);

/* Compare two texts by their bytes; a text comes after its own prefix. */
int vocabulary_compare(const char *a, size_t a_size, const char *b, size_t b_size);

/* Return the bytes of a token and set *size to their number; "" if v has no such token. */
const char *vocabulary_bytes(const Vocabulary *v, int id, size_t *size);

/* Return the token with these bytes, the lowest id if there are several; -1 for none. */
int vocabulary_find(const Vocabulary *v, const char *bytes, size_t size);

/* Write the text of a token as a reader expects it, and return its number of bytes, at most
 * capacity. VOCABULARY_BLANK becomes a space, and a token such as <0x0A> becomes its byte. */
size_t vocabulary_text(char *out, size_t capacity, const Vocabulary *v, int id);

/* Return the byte that a letter represents in a byte-level vocabulary; -1 for none. Printable bytes
 * represent themselves; the letters from U+0100 on represent the others, in order. */
int vocabulary_byte(uint32_t letter);

/* Append the token that is made of the bytes at..end of a flow. */
void flow_token(TokenList *out, const Flow *flow, size_t at, size_t end, int id);

/* Normalise text[at..end). Return the flow that has the result, which is one of the two. */
Flow *vocabulary_normalise(Flow flows[2], const Vocabulary *v, const char *text, size_t at,
                           size_t end);

/* Add the tokens of a text to out. v->why must be "". Fails if a byte has no token, or if memory
 * runs out. */
bool vocabulary_split(TokenList *out, const Vocabulary *v, const char *text, size_t size, Err *err);

#endif
