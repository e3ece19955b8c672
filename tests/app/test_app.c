/* Scripted frames: hover and pin, settings, undo, messages. */
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/utf8.h"
#include "base/util.h"
#include "draw/theme.h"
#include "support/script.h"
#include "support/test.h"

#define COMMAND KEY_MOD_COMMAND

static Vec2 cell(const Script *s, int matrix, int query, int key) {
    const DrawCells *cells = drawn_cells(&s->list, matrix);
    assert_non_null(cells);
    return drawn_cell(cells, query, key);
}

/* A point with nothing to hover. */
static const Vec2 NOWHERE = {600, 1075};

TEST_IN(hovering_a_cell_lights_its_edge_and_says_its_value, script_open, "focus=nothing") {
    Colour ring = THEMES[THEME_DARK].ring;
    char value[32];
    assert_int_equal(drawn_curves(&s->list, ring), 0);
    script_move(s, cell(s, 0, 3, 7));
    assert_true(drawn_curves(&s->list, ring) >= 1);
    const DrawCells *cells = drawn_cells(&s->list, 0);
    number_format_fixed(value, sizeof value, (double)cells->values[3 * cells->stride + 7], 3);
    const DrawCommand *big = drawn_text(&s->list, value, 0);
    assert_non_null(big);
    assert_float_equal(big->as.text.size, 48, 1e-3);
    script_play(s, "{Hovered} {Head 1 · query 4 · key 8} =focus=nothing");
    script_move(s, NOWHERE);
    assert_int_equal(drawn_curves(&s->list, ring), 0);
    assert_false(script_says(s, "Hovered"));
}

TEST_IN(a_cell_is_lit_in_every_head, script_open, "") {
    Colour ring = THEMES[THEME_DARK].ring;
    for (int matrix = 0; matrix < 4; matrix++)
        assert_false(drawn_edge_at(&s->list, ring, cell(s, matrix, 3, 7)));
    script_move(s, cell(s, 2, 3, 7));
    for (int matrix = 0; matrix < 4; matrix++)
        assert_true(drawn_edge_at(&s->list, ring, cell(s, matrix, 3, 7)));
}

TEST_IN(a_click_pins_and_another_unpins, script_open, "") {
    script_click(s, cell(s, 0, 3, 7));
    script_check(s, "pin=4,8");
    script_move(s, NOWHERE);
    assert_true(script_says(s, "Pinned"));
    assert_true(drawn_curves(&s->list, THEMES[THEME_DARK].ring) >= 1);
    script_click(s, cell(s, 2, 0, 1));
    script_check(s, "head=3&pin=1,2");
    script_click(s, cell(s, 2, 0, 1));
    script_check(s, "head=3");
    script_click(s, cell(s, 2, 5, 5));
    script_gives(s, "Escape", "head=3&focus=nothing");
}

/* Until something is pinned, the head's strongest edge is focused; Escape ends that, too. */
TEST_IN(the_strongest_edge_is_looked_at_first, script_open, "head=2") {
    const DrawCells *cells = drawn_cells(&s->list, 1);
    int query = 0, key = 0;
    for (int i = 0; i < cells->rows; i++)
        for (int j = 0; j < cells->cols; j++)
            if (cells->values[i * cells->stride + j] > cells->values[query * cells->stride + key])
                query = i, key = j;
    const char *place = PRINT("Head 2 · query %d · key %d", query + 1, key + 1);
    script_play(s, PRINT("{Strongest} {%s}", place));
    assert_true(drawn_curves(&s->list, THEMES[THEME_DARK].ring) >= 1);
    script_click(s, cell(s, 1, 3, 7));
    script_click(s, cell(s, 1, 3, 7));
    script_move(s, NOWHERE);
    script_play(s, PRINT("{%s} =head=2 Escape -{%s}", place, place));
    assert_int_equal(drawn_curves(&s->list, THEMES[THEME_DARK].ring), 0);
    script_end(s);
    script_open(s, "init=zeros");
    assert_false(script_says(s, "Strongest"));
}

TEST_IN(a_drag_off_a_cell_pins_nothing, script_open, "") {
    script_press(s, cell(s, 0, 3, 7), 0, 1);
    script_move(s, NOWHERE);
    script_release(s, NOWHERE, 0);
    script_check(s, "");
}

TEST_IN(an_edge_of_the_graph_is_lit_and_pinned_like_a_cell, script_open, "") {
    const DrawCurve *edge = NULL;
    for (size_t i = 0; i < s->list.command_count; i++) {
        const DrawCurve *curve = &s->list.commands[i].as.curve;
        if (s->list.commands[i].kind == DRAW_CURVE &&
            (curve->colour_from | 0xFF) == THEMES[THEME_DARK].heads[0] &&
            fabsf(curve->from.y - curve->to.y) > 100)
            edge = curve;
    }
    assert_non_null(edge);
    Vec2 at = {(edge->from.x + 3 * edge->control_1.x + 3 * edge->control_2.x + edge->to.x) / 8,
               (edge->from.y + 3 * edge->control_1.y + 3 * edge->control_2.y + edge->to.y) / 8};
    script_move(s, at);
    assert_true(script_says(s, "Hovered"));
    script_click(s, at);
    assert_true(script_state_has(s, "pin="));
    script_move(s, NOWHERE);
    assert_true(script_says(s, "Pinned"));
    script_click(s, at);
    script_check(s, "");
}

TEST_IN(the_wheel_over_the_graph_changes_its_edges, script_begin, "", 2800, 1080) {
    const DrawCommand *title = drawn_beginning(&s->list, "top 3 per token");
    assert_non_null(title);
    Vec2 over = {title->as.text.at.x, title->as.text.at.y + 200};
    script_wheel(s, over, 1, 0);
    script_play(s, "=edges=4 {top 4 per token*}");
    script_wheel(s, over, -100, 0);
    script_check(s, "edges=1");
    script_wheel(s, over, 100, 0);
    script_check(s, "edges=16");
}

TEST_IN(beside_shows_two_walls_on_one_scale, script_open, "init=normal") {
    float alone = drawn_cells(&s->list, 0)->hi;
    script_end(s);
    script_open(s, "init=normal_002&beside=normal");
    assert_int_equal(drawn_cells_count(&s->list), 8);
    for (int i = 0; i < 8; i++) {
        assert_true(drawn_cells(&s->list, i)->hi == drawn_cells(&s->list, 0)->hi);
        assert_true(drawn_cells(&s->list, i)->lo == 0);
    }
    assert_true(drawn_cells(&s->list, 0)->hi == alone);
    assert_true(drawn_cells(&s->list, 4)->hash != drawn_cells(&s->list, 0)->hash);
    script_move(s, cell(s, 6, 1, 1)); /* lit in both */
    assert_true(drawn_edge_at(&s->list, THEMES[THEME_DARK].ring, cell(s, 0, 1, 1)));
}

TEST(the_scale_ends_at_a_multiple_of_a_twentieth) {
    static const char *const states[] = {"", "init=normal", "text=one", "mask=causal"};
    for (size_t i = 0; i < ARRAY_COUNT(states); i++) {
        SCRIPT(s, script_open, states[i]);
        const DrawCells *cells = drawn_cells(&s.list, 0);
        float steps = cells->hi * 20, largest = 0;
        for (int m = 0; m < drawn_cells_count(&s.list); m++)
            for (int k = 0; k < cells->rows * cells->rows; k++) {
                const DrawCells *c = drawn_cells(&s.list, m);
                largest = fmaxf(largest, c->values[k / c->cols * c->stride + k % c->cols]);
            }
        assert_float_equal(steps, roundf(steps), 1e-4);
        assert_true(cells->hi >= largest - 1e-4f && cells->hi < largest + 0.0501f);
    }
}

/* A message and its warning stay until their time is over or they are dismissed. */
TEST_IN(a_message_goes_in_time_and_its_warning_with_it, script_open, "") {
    uint64_t before = draw_hash(&s->list);
    app_warn(s->app, "A message");
    script_play(s, "| {A message}");
    double until = app_effects(s->app)->next_frame_s;
    assert_true(until > 1 && until < 60);
    s->time_s = until;
    script_frame(s);
    assert_true(draw_hash(&s->list) == before);
    assert_true(app_effects(s->app)->next_frame_s == INFINITY);
}

/* By Tab alone: the newest message's button is the last stop. Then the focus continues from there.
 */
TEST_IN(a_message_is_closed_by_keyboard, script_open, "") {
    app_say(s->app, "A message");
    app_say(s->app, "Another one");
    script_play(s, "Shift+Tab Enter -{A message} {Another one} Shift+Tab Enter -{Another one}");
}

/* Type a number of heads on the sheet of all settings. Return the place of its field. */
static Vec2 type_heads(Script *s, const char *number) {
    script_keys(s, "O");
    const DrawCommand *name = NULL, *next; /* the last one; the state row has another */
    for (int i = 0; (next = drawn_text(&s->list, "h", i)) != NULL; i++)
        name = next;
    assert_non_null(name);
    Vec2 field = {name->as.text.at.x + 180, name->as.text.at.y - 6};
    script_click(s, field);
    script_play(s, PRINT("'%s' Enter", number));
    return field;
}

static void check_marked(const Script *s, Vec2 field, bool marked) {
    bool said = drawn_beginning(&s->list, "heads 5: 64 is not divisible by 5") != NULL;
    assert_int_equal(said, marked);
    assert_int_equal(drawn_edge_at(&s->list, THEMES[THEME_DARK].warn, field), marked);
}

TEST_IN(a_value_that_cannot_hold_is_refused_and_marked, script_open, "") {
    Vec2 field = type_heads(s, "5");
    check_marked(s, field, true);
    script_play(s, "= #4");
    s->time_s = app_effects(s->app)->next_frame_s;
    script_frame(s);
    check_marked(s, field, false);
}

TEST_IN(a_value_that_holds_takes_the_mark_away, script_open, "") {
    Vec2 field = type_heads(s, "5");
    script_click(s, field);
    script_keys(s, "'8' Enter");
    check_marked(s, field, false);
    script_check(s, "heads=8");
}

TEST_IN(escape_takes_the_sheet_then_the_message_away, script_open, "") {
    Vec2 field = type_heads(s, "5");
    script_play(s, "Escape -{Every setting} {heads 5*} Escape");
    check_marked(s, field, false);
    uint64_t hash = draw_hash(&s->list);
    script_frame(s);
    assert_true(draw_hash(&s->list) == hash);
}

/* A message's button, which covers the view, gets the click. */
TEST(a_message_is_dismissed_wherever_it_lies) {
    static const char *const states[] = {"", "text=a%20b%20c&heads=1", "heads=16", "form=merged"};
    for (size_t i = 0; i < ARRAY_COUNT(states); i++) {
        SCRIPT(s, script_begin, states[i], 900, 560);
        app_warn(s.app, "A message that is long enough to lie over the wall");
        script_frame(&s);
        char before[512];
        snprintf(before, sizeof before, "%s", script_state(&s));
        const DrawCommand *text = drawn_beginning(&s.list, "A message");
        Vec2 at = drawn_middle(&s.list, text);
        float half = 0.3f * text->as.text.size * (float)text->as.text.text_bytes;
        script_click(&s, (Vec2){at.x + half + 18, at.y});
        script_play(&s, PRINT("-{A message*} =%s", before));
    }
}

TEST_IN(a_state_that_cannot_be_computed_says_why_and_recovers, script_open,
        "embedding=onehot&d-model=8") {
    script_play(s, "#0 {the text has 11 different tokens*} Ctrl+L 'a b' #4");
}

TEST_IN(a_drag_with_ctrl_edits_edges_as_one_step, script_open, "mask=causal") {
    script_click_with(s, cell(s, 0, 4, 2), COMMAND);
    script_check(s, "mask=causal&close=5-3");
    script_press(s, cell(s, 1, 0, 6), COMMAND, 1);
    script_move(s, cell(s, 1, 0, 7));
    script_move(s, cell(s, 1, 1, 7));
    script_move(s, cell(s, 1, 1, 0)); /* everything except what is already open */
    script_release(s, cell(s, 1, 1, 8), COMMAND);
    script_check(s, "mask=causal&open=1-7..8,2-3..8&close=5-3");
    script_move(s, NOWHERE);
    script_play(s, "{9 edges edited ×} M =mask=window:2&open=1-7..8,2-3..8&close=5-3 "
                   "Ctrl+Z Ctrl+Z =mask=causal&close=5-3 Ctrl+Shift+Z <9 edges edited ×> "
                   "=mask=causal Ctrl+Z =mask=causal&open=1-7..8,2-3..8&close=5-3");
}

TEST(a_row_of_the_inspector_stays_under_the_pointer) {
    static const struct {
        const char *state, *heading;
    } cases[] = {{"view=graph", "is read by"}, {"focus=nothing", "Reads most"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCRIPT(s, script_begin, cases[i].state, 1920, 1080);
        const DrawCommand *heading = drawn_text(&s.list, cases[i].heading, 0);
        assert_non_null(heading);
        Vec2 row = drawn_middle(&s.list, heading);
        row.y += 40;
        uint64_t before = draw_hash(&s.list);
        script_move(&s, row);
        for (int frame = 0; frame < 3; frame++) {
            assert_true(script_says(&s, cases[i].heading));
            assert_true(draw_hash(&s.list) != before); /* it is lit */
            script_frame(&s);
        }
    }
}

/* The cell under the pointer belongs to no token any more, but its row is the pin's. */
TEST_IN(a_cell_of_a_longer_text_is_let_go, script_begin,
        "text=a%20b%20c%20d%20e%20f%20g%20h&heads=2&pin=3,2", 1920, 1080) {
    const DrawCells *wall = drawn_cells(&s->list, 0);
    assert_non_null(wall);
    assert_int_equal(wall->rows, 8);
    script_move(s, drawn_cell(wall, 2, 7));
    static const char shorter[] = "text=a%20b%20c&heads=2&pin=3,2";
    script_paste(s, shorter, sizeof shorter - 1);
    assert_int_equal(drawn_cells(&s->list, 0)->rows, 3);
}
