#include "shell/study_run.h"

#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#define WATCH_NS 50000000L

/* What the threads share, under one lock: a unit takes long enough that nobody waits for it. */
typedef struct Crew {
    Study *study;
    pthread_mutex_t lock;
    pthread_cond_t left; /* a worker has gone */
    long long next;      /* the unit that nobody has taken yet */
    int working;
    JobWatch watch; /* asked within units, and so beside the lock */
    Err err;        /* of the first unit that failed; ERR_NONE */
} Crew;

typedef struct Worker {
    Crew *crew;
    StudyBench bench;
    pthread_t thread;
} Worker;

/* The next unit, or -1 where there is none to be done. */
static long long take_unit(Crew *crew) {
    const Study *study = crew->study;
    pthread_mutex_lock(&crew->lock);
    while (crew->next < study->units && study->done[crew->next]) /* by a run that was stopped */
        crew->next++;
    bool over = !job_goes_on(&crew->watch) || crew->next >= study->units;
    long long unit = over ? -1 : crew->next++;
    pthread_mutex_unlock(&crew->lock);
    return unit;
}

static void hand_in(Crew *crew, long long unit, bool computed, const Err *err) {
    pthread_mutex_lock(&crew->lock);
    if (computed) {
        study_finish(crew->study, unit);
    } else if (job_goes_on(&crew->watch)) { /* not for having been told to stop */
        atomic_store(&crew->watch.stop, true);
        crew->err = *err;
    }
    pthread_mutex_unlock(&crew->lock);
}

static void *work(void *context) {
    Worker *worker = context;
    Crew *crew = worker->crew;
    for (long long unit = take_unit(crew); unit >= 0; unit = take_unit(crew)) {
        Err err = {0};
        float *values = study_values_at(crew->study, unit);
        bool computed = study_compute(values, &worker->bench, &crew->study->plan, unit, &err);
        hand_in(crew, unit, computed, &err);
    }
    pthread_mutex_lock(&crew->lock);
    crew->working--;
    pthread_cond_signal(&crew->left);
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

/* Until a worker leaves, or for a moment; the lock is held. */
static void wait_a_moment(Crew *crew) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WATCH_NS;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&crew->left, &crew->lock, &until);
}

static void watch_over(Crew *crew, StudyWatch watch) {
    pthread_mutex_lock(&crew->lock);
    while (crew->working > 0) {
        wait_a_moment(crew);
        if (job_goes_on(&crew->watch) && !watch.go_on(watch.context, crew->study))
            atomic_store(&crew->watch.stop, true);
    }
    pthread_mutex_unlock(&crew->lock);
}

/* Start so many; returns how many there are. Fewer than asked for are enough. */
static int start(Worker *workers, int count, Crew *crew, Err *err) {
    for (int i = 0; i < count; i++) {
        workers[i] = (Worker){.crew = crew};
        if (!study_bench_init(&workers[i].bench, &crew->study->plan, err))
            return i;
        workers[i].bench.watch = &crew->watch;
        pthread_mutex_lock(&crew->lock);
        crew->working++;
        pthread_mutex_unlock(&crew->lock);
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0)
            continue;
        study_bench_release(&workers[i].bench);
        pthread_mutex_lock(&crew->lock);
        crew->working--;
        pthread_mutex_unlock(&crew->lock);
        err_fail(err, "threads", "none could be started; close other programs");
        return i;
    }
    return count;
}

int study_threads(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > STUDY_THREADS_MAX ? STUDY_THREADS_MAX : (int)count;
}

bool study_run(Study *study, int threads, StudyWatch watch, Err *err) {
    assert(threads >= 1 && threads <= STUDY_THREADS_MAX);
    Worker workers[STUDY_THREADS_MAX];
    Crew crew = {.study = study, .next = study->in};
    long long left = study->units - study->in;
    pthread_mutex_init(&crew.lock, NULL);
    pthread_cond_init(&crew.left, NULL);
    int started = start(workers, left < threads ? (int)left : threads, &crew, err);
    watch_over(&crew, watch);
    for (int i = 0; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
        study_bench_release(&workers[i].bench);
    }
    pthread_cond_destroy(&crew.left);
    pthread_mutex_destroy(&crew.lock);
    if (crew.err.kind != ERR_NONE)
        *err = crew.err;
    return crew.err.kind == ERR_NONE && (started > 0 || left == 0);
}
