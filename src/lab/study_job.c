#include "lab/study_job.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

/* Mark a free unit as taken and return it, or -1 if there is none. */
static long long take_unit(StudyJob *s) {
    for (;;) {
        unsigned char is_free = UNIT_FREE;
        long long unit = atomic_fetch_add(&s->next, 1);
        if (unit >= s->study.units)
            return -1;
        if (atomic_compare_exchange_strong(&s->units[unit], &is_free, UNIT_TAKEN))
            return unit;
    }
}

/* Mark a taken unit as free again, because it was not computed. */
static void leave_unit(StudyJob *s, long long unit) {
    long long next = atomic_load(&s->next);
    atomic_store(&s->units[unit], UNIT_FREE);
    while (unit < next && !atomic_compare_exchange_weak(&s->next, &next, unit))
        ;
}

static void work(Job *job) {
    StudyJob *s = (StudyJob *)job;
    const StudyPlan *plan = &s->study.plan;
    StudyBench bench;
    Err err = {0};
    bool goes_on = study_bench_init(&bench, plan, &err);
    bench.job = job;
    for (long long unit; goes_on && job_goes_on(job) && (unit = take_unit(s)) >= 0;) {
        float *values = study_values_at(&s->study, unit);
        goes_on = study_compute(values, &bench, plan, unit, &err);
        if (goes_on)
            atomic_store(&s->units[unit], UNIT_DONE);
        else
            leave_unit(s, unit);
    }
    study_bench_release(&bench);
    if (goes_on || !job_goes_on(job) || atomic_exchange(&s->failed, true))
        return;
    s->err = err; /* the error of the first unit that failed */
    job_stop(job);
}

static void free_job(Job *job) {
    StudyJob *s = (StudyJob *)job;
    study_release(&s->study);
    arena_release(&s->kept);
    free(s);
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

/* Copy what the plan borrows, except for word vectors, which stay as long as the program runs. */
static void keep(StudyPlan *plan, Arena *arena) {
    EmbedInput *input = &plan->input.embed;
    size_t T = (size_t)plan->shape.T;
    Mat *x = keep_bytes(arena, plan->x, sizeof *x);
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

StudyJob *study_job_create(const StudyPlan *plan, Err *err) {
    StudyJob *s = heap_get_zero(1, sizeof *s);
    if (s == NULL) {
        err_fail(err, "memory", "too little for a study; close other programs");
        return NULL;
    }
    s->job = (Job){.work = work, .free = free_job, .priority = JOB_FOLLOWS, .is_long = true};
    size_t units = (size_t)plan->scheme_count * (size_t)plan->seeds * sizeof *s->units;
    if (!study_init(&s->study, plan, err) ||
        !arena_reserve(&s->kept, kept_bytes(plan) + arena_padded(units), err)) {
        free_job(&s->job);
        return NULL;
    }
    s->units = arena_push_zero(&s->kept, units);
    keep(&s->study.plan, &s->kept);
    return s;
}

void study_job_update(StudyJob *s) {
    Study *study = &s->study;
    while (study->in < study->units && atomic_load(&s->units[study->in]) == UNIT_DONE)
        study_finish(study, study->in);
}

bool study_job_is_over(const StudyJob *s) {
    return s->study.in >= s->study.units || atomic_load(&s->failed);
}
