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

void edges_drop(EdgeSet *set) {
    if (set != NULL && --set->owners == 0)
        free(set);
}

/* A source of runs in the order of their queries, borrowed. Runs in the state `skip` are ignored.
 * */
typedef struct ResultsSource {
    const EdgeRun *runs;
    int count, at;
    EdgeState skip;
} ResultsSource;

static int next_query(const ResultsSource *source) {
    return source->at < source->count ? source->runs[source->at].query : TOKENS_MAX;
}

/* Write the state of each key in a query's runs into row (TOKENS_MAX), and widen `keys` to contain
 * these keys. */
static void lay_row(uint8_t *row, EdgeRange *keys, ResultsSource *source, int query) {
    for (; next_query(source) == query; source->at++) {
        const EdgeRun *run = &source->runs[source->at];
        if (source->skip != EDGE_AS_MASK && run->state == source->skip)
            continue;
        memset(row + run->first, run->state, (size_t)(run->last - run->first) + 1);
        keys->first = run->first < keys->first ? run->first : keys->first;
        keys->last = run->last > keys->last ? run->last : keys->last;
    }
}

/* Append the runs of a row. Return false if there is no room for them. */
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

/* Set *out to a new set: `below` with `above` on top of it. */
static bool overlay(EdgeSet **out, ResultsSource below, ResultsSource above, Err *err) {
    EdgeSet *set = heap_get(sizeof *set + EDGE_RUNS_MAX * sizeof set->runs[0]);
    if (set == NULL)
        return err_fail(err, "memory", "too little for the mask's edges; close other programs");
    set->owners = 1;
    set->count = 0;
    uint8_t row[TOKENS_MAX] = {0};
    for (;;) {
        EdgeRange keys = {TOKENS_MAX, -1};
        int a = next_query(&below), b = next_query(&above), query = a < b ? a : b;
        if (query == TOKENS_MAX)
            break;
        lay_row(row, &keys, &below, query);
        lay_row(row, &keys, &above, query);
        if (!take_row(set, row, keys, query)) {
            free(set);
            return err_usage(err, "edges", "more than %d separate runs of keys; edit fewer",
                             EDGE_RUNS_MAX);
        }
        if (keys.first <= keys.last)
            memset(row + keys.first, EDGE_AS_MASK, (size_t)(keys.last - keys.first) + 1);
    }
    EdgeSet *fitted = set->count > 0
                          ? heap_resize(set, sizeof *set + (size_t)set->count * sizeof set->runs[0])
                          : NULL;
    *out = fitted;
    if (fitted == NULL && set->count > 0)
        *out = set;
    else if (fitted == NULL)
        free(set);
    return true;
}

static ResultsSource source_of(const EdgeSet *set) {
    return set != NULL ? (ResultsSource){set->runs, set->count, 0, EDGE_AS_MASK}
                       : (ResultsSource){0};
}

static EdgeRun run_of(int query, EdgeRange keys, EdgeState state) {
    return (EdgeRun){(uint16_t)query, (uint16_t)keys.first, (uint16_t)keys.last, (uint16_t)state};
}

static bool in_range(EdgeRange range) {
    return range.first >= 0 && range.first <= range.last && range.last < TOKENS_MAX;
}

bool edges_paint(EdgeSet **out, const EdgeSet *old, const EdgePaint *paint, Err *err) {
    assert(in_range(paint->queries) && in_range(paint->keys));
    EdgeRun runs[TOKENS_MAX];
    int count = 0;
    for (int query = paint->queries.first; query <= paint->queries.last; query++)
        runs[count++] = run_of(query, paint->keys, paint->state);
    return overlay(out, source_of(old), (ResultsSource){runs, count, 0, EDGE_AS_MASK}, err);
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

/* Report an item of the list that is not a rectangle of edges. */
static bool not_edges(const char *what, const char *item, size_t bytes, Err *err) {
    char shown[33], name[80];
    size_t repairs, used = utf8_repair(shown, sizeof shown - 1, item, bytes, &repairs);
    snprintf(name, sizeof name, "%s%s%.*s%s", what, bytes > 0 ? " " : "", (int)used, shown,
             used < bytes ? "…" : "");
    return err_usage(err, name,
                     "must be QUERY-KEY with commas between, positions from 1 to %d or ranges of "
                     "them, as in 3-5,4..6-1..2",
                     TOKENS_MAX);
}

static int by_query(const void *a, const void *b) {
    const EdgeRun *left = a, *right = b;
    return (int)left->query - (int)right->query;
}

/* Read the rectangles of a list into runs (EDGE_RUNS_MAX), row by row. */
static bool list_parse(EdgeRun *runs, int *count, EdgeState state, const char *text, size_t bytes,
                       const char *what, Err *err) {
    size_t at = 0;
    *count = 0;
    do {
        const char *end = memchr(text + at, ',', bytes - at);
        size_t size = end != NULL ? (size_t)(end - text) - at : bytes - at;
        EdgePaint paint;
        if (!paint_parse(&paint, text + at, size))
            return not_edges(what, text + at, size, err);
        if (paint.queries.last - paint.queries.first >= EDGE_RUNS_MAX - *count)
            return err_usage(err, what, "lists more than %d runs of keys; list fewer",
                             EDGE_RUNS_MAX);
        for (int query = paint.queries.first; query <= paint.queries.last; query++)
            runs[(*count)++] = run_of(query, paint.keys, state);
        at += size + 1;
    } while (at <= bytes);
    qsort(runs, (size_t)*count, sizeof *runs, by_query);
    return true;
}

bool edges_read(EdgeSet **out, const EdgeSet *old, EdgeState state, const char *text, size_t bytes,
                const char *what, Err *err) {
    EdgeRun *runs = heap_get(EDGE_RUNS_MAX * sizeof *runs);
    int count = 0;
    if (runs == NULL)
        return err_fail(err, "memory", "too little for the mask's edges; close other programs");
    bool none = bytes == 4 && memcmp(text, "none", 4) == 0;
    bool read = none || list_parse(runs, &count, state, text, bytes, what, err);
    if (read) {
        ResultsSource below = source_of(old);
        below.skip = state;
        read = overlay(out, below, (ResultsSource){runs, count, 0, EDGE_AS_MASK}, err);
    }
    free(runs);
    return read;
}

/* Where a list is written. used also counts what did not fit. */
typedef struct ListOut {
    char *out;
    size_t capacity, used;
} ListOut;

static void put_range(ListOut *to, const char *before, int first, int last) {
    char text[40];
    int size = first == last ? snprintf(text, sizeof text, "%s%d", before, first + 1)
                             : snprintf(text, sizeof text, "%s%d..%d", before, first + 1, last + 1);
    for (int i = 0; i < size; i++, to->used++)
        if (to->used + 1 < to->capacity)
            to->out[to->used] = text[i];
}

/* Return the number of runs of the query whose first run is at `at`. */
static int row_runs(const EdgeSet *set, int at) {
    int end = at;
    while (end < set->count && set->runs[end].query == set->runs[at].query)
        end++;
    return end - at;
}

/* True if the queries whose runs start at a and b have the same runs. */
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

size_t edges_write(char *out, size_t capacity, const EdgeSet *set, EdgeState state) {
    ListOut to = {out, capacity, 0};
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
            put_range(&to, to.used > 0 ? "," : "", run->query, last);
            put_range(&to, "-", run->first, run->last);
        }
    }
    if (capacity > 0)
        out[to.used < capacity ? to.used : capacity - 1] = '\0';
    return to.used;
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
