/* bpe.h: byte pair encoding. Pure; the caller owns the memory of the merges.
 * A token is a number: 0 to 255 for a byte, 256 + r for the result of merge r.
 * Source: Sennrich, Haddow and Birch 2016, "Neural machine translation of rare words with subword
 * units", section 3.2; on bytes, Radford et al. 2019, "Language models are unsupervised multitask
 * learners", section 2.2. */
#ifndef HEADLIGHT_TEXT_BPE_H
#define HEADLIGHT_TEXT_BPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BPE_BYTES      256
#define BPE_MERGES_MAX (UINT16_MAX - BPE_BYTES) /* tokens and ranks fit 16 bits */
#define BPE_NO_MERGE   UINT16_MAX

typedef struct BpeMerge {
    uint16_t left, right; /* tokens */
} BpeMerge;

typedef struct Bpe {
    const BpeMerge *merges; /* in order of rank; the lowest rank is merged first */
    int count;
    const uint16_t *slots; /* open addressing: rank + 1, 0 for empty */
    uint32_t slot_count;   /* a power of two */
} Bpe;

/* Return the number of slots for this many merges: a power of two, at most half of it used. */
uint32_t bpe_slot_count(int merges);

/* Build bpe from merges and slots (bpe_slot_count of them, zeroed). The caller owns both arrays.
 * Return count on success. Otherwise return the index of the first bad merge: it repeats a pair, or
 * joins a token that no earlier merge makes. bpe is then not usable. */
int bpe_build(Bpe *bpe, uint16_t *slots, const BpeMerge *merges, int count);

/* Return the rank of the merge of two tokens, or BPE_NO_MERGE. */
uint16_t bpe_rank(const Bpe *bpe, uint16_t left, uint16_t right);

/* A byte of a piece, or the token that starts at it. */
typedef struct BpeNode {
    uint32_t previous, next; /* start of each neighbour; next is also the end of this token */
    uint16_t token;
    uint16_t rank; /* rank of the merge with the next node */
} BpeNode;

/* Scratch memory of bpe_join for a piece of N bytes: N nodes and 2 N queue entries. */
typedef struct BpeRoom {
    BpeNode *nodes;
    uint64_t *queue;
} BpeRoom;

/* Join the bytes of piece (1 to UINT32_MAX - 1) into tokens.
 * Repeatedly merges the adjacent pair with the lowest rank, the leftmost of equals. The first token
 * is bytes 0 to room->nodes[0].next; each further token starts where the previous one ends. O(N log
 * N). */
void bpe_join(BpeRoom *room, const Bpe *bpe, const char *piece, size_t bytes);

#endif
