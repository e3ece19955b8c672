#include "text/bpe.h"

#include <assert.h>
#include <stdlib.h>

#define NOWHERE UINT32_MAX

static uint64_t pair_of(const BpeMerge *merge) {
    return (uint64_t)merge->left << 32 | merge->right;
}

static int compare(const void *a, const void *b) {
    uint64_t left = pair_of(a), right = pair_of(b);
    return (left > right) - (left < right);
}

uint32_t bpe_sort(Bpe *bpe) {
    BpeMerge *merges = bpe->merges;
    for (uint32_t i = 0; i < bpe->count; i++)
        merges[i].rank = i;
    if (bpe->count > 0)
        qsort(merges, bpe->count, sizeof *merges, compare);
    for (uint32_t i = 1; i < bpe->count; i++)
        if (compare(&merges[i - 1], &merges[i]) == 0)
            return merges[merges[i - 1].rank > merges[i].rank ? i - 1 : i].rank;
    return bpe->count;
}

const BpeMerge *bpe_merge(const Bpe *bpe, uint32_t left, uint32_t right) {
    BpeMerge pair = {.left = left, .right = right};
    return bpe->count > 0 ? bsearch(&pair, bpe->merges, bpe->count, sizeof pair, compare) : NULL;
}

/* A binary heap of numbers rank << 32 | position, so that of equal ranks the leftmost comes first.
 * An entry stays in the heap when a neighbour of its token changes. It is then recognised as stale
 * by its rank, because no later pair at this position can have the same rank. */
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
    node->merge = node->next < bytes ? bpe_merge(bpe, node->token, nodes[node->next].token) : NULL;
    if (node->merge != NULL)
        queue_push(queue, (uint64_t)node->merge->rank << 32 | at);
}

static void merge(Queue *queue, BpeNode *nodes, const Bpe *bpe, uint32_t at, uint32_t bytes) {
    BpeNode *node = &nodes[at], *next = &nodes[node->next];
    node->token = node->merge->joined;
    node->next = next->next;
    next->merge = NULL;
    if (node->next < bytes)
        nodes[node->next].previous = at;
    offer(queue, nodes, bpe, at, bytes);
    if (node->previous != NOWHERE)
        offer(queue, nodes, bpe, node->previous, bytes);
}

void bpe_join(BpeNode *nodes, uint64_t *queue, const Bpe *bpe, size_t bytes) {
    assert(bytes > 0 && bytes < NOWHERE);
    Queue waiting = {queue, 0};
    uint32_t end = (uint32_t)bytes, previous = NOWHERE;
    for (uint32_t at = 0; at < end; at = nodes[at].next) {
        nodes[at].previous = previous;
        previous = at;
    }
    for (uint32_t at = 0; at < end; at = nodes[at].next)
        offer(&waiting, nodes, bpe, at, end);
    while (waiting.count > 0) {
        uint64_t least = queue_pop(&waiting);
        uint32_t at = (uint32_t)least;
        if (nodes[at].merge != NULL && nodes[at].merge->rank == least >> 32)
            merge(&waiting, nodes, bpe, at, end);
    }
}
