/* The Graph view: every layout, filter and extreme, and what the pointer does in it. */
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
#include "support/script.h"
#include "views/graph_data.h"

#define W 1728
#define H 1080

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

static void open_graph(Script *s, const char *more) {
    char line[256];
    snprintf(line, sizeof line, "view=graph&%s", more);
    script_begin(s, line, W, H);
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
        open_graph(&s, more[i]);
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
            open_graph(&s, line);
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

/* The middle of the node of that number. */
static Vec2 node(const Script *s, int number) {
    char text[12];
    snprintf(text, sizeof text, "%d", number);
    for (int nth = 0;; nth++) {
        const DrawCommand *c = drawn_text(&s->list, text, nth);
        assert_non_null(c);
        Vec2 at = drawn_middle(&s->list, c);
        if (at.y > 160 && at.x > 400 && at.x < 1150) /* not a chip, nor in the inspector */
            return at;
    }
}

static void a_click_walks_the_message_passing(void **state) {
    (void)state;
    Script s;
    open_graph(&s, "mask=causal");
    assert_null(drawn_text(&s.list, "Meet", 0));
    Vec2 at = node(&s, 9);
    script_click(&s, at);
    assert_non_null(strstr(script_state(&s), "pin=9,"));
    assert_non_null(drawn_beginning(&s.list, "Its query meets")); /* with the pointer on it */
    assert_non_null(drawn_text(&s.list, "9 open keys", 0));
    script_move(&s, node(&s, 3));
    assert_null(drawn_beginning(&s.list, "Its query meets"));
    script_move(&s, (Vec2){50, 700});
    assert_non_null(drawn_beginning(&s.list, "Its query meets"));
    script_click_text(&s, "Sum", 0);
    assert_non_null(drawn_text(&s.list, "What arrives", 0));
    script_click_text(&s, "Meet", 0);
    script_click(&s, at);
    script_move(&s, (Vec2){50, 700});
    assert_non_null(drawn_beginning(&s.list, "The scores become weights"));
    assert_non_null(drawn_beginning(&s.list, "they sum to "));
    script_click(&s, at);
    script_move(&s, (Vec2){50, 700});
    assert_non_null(drawn_text(&s.list, "What arrives", 0));
    script_click(&s, at);
    script_move(&s, (Vec2){50, 700});
    assert_null(drawn_text(&s.list, "Meet", 0));
    script_end(&s);
}

static void hovering_a_token_names_what_it_reads_and_who_reads_it(void **state) {
    (void)state;
    Script s;
    open_graph(&s, "mask=causal&heads=2");
    script_move(&s, node(&s, 3));
    assert_non_null(drawn_text(&s.list, "reads", 0));
    assert_non_null(drawn_text(&s.list, "is read by", 0));
    assert_non_null(drawn_beginning(&s.list, "N(3), open to"));
    script_end(&s);
}

static void a_node_is_dragged_and_put_back(void **state) {
    (void)state;
    Script s;
    open_graph(&s, "graph-layout=circle");
    Vec2 before = node(&s, 4), to = {before.x - 150, before.y + 40};
    script_press(&s, before, 0, 1);
    script_move(&s, to);
    script_release(&s, to, 0);
    Vec2 after = node(&s, 4);
    assert_true(fabsf(after.x - to.x) < 6 && fabsf(after.y - to.y) < 6);
    assert_null(strstr(script_state(&s), "pin"));
    script_double_click(&s, (Vec2){470, 260});
    after = node(&s, 4);
    assert_true(fabsf(after.x - before.x) < 2 && fabsf(after.y - before.y) < 2);
    script_end(&s);
}

/* Back to its place like any other change of the layout, from where it was seen. */
static void what_is_put_back_moves_there(void **state) {
    (void)state;
    Script s;
    script_begin_moving(&s, "view=graph&graph-layout=circle&focus=nothing", W, H);
    Vec2 before = node(&s, 4), to = {before.x - 150, before.y + 40};
    script_press(&s, before, 0, 1);
    script_move(&s, to);
    script_release(&s, to, 0);
    script_wheel(&s, to, 1, 0);
    s.time_s += 1;
    script_frame(&s);
    Vec2 dragged = node(&s, 4);
    script_double_click(&s, (Vec2){470, 260});
    Vec2 at_first = node(&s, 4);
    assert_true(hypotf(at_first.x - dragged.x, at_first.y - dragged.y) < 8);
    s.time_s += 0.06;
    script_frame(&s);
    Vec2 midway = node(&s, 4);
    assert_true(hypotf(midway.x - dragged.x, midway.y - dragged.y) > 8);
    assert_true(hypotf(midway.x - before.x, midway.y - before.y) > 8);
    s.time_s += 0.3;
    script_frame(&s);
    Vec2 after = node(&s, 4);
    assert_true(hypotf(after.x - before.x, after.y - before.y) < 2);
    script_end(&s);
}

/* Where the names of tokens stand that are not in the chips or the inspector. */
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

static void no_name_moves_while_others_are_hovered_or_dragged(void **state) {
    (void)state;
    static const char *const words[] = {"did", "because", "too"}; /* 3, 8 and 11 */
    for (int layout = 0; layout < GRAPH_LAYOUTS.count; layout++) {
        bool moves = layout == GRAPH_FORCE; /* the others make room for what is dragged */
        char line[64];
        Script s;
        Vec2 before[8], after[8];
        snprintf(line, sizeof line, "focus=nothing&graph-layout=%s",
                 registry_entry(&GRAPH_LAYOUTS, layout)->id);
        open_graph(&s, line);
        Vec2 from = node(&s, 5);
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
        script_end(&s);
    }
}

/* In the places by force a node that is dragged is pinned there, and others make room. */
static void what_is_dragged_is_pinned_and_others_make_room(void **state) {
    (void)state;
    Script s;
    open_graph(&s, "graph-layout=force&mask=causal&focus=nothing");
    Vec2 at = node(&s, 5), to = node(&s, 8), other = to;
    script_press(&s, at, 0, 1);
    script_move(&s, (Vec2){to.x + 6, to.y});
    script_release(&s, (Vec2){to.x + 6, to.y}, 0);
    Vec2 now = node(&s, 5), beside = node(&s, 8);
    assert_true(hypotf(now.x - to.x - 6, now.y - to.y) < 2);
    assert_true(hypotf(beside.x - other.x, beside.y - other.y) > 10);
    script_end(&s);
}

static void the_wheel_zooms_at_the_pointer(void **state) {
    (void)state;
    Script s;
    open_graph(&s, "graph-layout=circle");
    Vec2 before = node(&s, 4), other = node(&s, 6);
    script_wheel(&s, before, 2, 0);
    Vec2 after = node(&s, 4), moved = node(&s, 6);
    assert_true(fabsf(after.x - before.x) < 2 && fabsf(after.y - before.y) < 2);
    assert_true(hypotf(moved.x - after.x, moved.y - after.y) >
                1.2f * hypotf(other.x - before.x, other.y - before.y));
    script_end(&s);
}

/* The pointer rests on an edge while the text loses the tokens at its ends. */
static void a_lit_edge_may_go_with_its_tokens(void **state) {
    (void)state;
    for (int layout = 0; layout < GRAPH_LAYOUTS.count; layout++) {
        char line[128];
        Script s;
        snprintf(line, sizeof line, "graph-layout=%s&text=a%%20b%%20c%%20d%%20e&edges=16",
                 registry_entry(&GRAPH_LAYOUTS, layout)->id);
        open_graph(&s, line);
        for (int i = 0; i < 400; i++) { /* all over the picture */
            script_move(&s, (Vec2){500 + 40 * (float)(i % 20), 240 + 30 * (float)(i / 20)});
            if (drawn_text(&s.list, "Hovered", 0) == NULL)
                continue;
            script_key(&s, 'l', KEY_MOD_COMMAND);
            script_key(&s, 'a', KEY_MOD_COMMAND);
            script_type(&s, "x");
            script_key(&s, 'a', KEY_MOD_COMMAND);
            script_type(&s, "a b c d e");
            script_key(&s, KEY_ESCAPE, 0);
        }
        script_end(&s);
    }
}

/* Of the pill of a rescaled edge, "0.5 · A 0.3"; false where there is none. */
static bool read_pill(const Script *s, float *drawn, float *own) {
    for (size_t i = 0; i < s->list.command_count; i++) {
        const DrawText *text = &s->list.commands[i].as.text;
        char words[64];
        if (s->list.commands[i].kind != DRAW_TEXT || text->text_bytes >= sizeof words)
            continue;
        memcpy(words, s->list.text + text->text_at, text->text_bytes);
        words[text->text_bytes] = '\0';
        if (sscanf(words, "%f · A %f", drawn, own) == 2)
            return true;
    }
    return false;
}

/* Both are said: what is drawn, over the sum that is left of the row, and what the weight is. */
static void a_hovered_edge_says_what_is_drawn(void **state) {
    (void)state;
    Script s;
    open_graph(&s, "focus=nothing&edges=16&graph-self=hidden&graph-rest=renormalised");
    int seen = 0;
    for (int i = 0; i < 600; i++) {
        float drawn, own;
        script_move(&s, (Vec2){560 + 20 * (float)(i % 30), 260 + 30 * (float)(i / 30)});
        Spot lit = s.app->hover.lit;
        if (!spot_is_cell(lit) || lit.query == lit.key)
            continue;
        Mat weights = run_weights(&s.app->run, 0, lit.head);
        const float *row = mat_row(&weights, lit.query);
        assert_true(read_pill(&s, &drawn, &own));
        assert_true(own == row[lit.key]);
        assert_true(fabsf(drawn * (1 - row[lit.query]) - own) < 1e-5f);
        seen++;
    }
    assert_true(seen > 20);
    script_end(&s);
}

static void another_layout_moves_the_nodes(void **state) {
    (void)state;
    Script s;
    open_graph(&s, "graph-layout=circle");
    Vec2 before = node(&s, 4);
    script_click_text(&s, "Bipartite", 0);
    Vec2 after = node(&s, 4);
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
        check_picture("", id, line, W, H);
    }
    for (int i = 0; i < EDGE_FILTERS.count; i++) {
        const char *id = registry_entry(&EDGE_FILTERS, i)->id;
        snprintf(line, sizeof line,
                 "heads=2&graph-heads=all&graph-value=scores&text=a%%20b%%20c&graph-filter=%s", id);
        check_picture("filter_", id, line, W, H);
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
        check_picture("", EXTREMES[i][0], EXTREMES[i][1], W, H);
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
    script_begin(&s, all, W, H);
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
        cmocka_unit_test(a_click_walks_the_message_passing),
        cmocka_unit_test(hovering_a_token_names_what_it_reads_and_who_reads_it),
        cmocka_unit_test(a_node_is_dragged_and_put_back),
        cmocka_unit_test(what_is_put_back_moves_there),
        cmocka_unit_test(no_name_moves_while_others_are_hovered_or_dragged),
        cmocka_unit_test(what_is_dragged_is_pinned_and_others_make_room),
        cmocka_unit_test(the_wheel_zooms_at_the_pointer),
        cmocka_unit_test(a_lit_edge_may_go_with_its_tokens),
        cmocka_unit_test(a_hovered_edge_says_what_is_drawn),
        cmocka_unit_test(another_layout_moves_the_nodes),
        cmocka_unit_test(a_thousand_tokens_keep_the_strongest_edges_and_say_so),
        cmocka_unit_test(layouts_and_filters_are_the_reviewed_ones),
        cmocka_unit_test(extremes_are_the_reviewed_ones),
        cmocka_unit_test(all_that_there_is_together_is_as_reviewed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
