#include <string.h>

#include "base/util.h"
#include "support/measure.h"
#include "support/panel.h"
#include "support/test.h"
#include "ui/label.h"

static const LabelStyle STYLE = {FONT_SANS, 10, 0xFFFFFFFFu, LABEL_LEFT}; /* 6 px a letter */

static const DrawText *last(const Panel *p) {
    assert_true(p->list.command_count > 0);
    return &p->list.commands[p->list.command_count - 1].as.text;
}

static void check_last(const Panel *p, const char *words) {
    const DrawText *text = last(p);
    assert_int_equal(text->text_bytes, strlen(words));
    assert_memory_equal(p->list.text + text->text_at, words, strlen(words));
}

TEST(a_label_stands_where_it_is_aligned) {
    static const struct {
        int align;
        float x;
    } cases[] = {{LABEL_LEFT, 100}, {LABEL_CENTRE, 141}, {LABEL_RIGHT, 182}};
    PANEL(p);
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        LabelStyle style = STYLE;
        style.align = cases[i].align;
        float width = label_draw(&p.ui, (Rect){100, 50, 100, 40}, &style, "abc");
        assert_float_equal(width, 18, 1e-4);
        assert_float_equal(last(&p)->at.x, cases[i].x, 1e-3);
        assert_float_equal(last(&p)->at.y, 73.6f, 1e-3); /* capitals are centred */
    }
}

TEST(a_label_that_fits_is_whole) {
    PANEL(p);
    label_draw(&p.ui, (Rect){0, 0, 18, 20}, &STYLE, "abc");
    check_last(&p, "abc");
    label_draw(&p.ui, (Rect){0, 0, 17, 20}, &STYLE, "abc");
    check_last(&p, "a…");
    label_draw(&p.ui, (Rect){0, 0, 17.7f, 20}, &STYLE,
               "abc"); /* half a pixel too wide is allowed */
    check_last(&p, "abc");
    label_draw(&p.ui, (Rect){0, 0, 6, 20}, &STYLE, "abc");
    check_last(&p, "…");
    size_t before = p.list.command_count;
    assert_true(label_draw(&p.ui, (Rect){0, 0, 5, 20}, &STYLE, "abc") == 0);
    assert_true(label_draw(&p.ui, (Rect){0, 0, 0, 20}, &STYLE, "abc") == 0);
    assert_int_equal(p.list.command_count, before);
}

/* At every width: the text shown is a start of the text, is UTF-8 and fits, and one more character
 * would not fit. */
static void check_cuts(Panel *p, const char *text) {
    size_t size = strlen(text);
    for (float width = 0; width < 6 * 60; width += 1.7f) {
        char room[LABEL_CUT_MAX];
        size_t bytes = size;
        const char *shown = label_fit(&p->ui, room, &STYLE, text, &bytes, width);
        assert_int_equal(utf8_first_invalid(shown, bytes), bytes);
        assert_true(measure_width(NULL, FONT_SANS, 10, shown, bytes) <= width + 0.5f);
        if (shown == text) {
            assert_int_equal(bytes, size);
            continue;
        }
        if (bytes == 0) {
            assert_true(width < 6);
            continue;
        }
        size_t kept = bytes - strlen("…");
        assert_memory_equal(shown, text, kept);
        assert_memory_equal(shown + kept, "…", strlen("…"));
        size_t more = utf8_next(text, size, kept) + strlen("…");
        bool at_most = more + 4 > LABEL_CUT_MAX;
        if (!at_most && measure_width(NULL, FONT_SANS, 10, text, kept) + 12 <= width)
            fail_msg("“%s” in %.1f px is “%.*s”", text, (double)width, (int)bytes, shown);
    }
}

TEST(an_ellipsis_never_exceeds_the_width_nor_splits_a_character) {
    char lots[2048];
    PANEL(p);
    check_cuts(&p, "plain words");
    check_cuts(&p, "naïve ñandú");
    check_cuts(&p, "鍵をかけて出かける");
    check_cuts(&p, "🔑a🔑é🔑鍵🔑");
    check_cuts(&p, "");
    for (size_t i = 0; i + 4 < sizeof lots; i += 3)
        memcpy(lots + i, "鍵", 4);
    check_cuts(&p, lots);
    char room[LABEL_CUT_MAX];
    for (size_t shift = 0; shift < 4; shift++) { /* the cut falls inside a character */
        memset(lots, 'a', shift);
        for (size_t i = shift; i + 5 < sizeof lots; i += 4)
            memcpy(lots + i, "🔑", 5);
        size_t bytes = strlen(lots);
        label_fit(&p.ui, room, &STYLE, lots, &bytes, 2500);
        assert_in_range(bytes, LABEL_CUT_MAX - 12, LABEL_CUT_MAX);
        assert_int_equal(utf8_first_invalid(room, bytes), bytes);
    }
}

TEST(a_label_at_a_point_is_never_cut) {
    LabelStyle style = STYLE;
    PANEL(p);
    style.align = LABEL_RIGHT;
    assert_float_equal(label_at(&p.ui, (Vec2){50, 60}, &style, "abcdefghijkl"), 72, 1e-3);
    assert_float_equal(last(&p)->at.x, -22, 1e-3);
    assert_float_equal(last(&p)->at.y, 60, 1e-3);
    style.align = LABEL_CENTRE;
    label_at(&p.ui, (Vec2){50, 60}, &style, "ab");
    assert_float_equal(last(&p)->at.x, 44, 1e-3);
}

TEST(sentences_break_at_blanks) {
    static const char *const lines[] = {"the quick", "brown fox", "jumps"};
    PANEL(p);
    float used = label_wrap(&p.ui, (Rect){10, 20, 60, 500}, &STYLE, "the quick brown  fox jumps ");
    assert_int_equal(p.list.command_count, 3);
    assert_float_equal(used, 3 * 14.5, 1e-3);
    for (size_t i = 0; i < ARRAY_COUNT(lines); i++) {
        const DrawText *text = &p.list.commands[i].as.text;
        assert_float_equal(text->at.x, 10, 1e-3);
        if (i != 1)
            assert_memory_equal(p.list.text + text->text_at, lines[i], strlen(lines[i]));
    }
    draw_begin(&p.list, 800, 600, 1, 0);
    label_wrap(&p.ui, (Rect){10, 20, 60, 500}, &STYLE, "incomprehensibilities are long");
    check_last(&p, "s are long"); /* a word wider than a line is shown in full */
    assert_int_equal(p.list.command_count, 3);
    assert_memory_equal(p.list.text + p.list.commands[1].as.text.text_at, "nsibilitie", 10);
    assert_true(label_wrap(&p.ui, (Rect){10, 20, 30, 500}, &STYLE, "") == 0);
}

static void check_ways(Panel *p, const char *text, size_t lines, TextDirection way) {
    draw_begin(&p->list, 800, 600, 1, 0);
    label_wrap(&p->ui, (Rect){10, 20, 36, 500}, &STYLE, text);
    assert_int_equal(p->list.command_count, lines);
    for (size_t i = 0; i < lines; i++) {
        const DrawText *line = &p->list.commands[i].as.text;
        float width =
            measure_width(NULL, FONT_SANS, 10, p->list.text + line->text_at, line->text_bytes);
        assert_int_equal(line->direction, way);
        assert_float_equal(line->at.x, way == TEXT_RTL ? 46 - width : 10, 1e-3);
    }
}

TEST(each_line_reads_as_the_whole_text_does) {
    PANEL(p);
    check_ways(&p, "שלום (A = softmax) שלום", 5, TEXT_RTL);
    check_ways(&p, "reads שלום", 2, TEXT_LTR);
    check_ways(&p, "reads words", 2, TEXT_AUTO);
}
