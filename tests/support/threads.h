/* threads.h: real threads, for the tests of jobs (shell/pool.h). */
#ifndef HEADLIGHT_TESTS_SUPPORT_THREADS_H
#define HEADLIGHT_TESTS_SUPPORT_THREADS_H

#include "shell/pool.h"
#include "support/script.h"

/* The pool of this test, with that many threads, which must not change while jobs work; 0 for one
 * for each processor. threads_end ends it. */
JobPool threads_pool(int count);

/* An App with that pool, and its first picture. */
void threads_begin(Script *s, const char *state);

/* True if a thread was given a job since threads_begin. It may be done: on a busy machine a frame
 * can take longer than the job. */
bool threads_are_used(void);

/* Frames until the picture lacks nothing. */
void threads_picture(Script *s);

/* Frames until nothing is computed any more. Fails the test if that does not end. */
void threads_wait(Script *s);

/* A group's teardown: ends the threads. Returns -1 if one does not end within 20 s. */
int threads_end(void **state);

#endif
