#include "document/edge_set.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/number.h"
#include "base/utf8.h"
#include "text/tokenizer.h"

static_assert(TOKENS_MAX <= UINT16_MAX, "positions are held in 16 bits");

const EdgePaint EDGES_RESET = {{0, TOKENS_MAX - 1}, {0, TOKENS_MAX - 1}, EDGE_AS_MASK};

static const EdgeKey EDGE_KEY_ROWS[] = {
    {{"open", "Open", "EDGES",
      "Opens edges that the mask closes, as QUERY-KEY: 3-5,4..6-1..2 are query 3 with key 5, and "
      "queries 4 to 6 with keys 1 and 2."},
     EDGE_OPEN},
    {{"close", "Close", "EDGES", "Closes edges in addition to the mask, written as for open."},
     EDGE_CLOSED},
};
const Registry EDGE_KEYS = REGISTRY("edges", "key", EDGE_KEY_ROWS);

const EdgeKey *edge_key(int row) {
    return &EDGE_KEY_ROWS[row];
}

void edges_drop(EdgeSet *set) {
    if (set != NULL && --set->owners == 0)
        free(set);
}

/* A borrowed list of runs, sorted by query. The runs before `at` were read. Runs with the state
 * `skip` are ignored; EDGE_AS_MASK: none is ignored. */
typedef struct RunSource {
    const EdgeRun *runs;
    int count, at;
    EdgeState skip;
} RunSource;

static int next_query(const RunSource *source) {
    return source->at < source->count ? source->runs[source->at].query : TOKENS_MAX;
}

/* Write the states of a query's keys, taken from its runs, into row (TOKENS_MAX). Widen `keys` so
 * that it contains these keys. */
static void lay_row(uint8_t *row, EdgeRange *keys, RunSource *source, int query) {
    for (; next_query(source) == query; source->at++) {
        const EdgeRun *run = &source->runs[source->at];
        if (source->skip != EDGE_AS_MASK && run->state == source->skip)
            continue;
        memset(row + run->first, run->state, (size_t)(run->last - run->first) + 1);
        keys->first = run->first < keys->first ? run->first : keys->first;
        keys->last = run->last > keys->last ? run->last : keys->last;
    }
}

static bool take_row(EdgeSet *set, const uint8_t *row, EdgeRange keys, int query) {
    for (int first = keys.first, end; first <= keys.last; first = end) {
        for (end = first + 1; end <= keys.last && row[end] == row[first];)
            end++;
        if (row[first] == EDGE_AS_MASK)
            continue;
        if (set->count == EDGE_RUNS_MAX)
            return false;
        set->runs[set->count++] =
            (EdgeRun){(uint16_t)query, (uint16_t)first, (uint16_t)(end - 1), row[first]};
    }
    return true;
}

/* Replace *set by a new set: the old runs except those with the state `skip`, overwritten by the
 * runs of `above`. */
static bool overlay(EdgeSet **set, EdgeState skip, RunSource above, Err *err) {
    const EdgeSet *old = *set;
    RunSource below = {old != NULL ? old->runs : NULL, old != NULL ? old->count : 0, 0, skip};
    EdgeSet *made = heap_get(sizeof *made + EDGE_RUNS_MAX * sizeof made->runs[0]);
    if (made == NULL)
        return err_fail(err, "memory", "too little for the mask's edges; close other programs");
    made->owners = 1;
    made->count = 0;
    uint8_t row[TOKENS_MAX] = {0};
    for (;;) {
        EdgeRange keys = {TOKENS_MAX, -1};
        int a = next_query(&below), b = next_query(&above), query = a < b ? a : b;
        if (query == TOKENS_MAX)
            break;
        lay_row(row, &keys, &below, query);
        lay_row(row, &keys, &above, query);
        if (!take_row(made, row, keys, query)) {
            free(made);
            return err_usage(err, "edges", "more than %d separate ranges of keys; edit fewer",
                             EDGE_RUNS_MAX);
        }
        if (keys.first <= keys.last)
            memset(row + keys.first, EDGE_AS_MASK, (size_t)(keys.last - keys.first) + 1);
    }
    edges_drop(*set);
    *set = NULL;
    if (made->count == 0) {
        free(made);
        return true;
    }
    EdgeSet *fitted = heap_resize(made, sizeof *made + (size_t)made->count * sizeof made->runs[0]);
    *set = fitted != NULL ? fitted : made;
    return true;
}

static EdgeRun run_of(int query, EdgeRange keys, EdgeState state) {
    return (EdgeRun){(uint16_t)query, (uint16_t)keys.first, (uint16_t)keys.last, (uint16_t)state};
}

static bool in_range(EdgeRange range) {
    return range.first >= 0 && range.first <= range.last && range.last < TOKENS_MAX;
}

bool edges_paint(EdgeSet **set, const EdgePaint *paint, Err *err) {
    assert(in_range(paint->queries) && in_range(paint->keys));
    EdgeRun runs[TOKENS_MAX];
    int count = 0;
    for (int query = paint->queries.first; query <= paint->queries.last; query++)
        runs[count++] = run_of(query, paint->keys, paint->state);
    return overlay(set, EDGE_AS_MASK, (RunSource){runs, count, 0, EDGE_AS_MASK}, err);
}

/* Read "7" or "7..9"; positions count from 1 in text. */
static bool range_parse(EdgeRange *out, const char *text, size_t bytes) {
    size_t first_bytes = 0;
    long long first, last;
    while (first_bytes < bytes && text[first_bytes] != '.')
        first_bytes++;
    if (!number_parse_int(&first, text, first_bytes))
        return false;
    last = first;
    if (first_bytes < bytes &&
        (bytes - first_bytes < 3 || text[first_bytes + 1] != '.' ||
         !number_parse_int(&last, text + first_bytes + 2, bytes - first_bytes - 2)))
        return false;
    if (first < 1 || last < first || last > TOKENS_MAX)
        return false;
    *out = (EdgeRange){(int)first - 1, (int)last - 1};
    return true;
}

static bool paint_parse(EdgePaint *out, const char *text, size_t bytes) {
    const char *mark = memchr(text, '-', bytes);
    return mark != NULL && range_parse(&out->queries, text, (size_t)(mark - text)) &&
           range_parse(&out->keys, mark + 1, bytes - (size_t)(mark - text) - 1);
}

static bool not_edges(const char *what, const char *item, size_t bytes, Err *err) {
    char shown[33], name[80];
    size_t repairs, used = utf8_repair(shown, sizeof shown - 1, item, bytes, &repairs);
    snprintf(name, sizeof name, "%s%s%.*s%s", what, bytes > 0 ? " " : "", (int)used, shown,
             used < bytes ? "…" : "");
    return err_usage(err, name,
                     "must be QUERY-KEY pairs separated by commas, with positions from 1 to %d or "
                     "ranges, as in 3-5,4..6-1..2",
                     TOKENS_MAX);
}

static int by_query(const void *a, const void *b) {
    const EdgeRun *left = a, *right = b;
    return (int)left->query - (int)right->query;
}

static bool list_parse(EdgeRun *runs, int *count, const EdgeKey *key, const char *text,
                       size_t bytes, Err *err) {
    const char *what = PRINT("--%s", key->entry.id);
    size_t at = 0;
    *count = 0;
    do {
        const char *end = memchr(text + at, ',', bytes - at);
        size_t size = end != NULL ? (size_t)(end - text) - at : bytes - at;
        EdgePaint paint;
        if (!paint_parse(&paint, text + at, size))
            return not_edges(what, text + at, size, err);
        if (paint.queries.last - paint.queries.first >= EDGE_RUNS_MAX - *count)
            return err_usage(err, what, "lists more than %d separate ranges of keys; list fewer",
                             EDGE_RUNS_MAX);
        for (int query = paint.queries.first; query <= paint.queries.last; query++)
            runs[(*count)++] = run_of(query, paint.keys, key->state);
        at += size + 1;
    } while (at <= bytes);
    qsort(runs, (size_t)*count, sizeof *runs, by_query);
    return true;
}

bool edges_read(EdgeSet **set, const EdgeKey *key, const char *text, size_t bytes, Err *err) {
    EdgeRun *runs = heap_get(EDGE_RUNS_MAX * sizeof *runs);
    int count = 0;
    if (runs == NULL)
        return err_fail(err, "memory", "too little for the mask's edges; close other programs");
    bool none = bytes == 4 && memcmp(text, "none", 4) == 0;
    bool read = (none || list_parse(runs, &count, key, text, bytes, err)) &&
                overlay(set, key->state, (RunSource){runs, count, 0, EDGE_AS_MASK}, err);
    free(runs);
    return read;
}

bool edges_have(const EdgeSet *set, EdgeState state) {
    for (int i = 0; set != NULL && i < set->count; i++)
        if (set->runs[i].state == (uint16_t)state)
            return true;
    return false;
}

static void put_range(TextOut *out, const char *before, int first, int last) {
    text_out(out, first == last ? "%s%d" : "%s%d..%d", before, first + 1, last + 1);
}

/* Return the number of runs of the query whose first run is at `at`. */
static int row_runs(const EdgeSet *set, int at) {
    int end = at;
    while (end < set->count && set->runs[end].query == set->runs[at].query)
        end++;
    return end - at;
}

static bool same_row(const EdgeSet *set, int a, int b, int count) {
    if (row_runs(set, b) != count)
        return false;
    for (int i = 0; i < count; i++) {
        const EdgeRun *left = &set->runs[a + i], *right = &set->runs[b + i];
        if (left->first != right->first || left->last != right->last || left->state != right->state)
            return false;
    }
    return true;
}

void edges_write(TextOut *out, const EdgeSet *set, EdgeState state) {
    const char *before = "";
    for (int at = 0, end; set != NULL && at < set->count; at = end) {
        int count = row_runs(set, at), last = set->runs[at].query;
        for (end = at + count;
             end < set->count && set->runs[end].query == last + 1 && same_row(set, at, end, count);
             end += count)
            last++;
        for (int i = at; i < at + count; i++) {
            const EdgeRun *run = &set->runs[i];
            if (run->state != (uint16_t)state)
                continue;
            put_range(out, before, run->query, last);
            put_range(out, "-", run->first, run->last);
            before = ",";
        }
    }
}

bool edges_equal(const EdgeSet *a, const EdgeSet *b) {
    if (a == b || a == NULL || b == NULL)
        return a == b;
    return a->count == b->count &&
           memcmp(a->runs, b->runs, (size_t)a->count * sizeof a->runs[0]) == 0;
}

long edges_apply(Mask *mask, const EdgeSet *set) {
    long changed = 0;
    for (int i = 0; set != NULL && i < set->count; i++) {
        const EdgeRun *run = &set->runs[i];
        if (run->query < mask->T && run->first < mask->T)
            changed +=
                mask_set(mask, run->query, run->first,
                         run->last < mask->T ? run->last : mask->T - 1, run->state == EDGE_OPEN);
    }
    return changed;
}
