/* A singular value of W_QK is edited in its chart: by a drag, in the editor, and by keys. */
#include "base/util.h"
#include "support/script.h"
#include "support/test.h"

#define STATE "view=wqk&wqk-page=rank&wqk-rank=8"

/* A place in the column of bar i, from 1; share: its height in the plot. */
static Vec2 in_bar(const Script *s, int i, float share) {
    Rect plot = script_part(s, "wqk.sigma")->cells;
    return (Vec2){plot.x + plot.w * ((float)i - 0.5f) / 64, rect_bottom(plot) - plot.h * share};
}

/* The value number i, from 1, if it is the nth of those that are set by hand; otherwise -1. */
static float value_of(const Script *s, int i, int count) {
    const HandSet *hand = app_session(s->app)->hand;
    const HandNumber *n = hand_set_find(hand, &(HandNumber){.name = HAND_SIGMA, .row = i - 1});
    assert_int_equal(hand_set_numbers(hand).count, count);
    return n != NULL ? n->value : -1;
}

static void type_over(Script *s, const char *number) {
    script_play(s, PRINT("Ctrl+A '%s'", number));
}

TEST_IN(a_double_click_edits_the_value_of_its_bar, script_open, STATE) {
    script_double_click(s, in_bar(s, 3, 0.3f));
    assert_true(script_shows(s, "head 1"));
    type_over(s, "2.5");
    assert_true(value_of(s, 3, 1) == 2.5f);
    script_keys(s, "Up");
    assert_true(value_of(s, 3, 1) == 2.6f);
    type_over(s, "0");
    script_keys(s, "Down");
    assert_true(value_of(s, 3, 1) == 0);
    type_over(s, "-1");
    assert_true(value_of(s, 3, 1) == 0);
    script_play(s, "{A singular value is 0 or more.} Escape");
    assert_true(value_of(s, 3, 0) == -1);
}

/* The end of the first bar, which leaves 4 % of the axis. */
TEST_IN(a_drag_of_its_end_is_one_step, script_open, STATE) {
    Vec2 at = in_bar(s, 1, 1 / 1.04f), half = in_bar(s, 1, 0.5f / 1.04f);
    Vec2 beside = in_bar(s, 20, 0.9f);
    script_press(s, at, 0, 1);
    assert_true(value_of(s, 1, 0) == -1);
    for (int i = 1; i <= 4; i++) {
        at.y += (half.y - at.y) * (float)i / 4;
        script_move(s, at);
    }
    float first = value_of(s, 1, 1);
    assert_true(first > 0.4f);
    script_move(s, (Vec2){beside.x, at.y}); /* sideways changes nothing */
    assert_true(value_of(s, 1, 1) == first);
    script_move(s, (Vec2){at.x, at.y + 1000});
    assert_true(value_of(s, 1, 1) == 0);
    script_release(s, at, 0);
    script_play(s, "~wqk-rank=8 Ctrl+Z");
    assert_true(value_of(s, 1, 0) == -1);
}

TEST_IN(enter_edits_the_value_of_rank_r, script_open, STATE) {
    script_click(s, in_bar(s, 8, 0.1f));
    script_keys(s, "Home Right Right Right Enter");
    type_over(s, "1.5");
    script_key(s, KEY_ENTER, 0);
    assert_true(value_of(s, 4, 1) == 1.5f);
    script_keys(s, "Ctrl+Z");
    assert_true(value_of(s, 4, 0) == -1);
}

/* The third value, larger than the first, has the first bar. */
TEST_IN(a_bar_keeps_the_index_of_its_value, script_open, STATE "&set=sigma1(3)=9") {
    script_double_click(s, in_bar(s, 1, 0.5f));
    type_over(s, "4");
    assert_true(value_of(s, 3, 1) == 4);
    script_key(s, KEY_ENTER, 0);
    script_double_click(s, in_bar(s, 2, 0.1f));
    type_over(s, "5");
    assert_true(value_of(s, 1, 2) == 5 && value_of(s, 3, 2) == 4);
}

TEST(no_value_is_edited_where_it_cannot_be) {
    static const char *const states[] = {STATE "&form=nested", STATE "&wqk-product=ov",
                                         STATE "&init=zeros", STATE "&positions=rope&wqk-offset=1"};
    for (size_t i = 0; i < ARRAY_COUNT(states); i++) {
        SCRIPT(s, script_open, states[i]);
        script_double_click(&s, in_bar(&s, 3, 0.05f));
        script_type(&s, "2");
        assert_true(value_of(&s, 3, 0) == -1);
    }
}
