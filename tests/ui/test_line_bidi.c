#include <math.h>
#include <string.h>

#include "base/util.h"
#include "support/test.h"
#include "ui/field.h"
#include "ui/line_text.h"

/* Both directions, numbers, brackets and marks. Every code point is EM wide in these tests. */
static const char *const MIXED[] = {"the שלום cat",
                                    "שלום the עולם",
                                    "שלום 3.25 עולם",
                                    "a (שב) b",
                                    "ab \u05E9\u05C1 c",
                                    "سلام 12 hello",
                                    "שלום",
                                    "x שלום",
                                    "שלום x",
                                    "1 ש 2",
                                    "",
                                    "plain"};

static int graphemes(const char *text) {
    int count = 0;
    for (size_t at = 0, size = strlen(text); at < size; at = line_text_next(text, size, at))
        count++;
    return count;
}

static float caret_x(const Field *f) {
    return f->panel.ui.caret.x;
}

/* Step from one end of the line to the other, one grapheme a step, and back the same way. */
TEST(arrows_go_where_they_point) {
    for (size_t i = 0; i < ARRAY_COUNT(MIXED); i++) {
        FIELD(f, MIXED[i]);
        for (int k = 0; k < 50; k++)
            field_key(&f, KEY_LEFT, 0);
        int count = graphemes(MIXED[i]), steps = 0;
        float x[64] = {caret_x(&f)};
        for (; steps < 60; steps++) {
            field_key(&f, KEY_RIGHT, 0);
            if (caret_x(&f) <= x[steps])
                break;
            x[steps + 1] = caret_x(&f);
        }
        if (steps != count)
            fail_msg("“%s”: %d steps for %d graphemes", MIXED[i], steps, count);
        for (; steps > 0; steps--) {
            field_key(&f, KEY_LEFT, 0);
            assert_float_equal(caret_x(&f), x[steps - 1], 0.01f);
        }
    }
}

/* The caret moves next to the pointer. */
TEST(the_pointer_finds_what_is_seen) {
    for (size_t i = 0; i < ARRAY_COUNT(MIXED); i++) {
        FIELD(f, MIXED[i]);
        Rect all = {0};
        for (size_t k = 0; k < f.panel.list.command_count; k++) {
            const DrawText *text = &f.panel.list.commands[k].as.text;
            if (f.panel.list.commands[k].kind == DRAW_TEXT && (all.w == 0 || text->at.x < all.x))
                all = (Rect){text->at.x, 0, 1, 0};
        }
        size_t length;
        int points = 0;
        for (size_t at = 0; at < strlen(MIXED[i]); at += length, points++)
            length = line_text_next(MIXED[i], strlen(MIXED[i]), at) - at;
        for (float x = 1; x < (float)points * EM; x += 5) {
            panel_click(&f.panel, all.x + x, 120);
            if (fabsf(caret_x(&f) - all.x - x) > EM + 0.1f)
                fail_msg("“%s”: at %.0f the caret stands at %.0f", MIXED[i], (double)x,
                         (double)(caret_x(&f) - all.x));
        }
    }
}

TEST(a_line_from_right_to_left_stands_at_the_right) {
    FIELD(f, "שלום");
    assert_float_equal(caret_x(&f), LEFT + 600 - 4 * EM, 0.01f); /* after the last letter */
    field_key(&f, KEY_HOME, 0);
    assert_float_equal(caret_x(&f), LEFT + 600, 0.01f);
    const DrawText *text = &drawn_text(&f.panel.list, "שלום", 0)->as.text;
    assert_int_equal(text->direction, TEXT_RTL);
}

TEST(typing_goes_on_at_the_caret) {
    FIELD(f, "ab ");
    panel_keys(&f.panel, "'ש' 'ל'");
    field_check(&f, "ab של", 7, 7);
    assert_float_equal(caret_x(&f), LEFT + 3 * EM,
                       0.01f); /* to the left of the last typed letter */
    field_key(&f, KEY_BACKSPACE, 0);
    field_check(&f, "ab ש", 5, 5);
}

/* The boxes of the selection, from "b" to after the first Hebrew letter. */
TEST(a_selection_may_be_in_several_parts) {
    FIELD(f, "ab שלום cd");
    field_place(&f, 1, 5);
    panel_events(&f.panel, NULL, 0);
    int boxes = 0;
    float width = 0;
    for (size_t i = 0; i < f.panel.list.command_count; i++) {
        const DrawBox *box = &f.panel.list.commands[i].as.box;
        if (f.panel.list.commands[i].kind == DRAW_BOX && box->rect.h == FIELD_SIZE * 1.5f)
            boxes++, width += box->rect.w;
    }
    assert_int_equal(boxes, 2);
    assert_float_equal(width, 3 * EM, 0.01f);
}

TEST(words_are_moved_over_as_they_are_seen) {
    const char *text = "שלום עולם";
    FIELD(f, text);
    panel_keys(&f.panel, "Home Ctrl+Left");
    assert_int_equal(f.edit.caret, strlen("שלום "));
    field_key(&f, KEY_RIGHT, COMMAND);
    assert_int_equal(f.edit.caret, 0);
}

/* More runs than LINE_RUNS_MAX, and runs longer than RTL_MAX. */
TEST(any_length_is_laid_out) {
    static const char *const parts[] = {"ש ", "שלום", "a ש1(", "\u202Ea\u202D1\u202C"};
    for (size_t i = 0; i < ARRAY_COUNT(parts); i++) {
        FIELD(f, "");
        for (int k = 0; k < 700; k++)
            strcat(f.text, parts[i]);
        panel_keys(&f.panel, "End Left Shift+Right");
        panel_click(&f.panel, LEFT + 300, 120);
        assert_true(f.edit.caret <= strlen(f.text));
    }
}
