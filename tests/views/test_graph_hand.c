/* Pointer input to the Graph view: lighting, moving and walking. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app_state.h"
#include "base/util.h"
#include "support/graph.h"
#include "support/test.h"
#include "views/graph/graph.h"

TEST_IN(a_click_walks_the_message_passing, graph_open, "mask=causal") {
    assert_null(drawn_text(&s->list, "Meet", 0));
    Vec2 at = graph_node(s, 9);
    script_click(s, at);
    assert_non_null(strstr(script_state(s), "pin=9,"));
    assert_non_null(drawn_beginning(&s->list, "Its query meets")); /* with the pointer on it */
    assert_non_null(drawn_text(&s->list, "9 open keys", 0));
    script_move(s, graph_node(s, 3));
    script_play(s, "-{Its query meets*} move:50,700 {Its query meets*} <Sum> {What arrives} "
                   "<Meet>");
    script_click(s, at);
    script_play(s, "move:50,700 {The scores become weights*} {they sum to *}");
    script_click(s, at);
    script_play(s, "move:50,700 {What arrives}");
    script_click(s, at);
    script_play(s, "move:50,700 -{Meet}");
}

/* A click plays the steps, Space stops and plays, arrows go through them. */
TEST_IN(the_message_plays_and_is_a_state, graph_open, "mask=causal") {
    script_click(s, graph_node(s, 9));
    script_play(s, "~graph-step=meet move:50,700");
    for (int frame = 0; frame < 200; frame++)
        script_wait(s, 0.1);
    script_play(s, "~graph-step=sum Left ~graph-step=softmax ~pin=9, Right ~graph-step=sum Home "
                   "~graph-step=meet "
                   "Left " /* leaves the message, so that the arrows move the pin */
                   "-~graph-step= Escape");
    script_move(s, graph_node(s, 4));
    script_play(s, "Space ~graph-step=meet ~pin=4, Space");
    for (int frame = 0; frame < 40; frame++)
        script_wait(s, 0.1);
    assert_true(script_state_has(s, "graph-step=meet")); /* stopped */
    script_end(s);
    graph_open(s, "pin=9,2&graph-step=sum");
    assert_non_null(drawn_text(&s->list, "What arrives", 0));
}

TEST_IN(hovering_a_token_names_what_it_reads_and_who_reads_it, graph_open, "mask=causal&heads=2") {
    script_move(s, graph_node(s, 3));
    script_play(s, "{reads} {is read by} {N(3), open to*}");
}

TEST_IN(a_node_is_dragged_and_put_back, graph_open, "graph-layout=circle") {
    Vec2 before = graph_node(s, 4), to = {before.x - 150, before.y + 40};
    script_drag(s, before, to);
    Vec2 after = graph_node(s, 4);
    assert_true(fabsf(after.x - to.x) < 6 && fabsf(after.y - to.y) < 6);
    assert_null(strstr(script_state(s), "pin"));
    script_double_click(s, (Vec2){470, 320});
    after = graph_node(s, 4);
    assert_true(fabsf(after.x - before.x) < 2 && fabsf(after.y - before.y) < 2);
}

/* Return the start of the band around the ring, found by its unique width. */
static Vec2 band(const Script *s) {
    for (size_t i = 0; i < s->list.command_count; i++) {
        const DrawCommand *c = &s->list.commands[i];
        if (c->kind == DRAW_CURVE && c->as.curve.width_from > 60)
            return c->as.curve.from;
    }
    fail_msg("there is no band");
    return (Vec2){0, 0};
}

/* The neighbourhood of a token is a band on the ring, after any token was dragged away. */
TEST_IN(the_band_stays_on_the_ring, graph_open, "graph-layout=circle&focus=nothing") {
    script_move(s, graph_node(s, 4));
    Vec2 before = band(s), from = graph_node(s, 1), to = {from.x + 60, from.y + 120};
    script_drag(s, from, to);
    script_move(s, graph_node(s, 4));
    Vec2 after = band(s);
    assert_true(hypotf(after.x - before.x, after.y - before.y) < 1);
}

/* Back to its place like any other change of the layout, from where it was seen. */
TEST_IN(what_is_put_back_moves_there, script_begin_moving,
        "view=graph&graph-layout=circle&focus=nothing", GRAPH_W, GRAPH_H) {
    Vec2 before = graph_node(s, 4), to = {before.x - 150, before.y + 40};
    script_drag(s, before, to);
    script_wheel(s, to, 1, 0);
    script_wait(s, 1);
    Vec2 dragged = graph_node(s, 4);
    script_double_click(s, (Vec2){470, 320});
    Vec2 at_first = graph_node(s, 4);
    assert_true(hypotf(at_first.x - dragged.x, at_first.y - dragged.y) < 8);
    script_wait(s, 0.06);
    Vec2 midway = graph_node(s, 4);
    assert_true(hypotf(midway.x - dragged.x, midway.y - dragged.y) > 8);
    assert_true(hypotf(midway.x - before.x, midway.y - before.y) > 8);
    script_wait(s, 0.3);
    Vec2 after = graph_node(s, 4);
    assert_true(hypotf(after.x - before.x, after.y - before.y) < 2);
}

/* Find the names of tokens outside the chips and the inspector. */
static int names(const Script *s, Vec2 *out, const char *const *words, int count) {
    int found = 0;
    Rect view = s->app->layout.view;
    for (int i = 0; i < count; i++)
        for (int nth = 0;; nth++) {
            const DrawCommand *c = drawn_text(&s->list, words[i], nth);
            if (c == NULL)
                break;
            Vec2 at = c->as.text.at;
            if (rect_contains(view, at) && c->as.text.font == FONT_SANS)
                out[found++] = at;
        }
    return found;
}

TEST(no_name_moves_while_others_are_hovered_or_dragged) {
    static const char *const words[] = {"did", "because", "too"}; /* 3, 8 and 11 */
    for (int layout = 0; layout < GRAPH_LAYOUTS.count; layout++) {
        bool moves = layout == GRAPH_FORCE; /* the others make room for what is dragged */
        Vec2 before[8], after[8];
        SCRIPT(s, graph_open,
               PRINT("focus=nothing&graph-layout=%s", registry_entry(&GRAPH_LAYOUTS, layout)->id));
        Vec2 from = graph_node(&s, 5);
        int count = names(&s, before, words, 3);
        assert_true(count >= 3);
        script_move(&s, from);
        assert_int_equal(names(&s, after, words, 3), count);
        assert_memory_equal(before, after, sizeof *before * (size_t)count);
        script_press(&s, from, 0, 1);
        for (int i = 1; i <= 6 && !moves; i++) {
            script_move(&s, (Vec2){from.x + 8 * (float)i, from.y + 2 * (float)i});
            assert_int_equal(names(&s, after, words, 3), count);
            assert_memory_equal(before, after, sizeof *before * (size_t)count);
        }
    }
}

TEST_IN(what_is_dragged_is_pinned_and_others_make_room, graph_open,
        "graph-layout=force&mask=causal&focus=nothing") {
    Vec2 at = graph_node(s, 5), to = graph_node(s, 8), other = to;
    script_drag(s, at, (Vec2){to.x + 6, to.y});
    Vec2 now = graph_node(s, 5), beside = graph_node(s, 8);
    assert_true(hypotf(now.x - to.x - 6, now.y - to.y) < 2);
    assert_true(hypotf(beside.x - other.x, beside.y - other.y) > 10);
}

TEST_IN(the_wheel_zooms_at_the_pointer, graph_open, "graph-layout=circle") {
    Vec2 before = graph_node(s, 4), other = graph_node(s, 6);
    script_wheel(s, before, 2, 0);
    Vec2 after = graph_node(s, 4), moved = graph_node(s, 6);
    assert_true(fabsf(after.x - before.x) < 2 && fabsf(after.y - before.y) < 2);
    assert_true(hypotf(moved.x - after.x, moved.y - after.y) >
                1.2f * hypotf(other.x - before.x, other.y - before.y));
}

/* The pointer rests on an edge while the text loses the tokens at its ends. */
TEST(a_lit_edge_may_go_with_its_tokens) {
    for (int layout = 0; layout < GRAPH_LAYOUTS.count; layout++) {
        SCRIPT(s, graph_open,
               PRINT("graph-layout=%s&text=a%%20b%%20c%%20d%%20e&edges=16",
                     registry_entry(&GRAPH_LAYOUTS, layout)->id));
        for (int i = 0; i < 400; i++) { /* all over the picture */
            script_move(&s, (Vec2){500 + 40 * (float)(i % 20), 240 + 30 * (float)(i / 20)});
            if (drawn_text(&s.list, "Hovered", 0) == NULL)
                continue;
            script_keys(&s, "Ctrl+L Ctrl+A 'x' Ctrl+A 'a b c d e' Escape");
        }
    }
}

/* Read the pill of a rescaled edge, "0.5 · A 0.3". False if there is none. */
static bool read_pill(const Script *s, float *drawn, float *own) {
    for (size_t i = 0; i < s->list.command_count; i++)
        if (sscanf(drawn_words(&s->list, i), "%f · A %f", drawn, own) == 2)
            return true;
    return false;
}

/* It shows both: the drawn share of the row's remaining sum, and the weight. */
TEST_IN(a_hovered_edge_says_what_is_drawn, graph_open,
        "focus=nothing&edges=16&graph-self=hidden&graph-rest=renormalised") {
    int seen = 0;
    for (int i = 0; i < 600; i++) {
        float drawn, own;
        script_move(s, (Vec2){560 + 20 * (float)(i % 30), 260 + 30 * (float)(i / 30)});
        AttnCell lit = s->app->hover.lit;
        if (!attn_cell_is_set(lit) || lit.query == lit.key)
            continue;
        Mat weights = results_weights(&s->app->run, 0, lit.head);
        const float *row = mat_row(&weights, lit.query);
        assert_true(read_pill(s, &drawn, &own));
        assert_true(own == row[lit.key]);
        assert_true(fabsf(drawn * (1 - row[lit.query]) - own) < 1e-5f);
        seen++;
    }
    assert_true(seen > 20);
}
