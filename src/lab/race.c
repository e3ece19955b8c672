#include "lab/race.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "lab/race_step.h"
#include "model/analysis/stats.h"
#include "model/attention/hand_numbers.h"
#include "model/attention/params.h"

/* Number of steps of each column whose A is stored even beyond RACE_KEEP_BYTES, but not beyond half
 * of STUDY_BYTES_MAX. */
#define KEPT_LEAST 5

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
                        "after a step of training the matrix would no longer have rank R; train "
                        "Separate with d_k = R, whose W_QK keeps that rank");
    if (shape->form == FORM_MERGED && shape->rope)
        return err_fail(err, "merged",
                        "with rotary positions there is no single W_QK to train, but one for each "
                        "distance; train Separate, which is the same layer");
    return true;
}

/* Choose the steps whose A is stored: the last, and every n-th. n is the smallest of 1, 2, 5, 10,
 * 20, … for which these matrices fit into RACE_KEEP_BYTES or are at most KEPT_LEAST. */
static void choose_kept(Race *race) {
    const RacePlan *plan = &race->plan;
    int steps = plan->rules.steps, every = 1;
    uint64_t one = mat_bytes(plan->shape.H * plan->shape.T, plan->shape.T);
    size_t columns = (size_t)plan->scheme_count, room = RACE_KEEP_BYTES / columns / one;
    size_t most = STUDY_BYTES_MAX / 2 / columns / one;
    room = room > KEPT_LEAST ? room : KEPT_LEAST < most ? KEPT_LEAST : most > 2 ? most : 2;
    int gaps = room > (size_t)steps ? steps : (int)room - 1;
    for (int i = 0; every < (steps + gaps - 1) / gaps; i++)
        every = i % 3 == 1 ? every / 2 * 5 : every * 2;
    race->kept_every = every < steps ? every : steps;
    race->kept_count = steps / race->kept_every + 1 + (steps % race->kept_every > 0);
}

static bool is_kept(const Race *race, int column) {
    return column < race->plan.scheme_count;
}

static uint64_t column_bytes(const Race *race, int column) {
    uint64_t A = mat_bytes(race->shape.H * race->shape.T, race->shape.T);
    size_t kept = is_kept(race, column) ? (size_t)race->kept_count : 0;
    uint64_t bytes = arena_padded(((size_t)race->plan.rules.steps + 1) * sizeof(RaceRecord));
    bytes += arena_padded(kept * sizeof(Mat));
    bytes += kept * A;
    return bytes + race_weights_bytes(race);
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
    for (int k = 0; k < race->kept_count; k++)
        column->kept[k] = mat_push(arena, shape->H * shape->T, shape->T);
    return true;
}

/* Copy everything that the plan borrows, and compute the sequences of words and the positions. */
static bool keep_borrowed(Race *race, Err *err) {
    RacePlan *plan = &race->plan;
    size_t T = (size_t)plan->shape.T, hand = (size_t)plan->hand.count * sizeof *plan->hand.at;
    uint64_t bytes = 3 * mat_bytes(plan->shape.T, plan->shape.D) + mask_bytes(plan->shape.T) +
                     race_orders_bytes(plan->shape.T) + arena_padded(hand);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        bytes += mat_bytes(plan->given[p].rows, plan->given[p].cols);
    if (!arena_reserve(&race->arena, bytes, err))
        return false;
    plan->x = mat_push_copy(&race->arena, &plan->x);
    plan->words = mat_push_copy(&race->arena, &plan->words);
    plan->mask.open = memcpy(arena_push(&race->arena, T * T), plan->mask.open, T * T);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (plan->given[p].rows > 0)
            plan->given[p] = mat_push_copy(&race->arena, &plan->given[p]);
    if (hand > 0)
        plan->hand.at = memcpy(arena_push(&race->arena, hand), plan->hand.at, hand);
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
        all += column_bytes(race, i);
    return all <= STUDY_BYTES_MAX || err_fail(err, "training",
                                              "would take %.1f GB with this number of columns, "
                                              "tokens, heads and weights; use fewer",
                                              (double)all / 1e9);
}

static bool is_left(const Race *race, int column, int goal) {
    return !race_is_over(race, column) && race_done(race, column) <= goal;
}

/* Reserve a column for this thread: the free one with the fewest steps that has not reached the
 * goal. Return -1 if there is none. */
static int take_column(Race *r) {
    for (;;) {
        int best = -1;
        bool is_free = false;
        for (int i = 0; i < race_columns(r); i++)
            if (!atomic_load(&r->columns[i].is_taken) && is_left(r, i, r->goal) &&
                (best < 0 || race_done(r, i) < race_done(r, best)))
                best = i;
        if (best < 0 || atomic_compare_exchange_strong(&r->columns[best].is_taken, &is_free, true))
            return best;
    }
}

static void work(Job *job) {
    Race *r = (Race *)job;
    RaceBench bench;
    Err err = {0};
    bool goes_on = race_bench_init(&bench, r, &err);
    bench.job = job;
    for (int column; goes_on && job_goes_on(job) && (column = take_column(r)) >= 0;) {
        goes_on = race_advance(r, &bench, column, 1, &err);
        atomic_store(&r->columns[column].is_taken, false);
    }
    race_bench_release(&bench);
    if (goes_on || !job_goes_on(job) || atomic_exchange(&r->failed, true))
        return;
    r->err = err; /* keep only the first error */
    job_stop(job);
}

static void free_race(Job *job) {
    Race *race = (Race *)job;
    if (--race->owners > 0)
        return;
    for (int i = 0; i < RACE_COLUMNS_MAX; i++)
        arena_release(&race->columns[i].arena);
    arena_release(&race->arena);
    free(race);
}

Race *race_create(const RacePlan *plan, Err *err) {
    assert(plan->scheme_count >= 1 && plan->scheme_count <= COMPARISON_MAX);
    assert(plan->rules.steps >= 1 && plan->rules.steps <= RACE_STEPS_MAX);
    assert(plan->rules.seeds >= 1 && plan->rules.seeds <= RACE_SEEDS);
    assert(plan->rules.batch >= 1 && plan->rules.batch <= RACE_BATCH_MAX);
    assert(plan->rules.data == RACE_ORDERS || plan->rules.batch == 1);
    assert(plan->x.rows == plan->shape.T && plan->words.rows == plan->shape.T);
    if (!race_can_train(&plan->shape, err))
        return NULL;
    Race *race = heap_get_zero(1, sizeof *race);
    if (race == NULL)
        return err_null(err, "memory", "too little to train; close other programs");
    race->job = (Job){.work = work, .free = free_race, .priority = JOB_FOLLOWS, .is_long = true};
    race->owners = 1;
    race->plan = *plan;
    race->shape = plan->shape;
    if (plan->shape.form == FORM_MERGED)
        race->shape.form = FORM_FREE;
    choose_kept(race);
    bool made = check_size(race, err) && keep_borrowed(race, err);
    for (int i = 0; made && i < race_columns(race); i++)
        made = make_column(race, i, err);
    if (!made)
        free_race(&race->job);
    return made ? race : NULL;
}

bool race_has(const Race *r, int step) {
    for (int i = 0; i < race_columns(r) && !atomic_load(&r->failed); i++)
        if (is_left(r, i, step))
            return false;
    return true;
}

bool race_bench_init(RaceBench *bench, const Race *race, Err *err) {
    const AttnShape *shape = &race->shape;
    int T = shape->T, D = shape->D;
    uint64_t bytes = attn_trace_bytes(shape) + attn_grads_bytes(shape);
    bytes += attn_back_bytes(shape);
    bytes += race_params_bytes(race);
    bytes += race_weights_bytes(race);
    bytes += 4 * mat_bytes(T, D);
    bytes += mat_bytes(T, T) + arena_padded((size_t)T * sizeof(int));
    bytes += arena_padded((size_t)shape->H * sizeof(double));
    *bench = (RaceBench){0};
    if (!arena_reserve(&bench->arena, bytes, err))
        return false;
    Arena *arena = &bench->arena;
    bench->trace = attn_trace_push(arena, shape);
    bench->grads = attn_grads_push(arena, shape);
    bench->back = attn_back_push(arena, shape);
    bench->gradient = race_params_push(arena, race);
    bench->look = race_weights_push(arena, race);
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
    *bench = (RaceBench){0};
}

bool race_trains(const Race *race, int norm) {
    const AttnShape *shape = &race->shape;
    if (norm == RACE_NORM_WORDS)
        return race->plan.rules.words == RACE_WORDS_TRAINED;
    bool is_folded = shape->form == FORM_NESTED && norm <= ATTN_W_V;
    return !is_folded && param_used(norm, shape);
}

const char *race_norm_name(int norm) {
    return norm == RACE_NORM_WORDS ? "E" : PARAMS[norm].entry.id;
}

static void record(RaceRecord *out, float loss, const RaceBench *bench, const Race *race) {
    *out = (RaceRecord){.loss = loss, .held_out = NAN, .score = NAN, .best_head = -1};
    for (int n = 0; n < RACE_NORM_COUNT; n++) {
        const RaceParams *of = &bench->gradient;
        const Mat *gradient = n == RACE_NORM_WORDS ? &of->words : &of->layer.p[n];
        bool is_trained = race_trains(race, n);
        out->norm[n] = is_trained ? (float)sqrt(stats_sum_of_squares(gradient)) : NAN;
    }
}

static bool compute_step(Race *race, RaceBench *bench, int column) {
    RaceColumn *of = &race->columns[column];
    int step = atomic_load(&of->done);
    RaceRecord *out = &of->records[step];
    float loss;
    race_fold(bench, race, &of->now);
    if (!race_batch(&loss, bench, race, column, step, &of->now))
        return false;
    record(out, loss, bench, race);
    if (isfinite(loss) && race_measured(race, step) == step &&
        !race_measure(out, bench, race, &of->now))
        return false;
    if (is_kept(race, column) && race_kept_step(race, step) == step) {
        race_pass_text(bench, race, &of->now);
        comparison_keep_weights(&of->kept[race_kept_index(race, step)], &bench->trace.A,
                                &race->plan.mask);
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

bool race_look(RaceBench *bench, const Race *race, int column, int step, Err *err) {
    assert(step >= 0 && step < race_done(race, column));
    bool is_last = race_is_over(race, column) && step == race_done(race, column) - 1;
    float loss;
    if (is_last)
        race_params_copy(&bench->look.params, &race->columns[column].now.params, race);
    else if (!race_weights_draw(&bench->look, race, column, bench->job, err))
        return false;
    for (int at = is_last ? step : 0; at < step; at++) {
        race_fold(bench, race, &bench->look);
        if (!race_batch(&loss, bench, race, column, at, &bench->look))
            return false;
        race_weights_step(&bench->look, race, &bench->gradient, at + 1);
    }
    race_fold(bench, race, &bench->look);
    race_pass_text(bench, race, &bench->look);
    return job_goes_on(bench->job);
}

static void look(Job *job) {
    RaceLook *l = (RaceLook *)job;
    l->bench.job = job;
    l->has_looked = race_look(&l->bench, l->race, l->column, l->step, &l->err);
}

static void free_look(Job *job) {
    RaceLook *l = (RaceLook *)job;
    race_bench_release(&l->bench);
    free_race(&l->race->job);
    free(l);
}

RaceLook *race_look_create(Race *race, int column, int step, Err *err) {
    RaceLook *l = heap_get_zero(1, sizeof *l);
    if (l == NULL || !race_bench_init(&l->bench, race, err)) {
        if (l == NULL)
            err_fail(err, "memory", "too little for the layer; close other programs");
        free(l);
        return NULL;
    }
    l->job = (Job){.work = look, .free = free_look, .threads = 1};
    l->race = race;
    race->owners++;
    l->column = column;
    l->step = step;
    return l;
}

void race_text_header(TextOut *out, const Race *race) {
    text_out(out, "step,loss,held_out,score");
    for (int n = 0; n < RACE_NORM_COUNT; n++)
        if (race_trains(race, n))
            text_out(out, ",norm.grad.%s", race_norm_name(n));
}

void race_text_csv(TextOut *out, const Race *race, int column, const char *prefix) {
    for (int step = 0; step < race_done(race, column); step++) {
        const RaceRecord *record = race_record(race, column, step);
        text_out(out, "%s%d,%s,%s,%s", prefix, step, CSV(record->loss), CSV(record->held_out),
                 CSV(record->score));
        for (int n = 0; n < RACE_NORM_COUNT; n++)
            if (race_trains(race, n))
                text_out(out, ",%s", CSV(record->norm[n]));
        text_out(out, "\n");
    }
}

void race_text_json(TextOut *out, const Race *race, int column) {
    text_out(out, "[");
    for (int step = 0; step < race_done(race, column); step++) {
        const RaceRecord *record = race_record(race, column, step);
        text_out(out, "%s\n  {\"step\": %d, \"loss\": %s", step > 0 ? "," : "", step,
                 JSON(record->loss));
        if (race_measured(race, step) == step)
            text_out(out, ", \"held_out\": %s, \"score\": %s", JSON(record->held_out),
                     JSON(record->score));
        for (int n = 0; n < RACE_NORM_COUNT; n++)
            if (race_trains(race, n))
                text_out(out, ", \"norm.grad.%s\": %s", race_norm_name(n), JSON(record->norm[n]));
        text_out(out, "}");
    }
    text_out(out, "]");
}
