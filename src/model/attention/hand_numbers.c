#include "model/attention/hand_numbers.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "math/decompose.h"
#include "model/attention/params.h"

/* A singular value below this share of the largest counts as 0, because rounding determines its
 * vectors. */
#define SIGMA_LEAST 1e-5

int hand_number_order(const void *a, const void *b) {
    const HandNumber *left = a, *right = b;
    const int difference[] = {left->name - right->name, left->head - right->head,
                              left->row - right->row, left->col - right->col};
    int i = 0;
    while (i < 3 && difference[i] == 0)
        i++;
    return difference[i];
}

const char *hand_name_id(int name) {
    assert(name >= 0 && name < HAND_NAME_COUNT);
    static const char *const ids[] = {"sigma", "X", "S", "gain", "mean"};
    return name >= HAND_SIGMA ? ids[name - HAND_SIGMA] : PARAMS[name].entry.id;
}

static ParamLayout layout_of(int name) {
    assert(name >= 0 && name < HAND_NAME_COUNT);
    return name == HAND_X       ? PARAM_WHOLE
           : name >= HAND_SIGMA ? PARAM_HEADS_IN_ROWS
                                : PARAMS[name].layout;
}

bool hand_name_is_list(int name) {
    return name == HAND_SIGMA;
}

bool hand_name_has_heads(int name) {
    return layout_of(name) != PARAM_WHOLE;
}

static bool is_derived(int name, const AttnShape *shape) {
    return shape->form == FORM_NESTED && (name == ATTN_W_Q || name == ATTN_W_K || name == ATTN_W_V);
}

static bool is_there(int name, const AttnShape *shape) {
    /* Singular values cannot be set in the nested form, whose heads share a factor of W_Q. */
    if (name >= HAND_SIGMA)
        return name != HAND_SIGMA || shape->form != FORM_NESTED;
    if (name == ATTN_W_QK)
        return !attn_has_factors(shape);
    return param_used((AttnParam)name, shape) && !is_derived(name, shape);
}

void hand_name_size(int *rows, int *cols, int name, const AttnShape *shape) {
    *rows = *cols = 0;
    if (!is_there(name, shape))
        return;
    if (name == HAND_SIGMA) {
        int E = attn_input_width(shape);
        *rows = shape->form == FORM_FREE || E < shape->K ? E : shape->K;
        *cols = 1;
        return;
    }
    if (name >= HAND_X) {
        *rows = name >= HAND_GAIN ? 1 : shape->T;
        *cols = name >= HAND_GAIN ? 1 : name == HAND_X ? shape->D : shape->T;
        return;
    }
    *rows = param_axis_size(PARAMS[name].rows, shape);
    *cols = param_axis_size(PARAMS[name].cols, shape);
    if (layout_of(name) == PARAM_HEADS_IN_ROWS)
        *rows /= shape->H;
    if (layout_of(name) == PARAM_HEADS_IN_COLUMNS)
        *cols /= shape->H;
}

bool hand_number_check(const HandNumber *number, const AttnShape *shape, const char *what,
                       Err *err) {
    int rows, cols, heads = hand_name_has_heads(number->name) ? shape->H : 1;
    hand_name_size(&rows, &cols, number->name, shape);
    Err unread = {0};
    err = err != NULL ? err : &unread;
    if (rows == 0 && is_derived(number->name, shape))
        return err_usage(err, what, "is a product in this form; set %s_full or %s_head instead",
                         hand_name_id(number->name), hand_name_id(number->name));
    if (rows == 0 && number->name == HAND_SIGMA)
        return err_usage(err, what, "the heads share a factor of W_Q in this form; choose another");
    if (rows == 0)
        return err_usage(err, what, "this layer has no %s; choose another form or bias",
                         hand_name_id(number->name));
    if (number->head >= heads)
        return err_usage(err, what, "there %s %d head%s; choose one from 1 to %d",
                         heads == 1 ? "is" : "are", heads, heads == 1 ? "" : "s", heads);
    if (number->name == HAND_SIGMA && number->row >= rows)
        return err_usage(err, what, "a head has %d singular values; choose one from 1 to %d", rows,
                         rows);
    if (number->name == HAND_SIGMA && number->value < 0)
        return err_usage(err, what, "a singular value is never negative; choose 0 or more");
    if (number->row >= rows || number->col >= cols)
        return err_usage(err, what,
                         "%s is %d by %d; choose a row from 1 to %d and a column from 1 to %d",
                         hand_name_id(number->name), rows, cols, rows, cols);
    return true;
}

void hand_numbers_apply(Mat *m, HandNumbers numbers, int name, int heads) {
    ParamLayout layout = layout_of(name);
    int height = layout == PARAM_HEADS_IN_ROWS ? m->rows / heads : m->rows;
    int width = layout == PARAM_HEADS_IN_COLUMNS ? m->cols / heads : m->cols;
    int blocks = layout == PARAM_WHOLE ? 1 : heads;
    for (int i = 0; i < numbers.count; i++) {
        const HandNumber *n = &numbers.at[i];
        if (n->name != name || n->head >= blocks || n->row >= height || n->col >= width)
            continue;
        int row = n->row + (layout == PARAM_HEADS_IN_ROWS ? n->head * height : 0);
        int col = n->col + (layout == PARAM_HEADS_IN_COLUMNS ? n->head * width : 0);
        mat_row(m, row)[col] = n->value;
    }
}

/* Return W_Q with b_Q as its last row, or the free W_QK. */
static Mat left_factor(const AttnParams *params, const AttnShape *shape, int head) {
    return shape->form == FORM_FREE ? attn_head_product(&params->p[ATTN_W_QK], shape, head)
                                    : attn_head_factor(params, shape, ATTN_W_Q, head);
}

/* Return W_K with b_K as its last row; for the free W_QK a matrix without rows. */
static Mat right_factor(const AttnParams *params, const AttnShape *shape, int head) {
    return shape->form == FORM_FREE ? (Mat){0} : attn_head_factor(params, shape, ATTN_W_K, head);
}

static bool decompose(Mat *u, double *sigma, Mat *v, const Mat *left, const Mat *right, Err *err) {
    return right->rows > 0 ? decompose_product(u, sigma, v, left, right, err)
                           : decompose_matrix(u, sigma, v, left, err);
}

static bool is_zero(const double *sigma, int k) {
    return sigma[k] <= SIGMA_LEAST * sigma[0];
}

bool hand_sigma(double *sigma, const AttnParams *params, const AttnShape *shape, int head,
                Err *err) {
    int count, cols;
    Mat left = left_factor(params, shape, head), right = right_factor(params, shape, head);
    hand_name_size(&count, &cols, HAND_SIGMA, shape);
    if (!decompose(NULL, sigma, NULL, &left, &right, err))
        return false;
    for (int k = 0; k < count; k++)
        sigma[k] = is_zero(sigma, k) ? 0 : sigma[k];
    return true;
}

/* Add (factor − 1)·u·uᵀ·m to m, where u is column k of the vectors. */
static void scale_direction(Mat *m, const Mat *vectors, int k, double factor) {
    for (int j = 0; j < m->cols; j++) {
        double along = 0;
        for (int i = 0; i < m->rows; i++)
            along += (double)mat_row(vectors, i)[k] * (double)mat_row(m, i)[j];
        for (int i = 0; i < m->rows; i++)
            mat_row(m, i)[j] += (float)((factor - 1) * along * (double)mat_row(vectors, i)[k]);
    }
}

/* Return the singular values of one head that are set by hand, which are adjacent in the list.
 * count: number of singular values of W_QK. */
static HandNumbers sigma_of(HandNumbers numbers, int head, int count) {
    HandNumbers own = {0};
    for (int i = 0; i < numbers.count; i++) {
        const HandNumber *n = &numbers.at[i];
        if (n->name != HAND_SIGMA || n->head != head || n->row >= count)
            continue;
        own.at = own.count == 0 ? n : own.at;
        own.count++;
    }
    return own;
}

static bool apply_sigma(AttnParams *params, HandNumbers own, const AttnShape *shape, int head,
                        int count, Err *err) {
    Mat left = left_factor(params, shape, head), right = right_factor(params, shape, head);
    Arena arena = {0};
    if (!arena_reserve(
            &arena, 2 * mat_bytes(left.rows, count) + arena_padded((size_t)count * sizeof(double)),
            err))
        return false;
    Mat u = mat_push(&arena, left.rows, count), v = mat_push(&arena, left.rows, count);
    double *sigma = arena_push(&arena, (size_t)count * sizeof *sigma);
    bool done = decompose(&u, sigma, &v, &left, &right, err);
    for (int i = 0; done && i < own.count; i++) {
        const HandNumber *n = &own.at[i];
        if (is_zero(sigma, n->row) && n->value > 0) {
            char what[32];
            snprintf(what, sizeof what, "sigma%d(%d)", head + 1, n->row + 1);
            done = err_fail(err, what,
                            "is 0 in these weights, and no factor makes 0 larger; undo this edit, "
                            "or use other weights");
        } else if (!is_zero(sigma, n->row)) {
            scale_direction(&left, &u, n->row, (double)n->value / sigma[n->row]);
        }
    }
    arena_release(&arena);
    return done;
}

bool hand_params_apply(AttnParams *params, HandNumbers numbers, const AttnShape *shape,
                       const Job *job, Err *err) {
    int count, cols;
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (params->p[p].rows > 0)
            hand_numbers_apply(&params->p[p], numbers, (int)p, shape->H);
    hand_name_size(&count, &cols, HAND_SIGMA, shape);
    for (int h = 0; h < shape->H && job_goes_on(job); h++) {
        HandNumbers own = sigma_of(numbers, h, count);
        if (own.count > 0 && !apply_sigma(params, own, shape, h, count, err))
            return false;
    }
    return true;
}

void hand_sigma_rows(int *rows, const double *sigma, int count, HandNumbers numbers, int head) {
    HandNumbers own = sigma_of(numbers, head, count);
    for (int j = 0; j < count; j++)
        rows[j] = -1;
    for (int i = 0; i < own.count; i++) {
        double value = (double)own.at[i].value;
        int nearest = -1;
        for (int j = 0; j < count; j++)
            if (rows[j] < 0 &&
                (nearest < 0 || fabs(sigma[j] - value) < fabs(sigma[nearest] - value)))
                nearest = j;
        rows[nearest] = own.at[i].row;
    }
    /* The other values keep their order. */
    for (int j = 0, row = 0, i = 0; j < count; j++) {
        if (rows[j] >= 0)
            continue;
        for (; i < own.count && own.at[i].row == row; i++)
            row++;
        rows[j] = row++;
    }
}

static void write_head(Mat *m, HandNumbers numbers, int name, int head, float factor) {
    for (int i = 0; i < numbers.count; i++) {
        const HandNumber *n = &numbers.at[i];
        if (n->name == name && n->head == head && n->row < m->rows && n->col < m->cols)
            mat_row(m, n->row)[n->col] = factor * n->value;
    }
}

void hand_head_apply(Mat *m, HandNumbers numbers, int name, int head) {
    write_head(m, numbers, name, head, 1);
}

static float number_of_head(HandNumbers numbers, int name, int head, float otherwise) {
    for (int i = numbers.count; i-- > 0 && numbers.at[i].name >= HAND_GAIN;)
        if (numbers.at[i].name == name && numbers.at[i].head == head)
            return numbers.at[i].value;
    return otherwise;
}

float hand_head_gain(HandNumbers numbers, int head) {
    return number_of_head(numbers, HAND_GAIN, head, 1);
}

float hand_head_mean(HandNumbers numbers, int head) {
    return number_of_head(numbers, HAND_MEAN, head, 0);
}

void hand_mean_apply(Mat *Z, HandNumbers numbers, int head) {
    float share = hand_head_mean(numbers, head);
    for (int j = 0; j < Z->cols && share != 0; j++) {
        double sum = 0;
        for (int i = 0; i < Z->rows; i++)
            sum += (double)mat_row(Z, i)[j];
        for (int i = 0; i < Z->rows; i++)
            mat_row(Z, i)[j] += share * ((float)(sum / Z->rows) - mat_row(Z, i)[j]);
    }
}

void hand_scores_back(Mat *dS, HandNumbers numbers, int head) {
    write_head(dS, numbers, HAND_S, head, 0);
}
