#include "text/vocabulary.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "base/util.h"
#include "text/pieces.h"

void vocabulary_release(Vocabulary *v) {
    if (v == NULL || v->owners-- > 0)
        return;
    free(v->text);
    free(v->starts);
    free(v->order);
    for (int normal = 0; normal < 2; normal++) {
        AddedTokens *added = normal ? &v->normal : &v->raw;
        for (int i = 0; i < added->count; i++)
            free(added->at[i].text);
        free(added->at);
    }
    free(v->bpe.merges);
    free(v->scores);
    free(v->charsmap.bytes);
    free(v);
}

const char *vocabulary_bytes(const Vocabulary *v, int id, size_t *size) {
    bool known = id >= 0 && id < v->count;
    *size = known ? v->starts[id + 1] - v->starts[id] : 0;
    return known ? v->text + v->starts[id] : "";
}

int vocabulary_compare(const char *a, size_t a_size, const char *b, size_t b_size) {
    int order = memcmp(a, b, a_size < b_size ? a_size : b_size);
    return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

typedef struct Named {
    const char *bytes;
    size_t size;
    uint32_t id;
} Named;

static int compare_named(const void *a, const void *b) {
    const Named *left = a, *right = b;
    int order = vocabulary_compare(left->bytes, left->size, right->bytes, right->size);
    return order != 0 ? order : (left->id > right->id) - (left->id < right->id);
}

bool vocabulary_sort(Vocabulary *v) {
    Named *names = heap_get(((size_t)v->count + 1) * sizeof *names);
    v->order = heap_get(((size_t)v->count + 1) * sizeof *v->order);
    bool has_memory = names != NULL && v->order != NULL;
    v->order_count = 0;
    int count = 0;
    for (int id = 0; id < v->count && has_memory; id++) {
        names[count].id = (uint32_t)id;
        names[count].bytes = vocabulary_bytes(v, id, &names[count].size);
        count += names[count].size > 0;
    }
    if (has_memory)
        qsort(names, (size_t)count, sizeof *names, compare_named);
    for (int i = 0; i < count; i++) /* if several ids have the same bytes, keep the smallest */
        if (i == 0 || vocabulary_compare(names[i - 1].bytes, names[i - 1].size, names[i].bytes,
                                         names[i].size) != 0)
            v->order[v->order_count++] = names[i].id;
    free(names);
    return has_memory;
}

int vocabulary_find(const Vocabulary *v, const char *bytes, size_t size) {
    int from = 0, to = v->order_count;
    size_t found_size = 0;
    while (from < to) {
        int middle = from + (to - from) / 2;
        const char *found = vocabulary_bytes(v, (int)v->order[middle], &found_size);
        if (vocabulary_compare(found, found_size, bytes, size) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    if (from == v->order_count)
        return -1;
    const char *found = vocabulary_bytes(v, (int)v->order[from], &found_size);
    return vocabulary_compare(found, found_size, bytes, size) == 0 ? (int)v->order[from] : -1;
}

size_t vocabulary_text(char *out, size_t capacity, const Vocabulary *v, int id) {
    static const char blank[] = VOCABULARY_BLANK;
    size_t size, used = 0, bytes;
    const char *text = vocabulary_bytes(v, id, &size);
    for (int b = 0; b < BPE_BYTES && v->falls_to_bytes; b++)
        if (v->bytes[b] == id && capacity > 0) {
            out[0] = (char)b;
            return 1;
        }
    for (size_t at = 0; at < size; at += bytes) {
        bool is_blank = !v->is_bytes && size - at >= sizeof blank - 1 &&
                        memcmp(text + at, blank, sizeof blank - 1) == 0;
        bytes = is_blank ? sizeof blank - 1 : 1;
        if (used < capacity)
            out[used++] = is_blank ? ' ' : text[at];
    }
    return used;
}

int vocabulary_byte(uint32_t letter) {
    int left = (int)letter - 0x100;
    if ((letter >= '!' && letter <= '~') || (letter >= 0xA1 && letter <= 0xFF && letter != 0xAD))
        return (int)letter;
    for (int byte = 0; byte < BPE_BYTES && left >= 0; byte++) {
        bool prints = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte != 0xAD);
        if (!prints && left-- == 0)
            return byte;
    }
    return -1;
}

/* Return the last added token that does not sort after these bytes; NULL if all do. */
static const AddedToken *last_added(const AddedTokens *all, const char *text, size_t size) {
    int from = 0, to = all->count;
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (vocabulary_compare(all->at[middle].text, all->at[middle].bytes, text, size) <= 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from > 0 ? &all->at[from - 1] : NULL;
}

/* Return the longest added token that starts at this byte; NULL for none. Each added token that is
 * a prefix of the text is the result of last_added or a prefix of it. `start` leads from a token to
 * its shorter prefixes. */
static const AddedToken *added_at(const AddedTokens *all, const char *text, size_t size,
                                  size_t at) {
    size_t left = size - at < VOCABULARY_ADDED_MAX ? size - at : VOCABULARY_ADDED_MAX, common = 0;
    const AddedToken *token =
        all->begins[(unsigned char)text[at]] ? last_added(all, text + at, left) : NULL;
    while (token != NULL && common < token->bytes && common < left &&
           token->text[common] == text[at + common])
        common++;
    while (token != NULL && token->bytes > common)
        token = token->start >= 0 ? &all->at[token->start] : NULL;
    return token;
}

static bool is_blank(const char *text, size_t size, size_t at) {
    size_t bytes;
    return piece_is_blank(utf8_decode(text, size, at, &bytes));
}

/* Find the first added token in text[begun..size), and set *from and *to to its range. Return NULL,
 * and set both to size, if there is none. */
static const AddedToken *next_added(size_t *from, size_t *to, const AddedTokens *all,
                                    const char *text, size_t size, size_t begun) {
    const AddedToken *added = NULL;
    for (*from = begun; *from < size && added == NULL; ++*from)
        added = added_at(all, text, size, *from);
    *from -= added != NULL;
    *to = *from + (added != NULL ? added->bytes : 0);
    while (added != NULL && added->takes_left && *from > begun &&
           is_blank(text, size, utf8_previous(text, size, *from)))
        *from = utf8_previous(text, size, *from);
    while (added != NULL && added->takes_right && *to < size && is_blank(text, size, *to))
        *to = utf8_next(text, size, *to);
    return added;
}

/* Run the steps first..end on flows[0]. Return the flow that has the result, which is one of the
 * two. */
static Flow *run_steps(Flow flows[2], const Vocabulary *v, int first, int end) {
    int now = 0;
    for (int i = first; i < end && !flows[now].failed; i++, now = !now) {
        Flow *in = &flows[now], *out = &flows[!now];
        out->size = 0;
        for (size_t from = 0, to; from < in->size; from = to) {
            to = flow_piece_end(in, from);
            out->begins = true;
            v->steps[i].run(out, in, from, to, &v->steps[i]);
        }
        in->failed = in->failed || out->failed;
    }
    return &flows[now];
}

Flow *vocabulary_normalise(Flow flows[2], const Vocabulary *v, const char *text, size_t at,
                           size_t end) {
    flows[0].size = 0;
    flow_start(&flows[0], text, at, end);
    return run_steps(flows, v, 0, v->normal_count);
}

/* Split normalised text without added tokens. */
static bool split_words(TokenList *out, Flow flows[2], const Vocabulary *v, const Flow *in,
                        size_t at, size_t end, Err *err) {
    flows[0].size = 0;
    flow_cut(&flows[0], in, at, end);
    const Flow *flow = run_steps(flows, v, v->normal_count, v->step_count);
    if (in->failed || flow->failed)
        return err_fail(err, "tokenizer", "makes this text too long, or memory ran out; use --ids");
    for (size_t from = 0, to; from < flow->size; from = to) {
        to = flow_piece_end(flow, from);
        if (!v->model->split(out, v, flow, from, to, err))
            return false;
    }
    return true;
}

/* Split text without the added tokens of v->raw. */
static bool split_section(TokenList *out, Flow flows[4], const Vocabulary *v, const char *text,
                          size_t at, size_t end, Err *err) {
    const Flow *flow = vocabulary_normalise(flows, v, text, at, end);
    for (size_t begun = 0, from, to; begun < flow->size || flow->failed; begun = to) {
        const AddedToken *added = next_added(&from, &to, &v->normal, flow->text, flow->size, begun);
        if (!split_words(out, flows + 2, v, flow, begun, from, err))
            return false;
        if (added != NULL)
            flow_token(out, flow, from, to, added->id);
    }
    return true;
}

static bool split_text(TokenList *out, Flow flows[4], const Vocabulary *v, const char *text,
                       size_t size, Err *err) {
    for (size_t begun = 0, from, to; begun < size; begun = to) {
        const AddedToken *added = next_added(&from, &to, &v->raw, text, size, begun);
        if (!split_section(out, flows, v, text, begun, from, err))
            return false;
        if (added != NULL)
            token_add(out, from, to - from, added->id);
    }
    return true;
}

bool vocabulary_split(TokenList *out, const Vocabulary *v, const char *text, size_t size,
                      Err *err) {
    Flow flows[4] = {0};
    for (int i = 0; i < v->before_count && size > 0; i++)
        token_add(out, 0, 0, v->before[i]);
    bool done = split_text(out, flows, v, text, size, err);
    for (int i = 0; i < v->after_count && size > 0; i++)
        token_add(out, size, 0, v->after[i]);
    for (size_t i = 0; i < ARRAY_COUNT(flows); i++)
        flow_release(&flows[i]);
    return done;
}
