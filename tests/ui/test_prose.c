#include <stdio.h>

#include "support/panel.h"
#include "support/test.h"
#include "ui/label.h"

static const LabelStyle STYLE = {FONT_SANS, 10, 0xFFFFFFFFu, LABEL_PROSE};

/* The pieces from left to right, those drawn as formulas in braces. */
static void check(const char *text, float width, const char *expected) {
    char got[256] = "";
    size_t used = 0;
    PANEL(p);
    float drawn = label_draw(&p.ui, (Rect){100, 100, width, 20}, &STYLE, text);
    assert_true(drawn <= width + 0.5f);
    for (size_t i = 0; i < p.list.command_count; i++) {
        const DrawText *t = &p.list.commands[i].as.text;
        if (p.list.commands[i].kind != DRAW_TEXT)
            continue;
        bool math = t->font == FONT_MATH || t->font == FONT_MATH_ITALIC;
        used += (size_t)snprintf(got + used, sizeof got - used, math ? "{%.*s}" : "%.*s",
                                 (int)t->text_bytes, p.list.text + t->text_at);
    }
    assert_string_equal(got, expected);
}

TEST(names_are_set_as_mathematics) {
    check("Init", 500, "Init");
    check("Init W_Q", 500, "Init {W}{Q}");
    check("d_model", 500, "{d}{model}");
    check("From W_Q, then d_k.", 500, "From {W}{Q}, then {d}{k}.");
    check("Rank R", 500, "Rank R");
    check("h", 500, "{h}");
    check("W_Q·W_Kᵀ", 500, "{W}{Q}{·}{W}{K}{T}");
    check("", 500, "");
    check("a_b  c", 500, "{a}{b}  c");
}

TEST(what_is_too_wide_is_cut_as_words) {
    check("The width d_model of it", 60, "The width…");
}

TEST(lines_are_broken_by_what_is_drawn) {
    PANEL(p);
    float width = label_text_width(&p.ui, &STYLE, "W_Q and W_K");
    float used = label_wrap(&p.ui, (Rect){0, 0, width + 1, 100}, &STYLE, "W_Q and W_K and W_V");
    assert_float_equal(used, 2 * 14.5f, 1e-3);
    assert_float_equal(drawn_text(&p.list, "V", 0)->as.text.at.y -
                           drawn_text(&p.list, "K", 0)->as.text.at.y,
                       14.5f, 1e-3);
}
