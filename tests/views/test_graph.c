/* The Graph view: every layout, filter and extreme. */
#include <math.h>
#include <string.h>

#include "app/app_state.h"
#include "base/util.h"
#include "support/graph.h"
#include "support/test.h"
#include "views/graph/graph.h"
#include "views/shared/edges.h"

#define ARC "view=graph&graph-layout=arc&graph-nodes=plain"

TEST_IN(space_plays_what_the_inspector_shows, script_begin, "view=graph", 1440, 900) {
    ViewContext context = *app_context(s->app);
    int strongest = view_rest(&context).query;
    script_play(s, "Space |");
    assert_non_null(strstr(script_state(s), "graph-step=meet"));
    context = *app_context(s->app);
    assert_int_equal(view_pin(&context).query, strongest);
}

static const DrawText *slanted(const Script *s, int n) {
    for (size_t i = 0; i < s->list.command_count; i++)
        if (s->list.commands[i].kind == DRAW_TEXT && s->list.commands[i].as.text.angle_rad > 0.7f &&
            n-- == 0)
            return &s->list.commands[i].as.text;
    return NULL;
}

/* Loops of an arc are above the nodes, names below. */
TEST(names_below_an_arc_do_not_move_aside_for_loops) {
    SCRIPT(with, script_begin_typical, ARC "&graph-self=shown", 1366, 768);
    SCRIPT(without, script_begin_typical, ARC "&graph-self=hidden", 1366, 768);
    int count = 0;
    for (const DrawText *a; (a = slanted(&with, count)) != NULL; count++) {
        const DrawText *b = slanted(&without, count);
        assert_non_null(b);
        assert_float_equal(a->at.x, b->at.x, 1e-3);
        assert_float_equal(a->at.y, b->at.y, 1e-3);
    }
    assert_true(count >= 8);
}

/* In the step Sum, values crowd near the query; none of them is beyond it. */
TEST_IN(values_stay_between_the_columns, script_begin_typical,
        "view=graph&graph-layout=bipartite&graph-step=sum&pin=9,2", 1366, 768) {
    float query = rect_centre(script_part(s, "graph.picture.token.9")->rect).x;
    int count = 0;
    for (size_t i = 0; i < s->list.command_count; i++) {
        const DrawText *t = &s->list.commands[i].as.text;
        if (s->list.commands[i].kind != DRAW_TEXT || t->text_bytes != 3 ||
            s->list.text[t->text_at] != '.')
            continue;
        assert_true(t->at.x > query);
        count++;
    }
    assert_true(count >= 10);
}

TEST(every_choice_draws_without_a_fault) {
    static const char *const texts[] = {"one", "same same", "the animal was too tired to cross"};
    static const char *const more[] = {
        "",
        "&mask=causal&pin=2,1",
        "&graph-heads=all",
        "&graph-filter=top&edges=2&graph-flow=flow",
        "&graph-filter=above&graph-above=0.3&graph-nodes=pagerank",
        "&graph-self=hidden&graph-first=hidden&graph-rest=renormalised",
        "&init=zeros&graph-nodes=plain",
        "&init=normal&temperature=0.01"};
    for (int layout = 0; layout < GRAPH_LAYOUTS.count; layout++)
        for (int value = 0; value < GRAPH_VALUES.count; value++)
            for (size_t t = 0; t < ARRAY_COUNT(texts); t++)
                for (size_t m = 0; m < ARRAY_COUNT(more); m++) {
                    if (t == 0 && strstr(more[m], "pin") != NULL)
                        continue;
                    SCRIPT(s, script_begin,
                           PRINT("view=graph&graph-layout=%s&graph-value=%s&text=%s%s",
                                 registry_entry(&GRAPH_LAYOUTS, layout)->id,
                                 registry_entry(&GRAPH_VALUES, value)->id, texts[t], more[m]),
                           1440, 900);
                    uint64_t hash = draw_hash(&s.list);
                    script_frame(&s);
                    assert_true(hash == draw_hash(&s.list));
                }
}

/* The box of the first text that begins so. */
static Rect box(const Script *s, const char *words) {
    const DrawCommand *text = drawn_beginning(&s->list, words);
    assert_non_null(text);
    Vec2 middle = drawn_middle(&s->list, text);
    float w = 2 * (middle.x - text->as.text.at.x);
    return (Rect){text->as.text.at.x, middle.y - 12, w, 24};
}

TEST(names_keep_out_of_the_panels) {
    static const char *const first[] = {"cross", "unbelievable"};
    static const char *const more[] = {
        "init=zeros&text=the animal did n't cross the street because it was too tired",
        "text=a of the very unbelievable thing keeps all exceptionally busy with it"};
    for (size_t i = 0; i < ARRAY_COUNT(more); i++) {
        SCRIPT(s, graph_open, more[i]);
        script_size(&s, 1920, 1080);
        DrawList *list = &s.list;
        Rect panel = box(&s, "arrows point");
        int found = 0;
        for (int nth = 0; drawn_text(list, first[i], nth) != NULL; nth++, found++) {
            const DrawCommand *text = drawn_text(list, first[i], nth);
            Vec2 middle = drawn_middle(list, text);
            float half = middle.x - text->as.text.at.x;
            assert_true(middle.x + half < panel.x || middle.y < panel.y - 60 ||
                        middle.x - half > rect_right(panel));
        }
        assert_true(found > 1); /* the chip and the node */
    }
}

#define LOOP_MIDDLE 10 /* px from the edge of a node's part to the middle of its loop */

/* A pinned token's name on a fill is not on its own loop, however low the window is. */
TEST(a_name_is_clear_of_its_loop) {
    static const float heights[] = {640, 768, 900, 1080};
    for (size_t h = 0; h < ARRAY_COUNT(heights); h++)
        for (int token = 1; token <= 12; token++) {
            Rect node = {0};
            Vec2 middle = {0, 0};
            const char *line = PRINT(
                "view=graph&graph-layout=circle&heads=1&init=identity&pin=%d,%d", token, token);
            SCRIPT(s, script_begin, line, 1366, heights[h]);
            for (int i = 1; i <= 12; i++) {
                Rect at = script_part(&s, PRINT("graph.picture.token.%d", i))->rect;
                middle.x += rect_centre(at).x / 12;
                middle.y += rect_centre(at).y / 12;
                node = i == token ? at : node;
            }
            Vec2 at = rect_centre(node), out = {at.x - middle.x, at.y - middle.y};
            float away = (node.w / 2 + LOOP_MIDDLE) / hypotf(out.x, out.y);
            Vec2 loop = {at.x + out.x * away, at.y + out.y * away};
            if (drawn_fill_at(&s.list, s.app->ui.theme->fill, loop))
                fail_msg("%s at %.0f: the loop is under its name", line, (double)heights[h]);
        }
}

/* Return the middle of the last text like this: of the picture, not of the sentence above. */
static Vec2 last_text(const Script *s, const char *text) {
    const DrawCommand *last = NULL, *found;
    for (int i = 0; (found = drawn_text(&s->list, text, i)) != NULL; i++)
        last = found;
    assert_non_null(last);
    return drawn_middle(&s->list, last);
}

/* Inside the ring, where the token's edges fan out, the value would be that of another edge. */
TEST(a_loops_value_is_next_to_its_loop) {
    for (int token = 6; token <= 12; token++) {
        SCRIPT(s, script_begin_typical,
               PRINT("view=graph&graph-filter=top&edges=5&pin=%d,%d&set=S1(%d,%d)=3", token, token,
                     token, token),
               1366, 768);
        Mat A = results_weights(&s.app->run, 0, 0);
        Vec2 value = last_text(&s, FIXED(mat_row(&A, token - 1)[token - 1], 2) + 1);
        Vec2 node = last_text(&s, PRINT("%d", token)), middle = {0, 0};
        for (int i = 1; i <= 12; i++) {
            Vec2 at = last_text(&s, PRINT("%d", i));
            middle = (Vec2){middle.x + at.x / 12, middle.y + at.y / 12};
        }
        double out = hypot((double)(value.x - middle.x), (double)(value.y - middle.y));
        if (out < hypot((double)(node.x - middle.x), (double)(node.y - middle.y)))
            fail_msg("token %d: the value of its loop is inside the ring", token);
    }
}

TEST(every_control_can_be_clicked) {
    static const char *const words[][2] = {
        {"Flow", "graph-flow=flow"},       {"PageRank", "graph-nodes=pagerank"},
        {"Plain", "graph-nodes=plain"},    {"Above", "graph-filter=above"},
        {"Self", "graph-self=hidden"},     {"All", "graph-heads=all"},
        {"Scores S", "graph-value=scores"}};
    for (int layout = 0; layout < GRAPH_LAYOUTS.count; layout++)
        for (size_t i = 0; i < ARRAY_COUNT(words); i++) {
            const char *id = registry_entry(&GRAPH_LAYOUTS, layout)->id;
            SCRIPT(s, graph_open, PRINT("graph-layout=%s&depth=2", id));
            script_size(&s, 1920, 1080);
            if (drawn_text(&s.list, words[i][0], 0) != NULL) {
                script_click_text(&s, words[i][0], 0);
                assert_non_null(strstr(script_state(&s), words[i][1]));
            } else {
                assert_int_equal(layout, GRAPH_LAYERED); /* nodes of one size, weights alone */
            }
        }
}

TEST_IN(another_layout_moves_the_nodes, graph_open, "graph-layout=circle") {
    Vec2 before = graph_node(s, 4);
    script_click_text(s, "Bipartite", 0);
    Vec2 after = graph_node(s, 4);
    assert_true(hypotf(after.x - before.x, after.y - before.y) > 50);
    assert_non_null(strstr(script_state(s), "graph-layout=bipartite"));
}

TEST_IN(a_thousand_tokens_keep_the_strongest_edges_and_say_so, script_begin,
        script_with_words("view=graph&d-model=16&heads=2&text=", 1024, 90), 1920, 1080) {
    assert_non_null(drawn_beginning(&s->list, "5,000 strongest of"));
}

/* Each filter's words about the edges, in the order of EDGE_FILTERS; state NULL: a thousand words.
 */
static const struct {
    const char *state, *says[3];
} EXTREMES[] = {
    {"text=alone",
     {"1 of 1 edge, 100 % of all weight", "1 of 1 edge, 100 % of all weight",
      "1 of 1 edge, 100 % of all weight"}},
    {"text=same%20same&positions=none",
     {"4 of 4 edges, 100 % of all weight", "4 of 4 edges, 100 % of all weight",
      "4 of 4 edges, 100 % of all weight"}},
    {"close=1..3-1..3&text=a%20b%20c",
     {"no key is open: no edges", "no key is open: no edges", "no key is open: no edges"}},
    {"close=1-1&mask=causal&text=a%20b%20c",
     {"5 of 5 edges, 100 % of all weight", "5 of 5 edges, 100 % of all weight",
      "4 of 5 edges, 94 % of all weight"}},
    {"init=normal&temperature=0.01&text=a%20b%20c%20d",
     {"4 of 4 edges, 100 % of all weight", "4 of 4 edges, 100 % of all weight",
      "4 of 4 edges, 100 % of all weight"}},
    {"init=zeros&text=a%20b%20c%20d",
     {"12 of 16 edges, 75 %", "16 of 16 edges, 100 %", "16 of 16 edges, 100 %"}},
    {NULL,
     {"3,072 of 1,048,576 edges, 6 %", "285 of 1,048,576 edges, 2 %",
      "5,000 strongest of 1,048,576 edges, 12 %"}}};

TEST(every_filter_counts_its_edges_in_every_layout) {
    assert_int_equal(EDGE_FILTERS.count, ARRAY_COUNT(EXTREMES[0].says));
    for (int layout = 0; layout < GRAPH_LAYOUTS.count; layout++)
        for (int filter = 0; filter < EDGE_FILTERS.count; filter++)
            for (size_t i = 0; i < ARRAY_COUNT(EXTREMES); i++) {
                const char *given = EXTREMES[i].state;
                const char *line = PRINT("view=graph&graph-layout=%s&graph-filter=%s&%s",
                                         registry_entry(&GRAPH_LAYOUTS, layout)->id,
                                         registry_entry(&EDGE_FILTERS, filter)->id,
                                         given != NULL ? given : "d-model=8&heads=2&text=");
                SCRIPT(s, script_begin, given != NULL ? line : script_with_words(line, 1024, 37),
                       GRAPH_W, GRAPH_H);
                if (drawn_text(&s.list, EXTREMES[i].says[filter], 0) == NULL)
                    fail_msg("%s: no “%s”", line, EXTREMES[i].says[filter]);
            }
}
