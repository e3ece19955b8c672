/* The pool of threads: each part of shared work is done once, and none after the work was reported
 * done, however late a thread wakes; an abandoned job is freed when it ends. */
#include <stdlib.h>

#include "math/gemm.h"
#include "support/test.h"
#include "support/threads.h"

#define ROUNDS 3000
#define PARTS  24

typedef struct Shared {
    atomic_int *drawn; /* how often, of each part; at PARTS, of what is none */
    int parts;
    uint32_t spin; /* so that parts take unlike times */
    SDL_threadID caller;
} Shared;

static void draw(const void *context, int part) {
    const Shared *shared = context;
    volatile uint32_t turn = 0;
    while (turn < shared->spin * (uint32_t)(part % 3))
        turn = turn + 1;
    bool is_one = part >= 0 && part < shared->parts;
    atomic_fetch_add(&shared->drawn[is_one ? part : PARTS], 1);
}

TEST(each_part_is_drawn_once) {
    JobPool none = {0}, threads = threads_pool(3);
    for (int round = 0; round < ROUNDS; round++) {
        atomic_int drawn[PARTS + 1] = {0};
        Shared shared = {
            .drawn = drawn, .parts = round % (PARTS + 1), .spin = (uint32_t)(round % 7) * 100};
        job_share(round % 10 == 1 ? &none : &threads, draw, &shared, shared.parts);
        for (int i = 0; i <= PARTS; i++)
            assert_int_equal(atomic_load(&drawn[i]), i < shared.parts);
    }
}

static void note_other_thread(const void *context, int part) {
    const Shared *shared = context;
    (void)part;
    atomic_fetch_add(&shared->drawn[SDL_ThreadID() == shared->caller], 1);
}

/* A job that ends when it is let go, whether it is told to stop or not: a long library call. */
typedef struct Stubborn {
    Job job;
    atomic_bool *is_let_go;
    atomic_int *working;
    int *freed;
} Stubborn;

static void work(Job *job) {
    Stubborn *stubborn = (Stubborn *)job;
    atomic_fetch_add(stubborn->working, 1);
    while (!atomic_load(stubborn->is_let_go))
        SDL_Delay(1);
    atomic_fetch_sub(stubborn->working, 1);
}

static void free_job(Job *job) {
    ++*((Stubborn *)job)->freed;
    free(job);
}

typedef struct Fixture {
    atomic_bool is_let_go;
    atomic_int working;
    int freed;
} Fixture;

static Job *stubborn(Fixture *f, JobPriority priority) {
    Stubborn *job = calloc(1, sizeof *job);
    assert_non_null(job);
    *job = (Stubborn){.job = {.work = work, .free = free_job, .priority = priority, .threads = 1},
                      .is_let_go = &f->is_let_go,
                      .working = &f->working,
                      .freed = &f->freed};
    return &job->job;
}

static void wait_until(const atomic_int *at, int value) {
    for (int i = 0; i < 20000 && atomic_load(at) != value; i++)
        SDL_Delay(1);
    assert_int_equal(atomic_load(at), value);
}

/* The next job uses another thread, or the same one when it is free again. */
TEST(an_abandoned_job_holds_nothing_up) {
    JobPool pool = threads_pool(2);
    Fixture f = {0};
    Job *first = stubborn(&f, JOB_PICTURE);
    job_start(&pool, first);
    wait_until(&f.working, 1);
    assert_false(job_wait(&pool, first, 1));
    job_drop(&pool, first);
    Job *second = stubborn(&f, JOB_PICTURE), *third = stubborn(&f, JOB_PICTURE);
    job_start(&pool, second);
    wait_until(&f.working, 2);
    job_start(&pool, third); /* no thread is left, and it is given up before it begins */
    job_drop(&pool, third);
    assert_int_equal(f.freed, 1);
    assert_int_equal(atomic_load(&f.working), 2);
    Job *other = stubborn(&f, JOB_FOLLOWS); /* whose threads are others */
    job_start(&pool, other);
    wait_until(&f.working, 3);
    atomic_store(&f.is_let_go, true);
    assert_true(job_wait(&pool, second, 20000) && job_wait(&pool, other, 20000));
    wait_until(&f.working, 0);
    job_drop(&pool, second);
    job_drop(&pool, other);
    assert_int_equal(threads_end(NULL), 0);
    assert_int_equal(f.freed, 4);
}

/* The caller would wait for a thread that shares a processor with the job. */
TEST(shared_work_takes_no_processor_from_a_job) {
    JobPool pool = threads_pool(2);
    Fixture f = {0};
    Job *job = stubborn(&f, JOB_PICTURE);
    job_start(&pool, job);
    wait_until(&f.working, 1);
    atomic_int drawn[2] = {0};
    Shared shared = {.drawn = drawn, .caller = SDL_ThreadID()};
    for (int round = 0; round < 100; round++)
        job_share(&pool, note_other_thread, &shared, PARTS);
    assert_int_equal(atomic_load(&drawn[true]), 100 * PARTS);
    atomic_store(&f.is_let_go, true);
    assert_true(job_wait(&pool, job, 20000));
    job_drop(&pool, job);
}

/* A job that shares its parts and a product with other threads. */
typedef struct Splitting {
    Job job;
    Shared shared;
    Mat a, b;
    Mat out[2]; /* computed in one thread, and in all */
} Splitting;

static void split(Job *job) {
    Splitting *s = (Splitting *)job;
    GemmPlan plan = {.factor = 1, .transpose_b = s->b.rows != s->a.cols};
    job_split(job, draw, &s->shared, s->shared.parts);
    gemm(&s->out[0], &s->a, &s->b, &plan);
    gemm_in_job(&s->out[1], &s->a, &s->b, &plan, job);
}

static Mat matrix(float *at, int rows, int cols) {
    Mat m = {at, rows, cols, cols};
    mat_normals(&m, rng_stream(7, 0), 0, 1);
    return m;
}

TEST(a_job_shares_its_work_while_the_owner_shares_other_work) {
    enum { ROWS = 9, DEPTH = 300, COLS = 500 };
    static float a[ROWS * DEPTH], b[DEPTH * COLS], out[2][ROWS * COLS];
    JobPool pool = threads_pool(3);
    for (int round = 0; round < 300; round++) {
        atomic_int drawn[2][PARTS + 1] = {0};
        Splitting s = {.job = {.work = split, .priority = (JobPriority)(round % 2), .threads = 1},
                       .shared = {drawn[0], PARTS, 100, 0},
                       .a = matrix(a, ROWS, DEPTH),
                       .b = round % 3 ? matrix(b, DEPTH, COLS) : matrix(b, COLS, DEPTH),
                       .out = {matrix(out[0], ROWS, COLS), matrix(out[1], ROWS, COLS)}};
        Shared others = {drawn[1], PARTS, 100, 0};
        job_start(&pool, &s.job);
        job_share(&pool, draw, &others, PARTS);
        while (!job_wait(&pool, &s.job, JOB_WAIT_MS))
            ;
        for (int i = 0; i <= PARTS; i++) {
            assert_int_equal(atomic_load(&drawn[0][i]), i < PARTS);
            assert_int_equal(atomic_load(&drawn[1][i]), i < PARTS);
        }
        assert_memory_equal(out[0], out[1], sizeof out[0]);
    }
}

/* It stays in its place, and runs when it is started again. */
TEST(a_stopped_job_can_be_started_again) {
    JobPool pool = threads_pool(1);
    Fixture f = {0};
    Job *first = stubborn(&f, JOB_FOLLOWS), *second = stubborn(&f, JOB_FOLLOWS);
    job_start(&pool, first);
    wait_until(&f.working, 1);
    job_start(&pool, second);
    job_stop(second);
    assert_true(job_wait(&pool, second, 0));
    atomic_store(&f.is_let_go, true);
    assert_true(job_wait(&pool, first, 20000));
    job_start(&pool, second);
    assert_true(job_wait(&pool, second, 20000));
    job_drop(&pool, first);
    job_drop(&pool, second);
    assert_int_equal(f.freed, 2);
}

TEST_ALL(NULL, threads_end)
