/* Numbers of the layer are edited by hand in the window. */
#include <string.h>

#include "app/app_state.h"
#include "base/utf8.h"
#include "base/util.h"
#include "draw/part.h"
#include "support/opened.h"
#include "support/script.h"
#include "support/test.h"

#define STATE "view=heads&wall=one&pin=7,5"

static void type_number(Script *s, const char *number) {
    for (int i = 0; i < 12; i++)
        script_keys(s, "Backspace");
    script_type(s, number);
}

static void open_editor(Script *s, const char *state) {
    script_open(s, state);
    script_keys(s, "E");
}

/* The state string in force is that with this list of numbers. */
static void check_set(const Script *s, const char *set) {
    const char *state = script_state(s), *found = strstr(state, "set=");
    if (set[0] == '\0' && found != NULL)
        fail_msg("something is set in %s", state);
    if (set[0] == '\0')
        return;
    if (found == NULL || strncmp(found + 4, set, strlen(set)) != 0)
        fail_msg("%s is not set in %s", set, state);
}

TEST_IN(every_keystroke_is_applied_and_enter_keeps_it, open_editor, STATE) {
    type_number(s, "5");
    check_set(s, "S1(7,5)=5");
    script_type(s, ".5");
    check_set(s, "S1(7,5)=5.5");
    script_keys(s, "Enter");
    check_set(s, "S1(7,5)=5.5");
    script_keys(s, "Ctrl+Z");
    check_set(s, "");
}

/* The key opens the editor where the pinned cell is drawn, and the cell's row stays visible. */
TEST_IN(the_key_edits_at_the_cell, open_editor, STATE) {
    const NumberEditorMemory *m = &s->app->memory.editor;
    const DrawPart *matrix = part_find(&s->list, "heads.matrix.1", strlen("heads.matrix.1"));
    Rect cell;
    assert_non_null(matrix);
    assert_true(part_address(&cell, &s->list, matrix, "cell(7,5)", 9));
    assert_true(rect_equal(m->cell, cell));
    const DrawCommand *title = drawn_beginning(&s->list, "Score of ");
    assert_non_null(title);
    assert_true(title->as.text.at.y > rect_bottom(m->row) || title->as.text.at.y < m->row.y);
}

/* In the view of one head Escape unpins first, and then returns to all heads. */
TEST_IN(escape_unpins_before_it_leaves_the_head, script_open, STATE) {
    script_keys(s, "Escape");
    assert_true(strstr(script_state(s), "pin=") == NULL && script_state_has(s, "wall=one"));
    script_play(s, "Escape -~wall=one");
}

TEST_IN(escape_leaves_it_as_it_was, open_editor, STATE) {
    type_number(s, "-3");
    check_set(s, "S1(7,5)=-3");
    script_keys(s, "Escape");
    check_set(s, "");
}

TEST_IN(arrows_change_the_last_digit, open_editor, STATE) {
    type_number(s, "1.25");
    script_keys(s, "Up");
    check_set(s, "S1(7,5)=1.26");
    script_keys(s, "Down Down");
    check_set(s, "S1(7,5)=1.24");
}

TEST_IN(what_is_not_finite_is_refused, open_editor, STATE) {
    type_number(s, "2");
    type_number(s, "nan");
    check_set(s, "S1(7,5)=2");
    type_number(s, "9e99");
    check_set(s, "S1(7,5)=2");
    script_keys(s, "Escape");
    check_set(s, "");
}

static int outlines(const Script *s) {
    int count = 0;
    for (size_t i = 0; i < s->list.command_count; i++) {
        const DrawCommand *c = &s->list.commands[i];
        count += c->kind == DRAW_BOX && c->as.box.stroke == s->app->theme.text_3 &&
                 c->as.box.border == 1.5f;
    }
    return count;
}

/* While a score is edited, the row of A as it was is an outline, and the count is that of this edit
 * alone: one row, although X was edited before. */
TEST_IN(the_editor_shows_what_it_changes, script_open, "view=heads&wall=one&pin=7,5&set=X(3,1)=9") {
    int before = outlines(s);
    script_play(s, "E -{144 of 144 weights*}");
    type_number(s, "5");
    assert_true(script_says_first(s, "12 of 144 weights"));
    assert_int_equal(outlines(s), before + 12);
    script_keys(s, "Enter");
    assert_int_equal(outlines(s), before);
}

TEST_IN(numbers_stay_with_their_tokens, script_open, "text=a%20cat%20sat&set=X(3,1)=4;S1(2,3)=5") {
    script_keys(s, "Ctrl+L Home 'oh '");
    check_set(s, "X(4,1)=4;S1(3,4)=5");
    script_keys(s, "Ctrl+Z");
    check_set(s, "X(3,1)=4;S1(2,3)=5");
}

TEST_IN(the_editor_closes_if_its_head_is_gone, script_open,
        "view=heads&wall=one&heads=8&head=8&pin=7,5") {
    script_play(s, "E {*Enter keeps the new value*}");
    LOCAL(session_release) Session fewer = session_opened("heads=2");
    must(app_take(s->app, &fewer, app_settings(s->app), &told));
    script_play(s, "| -{*Enter keeps the new value*}");
}

TEST_IN(reset_takes_all_back, script_open, "view=heads&wall=one&set=X(3,1)=4;S1(2,3)=5") {
    script_click_text(s, "Reset all", 0);
    check_set(s, "");
    script_keys(s, "Ctrl+Z");
    check_set(s, "X(3,1)=4;S1(2,3)=5");
}

TEST_IN(a_row_is_set_to_zero, script_open, "text=a%20cat%20sat&wall=one&pin=2,3") {
    script_play(s, "E <Zero row>");
    check_set(s, "S1(2,1)=0;S1(2,2)=0;S1(2,3)=0");
}

/* A name that does not fit into the inspector has a brief form. */
TEST(the_list_names_every_number_in_full) {
    static const char *const sets[] = {"W_QK1(3,55)=4&form=merged",
                                       "S1(12,11)=2",
                                       "W_Q4(64,16)=-1",
                                       "X(12,64)=3",
                                       "W_O(64,64)=2",
                                       "sigma4(16)=0.5"};
    static const float sizes[][2] = {{1366, 768}, {1920, 1080}};
    for (size_t i = 0; i < ARRAY_COUNT(sets) * ARRAY_COUNT(sizes); i++) {
        LOCAL(script_end) Script s;
        const float *size = sizes[i % ARRAY_COUNT(sizes)];
        const char *string = PRINT("view=heads&wall=one&set=%s", sets[i / ARRAY_COUNT(sizes)]);
        script_begin_typical(&s, string, size[0], size[1]);
        const DrawCommand *title = drawn_text(&s.list, "Set by hand", 0);
        assert_non_null(title);
        for (size_t k = 0; k < s.list.command_count; k++) {
            const DrawText *t = &s.list.commands[k].as.text;
            const char *words = s.list.text + t->text_at;
            if (s.list.commands[k].kind == DRAW_TEXT && t->at.x >= title->as.text.at.x &&
                t->text_bytes >= 3 && memcmp(words + t->text_bytes - 3, "…", 3) == 0)
                fail_msg("%s: “%.*s” is cut", string, (int)t->text_bytes, words);
        }
    }
}

TEST(the_inspector_counts_what_changed) {
    static const struct {
        const char *set, *words;
    } cases[] = {{"S1(7,5)=5", "1 of 144 scores set by hand; 12 of 144"},
                 {"W_Q1(4,1)=9", "1 of 16,384 learned numbers set by hand; 144 of 144"}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        char string[160] = "view=heads&wall=one&set=";
        strcat(string, cases[i].set);
        SCRIPT(s, script_open, string);
        char words[4096] = "";
        for (size_t k = 0; k < s.list.command_count; k++) {
            const DrawCommand *c = &s.list.commands[k];
            if (c->kind == DRAW_TEXT && strlen(words) + c->as.text.text_bytes + 2 < sizeof words) {
                strncat(words, s.list.text + c->as.text.text_at, c->as.text.text_bytes);
                strcat(words, " ");
            }
        }
        if (strstr(words, cases[i].words) == NULL)
            fail_msg("%s: no “%s” in %s", cases[i].set, cases[i].words, words);
    }
}
