/* job.h: work that may take longer than a frame, and the interface of who does it beside the
 * frames. Above the waist nothing knows threads: whoever asks for work hands it to a JobRunner and
 * looks in each frame whether it is done. The work itself says how far it has got through a
 * JobWatch and asks there whether to go on; these two are all that both sides touch at once. */
#ifndef HEADLIGHT_BASE_JOB_H
#define HEADLIGHT_BASE_JOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Steps are of the size of a few multiply-adds: STEPS_PER_MS of them take a common machine about a
 * millisecond. They are estimated, never measured, so that what becomes a job does not depend on
 * the machine. */
#define JOB_STEPS_PER_MS 10e6

typedef struct JobWatch {
    atomic_bool stop;          /* set by who asked: end early */
    atomic_uint_fast64_t done; /* steps; written by the work alone */
} JobWatch;

/* Before work: nothing done, and not to stop. */
static inline void job_watch_begin(JobWatch *watch) {
    atomic_store(&watch->stop, false);
    atomic_store(&watch->done, 0);
}

/* Count steps; false once the work is to stop. watch may be NULL: then nobody watches. */
static inline bool job_step(JobWatch *watch, double steps) {
    if (watch == NULL)
        return true;
    atomic_fetch_add(&watch->done, (uint_fast64_t)steps);
    return !atomic_load(&watch->stop);
}

/* Whether nobody has said to stop; for between the parts of what is counted as a whole. */
static inline bool job_goes_on(const JobWatch *watch) {
    return watch == NULL || !atomic_load(&watch->stop);
}

/* The steps counted so far, and to count what is left of `steps` since there were `before`: where
 * what was done has counted some itself. */
static inline double job_done(const JobWatch *watch) {
    return watch == NULL ? 0 : (double)atomic_load(&watch->done);
}

static inline bool job_step_rest(JobWatch *watch, double before, double steps) {
    double left = before + steps - job_done(watch);
    return job_step(watch, left > 0 ? left : 0);
}

/* Does one job at a time. */
typedef struct JobRunner {
    void *context;
    /* Begin work(data); false where that is not possible. data must stay until it is done. */
    bool (*start)(void *context, void (*work)(void *data), void *data);
    /* Whether the work begun last is done; what it wrote may then be read. */
    bool (*is_done)(void *context);
    /* Wait for it, if not for long; false where it goes on, and data must stay for good. */
    bool (*wait)(void *context);
} JobRunner;

/* Those that a work of many parts is shared out to, one job each at a time; borrowed. */
#define JOB_HANDS_MAX 64
typedef struct JobHands {
    const JobRunner *at;
    const JobRunner *prompt; /* as many more, who do not give way to the frames, for what is soon to
                                be in the picture; NULL where there are none */
    int count;               /* 0 where there is nobody: then work is done at once */
    /* For a hand to call between two parts, from its own thread: comes back once no frame is being
     * made, or soon. NULL where nobody minds. */
    void (*give_way)(void *context);
    void *context;
} JobHands;

#endif
