#include "views/shared/heatmap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/heap.h"

/* Make the session of the second sentence, with the same layer. Edges of the mask, entries of X and
 * scores that were set by hand are left out, because they belong to the first sentence's tokens. */
static bool second_session(Session *out, const ViewContext *c, Err *err) {
    const char *text = c->settings->maps.second;
    int *places = heap_get((size_t)c->run->T * sizeof *places);
    *out = session_share(c->session);
    for (int i = 0; places != NULL && i < c->run->T; i++)
        places[i] = -1;
    edges_drop(out->edges);
    out->edges = NULL;
    bool made = (places != NULL || err_fail(err, "memory", "too little; close other programs")) &&
                session_edit_text(out, 0, out->text->size, text, strlen(text), err) &&
                hand_set_move(&out->hand, places, c->run->T, err);
    free(places);
    if (!made)
        session_release(out);
    return made;
}

static bool fail(SentencePair *p, const Err *err) {
    snprintf(p->why, sizeof p->why, "The second sentence: %.80s %.280s.", err->what, err->why);
    return true;
}

void sentence_pair_begin(SentencePair *p, const ViewContext *c) {
    Err err;
    Session session;
    p->why[0] = '\0';
    p->count = 0;
    if (c->settings->maps.second[0] == '\0')
        return;
    if (weights_has(c->session->weights, WEIGHTS_X)) {
        snprintf(p->why, sizeof p->why,
                 "X comes from a file, so no second sentence can be embedded. Close the file.");
    } else if (c->run->T > PAIR_TOKENS_MAX) {
        snprintf(p->why, sizeof p->why,
                 "Two sentences are compared up to %d tokens, and the text has %d. Shorten it.",
                 PAIR_TOKENS_MAX, c->run->T);
    } else if ((p->run.cache == NULL && !results_init(&p->run, &err)) ||
               !second_session(&session, c, &err)) {
        fail(p, &err);
    } else {
        results_begin_like(&p->run, c->run, &session);
        session_release(&session);
        p->is_begun = true;
    }
}

static bool same_token(const Results *a, int i, const Results *b, int k) {
    size_t bytes = a->tokens[i].bytes;
    return bytes == b->tokens[k].bytes &&
           strncasecmp(results_token(a, i), results_token(b, k), bytes) == 0;
}

/* Fill p->at with a longest common subsequence of the two texts' tokens. Between its tokens, insert
 * first the tokens that only the first sentence has, then those that only the second has. longest
 * is scratch memory, (A + 1, B + 1) for texts of A and B tokens: its entry (i, k) is the length of
 * a longest common subsequence of the texts from tokens i and k on. */
static void align(SentencePair *p, const Results *first, int *longest) {
    const Results *second = &p->run;
    int A = first->T, B = second->T, wide = B + 1;
    for (int i = A; i >= 0; i--)
        for (int k = B; k >= 0; k--) {
            const int *here = longest + i * wide + k;
            int best = 0;
            if (i < A && k < B)
                best = same_token(first, i, second, k) ? here[wide + 1] + 1
                       : here[wide] > here[1]          ? here[wide]
                                                       : here[1];
            longest[i * wide + k] = best;
        }
    for (int i = 0, k = 0; i < A || k < B; p->count++) {
        const int *here = longest + i * wide + k;
        bool both = i < A && k < B && same_token(first, i, second, k);
        bool takes_first = both || (i < A && (k == B || here[wide] >= here[1]));
        p->at[PAIR_FIRST][p->count] = takes_first ? i++ : -1;
        p->at[PAIR_SECOND][p->count] = both || !takes_first ? k++ : -1;
    }
}

static float fill(SentencePair *p, int which, const Results *run, Mat from, bool hides) {
    const int *at = p->at[which];
    float most = 0;
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < p->count; j++) {
            bool has = at[i] >= 0 && at[j] >= 0 && (!hides || mask_row(&run->mask, at[i])[at[j]]);
            float value = has ? mat_row(&from, at[i])[at[j]] : DRAW_CELL_MASKED;
            mat_row(&p->values[which], i)[j] = value;
            most = has && fabsf(value) > most ? fabsf(value) : most;
        }
    return most;
}

static float fill_difference(SentencePair *p) {
    float most = 0;
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < p->count; j++) {
            float a = mat_row(&p->values[PAIR_FIRST], i)[j];
            float b = mat_row(&p->values[PAIR_SECOND], i)[j];
            bool both = a != DRAW_CELL_MASKED && b != DRAW_CELL_MASKED;
            mat_row(&p->values[PAIR_DIFFERENCE], i)[j] = both ? b - a : DRAW_CELL_MASKED;
            most = both && fabsf(b - a) > most ? fabsf(b - a) : most;
        }
    return most;
}

static bool reserve(SentencePair *p, int most, Err *err) {
    size_t side = (size_t)most * sizeof(int) + ARENA_ALIGN;
    if (!arena_reserve(&p->arena, 2 * side + PAIR_COUNT * (mat_bytes(most, most) + ARENA_ALIGN),
                       err))
        return false;
    for (int i = 0; i < PAIR_DIFFERENCE; i++)
        p->at[i] = arena_push(&p->arena, (size_t)most * sizeof(int));
    return true;
}

static bool compare(SentencePair *p, const ViewContext *c, Err *err) {
    const Results *first = c->run, *runs[] = {first, &p->run};
    int show = c->settings->maps.show, head = c->session->options.head - 1;
    size_t cells = ((size_t)first->T + 1) * ((size_t)p->run.T + 1);
    int *longest = heap_get(cells * sizeof *longest);
    if (longest == NULL || !reserve(p, first->T + p->run.T, err)) {
        free(longest);
        return longest != NULL || err_fail(err, "memory", "too little; close other programs");
    }
    align(p, first, longest);
    free(longest);
    bool hides = show != SHOW_SCORES && show != SHOW_GRADIENT_A;
    float most[PAIR_COUNT];
    for (int i = 0; i < PAIR_COUNT; i++) {
        p->values[i] = mat_push(&p->arena, p->count, p->count);
        most[i] = i == PAIR_DIFFERENCE
                      ? fill_difference(p)
                      : fill(p, i, runs[i], heatmap_head(runs[i], 0, head, show), hides);
    }
    p->is_signed = show != SHOW_WEIGHTS;
    float both = fmaxf(most[PAIR_FIRST], most[PAIR_SECOND]);
    both = p->is_signed ? both : view_scale_end(both);
    p->hi[PAIR_FIRST] = p->hi[PAIR_SECOND] = both > 0 ? both : 1;
    p->hi[PAIR_DIFFERENCE] = most[PAIR_DIFFERENCE] > 0 ? most[PAIR_DIFFERENCE] : 1;
    return true;
}

bool sentence_pair_make(SentencePair *p, const ViewContext *c, const Job *job) {
    Err err;
    ResultsRequest request = {.gradient = show_is_gradient(c->settings->maps.show)};
    if (!p->is_begun)
        return true;
    bool made = results_make(&p->run, job);
    if (!made)
        err = p->run.err;
    else if (p->run.T == 0)
        made = err_fail(&err, "it", "has no token; type a word");
    else
        made = results_request_meet(&p->run, &request, job, &err) && compare(p, c, &err);
    return made || (job_goes_on(job) && fail(p, &err));
}

void sentence_pair_end(SentencePair *p) {
    if (p->is_begun)
        results_end(&p->run);
    p->is_begun = false;
}

void sentence_pair_release(SentencePair *p) {
    sentence_pair_end(p);
    results_release(&p->run);
    arena_release(&p->arena);
}
