/* Controls generated from an option's row, in the state row and on the sheet of settings. */
#include <string.h>

#include "app/app_state.h"
#include "app/chrome.h"
#include "model/init/scheme.h"
#include "support/script.h"
#include "support/test.h"

#define COMMAND KEY_MOD_COMMAND

static void open_window(Script *s, const char *state) {
    script_begin(s, state, 2400, 1080);
}

/* Find the middle of the first text with these words between two heights and right of an x. */
static Vec2 find(const Script *s, const char *words, float from_x, float from_y, float to_y) {
    for (int nth = 0;; nth++) {
        const DrawCommand *text = drawn_text(&s->list, words, nth);
        if (text == NULL)
            fail_msg("“%s” is not there", words);
        Vec2 at = drawn_middle(&s->list, text);
        if (at.x > from_x && at.y > from_y && at.y < to_y)
            return at;
    }
}

/* Find the value next to a name in the state row, and on the open sheet. */
static Vec2 in_row(const Script *s, const char *name, const char *value) {
    return find(s, value, find(s, name, 0, 64, 120).x, 64, 120);
}

static Vec2 on_sheet(const Script *s, const char *name, const char *value) {
    Vec2 at = find(s, name, 0, 130, 1000);
    return find(s, value, at.x, at.y - 12, at.y + 12);
}

/* From 4 the next numbers of heads that divide 64 are 8 and 2. More heads than on screen must do no
 * harm. */
TEST_IN(the_wheel_steps_to_the_next_value_that_holds, open_window, "") {
    Vec2 heads = in_row(s, "h", "4");
    script_wheel(s, heads, 1, 0);
    script_play(s, "=heads=8 #8");
    script_wheel(s, heads, 1, 0);
    script_check(s, "heads=16");
    script_wheel(s, heads, -1, 0);
    script_wheel(s, heads, -1, 0);
    script_wheel(s, heads, -1, 0);
    script_play(s, "=heads=2 #2");
}

TEST_IN(a_number_is_typed_in_the_state_row, open_window, "") {
    script_click(s, in_row(s, "h", "4"));
    script_play(s, "!typing '16' Enter =heads=16 #16");
    script_click(s, in_row(s, "h", "16"));
    script_play(s, "'x' Enter =heads=16 {heads x: must be a whole number from 1 to 64*}");
    script_click(s, in_row(s, "h", "16"));
    script_type(s, "\u22121"); /* outside its range: the nearest value, and why */
    script_gives(s, "Enter", "heads=1");
    assert_true(script_says(s, "heads: the minimum is 1; you typed \u22121"));
    script_click(s, in_row(s, "h", "1"));
    script_play(s, "'500' Enter =heads=64 {heads: the maximum is 64; you typed 500}");
}

/* A message that cuts a value inside a character would be invalid UTF-8. */
TEST(a_long_odd_value_is_quoted_whole) {
    LOCAL(script_end) Script s;
    char lots[128] = "a";
    for (int i = 0; i < 30; i++)
        strcat(lots, "鍵");
    open_window(&s, "");
    script_click(&s, in_row(&s, "h", "4"));
    script_type(&s, lots);
    script_gives(&s, "Enter", ""); /* the script checks every text */
    assert_true(script_says_first(&s, "heads a鍵"));
}

TEST_IN(a_drag_is_one_step_of_undo, open_window, "seed=2") {
    Vec2 seed = in_row(s, "Seed", "2");
    script_press(s, seed, 0, 1);
    for (int i = 1; i <= 10; i++)
        script_move(s, (Vec2){seed.x + 8 * (float)i, seed.y});
    script_release(s, (Vec2){seed.x + 80, seed.y}, 0);
    script_play(s, "=seed=12 Ctrl+Z =seed=2");
}

/* Invalid values, such as a d_model that 4 heads do not divide, are skipped. */
TEST(a_drag_leads_to_the_same_number_however_it_is_seen) {
    static const struct {
        unsigned held;
        float px;
        const char *state;
    } cases[] = {{0, 80, "d-model=104"},            /* 10 steps of 8 pixels */
                 {KEY_MOD_SHIFT, 80, "d-model=84"}, /* 5 of 16 */
                 {COMMAND, 48, "d-model=256"}};     /* powers of two */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int moves = 1; moves <= 16; moves *= 4) {
            SCRIPT(s, open_window, "");
            Vec2 at = find(&s, "64", 0, 64, 120);
            s.held = cases[i].held;
            script_press(&s, at, s.held, 1);
            for (int k = 1; k <= moves; k++)
                script_move(&s, (Vec2){at.x + cases[i].px * (float)k / (float)moves, at.y});
            script_release(&s, s.pointer, s.held);
            script_check(&s, cases[i].state);
            script_gives(&s, "Ctrl+Z", "");
        }
}

TEST_IN(a_double_click_restores_the_default, open_window, "seed=77") {
    script_double_click(s, in_row(s, "Seed", "77"));
    script_play(s, "= -!typing");
}

TEST_IN(the_dice_rolls, open_window, "seed=2") {
    Vec2 seed = in_row(s, "Seed", "2");
    script_click(s, (Vec2){seed.x + 52, seed.y});
    script_check(s, "seed=3");
}

/* Find the knob of the temperature's slider. */
static Vec2 knob(const Script *s, float from_x, float from_y, float to_y) {
    for (size_t i = 0; i < s->list.command_count; i++) {
        const DrawBox *box = &s->list.commands[i].as.box;
        if (s->list.commands[i].kind == DRAW_BOX && box->rect.w == 18 && box->rect.h == 18 &&
            box->radius == 9 && box->rect.x > from_x && box->rect.y > from_y && box->rect.y < to_y)
            return rect_centre(box->rect);
    }
    fail_msg("no knob");
    return (Vec2){0, 0};
}

TEST_IN(a_slider_is_dragged_and_settles, open_window, "") {
    Vec2 at = knob(s, 0, 64, 120);
    long before = s->measured;
    script_frame(s);
    long idle = s->measured - before;
    script_press(s, at, 0, 1);
    script_move(s, (Vec2){at.x - 30, at.y});
    assert_true(app_session(s->app)->options.temperature < 0.5f);
    for (int i = 1; i <= 3; i++) { /* smaller than the value's last digit: it stays */
        script_move(s, (Vec2){at.x - 30 + 0.1f * (float)i, at.y});
        uint64_t hash = draw_hash(&s->list);
        script_frame(s);
        assert_true(draw_hash(&s->list) == hash);
    }
    before = s->measured;
    script_frame(s);
    if (s->measured - before > 2 * idle)
        fail_msg("a held slider takes %ld texts to draw, an idle frame %ld", s->measured - before,
                 idle);
    script_move(s, (Vec2){at.x + 5000, at.y});
    script_check(s, "temperature=10");
    script_release(s, (Vec2){at.x + 5000, at.y}, 0);
    script_gives(s, "Ctrl+Z", "");
}

/* The option is in the state row and on the sheet: only one of the two is dragged. */
TEST_IN(a_slider_on_the_sheet_is_its_own, open_window, "") {
    script_keys(s, "O");
    Vec2 name = find(s, "Temperature", 0, 130, 1000);
    Vec2 at = knob(s, name.x, name.y - 20, name.y + 20);
    script_press(s, at, 0, 1);
    script_move(s, (Vec2){at.x + 26, at.y});
    float once = app_session(s->app)->options.temperature;
    assert_true(once > 1.5f && once < 9);
    script_frame(s);
    assert_true(app_session(s->app)->options.temperature == once);
    script_release(s, (Vec2){at.x + 26, at.y}, 0);
}

static int count_texts(const Script *s, const char *words) {
    int count = 0;
    while (drawn_text(&s->list, words, count) != NULL)
        count++;
    return count;
}

TEST_IN(a_list_on_the_sheet_opens_once, open_window, "") {
    script_keys(s, "O");
    script_click(s, on_sheet(s, "Init", "Xavier uniform"));
    assert_int_equal(count_texts(s, "He normal"), 1);
    script_play(s, "<He normal> =init=he_normal");
}

TEST_IN(a_sheet_covers_what_is_under_it, script_begin, "focus=nothing", 1100, 800) {
    /* narrow, so that the inspector is a drawer */
    script_play(s, "I {Reads most} O {Every setting}");
    Vec2 title = drawn_text(&s->list, "Every setting", 0)->as.text.at;
    for (float x = 0; x < 900; x += 40)
        for (float y = 20; y < 500; y += 40) {
            script_move(s, (Vec2){title.x + x, title.y + y});
            assert_false(script_says(s, "Hovered"));
        }
    script_play(s, "move:700,960 O {Reads most}");
}

TEST_IN(derived_widths_are_shown_and_stepped, open_window, "") {
    Vec2 d_k = find(s, "16", 0, 64, 120);
    script_wheel(s, d_k, 1, 0);
    script_check(s, "d-k=17");
    script_click(s, d_k);
    script_gives(s, "'auto' Enter", "");
    script_click(s, d_k);
    script_gives(s, "Enter", ""); /* unchanged, so no option is set */
}

TEST_IN(a_choice_with_a_number_has_a_field, open_window, "mask=window:3") {
    script_click(s, in_row(s, "Mask", "3"));
    script_gives(s, "'5' Enter", "mask=window:5");
    script_wheel(s, in_row(s, "Mask", "5"), -2, 0);
    script_check(s, "mask=window:3");
}

/* Press Home and End in the field with this name and check the states. */
TEST(home_and_end_lead_to_the_ends_that_hold) {
    static const struct {
        const char *from, *name, *value, *least, *most;
    } cases[] = {
        {"", "h", "4", "heads=1", "heads=64"},
        {"d-model=60&heads=5", "h", "5", "d-model=60&heads=1", "d-model=60&heads=60"},
        {"d-model=30&heads=5", "d", "30", "d-model=5&heads=5", "d-model=4095&heads=5"},
        {"seed=9", "Seed", "9", "seed=0", "seed=18446744073709551615"},
        {"temperature=2", "Temperature", "2.00", "temperature=0.1", "temperature=10"},
        {"mask=window:3", "Mask", "3", "mask=window:0", "mask=window:4096"},
        {"d-model=48&form=rank:7", "Form", "7", "d-model=48&form=rank:1",
         "d-model=48&form=rank:48"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SCRIPT(s, open_window, cases[i].from);
        Vec2 at = in_row(&s, cases[i].name, cases[i].value);
        script_click(&s, at);
        script_keys(&s, "Tab"); /* typing ends, and the focus comes back by key */
        script_gives(&s, "Shift+Tab Home", cases[i].least);
        script_gives(&s, "End", cases[i].most);
    }
}

/* Return the last text command with these words: an open list is drawn last. */
static const DrawCommand *last_text(const DrawList *list, const char *words) {
    const DrawCommand *last = NULL, *next;
    for (int nth = 0; (next = drawn_text(list, words, nth)) != NULL; nth++)
        last = next;
    return last;
}

/* In a window of this size the arrows bring every scheme into sight, where it can be clicked, and
 * the help of the lit one stays inside the window. */
static void assert_list_fits(float width, float height) {
    SCRIPT(s, script_begin, "init=xavier_normal", width, height);
    if (drawn_text(&s.list, "Xavier normal", 0) == NULL)
        script_click_text(&s, "State", 0); /* the state row is behind it */
    script_play(&s, "<Xavier normal> Home");
    for (int i = 0; i < SCHEME_REGISTRY.count; i++) {
        const char *label = registry_entry(&SCHEME_REGISTRY, i)->label;
        const DrawCommand *row = last_text(&s.list, label);
        if (row == NULL)
            fail_msg("%s is not in the list", label);
        Vec2 middle = drawn_middle(&s.list, row);
        if (!rect_contains(rect_inset(row->clip, 0, 14), middle) || middle.y > s.list.height - 100)
            fail_msg("%s lies at %g of %g", label, (double)middle.y, (double)s.list.height);
        script_keys(&s, "Down");
    }
    script_type(&s, "mim"); /* and by a part of its name */
    script_click(&s, drawn_middle(&s.list, last_text(&s.list, "Mimetic")));
    script_check(&s, "init=mimetic");
}

TEST(every_scheme_is_in_reach) {
    static const float sizes[][2] = {{1920, 1080}, {1440, 900}, {1280, 720}, {1280, 600}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_list_fits(sizes[i][0], sizes[i][1]);
}

TEST_IN(the_same_by_its_control, script_begin, "tokenizer=chars&text=ab", 1280, 800) {
    assert_false(app_set_key(s->app, "tokenizer", "gpt2"));
    script_play(s, "| =text=ab&tokenizer=chars {tokenizer gpt2*} {b}");
    assert_true(app_set_key(s->app, "tokenizer", "words"));
    script_play(s, "| =text=ab -{tokenizer gpt2*}");
}

/* Token ids are the last row, and no choice without a checkpoint: the first row follows. */
TEST_IN(token_ids_need_a_checkpoint, script_begin, "tokenizer=gpt2", 1280, 800) {
    option_cycle(s->app, option_row("tokenizer"));
    assert_int_equal(s->app->session.options.tokenizer, TOKENIZER_WORDS);
}
