#include "model/attention/stack.h"

#include <assert.h>
#include <math.h>

#include "math/gemm.h"
#include "math/lanes.h"

/* Return v/(1 + e^−z). */
static Lanes gated(Lanes v, Lanes z) {
    Lanes e = lanes_exp(-lanes_larger(z, -z)), one = (Lanes){0} + 1;
    LaneBits is_positive = z > 0;
    return v * (Lanes)(((LaneBits)one & is_positive) | ((LaneBits)e & ~is_positive)) / (1 + e);
}

/* A value that is not finite must stay not finite, because layer_clear_room looks for such values.
 */
static Lanes activate(Lanes v, Activation activation) {
    switch (activation) {
    case ACTIVATION_GELU:
        for (int i = 0; i < LANES; i++)
            v[i] *= (float)(0.5 + erf((double)v[i] / sqrt(2)) / 2);
        return v;
    case ACTIVATION_GELU_TANH:
        /* v/2·(1 + tanh a) is v/(1 + e^(−2a)). */
        return gated(v, 1.59576912F * (v + 0.044715F * v * v * v)); /* √(8/π) */
    case ACTIVATION_GELU_QUICK:
        return gated(v, 1.702F * v);
    case ACTIVATION_RELU:
        return lanes_larger(v, v * 0);
    case ACTIVATION_SILU:
        return gated(v, v);
    }
    assert(false);
    return v;
}

static void activate_all(Mat *m, Activation activation) {
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j += LANES) {
            float *at = mat_row(m, i) + j;
            int rest = m->cols - j;
            if (rest < LANES)
                lanes_store_some(at, activate(lanes_load_some(at, rest), activation), rest);
            else
                lanes_store(at, activate(lanes_load(at), activation));
        }
}

static void multiply(Mat *m, const Mat *by) {
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            mat_row(m, i)[j] *= mat_row(by, by->rows == 1 ? 0 : i)[j];
}

int stack_linear_outputs(const StackLinear *linear) {
    return linear->w.rows == 0 ? 0 : linear->has_outputs_first ? linear->w.rows : linear->w.cols;
}

static void apply(Mat *out, const StackLinear *linear, const Mat *x, const Job *job) {
    GemmPlan plan = {.factor = 1, .transpose_b = linear->has_outputs_first};
    gemm_in_job(out, x, &linear->w, &plan, job);
    if (linear->bias.rows > 0)
        mat_add_rows(out, &linear->bias);
}

void stack_norm(Mat *x, const StackNorm *norm) {
    if (norm->used)
        norm_rows(x, x, norm->kind);
    if (norm->gain.rows > 0)
        multiply(x, &norm->gain);
    if (norm->shift.rows > 0)
        mat_add_rows(x, &norm->shift);
}

uint64_t stack_block_scratch_bytes(const StackBlock *block, int T, int D) {
    uint64_t wide = mat_bytes(T, stack_linear_outputs(&block->up)), narrow = mat_bytes(T, D);
    return wide + wide + narrow + narrow;
}

void stack_block_finish(Mat *hidden, const StackBlock *block, const Mat *x, const Mat *attention,
                        const Job *job, Arena *scratch) {
    size_t mark = scratch->used;
    Mat part = mat_push(scratch, x->rows, x->cols), read = mat_push(scratch, x->rows, x->cols);

    /* 1. The residual stream after the attention (T, D): x + norm(attention), where only some
     * models have this norm. In post-norm the sum is normalised; a block of order STACK_ALONE has
     * no x. */
    mat_copy(&part, attention);
    stack_norm(&part, &block->attention_end);
    mat_copy(hidden, &part);
    if (block->order != STACK_ALONE)
        mat_add_rows(hidden, x);
    if (block->order == STACK_POST)
        stack_norm(hidden, &block->middle);

    if (block->up.w.rows > 0) {
        Mat wide = mat_push(scratch, x->rows, stack_linear_outputs(&block->up));

        /* 2. The input of the MLP (T, D): the residual stream (in parallel blocks x), normalised
         * except in post-norm. */
        mat_copy(&read, block->order == STACK_PARALLEL ? x : hidden);
        if (block->order != STACK_POST)
            stack_norm(&read, &block->middle);

        /* 3. The MLP's neurons (T, N): activation(read·W_up), or
         * activation(read·W_gate)∘(read·W_up). */
        apply(&wide, &block->up, &read, job);
        if (block->gate.w.rows > 0) {
            Mat open = mat_push(scratch, x->rows, wide.cols);
            apply(&open, &block->gate, &read, job);
            activate_all(&open, block->activation);
            multiply(&wide, &open);
        } else
            activate_all(&wide, block->activation);

        /* 4. The MLP's output (T, D) is added to the residual stream; some models normalise it
         * first. */
        apply(&part, &block->down, &wide, job);
        if (block->order != STACK_POST)
            stack_norm(&part, &block->end);
        mat_add_rows(hidden, &part);
    }

    /* 5. In post-norm the sum is normalised. */
    if (block->order == STACK_POST)
        stack_norm(hidden, &block->end);
    scratch->used = mark;
}

void stack_head_enter(Mat *x, const StackHead *head, Arena *scratch) {
    stack_norm(x, &head->final);
    if (head->transform.w.rows == 0)
        return;
    size_t mark = scratch->used;
    Mat read = mat_push_copy(scratch, x);
    apply(x, &head->transform, &read, NULL);
    activate_all(x, head->activation);
    stack_norm(x, &head->transformed);
    scratch->used = mark;
}

void stack_cap(Mat *m, float cap) {
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            mat_row(m, i)[j] = cap * tanhf(mat_row(m, i)[j] / cap);
}
