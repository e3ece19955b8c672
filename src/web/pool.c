#include "web/page.h"

#include <emscripten.h>
#include <emscripten/fiber.h>
#include <stddef.h>
#include <stdlib.h>

#define SLICE_MS    20.0
#define STACK_BYTES (1 << 20) /* bytes of the stack for C's variables */
/* Bytes in which the calls of a job are saved while the job does not run. */
#define CALLS_BYTES (1 << 16)

/* A job with its own stacks, aligned as compiled code expects. */
typedef struct Strand {
    emscripten_fiber_t fiber;
    _Alignas(16) char stack[STACK_BYTES];
    _Alignas(16) char calls[CALLS_BYTES];
    Job *job;
    struct Strand *next;
    bool has_ended;
} Strand;

static struct {
    Strand *first; /* first of the unfinished jobs, in the order in which they were started */
    Strand *now;   /* the job that runs now */
    double until_ms;
    emscripten_fiber_t page; /* the page's own stack */
    _Alignas(16) char page_calls[CALLS_BYTES];
} pool;

void job_breathe(void) {
    if (pool.now != NULL && emscripten_get_now() > pool.until_ms)
        emscripten_fiber_swap(&pool.now->fiber, &pool.page);
}

/* Remove a finished job from the pool and free its stack. If job_drop was called, also free the
 * job. */
static void end(Strand *strand) {
    Strand **at = &pool.first;
    Job *job = strand->job;
    while (*at != strand)
        at = &(*at)->next;
    *at = strand->next;
    free(strand);
    job->is_queued = false;
    if (job->is_dropped)
        job->free(job);
}

/* Run a job on its own stack. This function must not return. */
static void run(void *context) {
    Strand *strand = context;
    if (!atomic_load(&strand->job->stop))
        strand->job->work(strand->job);
    strand->has_ended = true;
    emscripten_fiber_swap(&strand->fiber, &pool.page);
}

static bool start(void *context, Job *job) {
    Strand **at = &pool.first;
    Strand *strand = job->is_long ? aligned_alloc(_Alignof(Strand), sizeof *strand) : NULL;
    (void)context;
    if (strand == NULL)
        return false;
    while (*at != NULL)
        at = &(*at)->next;
    *at = strand;
    strand->job = job;
    strand->next = NULL;
    strand->has_ended = false;
    emscripten_fiber_init(&strand->fiber, run, strand, strand->stack, STACK_BYTES, strand->calls,
                          CALLS_BYTES);
    job->is_queued = true;
    job->is_dropped = false;
    return true;
}

static bool wait(void *context, Job *job, int most_ms) {
    (void)context, (void)most_ms; /* nothing to wait for: a frame cannot switch to a job */
    return !job->is_queued;
}

static void drop(void *context, Job *job) {
    (void)context;
    atomic_store(&job->stop, true);
    job->is_dropped = true;
    if (!job->is_queued)
        job->free(job);
}

JobPool pool_jobs(void) {
    return (JobPool){.start = start, .wait = wait, .drop = drop};
}

bool pool_has_work(void) {
    return pool.first != NULL;
}

EMSCRIPTEN_KEEPALIVE void pool_work(void) {
    Strand *strand = pool.first;
    if (strand == NULL)
        return;
    while (strand->next != NULL && strand->job->priority != JOB_PICTURE)
        strand = strand->next;
    if (strand->job->priority != JOB_PICTURE)
        strand = pool.first;
    emscripten_fiber_init_from_current_context(&pool.page, pool.page_calls, CALLS_BYTES);
    pool.until_ms = emscripten_get_now() + SLICE_MS;
    pool.now = strand;
    emscripten_fiber_swap(&pool.page, &strand->fiber);
    pool.now = NULL;
    if (strand->has_ended)
        end(strand);
}
