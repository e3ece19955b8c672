#include "results/fresh.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "support/opened.h"
#include "support/test.h"

Bench bench_of(const char *state, ...) {
    char text[512];
    va_list list;
    va_start(list, state);
    assert_true(vsnprintf(text, sizeof text, state, list) < (int)sizeof text);
    va_end(list);
    Bench b = {.session = session_opened(text)};
    must(results_init(&b.run, &told));
    return b;
}

void bench_close(Bench *b) {
    results_release(&b->run);
    session_release(&b->session);
}

bool update(Bench *b) {
    return results_update(&b->run, &b->session, NULL, (ResultsLimits){TOKENS});
}

const AttnShape *shape_of(const Bench *b) {
    return &b->run.layers[0].shape[b->run.form];
}

bool try_set(Bench *b, const char *key, const char *value) {
    Err err;
    const OptionRow *row = option_find(&STATE_OPTIONS, key, strlen(key));
    assert_non_null(row);
    return session_set(&b->session, row, value, strlen(value), &err);
}

void set(Bench *b, const char *key, const char *value) {
    if (!try_set(b, key, value))
        fail_msg("%s=%s does not hold", key, value);
}

void write_text(Bench *b, const char *text) {
    must(session_edit_text(&b->session, 0, b->session.text->size, text, strlen(text), &told));
}

bool same_bytes(const Mat *a, const Mat *b) {
    if (a->rows != b->rows || a->cols != b->cols)
        return false;
    for (int i = 0; i < a->rows; i++)
        if (memcmp(mat_row(a, i), mat_row(b, i), (size_t)a->cols * sizeof(float)) != 0)
            return false;
    return true;
}

const char *difference_of_layers(const Results *a, const Results *b, int layer) {
    const AttnTrace whole[] = {*results_trace(a, layer), *results_trace(b, layer)};
    const AttnTrace *left = &whole[0], *right = &whole[1];
    const LayerResults *l = &a->layers[layer], *r = &b->layers[layer];
    const struct {
        const char *name;
        const Mat *left, *right;
    } rows[] = {{"the layer's input", &left->input, &right->input},
                {"V", &left->V, &right->V},
                {"W_QK", &left->W_QK, &right->W_QK},
                {"XW", &left->XW, &right->XW},
                {"Q", &left->Q, &right->Q},
                {"K", &left->K, &right->K},
                {"Z", &left->Z, &right->Z},
                {"the sum", &left->sum, &right->sum},
                {"Y", &left->Y, &right->Y}};
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        if (!same_bytes(rows[i].left, rows[i].right))
            return rows[i].name;
    for (int h = 0; h < l->shape[a->form].H; h++) {
        Mat S = attn_head_scores(&left->S, &l->shape[a->form], h);
        Mat S_right = attn_head_scores(&right->S, &r->shape[b->form], h);
        Mat A = results_weights(a, layer, h), A_right = results_weights(b, layer, h);
        if (!same_bytes(&S, &S_right))
            return "S";
        if (!same_bytes(&A, &A_right))
            return "A";
    }
    size_t heads = (size_t)l->shape[a->form].H;
    const LayerFigures *mine = &l->figures, *theirs = &r->figures;
    if (memcmp(mine->stats, theirs->stats, heads * sizeof mine->stats[0]) != 0)
        return "statistics";
    if (memcmp(&mine->form_difference_A, &theirs->form_difference_A, sizeof(float)) != 0 ||
        memcmp(&mine->form_difference_S, &theirs->form_difference_S, sizeof(float)) != 0)
        return "difference of the forms";
    return l->scheme != r->scheme ? "scheme" : NULL;
}

/* Return the first difference between two Results of one session, or NULL. */
static const char *difference(const Results *a, const Results *b, int head) {
    if (a->valid != b->valid)
        return "validity";
    if (!a->valid)
        return strcmp(a->err.why, b->err.why) != 0 ? "reason" : NULL;
    if (a->T != b->T || a->token_total != b->token_total)
        return "number of tokens";
    if (a->T == 0)
        return NULL;
    if (memcmp(a->tokens, b->tokens, (size_t)a->T * sizeof *a->tokens) != 0)
        return "tokens";
    if (a->missing != b->missing || !same_bytes(&a->X, &b->X))
        return "X";
    if (memcmp(a->mask.open, b->mask.open, (size_t)a->T * (size_t)a->T) != 0)
        return "mask";
    float largest = run_largest_A(a), largest_anew = run_largest_A(b);
    if (a->layer_count != b->layer_count || memcmp(&largest, &largest_anew, sizeof largest) != 0)
        return "layers";
    const char *found = NULL;
    for (int layer = 0; layer < a->layer_count && found == NULL; layer++) {
        found = difference_of_layers(a, b, layer);
        if (results_rank(a, layer, head) != results_rank(b, layer, head))
            found = "rank";
    }
    return found;
}

/* Assert that updated Results equal Results computed from scratch. */
void check_fresh(Bench *b, int tokens_max, const char *what) {
    RESULTS(fresh);
    results_update(&b->run, &b->session, NULL, (ResultsLimits){tokens_max});
    results_update(&fresh, &b->session, NULL, (ResultsLimits){tokens_max});
    for (int i = 0; b->run.valid && fresh.valid && fresh.T > 0 && i < fresh.layer_count; i++)
        must(results_check(&b->run, i, &told) && results_check(&fresh, i, &told));
    const char *found = difference(&b->run, &fresh, b->session.options.head - 1);
    if (found != NULL)
        fail_msg("after %s: %s", what, found);
}
