#include "lab/race.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "lab/race_batch.h"
#include "lab/race_weights.h"
#include "model/analysis/stats.h"
#include "model/attention/hand_numbers.h"
#include "model/attention/params.h"

#define KEPT_LEAST 5 /* steps of each column that are kept even if memory is short */

static const Entry DATA[] = {
    [RACE_ORDERS] = {"orders", "Random orders", "",
                     "Each step trains on new random orders of the text's words."},
    [RACE_SENTENCE] = {"sentence", "Memorise", "",
                       "Each step trains on the text itself, so the layer memorises it."},
};
const Registry RACE_DATA = REGISTRY("data", "data", DATA);

static const Entry WORDS[] = {
    [RACE_WORDS_FIXED] = {"fixed", "Fixed", "", "The word vectors stay as they are."},
    [RACE_WORDS_TRAINED] = {"trained", "Trained", "",
                            "The word vectors are trained too, by the same backpropagation. "
                            "Targets stay the vectors of step 0."},
};
const Registry RACE_WORDS = REGISTRY("embeddings", "embedding", WORDS);

bool race_rules_equal(const RaceRules *a, const RaceRules *b) {
    return a->task == b->task && a->optimiser == b->optimiser && a->data == b->data &&
           a->words == b->words && a->batch == b->batch && a->steps == b->steps &&
           a->seeds == b->seeds && a->rate == b->rate;
}

bool race_can_train(const AttnShape *shape, Err *err) {
    if (shape->form == FORM_RANK)
        return err_fail(err, "rank",
                        "a step of training would leave the matrices of rank R; train Separate "
                        "with a d_k of R, whose W_QK keeps that rank");
    if (shape->form == FORM_MERGED && shape->rope)
        return err_fail(err, "merged",
                        "with rotary positions there is no one W_QK to train but one for every "
                        "distance; train Separate, which is the same layer");
    return true;
}

/* Return the smallest of 1, 2, 5, 10, 20, 50, … that is at least this large. */
static int round_up(int least) {
    int step = 1;
    for (int i = 0; step < least; i++)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

/* Return n so that every n-th step of a race fits into the room. n is a round number, or the number
 * of steps. */
static int every_of(int steps, size_t room) {
    int gaps = room > (size_t)steps ? steps : (int)room - 1;
    int every = round_up((steps + gaps - 1) / gaps);
    return every < steps ? every : steps;
}

static void choose_kept(Race *race) {
    const RacePlan *plan = &race->plan;
    size_t one = mat_bytes(plan->shape.H * plan->shape.T, plan->shape.T);
    size_t columns = (size_t)plan->scheme_count, room = RACE_KEEP_BYTES / columns / one;
    size_t most = STUDY_BYTES_MAX / 2 / columns / one;
    room = room > KEPT_LEAST ? room : KEPT_LEAST < most ? KEPT_LEAST : most;
    race->kept_every = every_of(plan->rules.steps, room < 2 ? 2 : room);
    race->kept_count = plan->rules.steps / race->kept_every + 1;
    race->kept_count += plan->rules.steps % race->kept_every > 0;
}

static void choose_marks(Race *race) {
    const RacePlan *plan = &race->plan;
    size_t one = race_weights_bytes(race);
    size_t room = RACE_MARK_BYTES / (size_t)plan->scheme_count / one;
    race->mark_every = room < 2 ? plan->rules.steps + 1 : every_of(plan->rules.steps, room);
    race->mark_count = room < 1 ? 0 : plan->rules.steps / race->mark_every + 1;
}

static size_t times(size_t count, size_t bytes) {
    return bytes > 0 && count > SIZE_MAX / bytes ? SIZE_MAX : count * bytes;
}

/* True if A and marks of the column are kept: only for the first seed. */
static bool is_kept(const Race *race, int column) {
    return column < race->plan.scheme_count;
}

static size_t column_bytes(const Race *race, int column) {
    const AttnShape *shape = &race->shape;
    size_t kept = is_kept(race, column) ? (size_t)race->kept_count : 0;
    size_t marks = is_kept(race, column) ? (size_t)race->mark_count : 0;
    size_t bytes = arena_padded(((size_t)race->plan.rules.steps + 1) * sizeof(RaceRecord));
    bytes += arena_padded(kept * sizeof(Mat)) + arena_padded(marks * sizeof(RaceWeights));
    bytes = mat_bytes_add(bytes, times(kept, mat_bytes(shape->H * shape->T, shape->T)));
    return mat_bytes_add(bytes, times(marks + 1, race_weights_bytes(race)));
}

static bool make_column(Race *race, int i, Err *err) {
    const AttnShape *shape = &race->shape;
    RaceColumn *column = &race->columns[i];
    Arena *arena = &column->arena;
    if (!arena_reserve(arena, column_bytes(race, i), err))
        return false;
    column->records =
        arena_push(arena, ((size_t)race->plan.rules.steps + 1) * sizeof *column->records);
    column->now = race_weights_push(arena, race);
    if (!is_kept(race, i))
        return true;
    column->kept = arena_push(arena, (size_t)race->kept_count * sizeof *column->kept);
    column->marks = arena_push(arena, (size_t)race->mark_count * sizeof *column->marks);
    for (int k = 0; k < race->mark_count; k++)
        column->marks[k] = race_weights_push(arena, race);
    for (int k = 0; k < race->kept_count; k++)
        column->kept[k] = mat_push(arena, shape->H * shape->T, shape->T);
    return true;
}

static size_t hand_bytes(const RacePlan *plan) {
    return arena_padded((size_t)plan->hand.count * sizeof *plan->hand.at);
}

static size_t borrowed_bytes(const RacePlan *plan) {
    size_t bytes = 3 * mat_bytes(plan->shape.T, plan->shape.D) + mask_bytes(plan->shape.T) +
                   race_orders_bytes(plan->shape.T) + hand_bytes(plan);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        bytes += mat_bytes(plan->given[p].rows, plan->given[p].cols);
    return bytes;
}

static Mat keep(Arena *arena, const Mat *m) {
    Mat kept = mat_push(arena, m->rows, m->cols);
    mat_copy(&kept, m);
    return kept;
}

/* Copy what the plan borrows, and compute what all columns derive from it. */
static bool keep_borrowed(Race *race, Err *err) {
    RacePlan *plan = &race->plan;
    size_t T = (size_t)plan->shape.T;
    if (!arena_reserve(&race->arena, borrowed_bytes(plan), err))
        return false;
    plan->x = keep(&race->arena, &plan->x);
    plan->words = keep(&race->arena, &plan->words);
    plan->mask.open = memcpy(arena_push(&race->arena, T * T), plan->mask.open, T * T);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (plan->given[p].rows > 0)
            plan->given[p] = keep(&race->arena, &plan->given[p]);
    if (plan->hand.count > 0)
        plan->hand.at = memcpy(arena_push(&race->arena, hand_bytes(plan)), plan->hand.at,
                               (size_t)plan->hand.count * sizeof *plan->hand.at);
    race->orders = race_orders_push(&race->arena, &plan->words, TASKS[plan->rules.task].repeats,
                                    plan->schemes[0].seed);
    race->positions = mat_push(&race->arena, plan->shape.T, plan->shape.D);
    for (int i = 0; i < plan->shape.T; i++)
        for (int c = 0; c < plan->shape.D; c++)
            mat_row(&race->positions, i)[c] = mat_row(&plan->x, i)[c] - mat_row(&plan->words, i)[c];
    return true;
}

static bool check_size(const Race *race, Err *err) {
    size_t all = 0;
    for (int i = 0; i < race_columns(race); i++)
        all = mat_bytes_add(all, column_bytes(race, i));
    return all <= STUDY_BYTES_MAX ||
           err_fail(err, "training",
                    "of this many columns, tokens, heads and weights would take %.1f GB; use fewer "
                    "of any",
                    (double)all / 1e9);
}

bool race_init(Race *race, const RacePlan *plan, Err *err) {
    assert(plan->scheme_count >= 1 && plan->scheme_count <= COMPARISON_MAX);
    assert(plan->rules.steps >= 1 && plan->rules.steps <= RACE_STEPS_MAX);
    assert(plan->rules.seeds >= 1 && plan->rules.seeds <= RACE_SEEDS);
    assert(plan->rules.batch >= 1 && plan->rules.batch <= RACE_BATCH_MAX);
    assert(plan->rules.data == RACE_ORDERS || plan->rules.batch == 1);
    assert(plan->x.rows == plan->shape.T && plan->words.rows == plan->shape.T);
    memset(race, 0, sizeof *race);
    if (!race_can_train(&plan->shape, err))
        return false;
    race->plan = *plan;
    race->shape = plan->shape;
    if (plan->shape.form == FORM_MERGED)
        race->shape.form = FORM_FREE;
    choose_kept(race);
    choose_marks(race);
    bool made = check_size(race, err) && keep_borrowed(race, err);
    for (int i = 0; made && i < race_columns(race); i++)
        made = make_column(race, i, err);
    if (!made)
        race_release(race);
    return made;
}

void race_release(Race *race) {
    for (int i = 0; i < RACE_COLUMNS_MAX; i++)
        arena_release(&race->columns[i].arena);
    arena_release(&race->arena);
    memset(race, 0, sizeof *race);
}

bool race_bench_init(RaceBench *bench, const Race *race, Err *err) {
    const AttnShape *shape = &race->shape;
    int T = shape->T, D = shape->D;
    size_t bytes = mat_bytes_add(attn_trace_bytes(shape), attn_grads_bytes(shape));
    bytes = mat_bytes_add(bytes, attn_back_bytes(shape));
    bytes = mat_bytes_add(bytes, race_params_bytes(race));
    bytes = mat_bytes_add(bytes, 4 * mat_bytes(T, D));
    bytes = mat_bytes_add(bytes, mat_bytes(T, T) + arena_padded((size_t)T * sizeof(int)));
    bytes += arena_padded((size_t)shape->H * sizeof(double));
    *bench = (RaceBench){0};
    if (!arena_reserve(&bench->arena, bytes, err))
        return false;
    Arena *arena = &bench->arena;
    bench->trace = attn_trace_push(arena, shape);
    bench->grads = attn_grads_push(arena, shape);
    bench->back = attn_back_push(arena, shape);
    bench->gradient = race_params_push(arena, race);
    bench->dY = mat_push(arena, T, D);
    bench->x = mat_push(arena, T, D);
    bench->words = mat_push(arena, T, D);
    bench->target = mat_push(arena, T, D);
    bench->share = mat_push(arena, T, T);
    bench->scores = arena_push(arena, (size_t)shape->H * sizeof *bench->scores);
    bench->order = arena_push(arena, (size_t)T * sizeof *bench->order);
    return true;
}

void race_bench_release(RaceBench *bench) {
    arena_release(&bench->arena);
    arena_release(&bench->looked);
    *bench = (RaceBench){0};
}

bool race_trains(const Race *race, int norm) {
    const AttnShape *shape = &race->shape;
    if (norm == RACE_NORM_WORDS)
        return race->plan.rules.words == RACE_WORDS_TRAINED;
    bool is_folded = shape->form == FORM_NESTED && norm <= ATTN_W_V;
    return !is_folded && PARAMS[norm].used(shape);
}

const char *race_norm_name(int norm) {
    return norm == RACE_NORM_WORDS ? "E" : PARAMS[norm].entry.id;
}

static float norm_of(const Mat *gradient) {
    return (float)sqrt(stats_sum_of_squares(gradient));
}

static void record(RaceRecord *out, float loss, const RaceBench *bench, const Race *race) {
    *out = (RaceRecord){.loss = loss, .held_out = NAN, .score = NAN, .best_head = -1};
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        out->norm[p] = race_trains(race, (int)p) ? norm_of(&bench->gradient.layer.p[p]) : NAN;
    bool words = race_trains(race, RACE_NORM_WORDS);
    out->norm[RACE_NORM_WORDS] = words ? norm_of(&bench->gradient.words) : NAN;
}

/* Store the weights before the step, if the step is a mark. This happens before other threads may
 * read the step. */
static void mark(RaceColumn *column, const Race *race, int step) {
    if (step % race->mark_every == 0 && step / race->mark_every < race->mark_count)
        race_weights_copy(&column->marks[step / race->mark_every], &column->now, race);
}

/* Copy A as it is shown: closed pairs are −INFINITY. */
static void keep_weights(Mat *kept, const Mat *A, const Race *race) {
    const Mask *mask = &race->plan.mask;
    for (int row = 0; row < A->rows; row++) {
        const uint8_t *open = mask_row(mask, row % mask->T);
        const float *from = mat_row(A, row);
        float *to = mat_row(kept, row);
        for (int j = 0; j < A->cols; j++)
            to[j] = open[j] ? from[j] : -INFINITY;
    }
}

static bool compute_step(Race *race, RaceBench *bench, int column) {
    RaceColumn *of = &race->columns[column];
    int step = atomic_load(&of->done);
    RaceRecord *out = &of->records[step];
    float loss;
    if (is_kept(race, column))
        mark(of, race, step);
    race_fold(bench, race, &of->now);
    if (!race_batch(&loss, bench, race, column, step, &of->now))
        return false;
    record(out, loss, bench, race);
    if (isfinite(loss) && race_measured(race, step) == step &&
        !race_measure(out, bench, race, &of->now))
        return false;
    if (is_kept(race, column) && race_kept_step(race, step) == step) {
        race_pass_text(bench, race, &of->now);
        keep_weights(&of->kept[race_kept_index(race, step)], &bench->trace.A, race);
    }
    if (isfinite(loss) && step < race->plan.rules.steps)
        race_weights_step(&of->now, race, &bench->gradient, step + 1);
    atomic_store(&of->done, step + 1);
    return true;
}

bool race_advance(Race *race, RaceBench *bench, int column, int steps, Err *err) {
    assert(column >= 0 && column < race_columns(race));
    RaceColumn *of = &race->columns[column];
    if (!of->is_drawn && !race_weights_draw(&of->now, race, column, bench->job, err))
        return false;
    of->is_drawn = true;
    for (; steps > 0 && !race_is_over(race, column); steps--)
        if (!compute_step(race, bench, column))
            return false;
    return true;
}

int race_done(const Race *race, int column) {
    assert(column >= 0 && column < race_columns(race));
    return atomic_load(&race->columns[column].done);
}

int race_overflow(const Race *race, int column) {
    int last = race_done(race, column) - 1;
    return last >= 0 && !isfinite(race->columns[column].records[last].loss) ? last : -1;
}

bool race_is_over(const Race *race, int column) {
    return race_done(race, column) > race->plan.rules.steps || race_overflow(race, column) >= 0;
}

const RaceRecord *race_record(const Race *race, int column, int step) {
    assert(step >= 0 && step < race_done(race, column));
    return &race->columns[column].records[step];
}

int race_measured(const Race *race, int step) {
    return step == race->plan.rules.steps ? step : step - step % RACE_MEASURE;
}

int race_kept_step(const Race *race, int step) {
    assert(step >= 0 && step <= race->plan.rules.steps);
    return step == race->plan.rules.steps ? step : step - step % race->kept_every;
}

int race_kept_index(const Race *race, int step) {
    return step == race->plan.rules.steps ? race->kept_count - 1 : step / race->kept_every;
}

Mat race_weights(const Race *race, int column, int step, int head) {
    assert(step < race_done(race, column) && race_kept_step(race, step) == step);
    return attn_head_scores(&race->columns[column].kept[race_kept_index(race, step)], &race->shape,
                            head);
}

/* True if the column will not continue after this step. */
static bool is_last(const Race *race, int column, int step) {
    return race_is_over(race, column) && step == race_done(race, column) - 1;
}

/* Return the step from which race_look computes: that of the last mark, or the first step. */
static int set_out(const Race *race, int column, int step) {
    return is_last(race, column, step) ? step
           : race->mark_count == 0     ? 0
                                       : step - step % race->mark_every;
}

/* Restore the weights of that step. Fails if memory runs out, or if the weights must be sampled and
 * cannot be. */
static bool go_back(RaceBench *bench, const Race *race, int column, int step, Err *err) {
    if (bench->looked.bytes == NULL) {
        if (!arena_reserve(&bench->looked, race_weights_bytes(race), err))
            return false;
        bench->look = race_weights_push(&bench->looked, race);
    }
    const RaceColumn *of = &race->columns[column];
    bool is_last_one = is_last(race, column, step);
    if (!is_last_one && race->mark_count == 0)
        return race_weights_draw(&bench->look, race, column, bench->job, err);
    race_weights_copy(&bench->look, is_last_one ? &of->now : &of->marks[step / race->mark_every],
                      race);
    return true;
}

bool race_look(RaceBench *bench, const Race *race, int column, int step, Err *err) {
    assert(step >= 0 && step < race_done(race, column));
    int at = set_out(race, column, step);
    float loss;
    if (!go_back(bench, race, column, at, err))
        return false;
    for (; at < step; at++) {
        race_fold(bench, race, &bench->look);
        if (!race_batch(&loss, bench, race, column, at, &bench->look))
            return false;
        race_weights_step(&bench->look, race, &bench->gradient, at + 1);
    }
    race_fold(bench, race, &bench->look);
    race_pass_text(bench, race, &bench->look);
    return job_goes_on(bench->job);
}
