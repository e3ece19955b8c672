#include "lab/race_step.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "model/attention/attention.h"
#include "model/attention/hand_numbers.h"
#include "model/attention/task.h"

/* Fill out with the matrices that a step changes, and return their number. W_Q, W_K, W_V and their
 * biases are parts of `fused`, except in the nested form. */
#define TRAINED_MAX (ATTN_PARAM_COUNT + 1)
static int trained(Mat out[TRAINED_MAX], const RaceParams *params, const AttnShape *shape) {
    static const AttnParam nested[] = {ATTN_W_Q_FULL, ATTN_W_K_FULL, ATTN_W_V_FULL,
                                       ATTN_W_Q_HEAD, ATTN_W_K_HEAD, ATTN_W_V_HEAD,
                                       ATTN_B_Q,      ATTN_B_K,      ATTN_B_V};
    static const AttnParam alone[] = {ATTN_W_QK, ATTN_W_O, ATTN_B_O};
    const AttnParams *layer = &params->layer;
    int count = 0;
    if (shape->form != FORM_NESTED)
        out[count++] = layer->fused;
    for (size_t i = 0; shape->form == FORM_NESTED && i < ARRAY_COUNT(nested); i++)
        if (layer->p[nested[i]].rows > 0)
            out[count++] = layer->p[nested[i]];
    for (size_t i = 0; i < ARRAY_COUNT(alone); i++)
        if (layer->p[alone[i]].rows > 0)
            out[count++] = layer->p[alone[i]];
    if (params->words.rows > 0)
        out[count++] = params->words;
    for (int i = 0; i < count; i++)
        out[i] = mat_gapless(&out[i]);
    return count;
}

static bool has_words(const Race *race) {
    return race->plan.rules.words == RACE_WORDS_TRAINED;
}

uint64_t race_params_bytes(const Race *race) {
    uint64_t words = has_words(race) ? mat_bytes(race->shape.T, race->shape.D) : 0;
    return attn_params_bytes(&race->shape) + words;
}

uint64_t race_weights_bytes(const Race *race) {
    uint64_t one = race_params_bytes(race), bytes = one;
    for (int i = 0; i < OPTIMISERS[race->plan.rules.optimiser].moments; i++)
        bytes += one;
    return bytes;
}

RaceParams race_params_push(Arena *arena, const Race *race) {
    RaceParams params = {.layer = attn_params_push(arena, &race->shape)};
    if (has_words(race))
        params.words = mat_push(arena, race->shape.T, race->shape.D);
    return params;
}

RaceWeights race_weights_push(Arena *arena, const Race *race) {
    RaceWeights weights = {.params = race_params_push(arena, race)};
    for (int i = 0; i < OPTIMISERS[race->plan.rules.optimiser].moments; i++)
        weights.moments[i] = race_params_push(arena, race);
    return weights;
}

/* Copy the parameters that the plan gives, and sample the others. */
static bool draw_params(AttnParams *out, const Race *race, int column, const Job *job, Err *err) {
    const RacePlan *plan = &race->plan;
    SchemePlan scheme = plan->schemes[column % plan->scheme_count];
    bool given[ATTN_PARAM_COUNT];
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        given[p] = out->p[p].rows > 0 && plan->given[p].rows > 0;
        if (given[p])
            mat_copy(&out->p[p], &plan->given[p]);
    }
    scheme.seed = race_seed(race, column);
    return scheme_draw_rest(out, &plan->shape, &scheme, given, err) &&
           hand_params_apply(out, plan->hand, &plan->shape, job, err) && job_goes_on(job);
}

/* Set W_QK to the product of the factors that the merged form would sample, and copy all other
 * parameters. */
static bool draw_product(AttnParams *out, const Race *race, int column, const Job *job, Err *err) {
    const RacePlan *plan = &race->plan;
    Arena arena = {0};
    if (!arena_reserve(&arena, attn_params_bytes(&plan->shape), err))
        return false;
    AttnParams factors = attn_params_push(&arena, &plan->shape);
    AttnTrace product = {.W_QK = out->p[ATTN_W_QK]};
    bool drawn = draw_params(&factors, race, column, job, err) &&
                 attn_fold(&product, &plan->shape, &factors, err);
    for (AttnParam p = 0; drawn && p < ATTN_PARAM_COUNT; p++)
        if (out->p[p].rows > 0 && factors.p[p].rows > 0)
            mat_copy(&out->p[p], &factors.p[p]);
    hand_numbers_apply(&out->p[ATTN_W_QK], plan->hand, ATTN_W_QK, plan->shape.H);
    arena_release(&arena);
    return drawn;
}

static void clear(const RaceParams *params, const AttnShape *shape) {
    Mat mats[TRAINED_MAX];
    int count = trained(mats, params, shape);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < mats[k].rows; i++)
            memset(mat_row(&mats[k], i), 0, (size_t)mats[k].cols * sizeof *mats[k].at);
}

bool race_weights_draw(RaceWeights *out, const Race *race, int column, const Job *job, Err *err) {
    const RacePlan *plan = &race->plan;
    for (int i = 0; i < OPTIMISERS[plan->rules.optimiser].moments; i++)
        clear(&out->moments[i], &race->shape);
    if (has_words(race))
        mat_copy(&out->params.words, &plan->words);
    return (plan->shape.form == FORM_MERGED ? draw_product : draw_params)(&out->params.layer, race,
                                                                          column, job, err);
}

void race_params_copy(const RaceParams *to, const RaceParams *from, const Race *race) {
    Mat into[TRAINED_MAX], of[TRAINED_MAX];
    int count = trained(into, to, &race->shape);
    trained(of, from, &race->shape);
    for (int k = 0; k < count; k++)
        mat_copy(&into[k], &of[k]);
}

void race_weights_step(RaceWeights *weights, const Race *race, const RaceParams *gradient,
                       int number) {
    Mat w[TRAINED_MAX], g[TRAINED_MAX], moments[OPTIMISER_MOMENTS_MAX][TRAINED_MAX];
    OptimiserKind optimiser = race->plan.rules.optimiser;
    const OptimiserStep step = optimiser_step(optimiser, race->plan.rules.rate, number);
    int count = trained(w, &weights->params, &race->shape), kept = OPTIMISERS[optimiser].moments;
    trained(g, gradient, &race->shape);
    for (int i = 0; i < kept; i++)
        trained(moments[i], &weights->moments[i], &race->shape);
    for (int k = 0; k < count; k++) {
        Mat m[OPTIMISER_MOMENTS_MAX] = {{0}};
        for (int i = 0; i < kept; i++)
            m[i] = moments[i][k];
        optimiser_take(&w[k], m, &g[k], optimiser, &step);
    }
}

void race_fold(RaceBench *bench, const Race *race, RaceWeights *weights) {
    const AttnShape *shape = &race->shape;
    Err err;
    bool folded = attn_fold(&bench->trace, shape, &weights->params.layer, &err);
    assert(folded); /* fails only in FORM_RANK, which race_can_train refuses */
}

/* Set the layer's input and target for this order of words. For the text itself with fixed word
 * vectors, copy X exactly. */
static void set_sequence(RaceBench *b, const Race *race, const int *order,
                         const RaceWeights *weights) {
    const RacePlan *plan = &race->plan;
    const Mat *words = weights->params.words.rows > 0 ? &weights->params.words : &plan->words;
    bool is_text = words == &plan->words && order == race->orders.text;
    for (int i = 0; i < b->words.rows; i++) {
        Mat to = mat_rows(&b->words, i, 1), from = mat_rows(&plan->words, order[i], 1);
        mat_copy(&to, &from);
    }
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

static void add_row(float *restrict to, const float *restrict from, int count, float factor) {
    for (int i = 0; i < count; i++)
        to[i] += factor * from[i];
}

/* Add a sequence to the mean gradient. ∂L/∂word is the sum over all positions of the word. */
static void add_gradient(RaceBench *b, const Race *race, const int *order) {
    float factor = 1 / (float)race->plan.rules.batch;
    Mat into[TRAINED_MAX], of[TRAINED_MAX], *words = &b->gradient.words;
    const RaceParams from = {.layer = b->grads};
    int count = trained(of, &from, &race->shape);
    trained(into, &b->gradient, &race->shape);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < of[k].rows; i++)
            add_row(mat_row(&into[k], i), mat_row(&of[k], i), of[k].cols, factor);
    for (int i = 0; words->rows > 0 && i < b->x.rows; i++)
        add_row(mat_row(words, order[i]), mat_row(&b->back.X, i), b->x.cols, factor);
}

bool race_batch(float *loss, RaceBench *b, const Race *race, int column, int step,
                const RaceWeights *weights) {
    int batch = race->plan.rules.batch;
    double sum = 0;
    clear(&b->gradient, &race->shape);
    for (int i = 0; i < batch; i++) {
        /* The order does not depend on the scheme, so columns with one seed train on the same
         * sequences. */
        const int *order = race->orders.text;
        if (race->plan.rules.data == RACE_ORDERS) {
            race_order_draw(b->order, &race->orders, race_seed(race, column),
                            (uint64_t)(step * batch + i));
            order = b->order;
        }
        set_sequence(b, race, order, weights);
        if (!job_goes_on(b->job))
            return false;
        pass_forward(b, race, weights);
        sum += (double)task_loss(&b->dY, &b->trace.Y, &b->target);
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
    /* If the race trains on the text, skip the first held-out sequence, which is the text. */
    int count = race->orders.held_count,
        first = race->plan.rules.data == RACE_SENTENCE && count > 1;
    for (int i = first; i < count; i++) {
        set_sequence(b, race, race_order_held(&race->orders, i), weights);
        if (!job_goes_on(b->job))
            return false;
        pass_forward(b, race, weights);
        loss += (double)task_loss(&b->dY, &b->trace.Y, &b->target);
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

#define TRIES 20 /* attempts to draw a sequence that is not held out */

static const char TRAINED[] = "training orders", HELD[] = "held-out orders";

uint64_t race_orders_bytes(int T) {
    return arena_padded((size_t)T * (RACE_HELD + 1) * sizeof(int));
}

/* Return the number of held-out sequences: at most (T − 1)!, so that others are left. */
static int held_count_of(int T) {
    int count = 1;
    for (int i = 2; i < T && count < RACE_HELD; i++)
        count *= i;
    return count < RACE_HELD ? count : RACE_HELD;
}

/* Shuffle the first `count` entries with the numbers of rng from index + 1 on. */
static void shuffle(int *order, int count, Rng rng, uint64_t index) {
    for (int i = count - 1; i > 0; i--) {
        int j = (int)(rng_bits(rng, index + (uint64_t)i) % ((uint64_t)i + 1)), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

/* Keep the first (T + 1)/2 different words, or all if there are fewer, and repeat them in the rest
 * of the order. */
static void repeat_half(int *order, int T) {
    int half = (T + 1) / 2, count = 1;
    for (int i = 1; i < T && count < half; i++) {
        bool is_new = true;
        for (int k = 0; k < count; k++)
            is_new = is_new && order[k] != order[i];
        if (is_new)
            order[count++] = order[i];
    }
    for (int i = count; i < T; i++)
        order[i] = order[i % count];
}

static void draw(int *order, const RaceOrders *o, Rng rng) {
    memcpy(order, o->text, (size_t)o->T * sizeof *order);
    shuffle(order, o->T, rng, 0);
    if (!o->repeats)
        return;
    repeat_half(order, o->T);
    shuffle(order, o->T, rng, (uint64_t)o->T);
}

RaceOrders race_orders_push(Arena *arena, const Mat *words, bool repeats, uint64_t seed) {
    int T = words->rows;
    int *text = arena_push(arena, (size_t)T * (RACE_HELD + 1) * sizeof *text);
    RaceOrders orders = {T, repeats, text, text + T, held_count_of(T)};
    for (int i = 0; i < words->rows; i++) {
        text[i] = 0;
        while (memcmp(mat_row(words, text[i]), mat_row(words, i),
                      (size_t)words->cols * sizeof(float)) != 0)
            text[i]++;
    }
    memcpy(orders.held, text, (size_t)T * sizeof *text);
    Rng numbers = rng_stream(seed, rng_hash(HELD, sizeof HELD));
    for (int i = 1; i < orders.held_count; i++)
        draw(orders.held + (size_t)i * (size_t)T, &orders,
             rng_stream(rng_bits(numbers, (uint64_t)i), 0));
    return orders;
}

static bool is_held(const RaceOrders *o, const int *order) {
    for (int i = 0; i < o->held_count; i++)
        if (memcmp(race_order_held(o, i), order, (size_t)o->T * sizeof *order) == 0)
            return true;
    return false;
}

void race_order_draw(int *order, const RaceOrders *orders, uint64_t seed, uint64_t number) {
    uint64_t own = rng_bits(rng_stream(seed, rng_hash(TRAINED, sizeof TRAINED)), number);
    for (uint64_t i = 0; i == 0 || (i < TRIES && is_held(orders, order)); i++)
        draw(order, orders, rng_stream(own, i));
}
