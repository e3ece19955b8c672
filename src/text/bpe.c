#include "text/bpe.h"

#include <assert.h>

#define NOWHERE UINT32_MAX

static uint32_t pair_key(uint16_t left, uint16_t right) {
    return (uint32_t)left << 16 | right;
}

/* Return the slot of this pair, or the empty slot where it belongs. */
static uint32_t find_slot(const Bpe *bpe, uint32_t key) {
    /* Fibonacci hashing: the upper half of the product is well mixed. */
    uint32_t at = (uint32_t)(key * 0x9E3779B97F4A7C15u >> 32) & (bpe->slot_count - 1);
    for (; bpe->slots[at] != 0; at = (at + 1) & (bpe->slot_count - 1)) {
        BpeMerge found = bpe->merges[bpe->slots[at] - 1];
        if (pair_key(found.left, found.right) == key)
            break;
    }
    return at;
}

uint32_t bpe_slot_count(int merges) {
    uint32_t slots = 2;
    while (slots < 2 * (uint32_t)merges)
        slots *= 2;
    return slots;
}

int bpe_build(Bpe *bpe, uint16_t *slots, const BpeMerge *merges, int count) {
    assert(count >= 0 && count <= BPE_MERGES_MAX);
    *bpe = (Bpe){merges, count, slots, bpe_slot_count(count)};
    for (int rank = 0; rank < count; rank++) {
        int made = BPE_BYTES + rank;
        uint32_t slot = find_slot(bpe, pair_key(merges[rank].left, merges[rank].right));
        if (merges[rank].left >= made || merges[rank].right >= made || slots[slot] != 0)
            return rank;
        slots[slot] = (uint16_t)(rank + 1);
    }
    return count;
}

uint16_t bpe_rank(const Bpe *bpe, uint16_t left, uint16_t right) {
    uint32_t slot = find_slot(bpe, pair_key(left, right));
    return bpe->slots[slot] != 0 ? (uint16_t)(bpe->slots[slot] - 1) : BPE_NO_MERGE;
}

/* Binary heap of rank << 32
 * position, so that among equal ranks the leftmost comes first. Entries stay when a neighbour
 * changes. A stale entry is recognised by its rank: no later pair at this position can have it. */
typedef struct Queue {
    uint64_t *at;
    size_t count;
} Queue;

static void queue_push(Queue *queue, uint64_t entry) {
    size_t at = queue->count++;
    for (; at > 0 && queue->at[(at - 1) / 2] > entry; at = (at - 1) / 2)
        queue->at[at] = queue->at[(at - 1) / 2];
    queue->at[at] = entry;
}

static uint64_t queue_pop(Queue *queue) {
    uint64_t least = queue->at[0], last = queue->at[--queue->count];
    size_t at = 0;
    for (size_t child = 1; child < queue->count; child = 2 * at + 1) {
        if (child + 1 < queue->count && queue->at[child + 1] < queue->at[child])
            child++;
        if (queue->at[child] >= last)
            break;
        queue->at[at] = queue->at[child];
        at = child;
    }
    queue->at[at] = last;
    return least;
}

/* Queue the merge of the node at `at` with the next node, if one exists. */
static void offer(Queue *queue, BpeNode *nodes, const Bpe *bpe, uint32_t at, uint32_t bytes) {
    BpeNode *node = &nodes[at];
    node->rank =
        node->next < bytes ? bpe_rank(bpe, node->token, nodes[node->next].token) : BPE_NO_MERGE;
    if (node->rank != BPE_NO_MERGE)
        queue_push(queue, (uint64_t)node->rank << 32 | at);
}

static void merge(Queue *queue, BpeNode *nodes, const Bpe *bpe, uint32_t at, uint32_t bytes) {
    BpeNode *node = &nodes[at], *next = &nodes[node->next];
    node->token = (uint16_t)(BPE_BYTES + node->rank);
    node->next = next->next;
    next->rank = BPE_NO_MERGE;
    if (node->next < bytes)
        nodes[node->next].previous = at;
    offer(queue, nodes, bpe, at, bytes);
    if (node->previous != NOWHERE)
        offer(queue, nodes, bpe, node->previous, bytes);
}

void bpe_join(BpeRoom *room, const Bpe *bpe, const char *piece, size_t bytes) {
    assert(bytes > 0 && bytes < NOWHERE);
    BpeNode *nodes = room->nodes;
    Queue queue = {room->queue, 0};
    uint32_t end = (uint32_t)bytes;
    for (uint32_t i = 0; i < end; i++)
        nodes[i] = (BpeNode){.previous = i - 1, .next = i + 1, .token = (unsigned char)piece[i]};
    nodes[0].previous = NOWHERE;
    for (uint32_t i = 0; i < end; i++)
        offer(&queue, nodes, bpe, i, end);
    while (queue.count > 0) {
        uint64_t least = queue_pop(&queue);
        uint32_t at = (uint32_t)least;
        if (nodes[at].rank == least >> 32)
            merge(&queue, nodes, bpe, at, end);
    }
}
