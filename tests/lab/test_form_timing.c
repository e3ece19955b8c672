/* The timing of both forms, with clocks of the test's own. */
#include <math.h>

#include "lab/form_timing.h"
#include "support/test.h"

static double clock_s;
static int calls;

/* A clock that advances by a thousandth at each call. */
static double ticking(void) {
    calls++;
    return clock_s += 1e-3;
}

static double standing(void) {
    calls++;
    return 5;
}

/* Each round reads the clock at its start and end, so a pass takes one tick. */
TEST(a_pass_takes_what_the_clock_says) {
    FormTiming timing;
    assert_true(form_timing(&timing, 5, 8, 3, ticking));
    assert_true(fabs(timing.separate_s - 1e-3) < 1e-9 && fabs(timing.merged_s - 1e-3) < 1e-9);
}

TEST(a_clock_that_stands_ends_too) {
    FormTiming timing;
    calls = 0;
    assert_true(form_timing(&timing, 1, 1, 1, standing));
    assert_true(timing.separate_s == 0 && timing.merged_s == 0);
    assert_true(calls < 100);
}

/* A measurement that would delay a frame does not begin: the clock is not even read. */
TEST(too_much_work_is_refused) {
    FormTiming timing;
    calls = 0;
    assert_false(form_timing(&timing, 4096, 4096, 1, ticking));
    assert_false(form_timing(&timing, 4096, 16, 4096, ticking));
    assert_int_equal(calls, 0);
}
