/* hands.h: real threads, for the tests of what is made beside the frames (shell/worker.h). */
#ifndef HEADLIGHT_TESTS_SUPPORT_HANDS_H
#define HEADLIGHT_TESTS_SUPPORT_HANDS_H

#include "shell/worker.h"
#include "support/script.h"

/* The threads of this test: one crew, which hands_end ends. */
WorkerCrew *hands_crew(void);

/* So many hands of it, more than there are processors where that is asked for. */
JobHands hands_some(int count);

/* An App whose views have as many hands as there are processors, and nobody who does its jobs. */
void hands_begin(Script *s, const char *state);

/* True if a worker was given a job since hands_begin. It may be done: on a busy machine a frame can
 * take longer than the job. */
bool hands_are_used(void);

/* Frames until nothing is computed any more. Fails the test where that does not end. */
void hands_wait(Script *s);

/* A group's teardown: ends the threads, when what was told to stop has stopped. -1 where it does
 * not within 20 s. */
int hands_end(void **state);

#endif
