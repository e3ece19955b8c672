/* The way back from a number: chips of the inspector, clicked. */
#include <string.h>

#include "base/util.h"
#include "support/script.h"
#include "support/test.h"

#define PINNED "text=the%20cat%20sat%20on%20the%20mat&d-model=8&heads=2&pin=3,2"

/* The middle of the chip that begins with a letter and is the nth such one. */
static Vec2 chip_of(const Script *s, const char *letter, int nth) {
    const DrawCommand *heading = drawn_text(&s->list, "Comes from", 0);
    assert_non_null(heading);
    Vec2 from = drawn_middle(&s->list, heading);
    for (int i = 0;; i++) {
        const DrawCommand *text = drawn_text(&s->list, letter, i);
        if (text == NULL)
            fail_msg("no chip %s", letter);
        Vec2 at = drawn_middle(&s->list, text);
        if (at.y > from.y && at.y < from.y + 100 && nth-- == 0)
            return at;
    }
}

static bool has_chip_heading(const Script *s) {
    return script_says(s, "Comes from");
}

TEST_IN(a_vector_is_looked_into_down_to_its_word, script_begin, PINNED, 1920, 1200) {
    assert_true(script_says(s, "Score") && !script_says(s, "Word"));
    script_click(s, chip_of(s, "k", 0));
    assert_true(script_says(s, "Key") && script_says(s, "4 numbers") && !script_says(s, "Score"));
    script_click(s, chip_of(s, "x", 0));
    assert_true(script_says(s, "Input") && script_says(s, "Word") && script_says(s, "Position"));
    assert_true(!has_chip_heading(s));
    script_play(s, "Escape {Score} -{Word}");
    assert_non_null(strstr(script_state(s), "pin=3,2"));
}

/* Another cell is another number: the piece was of the first. */
TEST_IN(a_piece_is_of_its_own_cell, script_begin, PINNED, 1920, 1200) {
    script_click(s, chip_of(s, "q", 0));
    script_play(s, "{Query} Right {Score} -{Query}");
}

TEST(matrices_are_shown_where_they_are_spoken_of) {
    static const struct {
        const char *state, *letter;
        int nth;
        const char *leads_to;
    } ways[] = {{"", "W", 0, "view=wqk"},
                {"", "S", 0, "show=scores"},
                {"&form=merged", "W", 0, "view=wqk"},
                {"&form=free", "S", 0, "show=scores"},
                {"&view=graph", "S", 0, "graph-value=scores"},
                {"&view=graph", "W", 1, "view=wqk"}};
    for (size_t i = 0; i < ARRAY_COUNT(ways); i++) {
        const char *line = PRINT("%s%s", PINNED, ways[i].state);
        SCRIPT(s, script_begin, line, 1920, 1200);
        script_click(&s, chip_of(&s, ways[i].letter, ways[i].nth));
        if (strstr(script_state(&s), ways[i].leads_to) == NULL)
            fail_msg("%s: %s leads to %s", line, ways[i].letter, script_state(&s));
    }
}

/* At 1366 × 768 the inspector is narrow: its chips share a row, and no words are cut. */
TEST(a_narrow_inspector_cuts_nothing) {
    static const struct {
        const char *state, *says;
    } cells[] = {{"pin=12,11", ": 0.083"},
                 {"pin=3,7&mask=causal", "closed by mask"},
                 {"pin=9,2&set=S1(9,2)=-20", ": 0.083"}};
    for (size_t i = 0; i < ARRAY_COUNT(cells); i++) {
        SCRIPT(s, script_begin_typical, cells[i].state, 1366, 768);
        assert_true(chip_of(&s, "S", 0).y == chip_of(&s, "x", 0).y);
        assert_true(script_shows(&s, cells[i].says));
        /* neither the mask nor a number set by hand is chance */
        assert_int_equal(script_shows(&s, "chance"), i == 0);
    }
}

/* Merged scores have no queries and keys; a cell on the diagonal has one input. */
TEST_IN(there_is_a_chip_for_what_there_is, script_begin, PINNED "&form=merged&pin=2,2", 1920,
        1200) {
    Vec2 first = chip_of(s, "x", 0);
    assert_null(drawn_text(&s->list, "q", 0));
    script_click(s, first);
    assert_true(script_says(s, "Word"));
}
