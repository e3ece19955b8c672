/* Results that Compare computes in real threads equal those computed without jobs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/script.h"
#include "support/test.h"
#include "support/threads.h"

static const char *const PARTS[] = {"compare=map", "compare=scale", "compare=depth",
                                    "compare-seeds=20"};
#define PART_COUNT (sizeof PARTS / sizeof *PARTS)

/* Large enough to be no work of one frame. */
static const char *state_of(const char *part) {
    static char state[400];
    snprintf(state, sizeof state,
             "text=one two three four five six seven eight nine ten eleven twelve one two three "
             "four five six seven eight nine ten&d-model=128&heads=8&view=compare&%s",
             part);
    return state;
}

static void click(Script *s, const char *words) {
    Vec2 at = drawn_middle(&s->list, drawn_text(&s->list, words, 0));
    script_move(s, at);
    script_press(s, at, 0, 1);
    script_release(s, at, 0);
}

/* The numbers of the part that is shown, owned. */
static char *copy_numbers(Script *s) {
    click(s, "Results");
    click(s, "Copy numbers as CSV");
    const AppEffects *effects = app_effects(s->app);
    assert_true(effects->clipboard_bytes > 100);
    char *out = calloc(1, effects->clipboard_bytes + 1);
    assert_non_null(out);
    return memcpy(out, effects->clipboard, effects->clipboard_bytes);
}

static char *numbers_at_once(const char *part) {
    Script s;
    script_open(&s, state_of(part));
    script_key(&s, 'r', 0);
    char *numbers = copy_numbers(&s);
    script_end(&s);
    return numbers;
}

/* Another seed is requested while the first is computed. */
TEST(the_numbers_are_those_made_at_once) {
    for (size_t i = 0; i < PART_COUNT; i++) {
        LOCAL(script_end) Script s;
        LOCAL(free_at) char *expected = numbers_at_once(PARTS[i]);
        threads_begin(&s, state_of(PARTS[i]));
        assert_true(threads_are_used());
        script_key(&s, 'r', 0);
        threads_wait(&s);
        LOCAL(free_at) char *numbers = copy_numbers(&s);
        if (strcmp(numbers, expected) != 0)
            fail_msg("%s: %.300s\nin place of %.300s", PARTS[i], numbers, expected);
    }
}

/* A part that is left gives its threads to the next, and continues when it is shown again. */
TEST(parts_give_way_to_each_other) {
    static const char *const names[] = {"Map", "Scale", "Depth", "Columns", "Map"};
    SCRIPT(s, threads_begin, state_of("compare-seeds=400"));
    script_key(&s, 'r', 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        threads_picture(&s);
        script_play(&s, PRINT("<%s> |", names[i]));
    }
    threads_wait(&s);
    LOCAL(free_at) char *numbers = copy_numbers(&s);
    LOCAL(free_at) char *expected = numbers_at_once("compare=map");
    assert_string_equal(numbers, expected);
    script_click_text(&s, "Columns", 0);
    threads_wait(&s);
    assert_non_null(drawn_text(&s.list, "all 400 in", 0));
}

/* With work in hand. */
TEST(a_window_may_close_meanwhile) {
    for (size_t i = 0; i < PART_COUNT; i++) {
        SCRIPT(s, threads_begin, state_of(PARTS[i]));
        assert_true(threads_are_used());
    }
}

TEST_ALL(NULL, threads_end)
