#include "results/by_hand.h"

#include <math.h>
#include <stdlib.h>

#include "base/heap.h"
#include "results/layer.h"

static Mat matrix_of(const Results *run, int name, int head) {
    const LayerResults *layer = &run->layers[0];
    const AttnShape *shape = &layer->shape[run->form];
    const AttnTrace *trace = results_trace(run, 0);
    if (name == HAND_X)
        return run->X;
    if (name == HAND_S)
        return attn_head_scores(&trace->S, shape, head);
    Mat m = name == ATTN_W_QK ? trace->W_QK : layer->params.p[name];
    int rows, cols;
    hand_name_size(&rows, &cols, name, shape);
    if (rows == 0 || m.rows == 0)
        return (Mat){0};
    return m.rows > rows ? mat_rows(&m, head * rows, rows) : mat_cols(&m, head * cols, cols);
}

/* Return a singular value of the layer; NaN if the singular values cannot be computed. */
static float sigma_value(const Results *run, const HandNumber *place) {
    const LayerResults *layer = &run->layers[0];
    const AttnShape *shape = &layer->shape[run->form];
    const HandNumber *set = hand_set_find(results_source(run)->hand, place);
    int count, cols;
    Err err;
    hand_name_size(&count, &cols, HAND_SIGMA, shape);
    if (set != NULL || place->row >= count)
        return set != NULL ? set->value : NAN;
    float value = NAN;
    double *sigma = heap_get((size_t)count * sizeof *sigma);
    int *rows = heap_get((size_t)count * sizeof *rows);
    if (sigma != NULL && rows != NULL &&
        hand_sigma(sigma, &layer->params, shape, place->head, &err)) {
        hand_sigma_rows(rows, sigma, count, results_trace(run, 0)->hand, place->head);
        for (int j = 0; j < count; j++)
            value = rows[j] == place->row ? (float)sigma[j] : value;
    }
    free(sigma);
    free(rows);
    return value;
}

float results_hand_value(const Results *run, const HandNumber *place) {
    if (place->head >= run->layers[0].shape[run->form].H) /* the layer has fewer heads */
        return NAN;
    if (place->name == HAND_SIGMA)
        return sigma_value(run, place);
    if (place->name == HAND_GAIN)
        return hand_head_gain(results_trace(run, 0)->hand, place->head);
    if (place->name == HAND_MEAN)
        return hand_head_mean(results_trace(run, 0)->hand, place->head);
    Mat m = matrix_of(run, place->name, place->head);
    if (place->row >= m.rows || place->col >= m.cols)
        return NAN;
    return mat_row(&m, place->row)[place->col];
}

HandCount results_hand_count(const Results *run, int head) {
    HandNumbers numbers = results_trace(run, 0)->hand;
    HandCount count = {0};
    for (int i = 0; i < numbers.count; i++) {
        const HandNumber *n = &numbers.at[i];
        count.input += n->name == HAND_X;
        count.scores += n->name == HAND_S && n->head == head;
        count.learned += n->name < HAND_SIGMA;
        count.sigmas += n->name == HAND_SIGMA;
        count.gains += n->name == HAND_GAIN;
        count.means += n->name == HAND_MEAN;
    }
    return count;
}

static long long count_changed(const Mat *a, const Mat *b) {
    long long changed = 0;
    if (a->at == b->at && a->rows == b->rows && a->cols == b->cols)
        return 0;
    if (a->rows != b->rows || a->cols != b->cols)
        return (long long)b->rows * b->cols;
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->cols; j++)
            changed += !(fabsf(mat_row(a, i)[j] - mat_row(b, i)[j]) <= (float)HAND_CHANGED);
    return changed;
}

/* Return the learned matrix of a parameter in the form in use, for all heads. A form without
 * factors has W_QK; then W_Q, W_K and their biases have no rows. */
static Mat learned(const Results *run, AttnParam param) {
    const Mat *product = &results_trace(run, 0)->W_QK;
    bool is_factor =
        param == ATTN_W_Q || param == ATTN_W_K || param == ATTN_B_Q || param == ATTN_B_K;
    int rows, cols;
    hand_name_size(&rows, &cols, (int)param, &run->layers[0].shape[run->form]);
    if (rows == 0 || (product->rows > 0 && is_factor))
        return (Mat){0};
    return param == ATTN_W_QK ? *product : run->layers[0].params.p[param];
}

ResultsChange results_change(const Results *before, const Results *now, int head) {
    ResultsChange change = {0};
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        Mat a = learned(before, p), b = learned(now, p);
        change.learned += count_changed(&a, &b);
        change.learned_all += (long long)b.rows * b.cols;
    }
    bool same_head = head < before->layers[0].shape[before->form].H;
    Mat a = same_head ? results_weights(before, 0, head) : (Mat){0};
    Mat b = results_weights(now, 0, head);
    change.weights = count_changed(&a, &b);
    change.weights_all = (long long)b.rows * b.cols;
    return change;
}

bool results_plain_make(Results *plain, const Results *run, bool keeps_edges, const Job *job) {
    Err err;
    if (!results_init(plain, &err))
        return false;
    /* Borrow the session's text, edges and weights, because a job must not change their owner
     * counts. */
    Session *session = &plain->cache->next;
    *session = *results_source(run);
    session->hand = NULL;
    session->edges = keeps_edges ? session->edges : NULL;
    session->options.beside = -1;
    plain->cache->limits = run->cache->limits;
    plain->cache->resources = run->cache->resources;
    plain->cache->reach = (Reach){true, true, true, true, true, true};
    return results_make(plain, job);
}

void results_plain_release(Results *plain) {
    if (plain->cache != NULL)
        plain->cache->next = (Session){0};
    results_release(plain);
}

void results_hand_compare(Results *run, const Job *job) {
    Results plain;
    if (run->hand_changed_known || results_source(run)->hand == NULL)
        return;
    if (results_plain_make(&plain, run, true, job)) {
        for (int h = 0; h < run->layers[0].shape[run->form].H; h++) {
            Mat now = results_weights(run, 0, h), without = results_weights(&plain, 0, h);
            run->hand_changed[h] = (int)count_changed(&without, &now);
        }
        run->hand_changed_known = true;
    }
    results_plain_release(&plain);
}

bool results_product_is_edited(const Results *run, int layer, int head) {
    const AttnShape *shape = &run->layers[layer].shape[run->form];
    HandNumbers numbers = hand_set_numbers(results_source(run)->hand);
    bool is_edited = false;
    for (int i = 0; i < numbers.count; i++)
        is_edited = is_edited || (numbers.at[i].name == ATTN_W_QK && numbers.at[i].head == head);
    return is_edited && !attn_has_factors(shape) && shape->form != FORM_FREE;
}
