/* bpe.h: byte pair encoding. Pure; the caller owns the memory of the merges.
 * A token is a number; BPE_NO_TOKEN is none. Source: Sennrich, Haddow and Birch 2016, "Neural
 * machine translation of rare words with subword units", section 3.2; on bytes, Radford et al.
 * 2019, "Language models are unsupervised multitask learners", section 2.2. */
#ifndef HEADLIGHT_TEXT_BPE_H
#define HEADLIGHT_TEXT_BPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BPE_BYTES    256
#define BPE_NO_MERGE UINT32_MAX
#define BPE_NO_TOKEN UINT32_MAX

typedef struct BpeMerge {
    uint32_t left, right, joined; /* tokens */
} BpeMerge;

typedef struct Bpe {
    const BpeMerge *merges; /* in order of rank; the lowest rank is merged first */
    uint32_t count, tokens;
    const uint32_t *index; /* see bpe_build */
} Bpe;

/* Return the entries of the index that bpe_build needs. */
size_t bpe_index_entries(uint32_t tokens, uint32_t merges);

/* Build bpe from merges, all of tokens below `tokens`. The caller owns merges and index. Return
 * count on success, otherwise the index of a merge that repeats a pair; bpe is then not usable. */
uint32_t bpe_build(Bpe *bpe, uint32_t *index, uint32_t tokens, const BpeMerge *merges,
                   uint32_t count);

/* Return the rank of the merge of two tokens, or BPE_NO_MERGE. */
uint32_t bpe_rank(const Bpe *bpe, uint32_t left, uint32_t right);

/* A byte of a piece, or the token that starts at it. */
typedef struct BpeNode {
    uint32_t previous, next; /* start of each neighbour; next is also the end of this token */
    uint32_t token;
    uint32_t rank; /* rank of the merge with the next node */
} BpeNode;

/* Join the tokens of a piece of `bytes` bytes (1 to UINT32_MAX - 1). queue has room for two entries
 * for each byte. The caller has set next and
 * token of nodes[0] and of each node that a next leads to.
 * Repeatedly merges the adjacent pair with the lowest rank, the leftmost of equals. The first token
 * is bytes 0 to nodes[0].next; each further token starts where the previous one ends. O(N log
 * N). */
void bpe_join(BpeNode *nodes, uint64_t *queue, const Bpe *bpe, size_t bytes);

#endif
