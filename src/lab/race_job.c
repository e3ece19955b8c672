#include "lab/race_job.h"

#include <stdlib.h>

#include "base/heap.h"

/* True if the column can still compute the step. */
static bool is_left(const Race *race, int column, int goal) {
    return !race_is_over(race, column) && race_done(race, column) <= goal;
}

/* Reserve for this thread the column with the fewest steps among the free ones. Return -1 if none
 * is free.
 * */
static int take_column(RaceJob *r) {
    for (;;) {
        int best = -1;
        bool is_free = false;
        for (int i = 0; i < race_columns(&r->race); i++)
            if (!atomic_load(&r->taken[i]) && is_left(&r->race, i, r->goal) &&
                (best < 0 || race_done(&r->race, i) < race_done(&r->race, best)))
                best = i;
        if (best < 0 || atomic_compare_exchange_strong(&r->taken[best], &is_free, true))
            return best;
    }
}

static void work(Job *job) {
    RaceJob *r = (RaceJob *)job;
    RaceBench bench;
    Err err = {0};
    bool goes_on = race_bench_init(&bench, &r->race, &err);
    bench.job = job;
    for (int column; goes_on && job_goes_on(job) && (column = take_column(r)) >= 0;) {
        goes_on = race_advance(&r->race, &bench, column, 1, &err);
        atomic_store(&r->taken[column], false);
    }
    race_bench_release(&bench);
    if (goes_on || !job_goes_on(job) || atomic_exchange(&r->failed, true))
        return;
    r->err = err; /* the error of the first column that failed */
    job_stop(job);
}

static void release_race(RaceJob *r) {
    if (--r->owners > 0)
        return;
    race_release(&r->race);
    free(r);
}

static void free_race(Job *job) {
    release_race((RaceJob *)job);
}

RaceJob *race_job_create(const RacePlan *plan, Err *err) {
    RaceJob *r = heap_get_zero(1, sizeof *r);
    if (r == NULL || !race_init(&r->race, plan, err)) {
        if (r == NULL)
            err_fail(err, "memory", "too little for a race; close other programs");
        free(r);
        return NULL;
    }
    r->job = (Job){.work = work, .free = free_race, .priority = JOB_FOLLOWS, .is_long = true};
    r->owners = 1;
    return r;
}

bool race_job_has(const RaceJob *r, int step) {
    for (int i = 0; i < race_columns(&r->race) && !atomic_load(&r->failed); i++)
        if (is_left(&r->race, i, step))
            return false;
    return true;
}

static void look(Job *job) {
    RaceLook *l = (RaceLook *)job;
    l->bench.job = job;
    l->has_looked = race_look(&l->bench, &l->race->race, l->column, l->step, &l->err);
}

static void free_look(Job *job) {
    RaceLook *l = (RaceLook *)job;
    race_bench_release(&l->bench);
    release_race(l->race);
    free(l);
}

RaceLook *race_look_create(RaceJob *race, int column, int step, Err *err) {
    RaceLook *l = heap_get_zero(1, sizeof *l);
    if (l == NULL || !race_bench_init(&l->bench, &race->race, err)) {
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
