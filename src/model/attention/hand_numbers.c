#include "model/attention/hand_numbers.h"

#include <assert.h>
#include <stddef.h>

#include "model/attention/params.h"

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
    static const char *const ids[] = {"X", "S", "gain", "mean"};
    return name >= HAND_X ? ids[name - HAND_X] : PARAMS[name].entry.id;
}

static ParamLayout layout_of(int name) {
    return name == HAND_X ? PARAM_WHOLE : name > HAND_X ? PARAM_HEADS_IN_ROWS : PARAMS[name].layout;
}

bool hand_name_has_heads(int name) {
    return layout_of(name) != PARAM_WHOLE;
}

/* True if the parameter is computed as a product of two others. */
static bool is_derived(int name, const AttnShape *shape) {
    return shape->form == FORM_NESTED && (name == ATTN_W_Q || name == ATTN_W_K || name == ATTN_W_V);
}

static bool is_there(int name, const AttnShape *shape) {
    if (name >= HAND_X)
        return true;
    if (name == ATTN_W_QK)
        return !attn_has_factors(shape);
    return PARAMS[name].used(shape) && !is_derived(name, shape);
}

void hand_name_size(int *rows, int *cols, int name, const AttnShape *shape) {
    *rows = *cols = 0;
    if (!is_there(name, shape))
        return;
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
    if (rows == 0)
        return err_usage(err, what, "this layer has no %s; choose another form or bias",
                         hand_name_id(number->name));
    if (number->head >= heads)
        return err_usage(err, what, "there %s %d head%s; choose one from 1 to %d",
                         heads == 1 ? "is" : "are", heads, heads == 1 ? "" : "s", heads);
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

void hand_params_apply(AttnParams *params, HandNumbers numbers, int heads) {
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (params->p[p].rows > 0)
            hand_numbers_apply(&params->p[p], numbers, (int)p, heads);
}

/* Write the values of one head's numbers, times a factor. */
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

/* Return a head's gain or share of the mean; `otherwise` if it is not set. */
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
