#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "text/vocabulary.h"

#define SHORT_PIECE 256 /* maximum bytes of a piece that needs no memory from the heap */
#define NO_MEMORY   "has too little memory for this text; shorten it"

#define NOWHERE UINT32_MAX

static uint64_t pair_of(const BpeMerge *merge) {
    return (uint64_t)merge->left << 32 | merge->right;
}

static int compare_pairs(const void *a, const void *b) {
    uint64_t left = pair_of(a), right = pair_of(b);
    return (left > right) - (left < right);
}

uint32_t bpe_sort(Bpe *bpe) {
    BpeMerge *merges = bpe->merges;
    for (uint32_t i = 0; i < bpe->count; i++)
        merges[i].rank = i;
    if (bpe->count > 0)
        qsort(merges, bpe->count, sizeof *merges, compare_pairs);
    for (uint32_t i = 1; i < bpe->count; i++)
        if (compare_pairs(&merges[i - 1], &merges[i]) == 0)
            return merges[merges[i - 1].rank > merges[i].rank ? i - 1 : i].rank;
    return bpe->count;
}

const BpeMerge *bpe_merge(const Bpe *bpe, uint32_t left, uint32_t right) {
    BpeMerge pair = {.left = left, .right = right};
    return bpe->count > 0 ? bsearch(&pair, bpe->merges, bpe->count, sizeof pair, compare_pairs)
                          : NULL;
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
static void queue_offer(Queue *queue, BpeNode *nodes, const Bpe *bpe, uint32_t at, uint32_t bytes) {
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
    queue_offer(queue, nodes, bpe, at, bytes);
    if (node->previous != NOWHERE)
        queue_offer(queue, nodes, bpe, node->previous, bytes);
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
        queue_offer(&waiting, nodes, bpe, at, end);
    while (waiting.count > 0) {
        uint64_t least = queue_pop(&waiting);
        uint32_t at = (uint32_t)least;
        if (nodes[at].merge != NULL && nodes[at].merge->rank == least >> 32)
            merge(&waiting, nodes, bpe, at, end);
    }
}

void flow_token(TokenList *out, const Flow *flow, size_t at, size_t end, int id) {
    uint32_t from = flow->spots[at].from, to = flow->spots[end - 1].to;
    token_add(out, from, to > from ? to - from : 0, id);
}

/* Fill nodes with the tokens before any merge: the piece's bytes, or its characters. If
 * v->falls_to_bytes, an unknown character becomes its bytes. An id of -1 becomes BPE_NO_TOKEN. */
static void place_nodes(BpeNode *nodes, const Vocabulary *v, const char *piece, size_t size) {
    for (size_t at = 0, bytes = 1; at < size; at += bytes) {
        int id = v->bytes[(unsigned char)piece[at]];
        if (!v->is_bytes) {
            utf8_decode(piece, size, at, &bytes);
            id = vocabulary_find(v, piece + at, bytes);
        }
        if (id >= 0 || v->is_bytes || !v->falls_to_bytes) {
            nodes[at] = (BpeNode){.next = (uint32_t)(at + bytes), .token = (uint32_t)id};
            continue;
        }
        for (size_t i = at; i < at + bytes; i++)
            nodes[i] = (BpeNode){.next = (uint32_t)(i + 1),
                                 .token = (uint32_t)v->bytes[(unsigned char)piece[i]]};
    }
}

static bool add_tokens(TokenList *out, const Vocabulary *v, const Flow *flow, size_t at,
                       const BpeNode *nodes, size_t size, Err *err) {
    for (size_t from = 0, to; from < size; from = to) {
        uint32_t token = nodes[from].token;
        to = nodes[from].next;
        while (token == BPE_NO_TOKEN && v->joins_unknown && to < size &&
               nodes[to].token == BPE_NO_TOKEN)
            to = nodes[to].next;
        if (token == BPE_NO_TOKEN && v->unknown < 0)
            return err_fail(err, "tokenizer model", "has no token for the byte %02X of the text",
                            (unsigned char)flow->text[at + from]);
        flow_token(out, flow, at + from, at + to, token != BPE_NO_TOKEN ? (int)token : v->unknown);
    }
    return true;
}

static bool bpe_split(TokenList *out, const Vocabulary *v, const Flow *flow, size_t at, size_t end,
                      Err *err) {
    struct {
        uint64_t queue[2 * SHORT_PIECE];
        BpeNode nodes[SHORT_PIECE];
    } few;
    size_t size = end - at;
    int whole = v->takes_whole ? vocabulary_find(v, flow->text + at, size) : -1;
    if (whole >= 0) {
        flow_token(out, flow, at, end, whole);
        return true;
    }
    void *room = size > SHORT_PIECE ? heap_get(size * (sizeof few / SHORT_PIECE)) : NULL;
    if (size > SHORT_PIECE && room == NULL)
        return err_fail(err, "tokenizer", NO_MEMORY);
    uint64_t *queue = room != NULL ? room : few.queue;
    BpeNode *nodes = room != NULL ? (BpeNode *)(queue + 2 * size) : few.nodes;
    place_nodes(nodes, v, flow->text + at, size);
    bpe_join(nodes, queue, &v->bpe, size);
    bool added = add_tokens(out, v, flow, at, nodes, size, err);
    free(room);
    return added;
}

#define WORD_BYTES 1024 /* limit of bytes of a token of WordPiece */

/* Find the longest token at the start of text, and set *id. Return the token's size in bytes; 0 for
 * none. */
static size_t longest(int *id, const Vocabulary *v, bool first, const char *text, size_t size) {
    char word[WORD_BYTES];
    size_t prefix = first ? 0 : strlen(v->prefix);
    size = size > WORD_BYTES - prefix ? utf8_floor(text, size, WORD_BYTES - prefix) : size;
    memcpy(word, v->prefix, prefix);
    memcpy(word + prefix, text, size);
    while (size > 0 && (*id = vocabulary_find(v, word, prefix + size)) < 0)
        size = utf8_previous(text, size, size);
    return size;
}

/* Split a piece by BERT's greedy search. Source: Wu et al. 2016, "Google's neural machine
 * translation system", section 4.1. */
static bool wordpiece_split(TokenList *out, const Vocabulary *v, const Flow *flow, size_t at,
                            size_t end, Err *err) {
    const char *piece = flow->text + at;
    size_t size = end - at, from = 0, bytes = 1;
    int id, chars = 0, total = out->total;
    (void)err;
    for (size_t i = 0; i < size; i = utf8_next(piece, size, i))
        chars++;
    if (chars > v->longest)
        bytes = 0;
    for (; from < size && bytes > 0; from += bytes) {
        bytes = longest(&id, v, from == 0, piece + from, size - from);
        if (bytes > 0)
            flow_token(out, flow, at + from, at + from + bytes, id);
    }
    if (bytes == 0) {
        out->total = total;
        flow_token(out, flow, at, end, v->unknown);
    }
    return true;
}

/* The best split of a piece up to some byte: its score and its last token. */
typedef struct Way {
    double score;
    uint32_t from; /* the token's first byte */
    int id;        /* -1 if no token ends here */
} Way;

static unsigned char byte_at(const Vocabulary *v, int i, size_t depth) {
    return (unsigned char)v->text[v->starts[v->order[i]] + depth];
}

static size_t size_of(const Vocabulary *v, int i) {
    uint32_t id = v->order[i];
    return v->starts[id + 1] - v->starts[id];
}

/* Narrow the range from..to of v->order to the tokens whose next byte is c. All tokens in the range
 * have the first depth bytes in common. */
static void narrow(int *from, int *to, const Vocabulary *v, size_t depth, unsigned char c) {
    while (*from < *to && size_of(v, *from) == depth)
        ++*from;
    if (*from < *to && byte_at(v, *from, depth) == c && byte_at(v, *to - 1, depth) == c)
        return;
    for (int side = 0; side < 2; side++) {
        int low = *from, high = *to;
        while (low < high) {
            int middle = low + (high - low) / 2;
            unsigned char found = byte_at(v, middle, depth);
            if (found < c || (side == 1 && found == c))
                low = middle + 1;
            else
                high = middle;
        }
        *(side == 0 ? from : to) = low;
    }
}

static void offer(Way *ways, size_t from, size_t to, double score, int id) {
    score += ways[from].score;
    if (ways[to].id < 0 || score > ways[to].score)
        ways[to] = (Way){score, (uint32_t)from, id};
}

/* Consider every token that begins at this byte. If no token is the single character, also consider
 * the unknown token. */
static void offer_tokens(Way *ways, const Vocabulary *v, const char *piece, size_t size,
                         size_t at) {
    int from = 0, to = v->order_count;
    size_t character;
    bool known = false;
    utf8_decode(piece, size, at, &character);
    for (size_t end = at; end < size && from < to;) {
        narrow(&from, &to, v, end - at, (unsigned char)piece[end]);
        end++;
        int id = from < to && size_of(v, from) == end - at ? (int)v->order[from] : -1;
        if (id < 0 || isnan(v->scores[id]))
            continue;
        offer(ways, at, end, v->scores[id], id);
        known = known || end - at == character;
    }
    if (!known)
        offer(ways, at, at + character, v->unknown_score, v->unknown);
}

/* Reverse the links, so that the entry at a token's first byte leads to the token's end. */
static void turn(Way *ways, size_t size) {
    size_t at = size, from = ways[size].from;
    while (at > 0) {
        size_t before = ways[from].from;
        ways[from].from = (uint32_t)at;
        at = from;
        from = before;
    }
}

static void add_unknown(TokenList *out, const Vocabulary *v, const Flow *flow, size_t at,
                        size_t end) {
    bool has_all = v->falls_to_bytes;
    for (size_t i = at; i < end && has_all; i++)
        has_all = v->bytes[(unsigned char)flow->text[i]] >= 0;
    for (size_t i = at; i < end && has_all; i++)
        flow_token(out, flow, i, i + 1, v->bytes[(unsigned char)flow->text[i]]);
    if (!has_all)
        flow_token(out, flow, at, end, v->unknown);
}

/* Find the split with the best score by Viterbi's search. Source: Kudo 2018, "Subword
 * regularization", section 3.2. */
static bool unigram_split(TokenList *out, const Vocabulary *v, const Flow *flow, size_t at,
                          size_t end, Err *err) {
    size_t size = end - at, bytes;
    const char *piece = flow->text + at;
    Way *ways = heap_get((size + 1) * sizeof *ways);
    if (ways == NULL)
        return err_fail(err, "tokenizer", NO_MEMORY);
    for (size_t i = 0; i <= size; i++)
        ways[i] = (Way){.id = -1};
    for (size_t i = 0; i < size; i += bytes) {
        utf8_decode(piece, size, i, &bytes);
        offer_tokens(ways, v, piece, size, i);
    }
    turn(ways, size);
    for (size_t from = 0, to; from < size; from = to) {
        to = ways[from].from;
        int id = ways[to].id;
        while (id == v->unknown && to < size && ways[ways[to].from].id == v->unknown)
            to = ways[to].from;
        if (id == v->unknown)
            add_unknown(out, v, flow, at + from, at + to);
        else
            flow_token(out, flow, at + from, at + to, id);
    }
    free(ways);
    return true;
}

const VocabularyModel VOCABULARY_MODELS[] = {
    {{"BPE", "Byte pair encoding", "", "Bytes or characters, merged pair by pair."}, bpe_split},
    {{"WordPiece", "WordPiece", "",
      "The longest token at the start of each word, then the longest after it."},
     wordpiece_split},
    {{"Unigram", "Unigram", "",
      "The split into tokens whose scores (log-probabilities) have the largest sum."},
     unigram_split},
};

const Registry VOCABULARY_MODEL_REGISTRY = REGISTRY("models", "model", VOCABULARY_MODELS);
