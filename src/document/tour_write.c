#include "document/tour_write.h"

#include <stdio.h>
#include <string.h>

#include "base/pairs.h"

typedef struct Block {
    const char *at, *end;
} Block;

/* Return where a step's first line begins; for a step after the last, the file's end. */
static const char *begin_of(const Tour *tour, int step) {
    const char *at = tour->bytes + tour->size + 1, *end = at + tour->size;
    if (step >= tour->step_count)
        return end;
    for (int line = 1; line < tour->steps[step].line; line++)
        at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
    return at;
}

/* Return the lines of a step, or of the header, without blank lines at their end. */
static Block block_of(const Tour *tour, int step) {
    const char *file = tour->bytes + tour->size + 1;
    Block b = {step < 0 ? file : begin_of(tour, step), begin_of(tour, step + 1)};
    while (b.end > b.at && strchr(" \t\r\n", b.end[-1]) != NULL)
        b.end--;
    return b;
}

static void append(TextOut *out, const Tour *tour, int step) {
    Block b = block_of(tour, step);
    text_out(out, "%s%.*s\n", step < 0 ? "" : "\n", (int)(b.end - b.at), b.at);
}

void tour_write_step(TextOut *out, const Tour *tour, int at, const char *title, const char *state) {
    char id[32];
    int number = tour->step_count;
    do
        snprintf(id, sizeof id, "step-%d", ++number);
    while (tour_find(tour, id, strlen(id)) >= 0);
    append(out, tour, TOUR_HEADER);
    for (int i = 0; i <= tour->step_count; i++) {
        if (i == at)
            text_out(out, "\n== %s: %s\nstate = %s\n", id, title, state);
        if (i < tour->step_count)
            append(out, tour, i);
    }
}

/* True if the line sets the key. "+state" also sets the state. */
static bool sets(const char *line, size_t bytes, const char *key) {
    Pairs pairs = {.bytes = line, .size = bytes};
    Pair pair;
    bool is_pair = pairs_next(&pairs, &pair);
    return is_pair &&
           (pair_is(&pair, key) || (strcmp(key, "state") == 0 && pair_is(&pair, "+state")));
}

static void append_changed(TextOut *out, const Tour *tour, int step, const char *key,
                           const char *value) {
    Block b = block_of(tour, step);
    bool is_title = step >= 0 && strcmp(key, "title") == 0, is_set = value[0] == '\0';
    text_out(out, "%s", step < 0 ? "" : "\n");
    for (const char *line = b.at; line < b.end;) {
        const char *end = memchr(line, '\n', (size_t)(b.end - line));
        size_t bytes = (size_t)((end != NULL ? end : b.end) - line);
        bool is_head = is_title && line == b.at;
        if (is_head && !is_set)
            text_out(out, "== %s: %s\n", tour->steps[step].id, value);
        else if (is_head || is_title || !sets(line, bytes, key))
            text_out(out, "%.*s\n", (int)bytes, line);
        else if (!is_set)
            text_out(out, "%s = %s\n", key, value);
        is_set |= is_head || (!is_title && sets(line, bytes, key));
        line += bytes + (end != NULL);
    }
    if (!is_set)
        text_out(out, "%s = %s\n", key, value);
}

void tour_write_key(TextOut *out, const Tour *tour, int step, const char *key, const char *value) {
    for (int i = TOUR_HEADER; i < tour->step_count; i++)
        if (i == step)
            append_changed(out, tour, i, key, value);
        else
            append(out, tour, i);
}

void tour_write_move(TextOut *out, const Tour *tour, int step, int to) {
    append(out, tour, TOUR_HEADER);
    for (int i = 0; i < tour->step_count; i++) {
        if (i == to && to < step)
            append(out, tour, step);
        if (i != step)
            append(out, tour, i);
        if (i == to && to >= step)
            append(out, tour, step);
    }
}

void tour_write_without(TextOut *out, const Tour *tour, int step) {
    for (int i = TOUR_HEADER; i < tour->step_count; i++)
        if (i != step)
            append(out, tour, i);
}
