/* The Steps view: its words, its keys and clicks, and its pictures. */
#include <stdlib.h>
#include <string.h>

#include "app/app_state.h"
#include "base/number.h"
#include "base/util.h"
#include "model/attention/block.h"
#include "model/attention/position.h"
#include "results/cell_story.h"
#include "support/script.h"
#include "support/test.h"
#include "ui/tween.h"

#define SMALL "view=steps&text=the%20cat%20sat%20on%20the%20mat&d-model=16&heads=2"

/* The numbers that the cards write about a place. */
TEST_IN(the_cards_say_these_numbers, script_begin, SMALL "&pin=3,2&steps-output=5", 1920, 1080) {
    const Results *run = &s->app->run;
    ARENA(arena, cell_story_bytes(&run->layers[0].shape[run->form]));
    CellStory n = cell_story(run, (AttnCell){0, 0, 2, 1}, 4, &arena);
    double said[] = {(double)n.score, (double)n.weight, (double)n.output, n.head_parts[0],
                     n.head_parts[1]};
    for (size_t i = 0; i < ARRAY_COUNT(said); i++)
        if (!script_says(s, FIXED(said[i], 3)))
            fail_msg("%s is not said", FIXED(said[i], 3));
    script_play(s, "{sat → cat → output 5} {Step 1 of 6} {8 products} {16 numbers}");
}

TEST(keys_go_through_the_steps) {
    static const struct {
        const char *keys, *pin;
        int step;
    } presses[] = {{"Left", "pin=3,2", 1},          {"Right Right", "pin=3,2", 3},
                   {"Left", "pin=3,2", 2},          {"End", "pin=3,2", 6},
                   {"Right", "pin=3,2", 6},         {"Home", "pin=3,2", 1},
                   {"Shift+Right", "pin=3,3", 1},   /* another key */
                   {"Shift+Left Up", "pin=2,2", 1}, /* another query */
                   {"Ctrl+Z", "pin=3,2", 1}};
    SCRIPT(s, script_begin, SMALL "&pin=3,2", 1920, 1080);
    for (size_t i = 0; i < ARRAY_COUNT(presses); i++) {
        script_keys(&s, presses[i].keys);
        if (!script_says(&s, PRINT("Step %d of 6", presses[i].step)) ||
            !script_state_has(&s, presses[i].pin))
            fail_msg("%zu, %s: %s", i, presses[i].keys, script_state(&s));
    }
}

/* A slow frame loses no key. */
TEST(keys_of_one_frame_all_count) {
    InputEvent keys[3] = {0};
    for (int i = 0; i < 3; i++) {
        keys[i].kind = INPUT_KEY;
        keys[i].key = KEY_RIGHT;
    }
    SCRIPT(s, script_begin, SMALL, 1920, 1080);
    script_events(&s, keys, 3);
    assert_true(script_says(&s, "Step 4 of 6"));
}

/* In other views the arrows move the pin, and the keys that play do nothing. */
TEST_IN(elsewhere_these_keys_are_those_of_the_pin, script_begin, "view=heads&pin=3,2", 1920, 1080) {
    script_play(s, "Right ~pin=3,3 Space End ~pin=3,3 -~steps-step");
}

TEST_IN(space_plays_to_the_end_and_stops, script_begin_moving, SMALL "&steps-step=2", 1920, 1080) {
    script_play(s, "Space {Step 2 of 6}");
    for (int step = 3; step <= 6; step++) {
        double next = app_effects(s->app)->next_frame_s;
        assert_true(next > s->time_s && next < s->time_s + 3);
        script_wait(s, next - s->time_s);
        assert_true(script_says(s, PRINT("Step %d of 6", step)));
        script_wait(s, (double)MOTIONS[MOTION_STEP].duration_s / 2); /* the flight */
        assert_true(app_effects(s->app)->next_frame_s <= s->time_s);
        script_wait(s, 1);
    }
    script_play(s, "@5 {Step 6 of 6} !idle Ctrl+Z " /* all of it is one step */
                   "{Step 2 of 6} End Space "       /* from the end it restarts */
                   "{Step 1 of 6} Space @5 @5 {Step 1 of 6}");
}

TEST_IN(what_is_not_seen_does_not_play, script_begin_moving, SMALL "&steps-step=2", 1920, 1080) {
    script_play(s, "Space 1 @9 5 @9 @9 {Step 2 of 6}");
}

/* Matrices in their order on screen: X Q K V S A Z Y. */
static Vec2 cell(const Script *s, int matrix, int row, int col) {
    const DrawCells *m = drawn_cells(&s->list, matrix);
    assert_non_null(m);
    return drawn_cell(m, row, col);
}

TEST(a_click_follows_what_it_is_on) {
    static const struct {
        int matrix, row, col;
        const char *state, *step;
    } clicks[] = {
        {0, 4, 3, "pin=5,2", "Step 1 of 6"},         {1, 1, 3, "pin=2,2", "Step 2 of 6"},
        {2, 4, 3, "pin=3,5", "Step 2 of 6"},         {3, 0, 0, "pin=3,1", "Step 2 of 6"},
        {4, 5, 3, "pin=6,4", "Step 3 of 6"},         {5, 0, 5, "pin=1,6", "Step 4 of 6"},
        {6, 2, 12, "head=2", "Step 5 of 6"},         {6, 3, 2, "pin=4,2", "Step 5 of 6"},
        {7, 2, 9, "steps-output=10", "Step 6 of 6"}, {7, 1, 4, "pin=2,2", "Step 6 of 6"},
        {8, 1, 2, "pin=3,2", "Step 2 of 6"},         {11, 1, 4, "pin=3,2", "Step 6 of 6"}};
    for (size_t i = 0; i < ARRAY_COUNT(clicks); i++) {
        SCRIPT(s, script_begin, SMALL "&pin=3,2&steps-output=5", 1920, 1080);
        assert_int_equal(drawn_cells_count(&s.list), 12);
        script_click(&s, cell(&s, clicks[i].matrix, clicks[i].row, clicks[i].col));
        if (!script_state_has(&s, clicks[i].state) || !script_says(&s, clicks[i].step))
            fail_msg("matrix %d at %d, %d: %s", clicks[i].matrix, clicks[i].row, clicks[i].col,
                     script_state(&s));
        script_key(&s, 'z', KEY_MOD_COMMAND); /* one step of undo */
        assert_true(script_state_has(&s, "pin=3,2") && script_says(&s, "Step 1 of 6"));
    }
}

TEST_IN(a_click_on_a_card_or_a_term_goes_there, script_begin, SMALL "&pin=3,2", 1920, 1080) {
    script_play(s, "<Softmax> {Step 4 of 6} <Head 2> " /* the term of the sixth card */
                   "~head=2 {Step 4 of 6}");
    const DrawCommand *term = drawn_text(&s->list, "mat", 2); /* chip, label, term */
    assert_non_null(term);
    script_click(s, drawn_middle(&s->list, term));
    assert_true(script_state_has(s, "pin=3,6") && script_says(s, "Step 4 of 6"));
}

/* A bar under the pointer shows its number, and lights the entry of the matrix. */
TEST_IN(what_is_hovered_is_lit_where_it_stands, script_begin, SMALL "&pin=3,2", 1920, 1080) {
    Colour beam = THEMES[THEME_DARK].beam;
    const DrawCommand *note = drawn_text(&s->list, "8 products", 0);
    const DrawCommand *title = drawn_text(&s->list, "Score", 0);
    assert_true(note != NULL && title != NULL);
    Vec2 bar = {note->as.text.at.x + 4, title->as.text.at.y + 110};
    assert_false(drawn_edge_at(&s->list, beam, cell(s, 1, 2, 0)));
    script_move(s, bar);
    assert_true(script_says(s, "product 1"));
    assert_true(drawn_edge_at(&s->list, beam, cell(s, 1, 2, 0)));
    assert_true(drawn_edge_at(&s->list, beam, cell(s, 2, 1, 0)));
    script_move(s, cell(s, 0, 1, 3));
    assert_true(drawn_edge_at(&s->list, beam, cell(s, 0, 1, 3)));
    assert_true(script_state_has(s, "pin=3,2")); /* the number that is followed stays */
}

/* Without factors the query's row of X·W_QK meets the key's row of X. */
TEST(a_product_has_no_keys) {
    static const char *const forms[] = {"merged", "rank:2", "free"};
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++) {
        SCRIPT(s, script_begin, PRINT("%s&pin=3,2&form=%s", SMALL, forms[i]), 1920, 1080);
        script_play(&s, "#10 {16 products} {16 and 8 numbers}");
    }
}

TEST_IN(a_closed_pair_and_a_closed_row_are_said, script_begin, SMALL "&pin=2,5&mask=causal", 1920,
        1080) {
    assert_true(script_says(s, "masked") && script_says(s, "8 products, masked"));
    script_end(s);
    script_begin(s, SMALL "&pin=2,5&close=2-1..6", 1920, 1080);
    assert_true(script_says(s, "no open key") && script_says(s, "no open key: nothing"));
}

/* If a saturated softmax gives only one key weight, closed keys are still no terms of the sum.
 */
TEST_IN(what_is_mixed_is_open, script_begin,
        SMALL "&pin=5,4&mask=window:1&init=normal&temperature=0.0001", 1920, 1080) {
    assert_non_null(drawn_text(&s->list, "on", 2)); /* chip, label, term */
    assert_non_null(drawn_text(&s->list, "mat", 2));
    assert_null(drawn_text(&s->list, "cat", 2));
}

/* A number is followed even if no cell is pinned and no weight is largest. */
TEST(there_is_always_a_number) {
    static const char *const states[] = {
        "&init=zeros",      "&focus=nothing",    "&focus=nothing&mask=causal",
        "&close=1..6-1..6", "&steps-output=999", "&init=normal&temperature=0.000001"};
    for (size_t i = 0; i < ARRAY_COUNT(states); i++) {
        SCRIPT(s, script_begin, PRINT("%s%s", SMALL, states[i]), 1920, 1080);
        assert_non_null(drawn_text(&s.list, "Join heads", 0));
        assert_true(script_says(&s, "Step 1 of 6") && drawn_cells_count(&s.list) == 12);
    }
}

/* Many tokens and features share cells; every matrix stays within the view. */
TEST_IN(large_layers_are_thinned_down, script_begin,
        script_with_words("view=steps&d-model=256&heads=8&text=", 400, 400), 1920, 1080) {
    for (int i = 0; i < drawn_cells_count(&s->list); i++) {
        const DrawCells *m = drawn_cells(&s->list, i);
        assert_true(m->rect.x >= 96 && rect_right(m->rect) <= 1920 - 20);
        assert_true(m->rect.w + 0.01f >= (float)m->cols && m->rect.h + 0.01f >= (float)m->rows);
    }
}

TEST(a_long_equation_is_broken_and_not_cut) {
    static const struct {
        const char *state, *there, *gone;
    } cases[] = {{"view=steps&steps-step=3&init=normal&temperature=0.0125&pin=2,6", "/ 0.0125",
                  "16 products"},
                 {"view=steps&steps-step=3", "16 products", "/ 4"}};
    for (int i = 0; i < 2; i++) {
        SCRIPT(s, script_begin_typical, cases[i].state, 1728, 1080);
        assert_non_null(drawn_text(&s.list, cases[i].there, 0));
        assert_null(drawn_text(&s.list, cases[i].gone, 0));
    }
}

TEST_IN(what_an_edit_changed_is_counted, script_begin, SMALL, 1920, 1080) {
    assert_non_null(drawn_text(&s->list, "the same for every text", 1));
    script_play(s, "{from this text} -{0 of 1,024 *} Ctrl+L End ' now' Escape {0 of 1,024 *} "
                   "{49 of 49 *}");
    script_key(s, ']', 0); /* another head is no change */
    script_play(s, "{0 of 1,024 *} R {1,024 of 1,024 *}");
    script_paste(s, "view=steps", 10); /* nothing is known of a whole new state */
    script_play(s, "-{12,288 of *} -{16,384 of *}");
}

TEST_IN(a_learned_number_is_edited_where_it_is_drawn, script_begin, SMALL, 1920, 1080) {
    assert_int_equal(drawn_cells_count(&s->list), 12);
    script_double_click(s, drawn_cell(drawn_cells(&s->list, 8), 0, 2)); /* W_Q */
    script_keys(s, "'3' Enter");
    assert_non_null(strstr(script_state(s), "set=W_Q1(1,3)=3"));
    assert_non_null(drawn_beginning(&s->list, "1 of 1,024 "));
}
