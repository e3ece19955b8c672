#include "support/slow_job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool take(void *context, void (*work)(void *data), void *data) {
    Slow *slow = context;
    if (slow->refuses || slow->work != NULL)
        return false;
    slow->work = work;
    slow->data = data;
    slow->started++;
    return true;
}

static bool take_one(void *context, void (*work)(void *data), void *data) {
    const Slow *slow = context;
    assert_null(slow->work);
    return take(context, work, data);
}

static bool end(void *context) {
    Slow *slow = context;
    slow->work(slow->data);
    slow->work = NULL;
    return true;
}

static bool is_done(void *context) {
    Slow *slow = context;
    assert_non_null(slow->work);
    return slow->polls-- <= 0 && end(slow);
}

/* The end of a window waits for longer than a frame does, and then it is done. */
static bool wait(void *context, int most_ms) {
    return most_ms >= JOB_PATIENCE_MS ? end(context) : is_done(context);
}

JobRunner slow_runner(Slow *slow) {
    return (JobRunner){.context = slow, .start = take_one, .is_done = is_done, .wait = wait};
}

JobRunner slow_hand(Slow *slow) {
    return (JobRunner){.context = slow, .start = take, .is_done = is_done, .wait = wait};
}
