#include "support/slow_job.h"

static bool start(void *context, Job *job) {
    Slow *slow = context;
    if (slow->refuses)
        return false;
    job->running = 0;
    slow->started++;
    slow->working++;
    return true;
}

static bool wait(void *context, Job *job, int most_ms) {
    Slow *slow = context;
    bool is_stopped = !job_goes_on(job);
    slow->waited_ms += most_ms;
    bool is_slow = !slow->only_follows || job->priority == JOB_FOLLOWS;
    if (is_stopped && slow->holds_stopped)
        return false;
    if (!is_stopped && is_slow && slow->polls-- > 0)
        return false;
    if (!is_stopped)
        job->work(job);
    slow->working--;
    return true;
}

static void drop(void *context, Job *job) {
    Slow *slow = context;
    slow->working--;
    job->free(job);
}

JobPool slow_pool(Slow *slow) {
    return (JobPool){.context = slow, .start = start, .wait = wait, .drop = drop};
}
