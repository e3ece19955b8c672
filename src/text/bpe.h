/* bpe.h: byte pair encoding. Pure; the caller owns the memory of the merges.
 * A token is a number; BPE_NO_TOKEN is none. GPT-2's tokens are numbered here: 0 to 255 are the
 * bytes, and 256 + r is the result of merge r. Source: Sennrich, Haddow and Birch 2016, "Neural
 * machine translation of rare words with subword units", section 3.2; on bytes, Radford et al.
 * 2019, "Language models are unsupervised multitask learners", section 2.2. */
#ifndef HEADLIGHT_TEXT_BPE_H
#define HEADLIGHT_TEXT_BPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

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

/* Scratch memory of bpe_join for a piece of N bytes: N nodes and 2 N queue entries. */
typedef struct BpeRoom {
    BpeNode *nodes;
    uint64_t *queue;
} BpeRoom;

/* Replace room, which is large enough for BPE_SHORT_PIECE bytes, by memory in arena if the piece is
 * longer. */
#define BPE_SHORT_PIECE 256
bool bpe_room(BpeRoom *room, Arena *arena, size_t bytes, Err *err);

/* Set next and token of the nodes of a piece to GPT-2's tokens of its bytes. */
void bpe_place_bytes(BpeNode *nodes, const char *piece, size_t bytes);

/* Join the tokens of a piece of `bytes` bytes (1 to UINT32_MAX - 1). The caller has set next and
 * token of room->nodes[0] and of each node that a next leads to.
 * Repeatedly merges the adjacent pair with the lowest rank, the leftmost of equals. The first token
 * is bytes 0 to room->nodes[0].next; each further token starts where the previous one ends. O(N log
 * N). */
void bpe_join(BpeRoom *room, const Bpe *bpe, size_t bytes);

#endif
