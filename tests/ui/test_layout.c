#include <stdio.h>

#include "base/util.h"
#include "support/panel.h"
#include "support/test.h"
#include "ui/layout.h"
#include "ui/text.h"

TEST(a_row_is_divided_equally) {
    Rect part = layout_part((Rect){100, 0, 320, 9}, 10, 2, 3);
    assert_true(rect_equal(part, (Rect){320, 0, 100, 9}));
}

/* The text of the last command, and its font. */
static const DrawText *last(const Panel *p, char out[64]) {
    const DrawText *t = &p->list.commands[p->list.command_count - 1].as.text;
    assert_int_equal(p->list.commands[p->list.command_count - 1].kind, DRAW_TEXT);
    snprintf(out, 64, "%.*s", (int)t->text_bytes, p->list.text + t->text_at);
    return t;
}

TEST(the_longest_form_that_fits_is_drawn) {
    char got[64];
    PANEL(p);
    const char *forms = "a rather long name\na short name\nshort";
    static const char *const expected[] = {"a rather long name", "a short name", "short"};
    for (int i = 0; i < 3; i++) {
        float width = text_width(&p.ui, TEXT_BODY, "%s", expected[i]);
        text_in(&p.ui, (Rect){0, 0, width, 30}, TEXT_BODY, "%s", forms);
        last(&p, got);
        assert_string_equal(got, expected[i]);
    }
}

TEST(texts_take_their_room_from_the_rectangle) {
    char got[64];
    PANEL(p);
    Rect rest = {100, 100, 400, 300}, line = {100, 0, 400, 30};
    float width = text_line(&p.ui, &rest, TEXT_BODY, "%d of %d", 3, 4);
    last(&p, got);
    assert_string_equal(got, "3 of 4");
    assert_float_equal(rest.y, 100 + text_height(TEXT_BODY), 0);
    text_left(&p.ui, &line, TEXT_BODY, "3 of 4");
    text_right(&p.ui, &line, TEXT_BODY, "3 of 4");
    assert_float_equal(line.x, 100 + width + TEXT_GAP, 0.01);
    assert_float_equal(line.w, 400 - 2 * (width + TEXT_GAP), 0.01);
    assert_float_equal(last(&p, got)->at.x, 500 - width, 0.01);
}

TEST(a_power_of_ten_is_a_formula) {
    char got[64];
    PANEL(p);
    Rect line = {0, 0, 400, 30};
    assert_int_equal((text_in(&p.ui, line, TEXT_NUMBER, "0.25"), last(&p, got))->font, FONT_MONO);
    text_in(&p.ui, line, TEXT_NUMBER, "3 × 10^{−7}");
    assert_int_equal(last(&p, got)->font, FONT_MATH);
    text_in(&p.ui, line, TEXT_BODY | TEXT_PLAIN, "my_file");
    last(&p, got);
    assert_string_equal(got, "my_file");
}

TEST(a_table_needs_the_width_it_says) {
    char got[64];
    TextTable table = {.rows = 2, .columns = 3};
    snprintf(table.cells[1][0], NUMBER_TEXT, "name");
    snprintf(table.cells[0][2], NUMBER_TEXT, "Title");
    snprintf(table.cells[1][2], NUMBER_TEXT, "12,345");
    PANEL(p);
    Rect rest = {0, 0, text_table_width(&p.ui, &table), 100};
    text_table(&p.ui, &rest, &table, 25);
    const DrawText *t = last(&p, got);
    assert_string_equal(got, "12,345");
    float end = t->at.x + text_width(&p.ui, TEXT_NUMBER, "12,345");
    assert_true(end <= rest.w + 0.5f && end > rest.w - 1);
    assert_float_equal(rest.y, 50, 0);
    table.is_small = true;
    assert_true(text_table_width(&p.ui, &table) < rest.w);
}
