/* job.h: work that may take longer than a frame, and the interface to the threads that run it.
 * Code above the waist knows no threads: it gives work to a JobRunner and polls it each frame. The
 * work reports progress and checks for cancellation through a JobWatch. Both sides access only the
 * JobWatch at the same time. */
#ifndef HEADLIGHT_BASE_JOB_H
#define HEADLIGHT_BASE_JOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A step is a few multiply-adds; a typical machine does JOB_STEPS_PER_MS in a millisecond. Steps
 * are estimated, not measured, so the choice of what becomes a job is the same on every machine. */
#define JOB_STEPS_PER_MS 10e6

typedef struct JobWatch {
    atomic_bool stop;          /* set by the caller to cancel the work */
    atomic_uint_fast64_t done; /* steps; written only by the work */
} JobWatch;

/* Reset before work starts. */
static inline void job_watch_begin(JobWatch *watch) {
    atomic_store(&watch->stop, false);
    atomic_store(&watch->done, 0);
}

/* Count steps. Return false if the work must stop. watch may be NULL. */
static inline bool job_step(JobWatch *watch, double steps) {
    if (watch == NULL)
        return true;
    atomic_fetch_add(&watch->done, (uint_fast64_t)steps);
    return !atomic_load(&watch->stop);
}

/* True unless the caller cancelled the work. For loops whose steps are counted as a whole. */
static inline bool job_goes_on(const JobWatch *watch) {
    return watch == NULL || !atomic_load(&watch->stop);
}

/* Return the steps counted so far. */
static inline double job_done(const JobWatch *watch) {
    return watch == NULL ? 0 : (double)atomic_load(&watch->done);
}

/* Count the remainder of `steps` that the work has not counted itself since job_done was `before`.
 * Return false if the work must stop. */
static inline bool job_step_rest(JobWatch *watch, double before, double steps) {
    double left = before + steps - job_done(watch);
    return job_step(watch, left > 0 ? left : 0);
}

/* Runs one job at a time. */
typedef struct JobRunner {
    void *context;
    /* Start work(data). Return false if that is not possible. data must live until the job is
     * done. */
    bool (*start)(void *context, void (*work)(void *data), void *data);
    /* True if the job started last is done; the caller may then read its results. */
    bool (*is_done)(void *context);
    /* Wait for it, at most that long. Return false if it continues: then data must stay. */
    bool (*wait)(void *context, int most_ms);
} JobRunner;

/* How long the end of the window waits for a job that was told to stop. */
#define JOB_PATIENCE_MS 400

/* Worker threads that share one piece of work, one job per worker at a time; borrowed. */
#define JOB_HANDS_MAX 64
typedef struct JobHands {
    const JobRunner *at;
    int count; /* 0 without workers: the work then runs synchronously */
    /* Called by a worker between two parts, on its own thread. Blocks for a short time while a
     * frame is being built. May be NULL. */
    void (*give_way)(void *context);
    void *context;
} JobHands;

#endif
