/* A singular value of W_QK is edited in its chart: by a drag, in the editor, and by keys. */
#include <stdlib.h>
#include <string.h>

#include "draw/part.h"
#include "support/script.h"
#include "support/test.h"

#define STATE "view=wqk&wqk-page=rank&wqk-rank=8"

static Rect plot_of(const Script *s) {
    const DrawPart *part = part_find(&s->list, "wqk.sigma", strlen("wqk.sigma"));
    assert_non_null(part);
    return part->cells;
}

/* A place in the column of bar i, from 1; share: its height in the plot. */
static Vec2 in_bar(const Script *s, int i, float share) {
    Rect plot = plot_of(s);
    return (Vec2){plot.x + plot.w * ((float)i - 0.5f) / 64, rect_bottom(plot) - plot.h * share};
}

/* The end of the first bar, which leaves 4 % of the axis. */
static Vec2 first_end(const Script *s) {
    return in_bar(s, 1, 1 / 1.04f);
}

/* What is set by hand in the state string, and all after it; NULL if nothing is. */
static const char *hand_of(const Script *s) {
    const char *state = script_state(s), *found = strstr(state, "&set=");
    return strncmp(state, "set=", 4) == 0 ? state + 4 : found != NULL ? found + 5 : NULL;
}

static void check_set(const Script *s, const char *set) {
    const char *found = hand_of(s);
    size_t bytes = strlen(set);
    bool is_same = found != NULL && strncmp(found, set, bytes) == 0 &&
                   (found[bytes] == '\0' || found[bytes] == '&');
    if (bytes == 0 ? found != NULL : !is_same)
        fail_msg("“%s” is not what is set in %s", set, script_state(s));
}

static void type_over(Script *s, const char *number) {
    script_keys(s, "Ctrl+A");
    script_type(s, number);
}

TEST(a_double_click_edits_the_value_of_its_bar) {
    LOCAL(script_end) Script s;
    script_open(&s, STATE);
    script_double_click(&s, in_bar(&s, 3, 0.3f));
    assert_true(script_shows(&s, "head 1"));
    type_over(&s, "2.5");
    check_set(&s, "sigma1(3)=2.5");
    script_keys(&s, "Up");
    check_set(&s, "sigma1(3)=2.6");
    type_over(&s, "0");
    script_keys(&s, "Down");
    check_set(&s, "sigma1(3)=0");
    type_over(&s, "-1");
    check_set(&s, "sigma1(3)=0");
    assert_true(script_says(&s, "A singular value is 0 or more."));
    script_key(&s, KEY_ESCAPE, 0);
    check_set(&s, "");
}

TEST(a_drag_of_its_end_is_one_step) {
    LOCAL(script_end) Script s;
    script_open(&s, STATE);
    Vec2 at = first_end(&s), half = in_bar(&s, 1, 0.5f / 1.04f), beside = in_bar(&s, 20, 0.9f);
    script_press(&s, at, 0, 1);
    check_set(&s, "");
    for (int i = 1; i <= 4; i++) {
        at.y += (half.y - at.y) * (float)i / 4;
        script_move(&s, at);
    }
    char first[64] = "";
    assert_non_null(hand_of(&s));
    strncat(first, hand_of(&s), strcspn(hand_of(&s), "&"));
    assert_int_equal(strncmp(first, "sigma1(1)=", 10), 0);
    assert_true(atof(first + 10) > 0.4);
    script_move(&s, (Vec2){beside.x, at.y}); /* sideways changes nothing */
    check_set(&s, first);
    script_move(&s, (Vec2){at.x, at.y + 1000});
    check_set(&s, "sigma1(1)=0");
    script_release(&s, at, 0);
    assert_true(script_state_has(&s, "wqk-rank=8"));
    script_keys(&s, "Ctrl+Z");
    check_set(&s, "");
}

TEST(enter_edits_the_value_of_rank_r) {
    LOCAL(script_end) Script s;
    script_open(&s, STATE);
    script_click(&s, in_bar(&s, 8, 0.1f));
    script_keys(&s, "Home Right Right Right Enter");
    type_over(&s, "1.5");
    script_key(&s, KEY_ENTER, 0);
    check_set(&s, "sigma1(4)=1.5");
    script_keys(&s, "Ctrl+Z");
    check_set(&s, "");
}

/* The third value, larger than the first, has the first bar. */
TEST(a_bar_keeps_the_index_of_its_value) {
    LOCAL(script_end) Script s;
    script_open(&s, STATE "&set=sigma1(3)=9");
    script_double_click(&s, in_bar(&s, 1, 0.5f));
    type_over(&s, "4");
    check_set(&s, "sigma1(3)=4");
    script_key(&s, KEY_ENTER, 0);
    script_double_click(&s, in_bar(&s, 2, 0.1f));
    type_over(&s, "5");
    check_set(&s, "sigma1(1)=5;sigma1(3)=4");
}

TEST(no_value_is_edited_where_it_cannot_be) {
    static const char *const states[] = {"&form=nested", "&wqk-product=ov", "&init=zeros",
                                         "&positions=rope&wqk-offset=1"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        char whole[128] = STATE;
        LOCAL(script_end) Script s;
        script_open(&s, strcat(whole, states[i]));
        script_double_click(&s, in_bar(&s, 3, 0.05f));
        script_type(&s, "2");
        check_set(&s, "");
    }
}
