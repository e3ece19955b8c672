#include "lab/race.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "lab/race_weights.h"
#include "model/cost.h"
#include "model/form.h"
#include "model/loss.h"
#include "model/stats.h"

#define KEPT_LEAST 5 /* steps of each column, as long as there is any room at all */

bool race_can_train(const AttnShape *shape, Err *err) {
    if (shape->form == FORM_RANK)
        return err_fail(
            err, "rank",
            "a step of training would leave the matrices of rank R; train Separate with "
            "a d_k of R, whose W_QK keeps that rank");
    if (shape->form == FORM_MERGED && shape->rope)
        return err_fail(err, "merged",
                        "with rotary positions there is no one W_QK to train but one for every "
                        "distance; train Separate, which is the same layer");
    return true;
}

/* The least of 1, 2, 5, 10, 20, 50, … that is not below. */
static int round_up(int least) {
    int step = 1;
    for (int i = 0; step < least; i++)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

/* Every how many of a race's steps one is kept, where there is room for so many, from 2. */
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
    race->kept_every = every_of(plan->steps, room < 2 ? 2 : room);
    race->kept_count = plan->steps / race->kept_every + 1;
    race->kept_count += plan->steps % race->kept_every > 0;
}

static void choose_marks(Race *race) {
    const RacePlan *plan = &race->plan;
    size_t one = race_weights_bytes(&race->shape, plan->optimiser);
    size_t room = RACE_MARK_BYTES / (size_t)plan->scheme_count / one;
    race->mark_every = room < 2 ? plan->steps + 1 : every_of(plan->steps, room);
    race->mark_count = room < 1 ? 0 : plan->steps / race->mark_every + 1;
}

static size_t times(size_t count, size_t bytes) {
    return bytes > 0 && count > SIZE_MAX / bytes ? SIZE_MAX : count * bytes;
}

static size_t column_bytes(const Race *race) {
    const AttnShape *shape = &race->shape;
    size_t weights = race_weights_bytes(shape, race->plan.optimiser);
    size_t kept = (size_t)race->kept_count, marks = (size_t)race->mark_count;
    size_t bytes = arena_padded(((size_t)race->plan.steps + 1) * sizeof(RaceRecord));
    bytes += arena_padded(kept * sizeof(Mat)) + arena_padded(marks * sizeof(RaceWeights));
    bytes = mat_bytes_add(bytes, times(kept, mat_bytes(shape->H * shape->T, shape->T)));
    return mat_bytes_add(bytes, times(marks + 1, weights));
}

static bool make_column(RaceColumn *column, const Race *race, Err *err) {
    const AttnShape *shape = &race->shape;
    OptimiserKind optimiser = race->plan.optimiser;
    Arena *arena = &column->arena;
    if (!arena_reserve(arena, column_bytes(race), err))
        return false;
    column->records = arena_push(arena, ((size_t)race->plan.steps + 1) * sizeof *column->records);
    column->kept = arena_push(arena, (size_t)race->kept_count * sizeof *column->kept);
    column->marks = arena_push(arena, (size_t)race->mark_count * sizeof *column->marks);
    column->now = race_weights_push(arena, shape, optimiser);
    for (int i = 0; i < race->mark_count; i++)
        column->marks[i] = race_weights_push(arena, shape, optimiser);
    for (int i = 0; i < race->kept_count; i++)
        column->kept[i] = mat_push(arena, shape->H * shape->T, shape->T);
    return true;
}

static size_t borrowed_bytes(const RacePlan *plan) {
    size_t bytes = 3 * mat_bytes(plan->shape.T, plan->shape.D) + mask_bytes(plan->shape.T);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        bytes += mat_bytes(plan->given[p].rows, plan->given[p].cols);
    return bytes;
}

static Mat keep(Arena *arena, const Mat *m) {
    Mat kept = mat_push(arena, m->rows, m->cols);
    mat_copy(&kept, m);
    return kept;
}

/* What the plan borrows, and what follows from it for all columns. */
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
    race->target = mat_push(&race->arena, plan->shape.T, plan->shape.D);
    task_target(&race->target, plan->task, &plan->words, &plan->mask);
    return true;
}

static bool check_size(const Race *race, Err *err) {
    size_t all = times((size_t)race->plan.scheme_count, column_bytes(race));
    return all <= STUDY_BYTES_MAX ||
           err_fail(err, "training",
                    "of this many columns, tokens, heads and weights would take %.1f GB; use fewer "
                    "of any",
                    (double)all / 1e9);
}

bool race_init(Race *race, const RacePlan *plan, Err *err) {
    assert(plan->scheme_count >= 1 && plan->scheme_count <= LINEUP_MAX);
    assert(plan->steps >= 1 && plan->steps <= RACE_STEPS_MAX);
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
    for (int i = 0; made && i < plan->scheme_count; i++)
        made = make_column(&race->columns[i], race, err);
    if (!made)
        race_release(race);
    return made;
}

void race_release(Race *race) {
    for (int i = 0; i < LINEUP_MAX; i++)
        arena_release(&race->columns[i].arena);
    arena_release(&race->arena);
    memset(race, 0, sizeof *race);
}

bool race_bench_init(RaceBench *bench, const Race *race, Err *err) {
    const AttnShape *shape = &race->shape;
    size_t bytes = mat_bytes_add(attn_trace_bytes(shape), attn_grads_bytes(shape));
    bytes = mat_bytes_add(bytes, attn_back_bytes(shape));
    bytes = mat_bytes_add(bytes, mat_bytes(shape->T, shape->D));
    *bench = (RaceBench){0};
    if (!arena_reserve(&bench->arena, bytes, err))
        return false;
    bench->trace = attn_trace_push(&bench->arena, shape);
    bench->grads = attn_grads_push(&bench->arena, shape);
    bench->back = attn_back_push(&bench->arena, shape);
    bench->dY = mat_push(&bench->arena, shape->T, shape->D);
    return true;
}

void race_bench_release(RaceBench *bench) {
    arena_release(&bench->arena);
    arena_release(&bench->looked);
    *bench = (RaceBench){0};
}

double race_steps(const Race *race) {
    const AttnShape *shape = &race->shape;
    double updated =
        (double)race_weights_count(shape) * (1 + OPTIMISERS[race->plan.optimiser].moments);
    return cost_steps(shape) + cost_backward_steps(shape) + cost_fold_steps(shape) + updated;
}

/* The pass of a layer, and its loss with ∂L/∂Y in the bench; false once the watch says to stop. */
static bool pass_forward(float *loss, RaceBench *bench, const Race *race, RaceWeights *weights,
                         JobWatch *watch) {
    const AttnShape *shape = &race->shape;
    Err err;
    bool folded = FORMS[shape->form].fold(&bench->trace, shape, &weights->params, NULL, &err);
    assert(folded); /* only FORM_RANK's can fail */
    if (!job_step(watch, cost_fold_steps(shape)))
        return false;
    attn_forward(&bench->trace, shape, &weights->params, &race->plan.x, &race->plan.mask);
    if (!job_step(watch, cost_steps(shape)))
        return false;
    *loss = loss_mean_squared(&bench->dY, &bench->trace.Y, &race->target);
    return true;
}

static bool pass_backward(RaceBench *bench, const Race *race, const RaceWeights *weights,
                          JobWatch *watch) {
    return attn_backward_watched(&bench->grads, &bench->back, &race->shape, &weights->params,
                                 &bench->trace, &race->plan.x, &bench->dY, watch);
}

/* From the weights of step number - 1, whose gradients are in the bench. */
static void update(RaceWeights *weights, const RaceBench *bench, const Race *race, int number) {
    race_weights_step(weights, &race->shape, &bench->grads, race->plan.optimiser, race->plan.rate,
                      number);
}

static void record(RaceRecord *out, float loss, const RaceBench *bench) {
    out->loss = loss;
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        const Mat *gradient = &bench->grads.p[p];
        out->norm[p] = gradient->rows > 0 ? (float)sqrt(stats_sum_of_squares(gradient)) : NAN;
    }
}

/* The weights that step starts from are kept before any of it may be read. */
static void mark(RaceColumn *column, const Race *race, int step) {
    if (step % race->mark_every == 0 && step / race->mark_every < race->mark_count)
        race_weights_copy(&column->marks[step / race->mark_every], &column->now, &race->shape);
}

/* A as it is looked at. */
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

static bool compute_step(Race *race, RaceBench *bench, RaceColumn *column, JobWatch *watch) {
    int step = atomic_load(&column->done);
    float loss;
    mark(column, race, step);
    if (!pass_forward(&loss, bench, race, &column->now, watch) ||
        !pass_backward(bench, race, &column->now, watch))
        return false;
    record(&column->records[step], loss, bench);
    if (race_kept_step(race, step) == step)
        keep_weights(&column->kept[race_kept_index(race, step)], &bench->trace.A, race);
    if (isfinite(loss) && step < race->plan.steps)
        update(&column->now, bench, race, step + 1);
    atomic_store(&column->done, step + 1);
    return true;
}

bool race_advance(Race *race, RaceBench *bench, int column, int steps, JobWatch *watch, Err *err) {
    assert(column >= 0 && column < race->plan.scheme_count);
    RaceColumn *of = &race->columns[column];
    if (!of->is_drawn && !race_weights_draw(&of->now, race, column, watch, err))
        return false;
    of->is_drawn = true;
    for (; steps > 0 && !race_is_over(race, column); steps--)
        if (!compute_step(race, bench, of, watch))
            return false;
    return true;
}

int race_done(const Race *race, int column) {
    assert(column >= 0 && column < race->plan.scheme_count);
    return atomic_load(&race->columns[column].done);
}

int race_overflow(const Race *race, int column) {
    int last = race_done(race, column) - 1;
    return last >= 0 && !isfinite(race->columns[column].records[last].loss) ? last : -1;
}

bool race_is_over(const Race *race, int column) {
    return race_done(race, column) > race->plan.steps || race_overflow(race, column) >= 0;
}

const RaceRecord *race_record(const Race *race, int column, int step) {
    assert(step >= 0 && step < race_done(race, column));
    return &race->columns[column].records[step];
}

int race_kept_step(const Race *race, int step) {
    assert(step >= 0 && step <= race->plan.steps);
    return step == race->plan.steps ? step : step - step % race->kept_every;
}

int race_kept_index(const Race *race, int step) {
    return step == race->plan.steps ? race->kept_count - 1 : step / race->kept_every;
}

Mat race_weights(const Race *race, int column, int step, int head) {
    assert(step < race_done(race, column) && race_kept_step(race, step) == step);
    return attn_head_scores(&race->columns[column].kept[race_kept_index(race, step)], &race->shape,
                            head);
}

/* Whether a column stands at that step for good. */
static bool is_last(const Race *race, int column, int step) {
    return race_is_over(race, column) && step == race_done(race, column) - 1;
}

/* The step that race_look sets out from: that of the last mark, or the start. */
static int set_out(const Race *race, int column, int step) {
    return is_last(race, column, step) ? step
           : race->mark_count == 0     ? 0
                                       : step - step % race->mark_every;
}

double race_look_steps(const Race *race, int column, int step) {
    return race_steps(race) * (step - set_out(race, column, step) + 1);
}

/* The weights of that step; false for want of memory, or where they are drawn and cannot be. */
static bool go_back(RaceBench *bench, const Race *race, int column, int step, JobWatch *watch,
                    Err *err) {
    OptimiserKind optimiser = race->plan.optimiser;
    if (bench->looked.bytes == NULL) {
        if (!arena_reserve(&bench->looked, race_weights_bytes(&race->shape, optimiser), err))
            return false;
        bench->look = race_weights_push(&bench->looked, &race->shape, optimiser);
    }
    const RaceColumn *of = &race->columns[column];
    bool is_last_one = is_last(race, column, step);
    if (!is_last_one && race->mark_count == 0)
        return race_weights_draw(&bench->look, race, column, watch, err);
    race_weights_copy(&bench->look, is_last_one ? &of->now : &of->marks[step / race->mark_every],
                      &race->shape);
    return true;
}

bool race_look(RaceBench *bench, const Race *race, int column, int step, JobWatch *watch,
               Err *err) {
    assert(step >= 0 && step < race_done(race, column));
    int at = set_out(race, column, step);
    float loss;
    if (!go_back(bench, race, column, at, watch, err))
        return false;
    for (; at < step; at++) {
        if (!pass_forward(&loss, bench, race, &bench->look, watch) ||
            !pass_backward(bench, race, &bench->look, watch))
            return false;
        update(&bench->look, bench, race, at + 1);
    }
    return pass_forward(&loss, bench, race, &bench->look, watch);
}
