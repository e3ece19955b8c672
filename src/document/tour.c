/* Computes a tour's state string, caption and highlights at a given time. Changes a tour's file. */
#include "document/tour.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/pairs.h"
#include "base/utf8.h"
#include "document/session.h"

#define READ_PER_S 15.0 /* reading speed: characters of a caption per second */
#define REST_S     1.2  /* seconds that a step lasts after its cues and its caption */
#define SHORTEST_S 2.0

void tour_release(Tour *tour) {
    free(tour->bytes);
    free(tour->steps);
    free(tour->cues);
    *tour = (Tour){0};
}

int tour_line(const Tour *tour, const char *string) {
    const char *file = tour->bytes + tour->size + 1, *end = file + (string - tour->bytes);
    int line = 1;
    for (const char *at = file; at < end; at++)
        line += *at == '\n';
    return line;
}

int tour_find(const Tour *tour, const char *id, size_t bytes) {
    for (int i = 0; i < tour->step_count; i++)
        if (strncmp(tour->steps[i].id, id, bytes) == 0 && tour->steps[i].id[bytes] == '\0')
            return i;
    return -1;
}

static void append(TextOut *out, const char *state) {
    if (state != NULL && state[0] != '\0')
        text_out(out, "%s%s", out->used > 0 ? "&" : "", state);
}

void tour_state(TextOut *out, const Tour *tour, int step) {
    int first = step;
    while (first > 0 && tour->steps[first].is_over_last)
        first--;
    append(out, tour->state);
    for (int i = first; i <= step; i++)
        append(out, tour->steps[i].state);
}

static double characters(const char *words) {
    double count = 0;
    size_t size = words != NULL ? strlen(words) : 0;
    for (size_t at = 0; at < size; at = utf8_next(words, size, at))
        count++;
    return count;
}

static double share_of(const TourCue *cue, double time_s) {
    double share = cue->over_s > 0 ? (time_s - cue->at_s) / cue->over_s : 1;
    return fmin(fmax(share, 0), 1);
}

/* Return the number of bytes of a typed text that are visible at this time: whole characters or,
 * with by_word, whole words. */
static size_t typed_bytes(const TourCue *cue, double time_s) {
    size_t all = strlen(cue->value);
    double due = share_of(cue, time_s) * characters(cue->value);
    size_t bytes = 0;
    for (double typed = 1; bytes < all && typed <= due + 1e-9; typed++)
        bytes = utf8_next(cue->value, all, bytes);
    while (cue->by_word && bytes > 0 && bytes < all && cue->value[bytes] != ' ')
        bytes--;
    return bytes;
}

/* Remove the text, the value of the last "text=", from the state so far. Return a copy of the text,
 * or of the default text if the state has none; NULL if memory runs out. */
static char *take_text(TextOut *state) {
    size_t from = 0, end = 0;
    bool is_there = false;
    for (size_t at = 0, bytes; at < state->used; at += bytes + 1) {
        bytes = strcspn(state->at + at, "&");
        if (strncmp(state->at + at, "text=", 5) == 0) {
            is_there = true;
            from = at;
            end = at + bytes;
        }
    }
    if (!is_there)
        return heap_copy(SESSION_TEXT_STANDARD, strlen(SESSION_TEXT_STANDARD));
    char *text = heap_copy(state->at + from + 5, end - from - 5);
    if (state->at[end] == '&')
        end++;
    else if (from > 0)
        from--;
    memmove(state->at + from, state->at + end, state->used - end + 1);
    state->used -= end - from;
    return text;
}

/* Replace the text instead of appending a longer one for each cue, which would fill the memory. */
static void append_typed(TextOut *out, const TourCue *cue, double time_s) {
    size_t typed = typed_bytes(cue, time_s);
    char *before = take_text(out);
    if (before == NULL) {
        out->failed = true;
        return;
    }
    text_out(out, "%stext=%s", out->used > 0 ? "&" : "", before);
    free(before);
    for (size_t i = 0; i < typed; i++)
        text_out(out, strchr("&%", cue->value[i]) != NULL ? "%%%02X" : "%c",
                 (unsigned char)cue->value[i]);
}

static void set(TourMoment *moment, TextOut *state, const TourCue *cue) {
    if (strcmp(cue->key, "caption") == 0)
        moment->caption = cue->value;
    else if (strcmp(cue->key, "light") == 0)
        moment->light = cue->value;
    else if (strcmp(cue->key, "frame") == 0)
        moment->frame = cue->value;
    else
        append(state, cue->value);
}

TourMoment tour_at(TextOut *state, const Tour *tour, int step, double time_s) {
    const TourStep *s = &tour->steps[step];
    TourMoment moment = {.caption = s->caption, .light = s->light, .frame = s->frame};
    moment.next_s = INFINITY;
    tour_state(state, tour, step);
    for (int i = s->cue; i < s->cue + s->cue_count; i++) {
        const TourCue *cue = &tour->cues[i];
        if (cue->at_s > time_s) {
            moment.next_s = fmin(moment.next_s, cue->at_s);
            continue;
        }
        if (cue->kind == TOUR_SET)
            set(&moment, state, cue);
        else if (cue->kind == TOUR_PLAY) {
            double at = cue->from + (cue->to - cue->from) * share_of(cue, time_s);
            text_out(state, "%s%s=", state->used > 0 ? "&" : "", cue->key);
            text_out_number(state, cue->is_whole ? round(at) : at, "0");
        } else if (cue->kind == TOUR_TYPE)
            append_typed(state, cue, time_s);
        else
            moment.keys++;
        if (cue->over_s > 0 && time_s < cue->at_s + cue->over_s)
            moment.next_s = fmin(moment.next_s, time_s);
    }
    return moment;
}

const TourCue *tour_key(const Tour *tour, int step, int nth) {
    const TourStep *s = &tour->steps[step];
    for (int i = s->cue; i < s->cue + s->cue_count; i++)
        if (tour->cues[i].kind == TOUR_KEY && nth-- == 0)
            return &tour->cues[i];
    return NULL;
}

double tour_reading_s(const char *words) {
    return characters(words) / READ_PER_S;
}

double tour_seconds(const Tour *tour, int step) {
    const TourStep *s = &tour->steps[step];
    double end = fmax(SHORTEST_S, tour_reading_s(s->caption) + REST_S);
    if (s->hold_s > 0)
        return s->hold_s;
    for (int i = s->cue; i < s->cue + s->cue_count; i++) {
        const TourCue *cue = &tour->cues[i];
        bool is_words = cue->kind == TOUR_SET && strcmp(cue->key, "caption") == 0;
        end = fmax(end,
                   cue->at_s + cue->over_s + REST_S + (is_words ? tour_reading_s(cue->value) : 0));
    }
    return end + tour_reading_s(s->ask.words) + tour_reading_s(s->guess.words);
}

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

/* Return the lines of a step or of the header, without blank lines at the end. */
static Block block_of(const Tour *tour, int step) {
    const char *file = tour->bytes + tour->size + 1;
    Block b = {step < 0 ? file : begin_of(tour, step), begin_of(tour, step + 1)};
    while (b.end > b.at && strchr(" \t\r\n", b.end[-1]) != NULL)
        b.end--;
    return b;
}

static void append_block(TextOut *out, const Tour *tour, int step) {
    Block b = block_of(tour, step);
    text_out(out, "%s%.*s\n", step < 0 ? "" : "\n", (int)(b.end - b.at), b.at);
}

void tour_write_step(TextOut *out, const Tour *tour, int at, const char *title, const char *state) {
    char id[32];
    int number = tour->step_count;
    do
        snprintf(id, sizeof id, "step-%d", ++number);
    while (tour_find(tour, id, strlen(id)) >= 0);
    append_block(out, tour, TOUR_HEADER);
    for (int i = 0; i <= tour->step_count; i++) {
        if (i == at)
            text_out(out, "\n== %s: %s\nstate = %s\n", id, title, state);
        if (i < tour->step_count)
            append_block(out, tour, i);
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
            append_block(out, tour, i);
}

void tour_write_move(TextOut *out, const Tour *tour, int step, int to) {
    append_block(out, tour, TOUR_HEADER);
    for (int i = 0; i < tour->step_count; i++) {
        if (i == to && to < step)
            append_block(out, tour, step);
        if (i != step)
            append_block(out, tour, i);
        if (i == to && to >= step)
            append_block(out, tour, step);
    }
}

void tour_write_without(TextOut *out, const Tour *tour, int step) {
    for (int i = TOUR_HEADER; i < tour->step_count; i++)
        if (i != step)
            append_block(out, tour, i);
}
