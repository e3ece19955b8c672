#include "lab/race_batch.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "lab/race_weights.h"
#include "model/attention/form.h"
#include "model/attention/loss.h"

void race_fold(RaceBench *bench, const Race *race, RaceWeights *weights) {
    const AttnShape *shape = &race->shape;
    Err err;
    bool folded = FORMS[shape->form].fold(&bench->trace, shape, &weights->params.layer, &err);
    assert(folded); /* only FORM_RANK can fail */
}

/* Copy into row i of out the word at place i of the order. */
static void gather(Mat *out, const Mat *words, const int *order) {
    for (int i = 0; i < out->rows; i++)
        memcpy(mat_row(out, i), mat_row(words, order[i]), (size_t)out->cols * sizeof(float));
}

/* Set the layer's input for that order, and its target output. The input for the text itself is an
 * exact copy of X. */
static void set_sequence(RaceBench *b, const Race *race, const int *order,
                         const RaceWeights *weights) {
    const RacePlan *plan = &race->plan;
    const Mat *words = weights->params.words.rows > 0 ? &weights->params.words : &plan->words;
    bool is_text = words == &plan->words && order == race->orders.text;
    gather(&b->words, &plan->words, order);
    task_share(&b->share, plan->rules.task, order, &plan->mask);
    mat_mul(&b->target, &b->share, &b->words, 1);
    if (is_text)
        mat_copy(&b->x, &plan->x);
    for (int i = 0; !is_text && i < b->x.rows; i++) {
        const float *word = mat_row(words, order[i]), *position = mat_row(&race->positions, i);
        float *x = mat_row(&b->x, i);
        for (int c = 0; c < b->x.cols; c++)
            x[c] = word[c] + position[c];
    }
}

static void pass_forward(RaceBench *b, const Race *race, const RaceWeights *weights) {
    attn_forward(&b->trace, &race->shape, &weights->params.layer, &b->x, &race->plan.mask);
}

void race_pass_text(RaceBench *b, const Race *race, const RaceWeights *weights) {
    set_sequence(b, race, race->orders.text, weights);
    pass_forward(b, race, weights);
}

/* Add a sequence's gradient to the batch's. ∂L/∂word is the sum over all places of the word. */
static void add_gradient(RaceBench *b, const Race *race, const int *order) {
    float factor = 1 / (float)race->plan.rules.batch;
    Mat *words = &b->gradient.words;
    race_params_add(&b->gradient, &b->grads, &race->shape, factor);
    for (int i = 0; words->rows > 0 && i < b->x.rows; i++)
        for (int c = 0; c < b->x.cols; c++)
            mat_row(words, order[i])[c] += factor * mat_row(&b->back.X, i)[c];
}

/* Return a training sequence. All starts with one seed get the same sequences. */
static const int *training_order(RaceBench *b, const Race *race, int column, int number) {
    if (race->plan.rules.data == RACE_SENTENCE)
        return race->orders.text;
    race_order_draw(b->order, &race->orders, race_seed(race, column), (uint64_t)number);
    return b->order;
}

bool race_batch(float *loss, RaceBench *b, const Race *race, int column, int step,
                const RaceWeights *weights) {
    int batch = race->plan.rules.batch;
    double sum = 0;
    race_params_clear(&b->gradient, &race->shape);
    for (int i = 0; i < batch; i++) {
        const int *order = training_order(b, race, column, step * batch + i);
        set_sequence(b, race, order, weights);
        if (!job_goes_on(b->job))
            return false;
        pass_forward(b, race, weights);
        sum += (double)loss_mean_squared(&b->dY, &b->trace.Y, &b->target);
        attn_backward(&b->grads, &b->back, &race->shape, &weights->params.layer, &b->trace, &b->x,
                      &b->dY);
        add_gradient(b, race, order);
    }
    *loss = (float)(sum / batch);
    return true;
}

bool race_measure(RaceRecord *out, RaceBench *b, const Race *race, const RaceWeights *weights) {
    double loss = 0, *scores = b->scores;
    int rows = 0;
    memset(scores, 0, (size_t)race->shape.H * sizeof *scores);
    /* Skip the first, which is the text, if the text is what the race trains on. */
    int count = race->orders.held_count,
        first = race->plan.rules.data == RACE_SENTENCE && count > 1;
    for (int i = first; i < count; i++) {
        set_sequence(b, race, race_order_held(&race->orders, i), weights);
        if (!job_goes_on(b->job))
            return false;
        pass_forward(b, race, weights);
        loss += (double)loss_mean_squared(&b->dY, &b->trace.Y, &b->target);
        int asked = 0;
        for (int h = 0; h < race->shape.H; h++) {
            Mat A = attn_head_scores(&b->trace.A, &race->shape, h);
            asked = task_score(&scores[h], &A, &b->share);
        }
        rows += asked;
    }
    out->held_out = (float)(loss / (count - first));
    out->best_head = 0;
    for (int h = 1; h < race->shape.H; h++)
        out->best_head = scores[h] > scores[out->best_head] ? h : out->best_head;
    out->score = rows > 0 ? (float)(scores[out->best_head] / rows) : NAN;
    out->best_head = rows > 0 ? out->best_head : -1;
    return true;
}
