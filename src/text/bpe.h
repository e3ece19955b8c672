/* bpe.h: byte pair encoding. Pure; the caller owns the memory of the merges. A token is a number;
 * BPE_NO_TOKEN stands for none. Source: Sennrich, Haddow and Birch 2016, "Neural machine
 * translation of rare words with subword units", section 3.2; on bytes, Radford et al. 2019,
 * "Language models are unsupervised multitask learners", section 2.2. */
#ifndef HEADLIGHT_TEXT_BPE_H
#define HEADLIGHT_TEXT_BPE_H

#include <stddef.h>
#include <stdint.h>

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

/* Join the tokens of a piece of `bytes` bytes (1 to UINT32_MAX - 1). queue has room for two entries
 * for each byte. The caller has set next and token of each node at which a token starts. Repeatedly
 * merges the adjacent pair with the lowest rank, the leftmost of equals. The first token is bytes 0
 * to nodes[0].next; each further token starts where the previous one ends. O(N log N). */
void bpe_join(BpeNode *nodes, uint64_t *queue, const Bpe *bpe, size_t bytes);

#endif
