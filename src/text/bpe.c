#include "text/bpe.h"

#include <assert.h>
#include <string.h>

#define NOWHERE UINT32_MAX

size_t bpe_index_entries(uint32_t tokens, uint32_t merges) {
    return (size_t)tokens + 1 + 2 * (size_t)merges;
}

static uint32_t side(const BpeMerge *merge, bool right) {
    return right ? merge->right : merge->left;
}

/* Write the ranks in `from` (NULL: 0, 1, …) to `to`, sorted by one side of their merges. Equal ones
 * keep their order. Afterwards starts[t] is where those of token t begin. */
static void sort_by(uint32_t *to, uint32_t *starts, const Bpe *bpe, const uint32_t *from,
                    bool right) {
    memset(starts, 0, ((size_t)bpe->tokens + 1) * sizeof *starts);
    for (uint32_t i = 0; i < bpe->count; i++)
        starts[side(&bpe->merges[i], right) + 1]++;
    for (uint32_t t = 0; t < bpe->tokens; t++)
        starts[t + 1] += starts[t];
    for (uint32_t i = 0; i < bpe->count; i++) {
        uint32_t rank = from != NULL ? from[i] : i;
        to[starts[side(&bpe->merges[rank], right)]++] = rank;
    }
    memmove(starts + 1, starts, bpe->tokens * sizeof *starts);
    starts[0] = 0;
}

/* The index has, for each left token, where its merges begin in the list of ranks that follows,
 * which is sorted by left and right token. A table of hashes would be slow for a hostile file. */
uint32_t bpe_build(Bpe *bpe, uint32_t *index, uint32_t tokens, const BpeMerge *merges,
                   uint32_t count) {
    uint32_t *ranks = index + tokens + 1;
    *bpe = (Bpe){.merges = merges, .count = count, .tokens = tokens, .index = index};
    sort_by(ranks + count, index, bpe, NULL, true);
    sort_by(ranks, index, bpe, ranks + count, false);
    for (uint32_t i = 1; i < count; i++) {
        const BpeMerge *a = &merges[ranks[i - 1]], *b = &merges[ranks[i]];
        if (a->left == b->left && a->right == b->right)
            return ranks[i];
    }
    return count;
}

uint32_t bpe_rank(const Bpe *bpe, uint32_t left, uint32_t right) {
    if (left >= bpe->tokens)
        return BPE_NO_MERGE;
    const uint32_t *ranks = bpe->index + bpe->tokens + 1;
    uint32_t from = bpe->index[left], to = bpe->index[left + 1];
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        uint32_t found = bpe->merges[ranks[middle]].right;
        if (found == right)
            return ranks[middle];
        if (found < right)
            from = middle + 1;
        else
            to = middle;
    }
    return BPE_NO_MERGE;
}

/* Binary heap of rank << 32 | position, so that among equal ranks the leftmost comes first. An
 * entry is not removed when a neighbour changes. A stale entry is recognised by its rank: no later
 * pair at this position can have the same rank. */
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
    node->token = bpe->merges[node->rank].joined;
    node->next = next->next;
    next->rank = BPE_NO_MERGE;
    if (node->next < bytes)
        nodes[node->next].previous = at;
    offer(queue, nodes, bpe, at, bytes);
    if (node->previous != NOWHERE)
        offer(queue, nodes, bpe, node->previous, bytes);
}

void bpe_join(BpeNode *nodes, uint64_t *room, const Bpe *bpe, size_t bytes) {
    assert(bytes > 0 && bytes < NOWHERE);
    Queue queue = {room, 0};
    uint32_t end = (uint32_t)bytes, previous = NOWHERE;
    for (uint32_t at = 0; at < end; at = nodes[at].next) {
        nodes[at].previous = previous;
        previous = at;
    }
    for (uint32_t at = 0; at < end; at = nodes[at].next)
        offer(&queue, nodes, bpe, at, end);
    while (queue.count > 0) {
        uint64_t least = queue_pop(&queue);
        uint32_t at = (uint32_t)least;
        if (nodes[at].rank == least >> 32)
            merge(&queue, nodes, bpe, at, end);
    }
}
