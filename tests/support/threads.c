#include "support/threads.h"

#include "support/test.h"

#define FRAMES_MOST 200000
#define END_TRIES   50

static Pool pool;

int threads_end(void **state) {
    bool ended = pool_end(&pool);
    for (int i = 0; i < END_TRIES && !ended; i++)
        ended = pool_end(&pool);
    return ended ? 0 : -1;
}

JobPool threads_pool(int count) {
    assert_int_equal(threads_end(NULL), 0);
    return pool_jobs(&pool, count);
}

static bool is_used;

static bool start_and_note(void *context, Job *job) {
    is_used = true;
    return pool_jobs(context, 0).start(context, job);
}

bool threads_are_used(void) {
    return is_used;
}

void threads_begin(Script *s, const char *state) {
    JobPool jobs = pool_jobs(&pool, 0);
    jobs.start = start_and_note;
    is_used = false;
    script_begin_jobs(s, state, jobs);
    threads_picture(s);
}

void threads_picture(Script *s) {
    for (int frames = 0; app_lacks(s->app) && frames < FRAMES_MOST; frames++) {
        SDL_Delay(1);
        script_frame(s);
    }
    assert_false(app_lacks(s->app));
}

void threads_wait(Script *s) {
    /* A job that was stopped can end after a frame, and the next frame starts another. */
    int quiet = 0;
    for (int frames = 0; quiet < 3 && frames < FRAMES_MOST; frames++) {
        uint64_t before = draw_hash(&s->list);
        SDL_Delay(1);
        script_wait(s, 0.02);
        quiet = app_is_computing(s->app) || draw_hash(&s->list) != before ? 0 : quiet + 1;
    }
    assert_int_equal(quiet, 3);
}
