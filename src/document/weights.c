#include "document/weights.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "document/session.h"
#include "model/attention/block.h"
#include "model/attention/params.h"
#include "text/vocabulary.h"

const WeightsPartRow WEIGHTS_PARTS[WEIGHTS_PART_COUNT] = {
    [WEIGHTS_X] = {"X", -1, 2, {WEIGHTS_T, WEIGHTS_D}},
    [WEIGHTS_EMBEDDING] = {"E", -1, 2, {WEIGHTS_WORDS, WEIGHTS_D}},
    [WEIGHTS_POSITIONS] = {"P", -1, 2, {WEIGHTS_PLACES, WEIGHTS_D}},
    [WEIGHTS_W_Q] = {"W_Q", ATTN_W_Q, 3, {WEIGHTS_H, WEIGHTS_D, WEIGHTS_K}},
    [WEIGHTS_W_K] = {"W_K", ATTN_W_K, 3, {WEIGHTS_H, WEIGHTS_D, WEIGHTS_K}},
    [WEIGHTS_W_V] = {"W_V", ATTN_W_V, 3, {WEIGHTS_H, WEIGHTS_D, WEIGHTS_V}},
    [WEIGHTS_W_O] = {"W_O", ATTN_W_O, 2, {WEIGHTS_HV, WEIGHTS_D}},
    [WEIGHTS_B_Q] = {"b_Q", ATTN_B_Q, 2, {WEIGHTS_H, WEIGHTS_K}},
    [WEIGHTS_B_K] = {"b_K", ATTN_B_K, 2, {WEIGHTS_H, WEIGHTS_K}},
    [WEIGHTS_B_V] = {"b_V", ATTN_B_V, 2, {WEIGHTS_H, WEIGHTS_V}},
    [WEIGHTS_B_O] = {"b_O", ATTN_B_O, 1, {WEIGHTS_D}},
    [WEIGHTS_W_QK] = {"W_QK", ATTN_W_QK, 3, {WEIGHTS_H, WEIGHTS_E, WEIGHTS_E}},
    [WEIGHTS_Q_GAIN] = {"q_gain", -1, 1, {WEIGHTS_K}},
    [WEIGHTS_K_GAIN] = {"k_gain", -1, 1, {WEIGHTS_K}},
};

static const struct {
    const char *name;
    size_t most;
} AXES[WEIGHTS_AXIS_COUNT] = {
    [WEIGHTS_T] = {"tokens", TOKENS_MAX},
    [WEIGHTS_WORDS] = {"words", TOKENS_MAX},
    [WEIGHTS_PLACES] = {"positions", TOKENS_MAX},
    [WEIGHTS_D] = {"d_model", OPTION_WIDTH_MAX},
    [WEIGHTS_H] = {"heads", OPTION_HEADS_MAX},
    [WEIGHTS_K] = {"d_k", OPTION_WIDTH_MAX},
    [WEIGHTS_V] = {"d_v", OPTION_WIDTH_MAX},
    [WEIGHTS_HV] = {"heads · d_v", (size_t)OPTION_HEADS_MAX *OPTION_WIDTH_MAX},
    [WEIGHTS_E] = {"d_model, or one more for biases", OPTION_WIDTH_MAX + 1},
};

Weights *weights_new(const char *path, Err *err) {
    size_t bytes = strlen(path) + 1;
    Weights *weights = heap_get_zero(1, sizeof *weights + bytes);
    if (weights == NULL)
        return err_null(err, "memory", "too little to read weights; close other programs");
    weights->owners = 1;
    memcpy(weights->path, path, bytes);
    return weights;
}

void weights_drop(Weights *weights) {
    if (weights == NULL || --weights->owners > 0)
        return;
    for (int p = 0; p < WEIGHTS_PART_COUNT; p++)
        free(weights->tensors[p].at);
    free(weights->names);
    free(weights->tokens);
    free(weights->options);
    WeightsModel *model = weights->model;
    if (model != NULL)
        vocabulary_release(model->vocabulary);
    free(model);
    free(weights->note);
    free(weights->card);
    free(weights);
}

size_t weights_tensor_count(const WeightsTensor *tensor) {
    size_t count = tensor->rank > 0;
    for (int d = 0; d < tensor->rank; d++)
        count *= tensor->shape[d];
    return count;
}

uint64_t weights_bytes(const Weights *weights) {
    uint64_t bytes = 0;
    for (int p = 0; weights != NULL && p < WEIGHTS_PART_COUNT; p++)
        bytes += weights_tensor_count(&weights->tensors[p]) * sizeof(float);
    return bytes;
}

static bool part_fail(const Weights *w, WeightsPart part, const char *why, Err *err) {
    return err_fail(err, w->path, "tensor “%s”: %s", WEIGHTS_PARTS[part].name, why);
}

/* Check one dimension of a tensor: its range, and its equality in all tensors that have it. */
static bool take_size(Weights *w, WeightsPart part, int dimension, Err *err) {
    WeightsAxis axis = WEIGHTS_PARTS[part].axes[dimension];
    size_t size = w->tensors[part].shape[dimension];
    if (size < 1 || size > AXES[axis].most)
        return part_fail(w, part,
                         PRINT("shape[%d] is %zu, and %s must be from 1 to %zu", dimension, size,
                               AXES[axis].name, AXES[axis].most),
                         err);
    if (w->size[axis] == 0) {
        w->size[axis] = (int)size;
        w->said[axis] = part;
    }
    return (size_t)w->size[axis] == size ||
           part_fail(w, part,
                     PRINT("shape[%d] is %zu, but %s of “%s” is %d", dimension, size,
                           AXES[axis].name, WEIGHTS_PARTS[w->said[axis]].name, w->size[axis]),
                     err);
}

static bool take_sizes(Weights *w, WeightsPart part, Err *err) {
    int rank = w->tensors[part].rank, needed = WEIGHTS_PARTS[part].rank;
    if (rank != needed)
        return part_fail(w, part, PRINT("shape has rank %d; rank %d is needed", rank, needed), err);
    for (int d = 0; d < rank; d++)
        if (!take_size(w, part, d, err))
            return false;
    return true;
}

/* W_O has heads · d_v rows. Check this or, if only one of heads and d_v is known, compute the
 * other. */
static bool settle_values(Weights *w, Err *err) {
    int *size = w->size, rows = size[WEIGHTS_HV], V = size[WEIGHTS_V], H = size[WEIGHTS_H];
    WeightsAxis other = V > 0 ? WEIGHTS_H : WEIGHTS_V;
    int known = V > 0 ? V : H;
    if (rows == 0 || known == 0 || V * H == rows)
        return true;
    if (V > 0 && H > 0)
        return part_fail(w, WEIGHTS_W_O,
                         PRINT("shape[0] is %d, but heads · d_v is %d · %d", rows, H, V), err);
    if (rows % known != 0)
        return part_fail(w, WEIGHTS_W_O,
                         PRINT("shape[0] is %d, which is not a multiple of %s %d", rows,
                               V > 0 ? "d_v =" : "the heads,", known),
                         err);
    size[other] = rows / known;
    w->said[other] = WEIGHTS_W_O;
    return (size_t)size[other] <= AXES[other].most ||
           part_fail(w, WEIGHTS_W_O,
                     "shape[0] would give too many heads, or heads that are too wide", err);
}

static bool settle_product(Weights *w, Err *err) {
    int *size = w->size, E = size[WEIGHTS_E];
    if (E == 0)
        return true;
    if (size[WEIGHTS_D] == 0) {
        size[WEIGHTS_D] = E > OPTION_WIDTH_MAX ? OPTION_WIDTH_MAX : E;
        w->said[WEIGHTS_D] = WEIGHTS_W_QK;
    }
    if (E != size[WEIGHTS_D] && E != size[WEIGHTS_D] + 1)
        return part_fail(
            w, WEIGHTS_W_QK,
            PRINT("shape[1] is %d, but must be %d, the d_model of “%s”, or %d with biases", E,
                  size[WEIGHTS_D], WEIGHTS_PARTS[w->said[WEIGHTS_D]].name, size[WEIGHTS_D] + 1),
            err);
    bool query = weights_has(w, WEIGHTS_W_Q), key = weights_has(w, WEIGHTS_W_K);
    if (query != key)
        return part_fail(w, WEIGHTS_W_QK,
                         "comes with only one of its factors; give both W_Q and W_K, or neither",
                         err);
    if (!query && (weights_has(w, WEIGHTS_B_Q) || weights_has(w, WEIGHTS_B_K)))
        return part_fail(w, WEIGHTS_W_QK,
                         "already has the biases in its last row and column; remove b_Q and b_K, "
                         "or add W_Q and W_K",
                         err);
    return true;
}

bool weights_agree(Weights *w, Err *err) {
    bool any = false;
    memset(w->size, 0, sizeof w->size);
    for (WeightsPart p = 0; p < WEIGHTS_PART_COUNT; p++) {
        any = any || weights_has(w, p);
        if (weights_has(w, p) && !take_sizes(w, p, err))
            return false;
    }
    if (!any)
        return err_fail(err, w->path,
                        "holds none of X, E, P, W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O and W_QK");
    return settle_values(w, err) && settle_product(w, err);
}

static size_t row_name(const char **bytes, char room[16], const WeightsName *texts, size_t row) {
    if (texts != NULL && texts[row].size > 0) {
        *bytes = texts[row].bytes;
        return texts[row].size;
    }
    *bytes = room;
    return (size_t)snprintf(room, 16, "%zu", row + 1);
}

bool weights_name_rows(Weights *w, const WeightsName *texts, size_t count, Err *err) {
    WeightsPart part = weights_named(w);
    size_t total = 0, used = 0, T = w->tensors[part].shape[0];
    const char *bytes;
    char room[16];
    assert(weights_has(w, part));
    if (count != T)
        return err_fail(err, w->path, "“tokens”: has %zu name%s, but “%s” has %zu row%s", count,
                        count == 1 ? "" : "s", WEIGHTS_PARTS[part].name, T, T == 1 ? "" : "s");
    for (size_t i = 0; i < T; i++) {
        total += row_name(&bytes, room, texts, i);
        if (total > TOKEN_TEXT_MAX)
            return err_fail(err, w->path, "“tokens”: the names have more than %u bytes in all",
                            TOKEN_TEXT_MAX);
    }
    w->names = heap_get(sizeof *w->names + total + 1);
    w->tokens = heap_get((T + 1) * sizeof *w->tokens);
    if (w->names == NULL || w->tokens == NULL)
        return err_fail(err, "memory", "too little for the names of rows");
    w->names->owners = 1;
    w->names->size = total;
    w->names->bytes[total] = '\0';
    for (size_t i = 0; i < T; i++) {
        size_t size = row_name(&bytes, room, texts, i);
        memcpy(w->names->bytes + used, bytes, size);
        w->tokens[i] = (Token){(uint32_t)used, (uint32_t)size, -1};
        used += size;
    }
    return true;
}

bool weights_give(const Weights *w, AttnParam param) {
    for (WeightsPart p = 0; p < WEIGHTS_PART_COUNT; p++)
        if (WEIGHTS_PARTS[p].param == (int)param)
            return weights_has(w, p);
    return false;
}

bool weights_give_all(const Weights *w) {
    bool scores =
        weights_give(w, ATTN_W_QK) || (weights_give(w, ATTN_W_Q) && weights_give(w, ATTN_W_K));
    return scores && weights_give(w, ATTN_W_V) && weights_give(w, ATTN_W_O);
}

void weights_copy(Mat *out, const Weights *w, AttnParam param) {
    WeightsPart part = WEIGHTS_X;
    while (WEIGHTS_PARTS[part].param != (int)param)
        part++;
    const WeightsTensor *tensor = &w->tensors[part];
    if (part == WEIGHTS_W_QK) {
        int E = out->cols, given = (int)tensor->shape[1];
        for (int i = 0; i < out->rows; i++) {
            const float *row = tensor->at + (size_t)(i / E * given + i % E) * (size_t)given;
            for (int j = 0; j < E; j++)
                mat_row(out, i)[j] = i % E < given && j < given ? row[j] : 0;
        }
        return;
    }
    int heads = PARAMS[param].layout == PARAM_HEADS_IN_COLUMNS ? (int)tensor->shape[0] : 1;
    int width = out->cols / heads;
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < out->rows; i++)
            memcpy(mat_row(out, i) + h * width,
                   tensor->at + ((size_t)h * (size_t)out->rows + (size_t)i) * (size_t)width,
                   (size_t)width * sizeof(float));
}

void weights_copy_gains(AttnParams *params, const Weights *w) {
    for (int i = 0; i < 2; i++) {
        const WeightsTensor *tensor = &w->tensors[WEIGHTS_Q_GAIN + i];
        if (tensor->rank > 0 && params->gain[i].rows > 0)
            memcpy(params->gain[i].at, tensor->at, tensor->shape[0] * sizeof(float));
    }
}

/* Copy a matrix, in which each head is a block of columns, to an array (heads, rows, columns of a
 * head). */
static void copy_param(float *to, const Mat *m, int heads) {
    int width = m->cols / heads;
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < m->rows; i++, to += width)
            memcpy(to, mat_row(m, i) + h * width, (size_t)width * sizeof *to);
}

static void take_shape(WeightsTensor *tensor, WeightsPart part, const AttnShape *shape) {
    const size_t sizes[WEIGHTS_AXIS_COUNT] = {[WEIGHTS_D] = (size_t)shape->D,
                                              [WEIGHTS_H] = (size_t)shape->H,
                                              [WEIGHTS_K] = (size_t)shape->K,
                                              [WEIGHTS_V] = (size_t)shape->V,
                                              [WEIGHTS_HV] = (size_t)shape->H * (size_t)shape->V,
                                              [WEIGHTS_E] = (size_t)attn_input_width(shape)};
    tensor->rank = WEIGHTS_PARTS[part].rank;
    for (int d = 0; d < tensor->rank; d++)
        tensor->shape[d] = sizes[WEIGHTS_PARTS[part].axes[d]];
}

static bool take_param(Weights *w, WeightsPart part, const AttnShape *shape, const Mat *m,
                       Err *err) {
    WeightsTensor *tensor = &w->tensors[part];
    bool in_columns = PARAMS[WEIGHTS_PARTS[part].param].layout == PARAM_HEADS_IN_COLUMNS;
    tensor->at = heap_get((size_t)m->rows * (size_t)m->cols * sizeof *tensor->at);
    if (tensor->at == NULL)
        return err_fail(err, "memory", "too little for the layer's weights; close other programs");
    copy_param(tensor->at, m, in_columns ? shape->H : 1);
    take_shape(tensor, part, shape);
    return mat_is_finite(m) || err_fail(err, WEIGHTS_PARTS[part].name,
                                        "has values that are not finite; use an earlier step");
}

Weights *weights_of_params(const char *path, const AttnShape *shape, const AttnParams *params,
                           Err *err) {
    Weights *w = weights_new(path, err);
    bool made = w != NULL;
    for (WeightsPart p = 0; made && p < WEIGHTS_PART_COUNT; p++) {
        const Mat *m = WEIGHTS_PARTS[p].param >= 0 ? &params->p[WEIGHTS_PARTS[p].param] : NULL;
        made = m == NULL || m->rows == 0 || take_param(w, p, shape, m, err);
    }
    if (made && weights_agree(w, err))
        return w;
    weights_drop(w);
    return NULL;
}

bool weights_add_words(Weights *w, const Mat *table, const int *rows, const WeightsName *names,
                       Err *err) {
    WeightsTensor *tensor = &w->tensors[WEIGHTS_EMBEDDING];
    size_t count = (size_t)table->rows, width = (size_t)table->cols;
    tensor->at = heap_get(count * width * sizeof *tensor->at);
    if (tensor->at == NULL)
        return err_fail(err, "memory", "too little for the word vectors; close other programs");
    for (size_t i = 0; i < count; i++)
        memcpy(tensor->at + i * width, mat_row(table, rows[i]), width * sizeof *tensor->at);
    tensor->rank = 2;
    tensor->shape[0] = count;
    tensor->shape[1] = width;
    if (!mat_is_finite(table))
        return err_fail(err, WEIGHTS_PARTS[WEIGHTS_EMBEDDING].name,
                        "has values that are not finite; use an earlier step");
    return weights_agree(w, err) && weights_name_rows(w, names, count, err);
}

static bool is_named(const Weights *w, int row, const char *text, size_t size) {
    return w->tokens[row].bytes == size &&
           memcmp(w->names->bytes + w->tokens[row].at, text, size) == 0;
}

bool weights_word(float *x, const Weights *w, int place, const char *text, size_t size) {
    if (!weights_has(w, WEIGHTS_EMBEDDING) || weights_has(w, WEIGHTS_X))
        return false;
    int count = w->size[WEIGHTS_WORDS], width = w->size[WEIGHTS_D], row = 0;
    if (place < count && is_named(w, place, text, size))
        row = place;
    while (row < count && !is_named(w, row, text, size))
        row++;
    if (row < count)
        memcpy(x, w->tensors[WEIGHTS_EMBEDDING].at + (size_t)row * (size_t)width,
               (size_t)width * sizeof *x);
    return row < count;
}

bool weights_equal(const Weights *a, const Weights *b) {
    if (a == b || a == NULL || b == NULL)
        return a == b;
    if (strcmp(a->path, b->path) != 0 || a->layer != b->layer ||
        memcmp(a->size, b->size, sizeof a->size) != 0)
        return false;
    for (int p = 0; p < WEIGHTS_PART_COUNT; p++) {
        const WeightsTensor *left = &a->tensors[p], *right = &b->tensors[p];
        if (left->rank != right->rank ||
            weights_tensor_count(left) != weights_tensor_count(right) ||
            (left->rank > 0 &&
             memcmp(left->at, right->at, weights_tensor_count(left) * sizeof(float)) != 0))
            return false;
    }
    if (a->names == NULL || b->names == NULL)
        return a->names == b->names;
    return a->names->size == b->names->size &&
           memcmp(a->names->bytes, b->names->bytes, a->names->size) == 0 &&
           memcmp(a->tokens, b->tokens,
                  a->tensors[weights_named(a)].shape[0] * sizeof *a->tokens) == 0;
}
