#include "support/hands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define FRAMES_MOST 20000
#define END_TRIES   2000
#define END_WAIT_MS 10

static WorkerCrew crew;

WorkerCrew *hands_crew(void) {
    return &crew;
}

JobHands hands_some(int count) {
    JobHands hands = worker_hands(&crew);
    for (int i = hands.count; i < count; i++)
        crew.runners[i] = worker_jobs(&crew.workers[i]);
    crew.count = count > crew.count ? count : crew.count;
    hands.count = count;
    return hands;
}

static bool (*start)(void *context, void (*work)(void *data), void *data);
static bool is_used;

static bool start_and_note(void *context, void (*work)(void *data), void *data) {
    is_used = true;
    return start(context, work, data);
}

void hands_begin(Script *s, const char *state) {
    static const JobRunner no_jobs;
    JobHands hands = worker_hands(&crew);
    start = crew.runners[0].start;
    for (int i = 0; i < hands.count; i++)
        crew.runners[i].start = start_and_note;
    is_used = false;
    script_begin_hands(s, state, &no_jobs, hands);
}

bool hands_are_used(void) {
    return is_used;
}

void hands_wait(Script *s) {
    int frames = 0;
    do {
        SDL_Delay(1);
        s->time_s += 0.02;
        script_frame(s);
    } while (app_is_computing(s->app) && frames++ < FRAMES_MOST);
    assert_false(app_is_computing(s->app));
}

int hands_end(void **state) {
    (void)state;
    bool ended = worker_crew_end(&crew);
    for (int i = 0; i < END_TRIES && !ended; i++) {
        SDL_Delay(END_WAIT_MS);
        ended = worker_crew_end(&crew);
    }
    return ended ? 0 : -1;
}
