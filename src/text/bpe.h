/* bpe.h: byte pair encoding: bytes joined two by two into tokens. Pure; the merges' memory belongs
 * to the caller.
 * A token is a number: 0 to 255 is that byte, 256 + r what merge r makes.
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
    const BpeMerge *merges; /* the first has the lowest rank and goes first */
    int count;
    const uint16_t *slots; /* open addressing: rank + 1, 0 for empty */
    uint32_t slot_count;   /* a power of two */
} Bpe;

/* The slots that a table of so many merges takes: a power of two, at most half of it in use. */
uint32_t bpe_slot_count(int merges);

/* Fill slots (bpe_slot_count of them, cleared) and make bpe of them; both arrays stay the caller's.
 * Returns the number of merges taken: less than count where that merge is of tokens that are not
 * made before it, or a pair that was there already, and then bpe is not to be used. */
int bpe_build(Bpe *bpe, uint16_t *slots, const BpeMerge *merges, int count);

/* The rank of the merge of two tokens, or BPE_NO_MERGE. */
uint16_t bpe_rank(const Bpe *bpe, uint16_t left, uint16_t right);

/* One byte of a piece, or what was joined from here on. */
typedef struct BpeNode {
    uint32_t previous, next; /* first bytes of the neighbours; next is where this token ends */
    uint16_t token;
    uint16_t rank; /* of the merge with the next node */
} BpeNode;

/* What bpe_join works in, for a piece of N bytes: N nodes and 2 N entries of the queue. */
typedef struct BpeRoom {
    BpeNode *nodes;
    uint64_t *queue;
} BpeRoom;

/* Join the bytes of piece (1 to UINT32_MAX - 1) into tokens: of all neighbours the pair with the
 * lowest rank, the leftmost of equals, until none is left. The first token is bytes 0 to
 * room->nodes[0].next; each further one begins where the last ends. O(N log N). */
void bpe_join(BpeRoom *room, const Bpe *bpe, const char *piece, size_t bytes);

#endif
