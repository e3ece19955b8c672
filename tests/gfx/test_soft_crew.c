/* Each strip is drawn once, for the work it belongs to, and none after the work was said done,
 * however late a thread wakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gfx/soft_crew.h"

#define ROUNDS 3000
#define STRIPS 24

typedef struct Work {
    atomic_int *drawn; /* how often, of each strip; at STRIPS, of what is none */
    int strips;
    uint32_t spin; /* so that strips take unlike times */
} Work;

static void draw(const void *context, int strip) {
    const Work *work = context;
    volatile uint32_t turn = 0;
    while (turn < work->spin * (uint32_t)(strip % 3))
        turn = turn + 1;
    bool is_one = strip >= 0 && strip < work->strips;
    atomic_fetch_add(&work->drawn[is_one ? strip : STRIPS], 1);
}

static void each_strip_is_drawn_once(void **state) {
    (void)state;
    SoftCrew crew = {0};
    for (int round = 0; round < ROUNDS; round++) {
        atomic_int drawn[STRIPS + 1] = {0};
        Work work = {drawn, round % (STRIPS + 1), (uint32_t)(round % 7) * 100};
        soft_crew_draw(&crew, draw, &work, work.strips);
        for (int i = 0; i <= STRIPS; i++)
            assert_int_equal(atomic_load(&drawn[i]), i < work.strips);
    }
    soft_crew_release(&crew);
}

static void a_crew_that_never_drew_is_released(void **state) {
    (void)state;
    SoftCrew crew = {0};
    soft_crew_release(&crew);
    assert_false(crew.is_begun);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_strip_is_drawn_once),
        cmocka_unit_test(a_crew_that_never_drew_is_released),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
