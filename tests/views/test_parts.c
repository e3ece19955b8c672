/* Parts of the picture: every listed one is drawn, every drawn one is listed, and addresses lead
 * inside. */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "draw/part.h"
#include "shell/assets.h"
#include "support/measure.h"
#include "support/script.h"
#include "support/test.h"
#include "views/parts.h"
#include "views/view.h"

static Rect place(const Script *s, const char *id, const char *address) {
    Rect rect = {0};
    if (!part_address(&rect, &s->list, script_part(s, id), address, strlen(address)))
        fail_msg("%s has no %s", id, address);
    return rect;
}

/* Begin with the row's state, and with a model for the parts that only models have. */
static void begin_part(Script *s, const PartRow *row) {
    bool has_model =
        strcmp(row->entry.id, "heads.layers") == 0 || strcmp(row->entry.id, "heads.next") == 0;
    setenv("HEADLIGHT_ASSETS", "assets", 0);
    script_begin_given(s, PRINT("%s%s", has_model ? "weights=trained:induction&" : "", row->state),
                       &(AppResources){.load_weights = assets_weights, .still = true});
}

TEST(every_listed_part_is_drawn) {
    for (int i = 0; i < PART_REGISTRY.count; i++) {
        SCRIPT(s, begin_part, &PARTS[i]);
        const DrawPart *part = script_part(&s, PARTS[i].entry.id);
        assert_true(part->rect.w > 8 && part->rect.h > 8);
        char addresses[64];
        strncpy(addresses, PARTS[i].entry.formula, sizeof addresses - 1);
        addresses[sizeof addresses - 1] = '\0';
        for (char *word = strtok(addresses, " "); word != NULL; word = strtok(NULL, " "))
            place(&s, PARTS[i].entry.id, word);
    }
}

static void check_drawn(const char *state) {
    SCRIPT(s, script_begin, state, 1440, 900);
    for (size_t i = 0; i < s.list.part_count; i++) {
        const DrawPart *part = &s.list.parts[i];
        if (strstr(part->id, ".token.") == NULL && part_row(part->id, strlen(part->id)) < 0)
            fail_msg("%s is drawn but not listed", part->id);
        if (part_find(&s.list, part->id, strlen(part->id)) != part)
            fail_msg("%s is drawn twice", part->id);
        assert_true(part->rect.x >= 0 && part->rect.y >= 0 && part->rect.w > 0);
    }
}

TEST(every_drawn_part_is_listed) {
    for (int view = 0; view < VIEW_REGISTRY.count; view++) {
        char text[64] = "view=";
        strcat(text, VIEWS[view].entry.id);
        check_drawn(text);
        check_drawn(strcat(text, "&heads=16"));
    }
    check_drawn("view=heads&beside=normal");
    check_drawn("view=graph&graph-layout=layered&beside=normal");
}

static bool has_words(const DrawList *list, Rect rect, const char *words) {
    const DrawCommand *c;
    for (int nth = 0; (c = drawn_text(list, words, nth)) != NULL; nth++) {
        const DrawText *t = &c->as.text;
        float width = measure_width(NULL, t->font, t->size, words, strlen(words));
        if (rect_contains(rect, t->at) &&
            rect_contains(rect, (Vec2){t->at.x + cosf(t->angle_rad) * width,
                                       t->at.y + sinf(t->angle_rad) * width}))
            return true;
    }
    return false;
}

TEST(the_graph_has_all_of_its_names) {
    static const char *const states[] = {
        "view=graph&text=understandings%20of%20reconstruction",
        "view=graph&graph-layout=bipartite&text=of%20reconstruction%20understandings",
        "view=graph&ui-scale=2&pin=2,1&text=of%20reconstruction%20understandings"};
    for (size_t i = 0; i < ARRAY_COUNT(states); i++) {
        SCRIPT(s, script_begin, states[i], 1920, 1080);
        Rect all = script_part(&s, "graph.picture")->rect;
        if (!has_words(&s.list, all, "understandings") ||
            !has_words(&s.list, all, "reconstruction"))
            fail_msg("%s: a name reaches out of the graph", states[i]);
    }
}

TEST_IN(an_address_leads_to_its_cell, script_begin, "view=heads&wall=one&pin=9,2", 1440, 900) {
    Rect cell = place(s, "heads.matrix.1", "cell(9,2)");
    Rect row = place(s, "heads.matrix.1", "row(9)");
    Rect column = place(s, "heads.matrix.1", "column(2)");
    assert_true(rect_equal(cell, rect_intersect(row, column)));
    script_move(s, rect_centre(cell));
    assert_non_null(strstr(script_state(s), "pin=9,2"));
    script_click(s, rect_centre(place(s, "heads.matrix.1", "cell(3,4)")));
    assert_non_null(strstr(script_state(s), "pin=3,4"));
    Rect edge = place(s, "heads.graph", "edge(9,2)");
    assert_true(edge.h > 7 * place(s, "heads.graph", "token(9)").h);
}

TEST(a_wrong_address_is_refused) {
    static const char *const wrong[] = {"cell(0,1)",  "cell(13,1)", "cell(1)",      "cell(9,2) ",
                                        "row(13)",    "row(-1)",    "row(9",        "",
                                        "column(99)", "token(13)",  "edge(1,2,3)",  "pixel(1,1)",
                                        "cell",       "step(12)",   "row(9999999)", "row()"};
    SCRIPT(s, script_begin, "view=heads", 1440, 900);
    const DrawPart *part = script_part(&s, "heads.matrix.1");
    Rect rect;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (part_address(&rect, &s.list, part, wrong[i], strlen(wrong[i])))
            fail_msg("“%s” is taken", wrong[i]);
    part = script_part(&s, "window.text");
    assert_false(part_address(&rect, &s.list, part, "row(1)", 6));
    assert_null(part_find(&s.list, "heads.matrix", 12));
}

TEST_IN(a_permuted_matrix_has_no_addresses, script_begin, "view=heads&order=weight", 1440, 900) {
    Rect rect;
    assert_false(part_address(&rect, &s->list, script_part(s, "heads.matrix.1"), "row(1)", 6));
}
