/* What is drawn in strips by several threads is what one draws in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "gfx/soft_queue.h"

#define WIDTH  300
#define HEIGHT 333 /* some strips and a part of one */
#define STEPS  2000

typedef struct Scene {
    uint32_t queued[WIDTH * HEIGHT], direct[WIDTH * HEIGHT];
    SoftQueue queue;
    SoftPicture picture; /* drawn directly */
} Scene;

static float part(uint64_t bits, int shift, float most) {
    return (float)(bits >> shift & 1023) / 1023 * most;
}

static PixelRect rect_of(uint64_t bits) {
    int left = (int)part(bits, 0, WIDTH), top = (int)part(bits, 10, HEIGHT);
    int right = left + (int)part(bits, 20, 120), bottom = top + (int)part(bits, 30, 150);
    return (PixelRect){left, top, right < WIDTH ? right : WIDTH, bottom < HEIGHT ? bottom : HEIGHT};
}

/* A piece of a curve, as curve.vert reads it. */
static void fill_curve(uint32_t words[16], uint64_t bits, uint64_t more) {
    float numbers[16] = {part(bits, 0, WIDTH),
                         part(bits, 10, HEIGHT),
                         part(bits, 20, WIDTH),
                         part(bits, 30, HEIGHT),
                         0.6f,
                         0.8f,
                         0.6f,
                         0.8f,
                         part(more, 0, 9),
                         part(more, 0, 9),
                         0,
                         0,
                         0,
                         100,
                         100,
                         0};
    for (int i = 0; i < 16; i++)
        words[i] = batch_word(numbers[i]);
    words[10] = words[11] = (uint32_t)more;
    words[15] = 0;
}

static void add(Scene *scene, Rng rng, uint64_t round) {
    uint64_t bits = rng_bits(rng, 2 * round), more = rng_bits(rng, 2 * round + 1);
    PixelRect clip = rect_of(bits), area = {0, 0, WIDTH, HEIGHT};
    uint32_t words[16];
    PaintItem item = {.pipeline = PIPELINE_CURVE, .words = words};
    fill_curve(words, bits, more);
    switch (more >> 60 & 3) {
    case 0:
        soft_queue_fill(&scene->queue, &clip, (Colour)more);
        soft_fill(&scene->picture, &clip, (Colour)more);
        break;
    case 1: /* the same words as a whole curve */
        words[9] = (uint32_t)more;
        item.is_whole = true;
        soft_queue_draw(&scene->queue, &area, &item);
        soft_draw(&scene->picture, &area, &item);
        break;
    default:
        soft_queue_draw(&scene->queue, &area, &item);
        soft_draw(&scene->picture, &area, &item);
    }
}

static int begin(void **state) {
    Scene *scene = calloc(1, sizeof *scene);
    *state = scene;
    if (scene == NULL || !soft_queue_create(&scene->queue))
        return -1;
    scene->queue.picture = (SoftPicture){scene->queued, WIDTH, HEIGHT, NULL};
    scene->picture = (SoftPicture){scene->direct, WIDTH, HEIGHT, NULL};
    return 0;
}

static int end(void **state) {
    Scene *scene = *state;
    soft_queue_release(&scene->queue);
    free(scene);
    return 0;
}

static void the_pixels_are_those_of_one_after_the_other(void **state) {
    Scene *scene = *state;
    Rng rng = rng_stream(3, 0);
    for (uint64_t round = 0; round < STEPS; round++) {
        add(scene, rng, round);
        if (round % 97 == 0)
            soft_queue_run(&scene->queue);
    }
    soft_queue_run(&scene->queue);
    assert_memory_equal(scene->queued, scene->direct, sizeof scene->direct);
    assert_int_equal(scene->queue.step_count, 0);
}

/* Without a word from outside what waits is drawn when there is no room for more. */
static void more_than_there_is_room_for_is_drawn_too(void **state) {
    Scene *scene = *state;
    for (int i = 0; i < SOFT_QUEUE_STEPS + 5; i++) {
        PixelRect dot = {i % WIDTH, i / WIDTH, i % WIDTH + 1, i / WIDTH + 1};
        soft_queue_fill(&scene->queue, &dot, (Colour)i << 8);
        soft_fill(&scene->picture, &dot, (Colour)i << 8);
    }
    assert_int_equal(scene->queue.step_count, 5);
    soft_queue_run(&scene->queue);
    assert_memory_equal(scene->queued, scene->direct, sizeof scene->direct);
}

static void draw_mark(const void *context, int strip) {
    atomic_int *marks = *(atomic_int *const *)context;
    atomic_fetch_add(&marks[strip], 1);
}

static void each_strip_is_drawn_once(void **state) {
    (void)state;
    static atomic_int marks[500];
    atomic_int *at = marks;
    SoftCrew crew = {.count = 0};
    for (int turn = 1; turn <= 20; turn++) {
        soft_crew_draw(&crew, draw_mark, &at, 500);
        for (int i = 0; i < 500; i++)
            assert_int_equal(atomic_load(&marks[i]), turn);
    }
    soft_crew_release(&crew);
}

/* Work that is over before other threads are awake: one that wakes late finds the next in hand. */
static void short_work_is_done_once_too(void **state) {
    (void)state;
    static atomic_int marks[8];
    atomic_int *at = marks;
    SoftCrew crew = {.count = 0};
    for (int turn = 0; turn < 20000; turn++) {
        int strips = 1 + turn % 8;
        soft_crew_draw(&crew, draw_mark, &at, strips);
        for (int i = 0; i < 8; i++)
            assert_int_equal(atomic_exchange(&marks[i], 0), i < strips);
    }
    soft_crew_release(&crew);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pixels_are_those_of_one_after_the_other),
        cmocka_unit_test(more_than_there_is_room_for_is_drawn_too),
        cmocka_unit_test(each_strip_is_drawn_once),
        cmocka_unit_test(short_work_is_done_once_too),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
