/* The Graph view: every layout, filter and extreme. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app_state.h"
#include "base/util.h"
#include "support/graph.h"
#include "views/graph/graph_data.h"

static void every_choice_draws_without_a_fault(void **state) {
    (void)state;
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
                    char line[512];
                    if (t == 0 && strstr(more[m], "pin") != NULL)
                        continue;
                    snprintf(line, sizeof line,
                             "view=graph&graph-layout=%s&graph-value=%s&text=%s%s",
                             registry_entry(&GRAPH_LAYOUTS, layout)->id,
                             registry_entry(&GRAPH_VALUES, value)->id, texts[t], more[m]);
                    Script s;
                    script_begin(&s, line, 1440, 900);
                    uint64_t hash = draw_hash(&s.list);
                    script_frame(&s);
                    assert_true(hash == draw_hash(&s.list));
                    script_end(&s);
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

static void names_keep_out_of_the_panels(void **state) {
    (void)state;
    static const char *const first[] = {"cross", "unbelievable"};
    static const char *const more[] = {
        "init=zeros&text=the animal did n't cross the street because it was too tired",
        "text=a of the very unbelievable thing keeps all exceptionally busy with it"};
    for (size_t i = 0; i < ARRAY_COUNT(more); i++) {
        Script s;
        graph_open(&s, more[i]);
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
        script_end(&s);
    }
}

/* Whatever stands beside the tokens or in their corners takes its clicks, not the ground. */
static void every_control_can_be_clicked(void **state) {
    (void)state;
    static const char *const words[][2] = {
        {"Flow", "graph-flow=flow"},       {"PageRank", "graph-nodes=pagerank"},
        {"Plain", "graph-nodes=plain"},    {"Above", "graph-filter=above"},
        {"Self", "graph-self=hidden"},     {"All", "graph-heads=all"},
        {"Scores S", "graph-value=scores"}};
    for (int layout = 0; layout < GRAPH_LAYOUTS.count; layout++)
        for (size_t i = 0; i < ARRAY_COUNT(words); i++) {
            char line[80];
            const char *id = registry_entry(&GRAPH_LAYOUTS, layout)->id;
            Script s;
            snprintf(line, sizeof line, "graph-layout=%s&depth=2", id);
            graph_open(&s, line);
            script_size(&s, 1920, 1080);
            if (drawn_text(&s.list, words[i][0], 0) != NULL) {
                script_click_text(&s, words[i][0], 0);
                assert_non_null(strstr(script_state(&s), words[i][1]));
            } else {
                assert_int_equal(layout, GRAPH_LAYERED); /* nodes of one size, weights alone */
            }
            script_end(&s);
        }
}

static void another_layout_moves_the_nodes(void **state) {
    (void)state;
    Script s;
    graph_open(&s, "graph-layout=circle");
    Vec2 before = graph_node(&s, 4);
    script_click_text(&s, "Bipartite", 0);
    Vec2 after = graph_node(&s, 4);
    assert_true(hypotf(after.x - before.x, after.y - before.y) > 50);
    assert_non_null(strstr(script_state(&s), "graph-layout=bipartite"));
    script_end(&s);
}

static void a_thousand_tokens_keep_the_strongest_edges_and_say_so(void **state) {
    (void)state;
    static char line[8192];
    size_t used = (size_t)snprintf(line, sizeof line, "view=graph&d-model=16&heads=2&text=");
    for (int i = 0; i < 1024; i++)
        used +=
            (size_t)snprintf(line + used, sizeof line - used, "%sw%d", i > 0 ? "%20" : "", i % 90);
    Script s;
    script_begin(&s, line, 1920, 1080);
    assert_non_null(drawn_beginning(&s.list, "5,000 strongest of"));
    script_end(&s);
}

static void check_picture(const char *kind, const char *id, const char *more, float w, float h) {
    Script s;
    char name[64];
    static char line[8192];
    snprintf(name, sizeof name, "graph_%s%s", kind, id);
    snprintf(line, sizeof line, "view=graph&%s", more);
    script_begin(&s, line, w, h);
    drawn_golden(&s.list, name);
    script_end(&s);
}

/* Every layout and every filter that there is, as files that are read as a diff. */
static void layouts_and_filters_are_the_reviewed_ones(void **state) {
    (void)state;
    char line[160];
    for (int i = 0; i < GRAPH_LAYOUTS.count; i++) {
        const char *id = registry_entry(&GRAPH_LAYOUTS, i)->id;
        /* Places by force amplify rounding: three tokens have little to amplify. */
        const char *text = i == GRAPH_FORCE ? "&text=a%20b%20c" : "";
        snprintf(line, sizeof line, "mask=causal&pin=3,2&depth=3%s&graph-layout=%s", text, id);
        check_picture("", id, line, GRAPH_W, GRAPH_H);
    }
    for (int i = 0; i < EDGE_FILTERS.count; i++) {
        const char *id = registry_entry(&EDGE_FILTERS, i)->id;
        snprintf(line, sizeof line,
                 "heads=2&graph-heads=all&graph-value=scores&text=a%%20b%%20c&graph-filter=%s", id);
        check_picture("filter_", id, line, GRAPH_W, GRAPH_H);
    }
}

static const char *const EXTREMES[][2] = {
    {"one_token", "text=alone"},
    {"twins", "text=same%20same&positions=none"},
    {"closed", "close=1..3-1..3&text=a%20b%20c"},
    {"masked", "close=1-1&mask=causal&text=a%20b%20c"},
    {"sharp", "init=normal&temperature=0.01&text=a%20b%20c%20d"},
    {"uniform", "init=zeros&text=a%20b%20c%20d"}};

/* A thousand words, after what is said before them. */
static const char *many_words(const char *before) {
    static char many[8000];
    size_t used = (size_t)snprintf(many, sizeof many, "d-model=8&heads=2&%s&text=", before);
    for (int i = 0; i < 1024; i++)
        used +=
            (size_t)snprintf(many + used, sizeof many - used, "%sw%d", i > 0 ? "%20" : "", i % 37);
    return many;
}

static void extremes_are_the_reviewed_ones(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(EXTREMES); i++)
        check_picture("", EXTREMES[i][0], EXTREMES[i][1], GRAPH_W, GRAPH_H);
    check_picture("", "many", many_words("graph-filter=above&graph-above=0.05"), 640, 480);
}

/* How many edges there are and are shown, or why there are none. */
static const DrawCommand *share_line(const DrawList *list) {
    for (size_t i = 0; i < list->command_count; i++) {
        char words[200];
        const DrawText *text = &list->commands[i].as.text;
        if (list->commands[i].kind != DRAW_TEXT || text->text_bytes >= sizeof words)
            continue;
        memcpy(words, list->text + text->text_at, text->text_bytes);
        words[text->text_bytes] = '\0';
        if (strstr(words, " edge") != NULL && strstr(words, " %") != NULL)
            return &list->commands[i];
    }
    return drawn_beginning(list, "no key is open");
}

/* What a picture says of its edges, and how much it draws for them, as a line of text. */
static void sum_up(DrawList *table, const char *name, const char *state) {
    Script s;
    char line[512], all[9000];
    int triangles = 0; /* the arrows, and what else there is of them */
    snprintf(all, sizeof all, "view=graph&%s", state);
    script_begin(&s, all, GRAPH_W, GRAPH_H);
    for (size_t i = 0; i < s.list.command_count; i++)
        triangles += s.list.commands[i].kind == DRAW_TRIANGLE;
    const DrawCommand *share = share_line(&s.list);
    assert_non_null(share);
    snprintf(line, sizeof line, "%s: %.*s; %d triangles", name, (int)share->as.text.text_bytes,
             s.list.text + share->as.text.text_at, triangles);
    draw_text_run(table, &(DrawText){.size = 1}, line, strlen(line));
    script_end(&s);
}

/* Every extreme by every filter in every layout. */
static void all_that_there_is_together_is_as_reviewed(void **state) {
    (void)state;
    DrawList table = {0};
    draw_begin(&table, 1, 1, 1, 0);
    for (int layout = 0; layout < GRAPH_LAYOUTS.count; layout++)
        for (int filter = 0; filter < EDGE_FILTERS.count; filter++)
            for (size_t i = 0; i <= ARRAY_COUNT(EXTREMES); i++) {
                const char *of = registry_entry(&GRAPH_LAYOUTS, layout)->id;
                const char *by = registry_entry(&EDGE_FILTERS, filter)->id;
                bool is_many = i == ARRAY_COUNT(EXTREMES);
                char name[80], choice[120], line[300];
                snprintf(name, sizeof name, "%s, %s, %s", of, by,
                         is_many ? "many" : EXTREMES[i][0]);
                snprintf(choice, sizeof choice, "graph-layout=%s&graph-filter=%s", of, by);
                if (!is_many)
                    snprintf(line, sizeof line, "%s&%s", choice, EXTREMES[i][1]);
                sum_up(&table, name, is_many ? many_words(choice) : line);
            }
    draw_end(&table);
    drawn_golden(&table, "graph_all");
    draw_release(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_choice_draws_without_a_fault),
        cmocka_unit_test(names_keep_out_of_the_panels),
        cmocka_unit_test(every_control_can_be_clicked),
        cmocka_unit_test(another_layout_moves_the_nodes),
        cmocka_unit_test(a_thousand_tokens_keep_the_strongest_edges_and_say_so),
        cmocka_unit_test(layouts_and_filters_are_the_reviewed_ones),
        cmocka_unit_test(extremes_are_the_reviewed_ones),
        cmocka_unit_test(all_that_there_is_together_is_as_reviewed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
