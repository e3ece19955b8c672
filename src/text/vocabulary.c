#include "text/vocabulary.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "base/util.h"

void vocabulary_release(Vocabulary *v) {
    if (v == NULL || v->owners-- > 0)
        return;
    free(v->text);
    free(v->starts);
    free(v->order);
    free(v->added);
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
static const AddedToken *last_added(const Vocabulary *v, const char *text, size_t size) {
    int from = 0, to = v->added_count;
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (vocabulary_compare(v->added[middle].text, v->added[middle].bytes, text, size) <= 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from > 0 ? &v->added[from - 1] : NULL;
}

/* Return the longest added token that starts at this byte; NULL for none. Each added token that is
 * a prefix of the text is the result of last_added or a prefix of it. `start` leads from a token to
 * its shorter prefixes. */
static const AddedToken *added_at(const Vocabulary *v, const char *text, size_t size, size_t at) {
    size_t left = size - at < VOCABULARY_ADDED_MAX ? size - at : VOCABULARY_ADDED_MAX, common = 0;
    const AddedToken *token =
        v->adds[(unsigned char)text[at]] ? last_added(v, text + at, left) : NULL;
    while (token != NULL && common < token->bytes && common < left &&
           token->text[common] == text[at + common])
        common++;
    while (token != NULL && token->bytes > common)
        token = token->start >= 0 ? &v->added[token->start] : NULL;
    return token;
}

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Run all steps. Return the flow that has the result, which is one of the two. */
static Flow *run_steps(Flow flows[2], const Vocabulary *v, const char *text, size_t at,
                       size_t end) {
    int now = 0;
    flows[0].size = 0;
    flow_start(&flows[0], text, at, end);
    for (int i = 0; i < v->step_count && !flows[now].failed; i++, now = !now) {
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

static bool split_section(TokenList *out, Flow flows[2], const Vocabulary *v, const char *text,
                          size_t at, size_t end, Err *err) {
    if (at == end)
        return true;
    const Flow *flow = run_steps(flows, v, text, at, end);
    if (flow->failed)
        return err_fail(err, "tokenizer", "makes this text too long, or memory ran out; use --ids");
    for (size_t from = 0, to; from < flow->size; from = to) {
        to = flow_piece_end(flow, from);
        if (!v->model->split(out, v, flow, from, to, err))
            return false;
    }
    return true;
}

static bool split_text(TokenList *out, Flow flows[2], const Vocabulary *v, const char *text,
                       size_t size, Err *err) {
    size_t begun = 0;
    for (size_t at = 0; at < size;) {
        const AddedToken *added = added_at(v, text, size, at);
        if (added == NULL) {
            at++;
            continue;
        }
        size_t from = at, to = at + added->bytes;
        while (added->takes_left && from > begun && is_blank(text[from - 1]))
            from--;
        while (added->takes_right && to < size && is_blank(text[to]))
            to++;
        if (!split_section(out, flows, v, text, begun, from, err))
            return false;
        token_add(out, from, to - from, added->id);
        at = begun = to;
    }
    return split_section(out, flows, v, text, begun, size, err);
}

bool vocabulary_split(TokenList *out, const Vocabulary *v, const char *text, size_t size,
                      Err *err) {
    Flow flows[2] = {0};
    for (int i = 0; i < v->before_count && size > 0; i++)
        token_add(out, 0, 0, v->before[i]);
    bool done = split_text(out, flows, v, text, size, err);
    for (int i = 0; i < v->after_count && size > 0; i++)
        token_add(out, size, 0, v->after[i]);
    flow_release(&flows[0]);
    flow_release(&flows[1]);
    return done;
}
