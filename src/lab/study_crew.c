#include "lab/study_crew.h"

#include <assert.h>
#include <string.h>

/* The next unit that is not handed in, or -1. */
static long long take_unit(StudyCrew *crew) {
    long long units = crew->study.units, unit;
    do
        unit = atomic_fetch_add(&crew->next, 1);
    while (unit < units && atomic_load(&crew->handed[unit]));
    return unit < units ? unit : -1;
}

/* False where it was told to stop, or failed. */
static bool compute_unit(StudyHand *hand, long long unit) {
    StudyCrew *crew = hand->crew;
    const StudyPlan *plan = &crew->study.plan;
    float *values = study_values_at(&crew->study, unit);
    for (int pass = 0; pass < study_unit_passes(plan); pass++) {
        if (crew->give_way != NULL)
            crew->give_way(crew->giving_way);
        if (!job_goes_on(&crew->watch))
            return false;
        if (!study_compute_pass(values, &hand->bench, plan, unit, pass, &hand->err)) {
            hand->failed = job_goes_on(&crew->watch);
            atomic_store(&crew->watch.stop, true);
            return false;
        }
    }
    atomic_store(&crew->handed[unit], 1);
    return true;
}

/* The job. */
static void work(void *data) {
    StudyHand *hand = data;
    long long unit = take_unit(hand->crew);
    while (unit >= 0 && compute_unit(hand, unit))
        unit = take_unit(hand->crew);
}

static void keep_mat(Mat *m, Arena *arena) {
    Mat kept = mat_push(arena, m->rows, m->cols);
    mat_copy(&kept, m);
    *m = kept;
}

static void *keep_bytes(Arena *arena, const void *from, size_t bytes) {
    return memcpy(arena_push(arena, bytes), from, bytes);
}

static size_t kept_bytes(const StudyPlan *plan) {
    const EmbedInput *input = &plan->input.embed;
    size_t T = (size_t)plan->shape.T;
    size_t bytes = arena_padded(sizeof(Mat)) + mat_bytes(plan->x->rows, plan->x->cols);
    bytes += arena_padded(T * T);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        bytes += mat_bytes(plan->given[p].rows, plan->given[p].cols);
    if (plan->draws_x)
        bytes += arena_padded(input->text_bytes) + arena_padded(T * sizeof *input->tokens);
    return bytes;
}

/* Let the plan borrow from the crew alone; word vectors stay as long as the program runs. */
static void keep(StudyPlan *plan, Arena *arena) {
    EmbedInput *input = &plan->input.embed;
    size_t T = (size_t)plan->shape.T;
    Mat *x = arena_push(arena, sizeof *x);
    *x = *plan->x;
    keep_mat(x, arena);
    plan->x = x;
    plan->mask.open = keep_bytes(arena, plan->mask.open, T * T);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (plan->given[p].rows > 0)
            keep_mat(&plan->given[p], arena);
    if (plan->draws_x) {
        input->text = keep_bytes(arena, input->text, input->text_bytes);
        input->tokens = keep_bytes(arena, input->tokens, T * sizeof *input->tokens);
    }
}

static bool make_room(StudyCrew *crew, const StudyPlan *plan, Err *err) {
    size_t units = (size_t)plan->scheme_count * (size_t)plan->seeds * sizeof *crew->handed;
    if (!study_init(&crew->study, plan, err) ||
        !arena_reserve(&crew->kept, kept_bytes(plan) + arena_padded(units), err)) {
        study_release(&crew->study); /* a study with units but no `handed` would be read */
        return false;
    }
    crew->handed = arena_push_zero(&crew->kept, units);
    keep(&crew->study.plan, &crew->kept);
    return true;
}

static void fail(StudyCrew *crew, const Err *err) {
    if (!crew->failed)
        crew->err = *err;
    crew->failed = true;
}

/* False where it is at work already, or there is no memory or no runner for it. */
static bool start_hand(StudyHand *hand, Err *err) {
    if (hand->bench.params == NULL && !study_bench_init(&hand->bench, &hand->crew->study.plan, err))
        return false;
    hand->bench.watch = &hand->crew->watch;
    hand->is_working = hand->runner->start(hand->runner->context, work, hand);
    if (!hand->is_working)
        err_fail(err, "threads", "none could be started; close other programs");
    return hand->is_working;
}

void study_crew_go_on(StudyCrew *crew) {
    if (study_crew_is_over(crew) || study_crew_is_working(crew))
        return;
    Err err = {0};
    long long left = crew->study.units - crew->study.in;
    int started = 0;
    atomic_store(&crew->next, crew->study.in);
    job_watch_begin(&crew->watch);
    for (int i = 0; i < crew->hand_count && i < left && start_hand(&crew->hands[i], &err); i++)
        started++;
    if (started == 0) /* fewer than there could be are enough */
        fail(crew, &err);
}

/* Without anybody to share it out to. */
static void compute_all(StudyCrew *crew) {
    StudyHand *hand = &crew->hands[0];
    if (!study_bench_init(&hand->bench, &crew->study.plan, &hand->err)) {
        fail(crew, &hand->err);
        return;
    }
    job_watch_begin(&crew->watch);
    hand->bench.watch = &crew->watch;
    work(hand);
    study_crew_update(crew);
}

bool study_crew_begin(StudyCrew *crew, const StudyPlan *plan, JobHands hands, Err *err) {
    study_crew_release(crew);
    crew->is_begun = true;
    crew->hand_count = hands.count;
    crew->give_way = hands.give_way;
    crew->giving_way = hands.context;
    for (int i = 0; i < (hands.count > 0 ? hands.count : 1); i++)
        crew->hands[i] = (StudyHand){.crew = crew, .runner = hands.at + i};
    if (!make_room(crew, plan, err)) {
        fail(crew, err);
        return false;
    }
    if (hands.count > 0)
        study_crew_go_on(crew);
    else
        compute_all(crew);
    if (crew->failed)
        *err = crew->err;
    return !crew->failed;
}

/* What units are computed in, which is much more than what comes of them. */
static void release_benches(StudyCrew *crew) {
    for (int i = 0; i < (crew->hand_count > 0 ? crew->hand_count : 1); i++)
        study_bench_release(&crew->hands[i].bench);
}

void study_crew_update(StudyCrew *crew) {
    Study *study = &crew->study;
    for (int i = 0; i < crew->hand_count; i++) {
        StudyHand *hand = &crew->hands[i];
        if (hand->is_working && hand->runner->is_done(hand->runner->context))
            hand->is_working = false;
    }
    while (study->in < study->units && atomic_load(&crew->handed[study->in]))
        study_finish(study, study->in);
    for (int i = 0; i < (crew->hand_count > 0 ? crew->hand_count : 1); i++)
        if (!crew->hands[i].is_working && crew->hands[i].failed)
            fail(crew, &crew->hands[i].err);
    if (study_crew_is_over(crew) && !study_crew_is_working(crew))
        release_benches(crew);
}

void study_crew_stop(StudyCrew *crew) {
    atomic_store(&crew->watch.stop, true);
}

void study_crew_cut(StudyCrew *crew, int seeds) {
    assert(!study_crew_is_working(crew));
    study_cut(&crew->study, seeds);
    release_benches(crew);
}

bool study_crew_is_working(const StudyCrew *crew) {
    for (int i = 0; i < crew->hand_count; i++)
        if (crew->hands[i].is_working)
            return true;
    return false;
}

bool study_crew_is_over(const StudyCrew *crew) {
    return crew->failed || crew->study.in >= crew->study.units;
}

bool study_crew_end(StudyCrew *crew) {
    bool ended = true;
    study_crew_stop(crew);
    for (int i = 0; i < crew->hand_count; i++) {
        StudyHand *hand = &crew->hands[i];
        if (hand->is_working)
            hand->is_working = !hand->runner->wait(hand->runner->context, JOB_PATIENCE_MS);
        ended = ended && !hand->is_working;
    }
    return ended;
}

void study_crew_release(StudyCrew *crew) {
    assert(!study_crew_is_working(crew));
    release_benches(crew);
    study_release(&crew->study);
    arena_release(&crew->kept);
    memset(crew, 0, sizeof *crew);
}
