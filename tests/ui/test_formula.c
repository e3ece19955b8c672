#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "support/panel.h"
#include "ui/formula.h"

#define SIZE 20.0f
#define EM   12.0f /* of one code point at that size */

static void nothing(Panel *panel) {
    (void)panel;
}

static void draw(Panel *p, const char *markup) {
    draw_begin(&p->list, 800, 600, 1, 0);
    float width = formula_draw(&p->ui, (Vec2){100, 200}, SIZE, 0xFFFFFFFFu, markup);
    assert_float_equal(width, formula_width(&p->ui, SIZE, markup), 1e-3);
    assert_null(drawn_fault(&p->list));
}

/* The pieces as "words/face/size/rise", faces i for italic and r for upright, rise in tenths. */
static void check(const char *markup, const char *expected) {
    char got[512] = "";
    size_t used = 0;
    Panel p;
    panel_open(&p, nothing, NULL);
    draw(&p, markup);
    for (size_t i = 0; i < p.list.command_count; i++) {
        const DrawText *t = &p.list.commands[i].as.text;
        if (p.list.commands[i].kind != DRAW_TEXT)
            continue;
        used += (size_t)snprintf(got + used, sizeof got - used, "%s%.*s/%c/%.0f/%.0f",
                                 used > 0 ? " " : "", (int)t->text_bytes, p.list.text + t->text_at,
                                 t->font == FONT_MATH_ITALIC ? 'i' : 'r', (double)t->size,
                                 (double)(200 - t->at.y) * 10);
    }
    assert_string_equal(got, expected);
    panel_close(&p);
}

static void letters_are_italic_and_the_rest_upright(void **state) {
    (void)state;
    check("s", "s/i/20/0");
    check("s=2x", "s/i/20/0 =2/r/20/0 x/i/20/0");
    check("\"max\"x", "max/r/20/0 x/i/20/0");
    check("τ", "τ/i/20/0");
    check("Δ", "Δ/r/20/0"); /* a capital Greek letter is upright */
}

static void scripts_are_smaller_lowered_and_raised(void **state) {
    (void)state;
    check("d_k", "d/i/20/0 k/i/14/-40");
    check("e^s", "e/i/20/0 s/i/14/76");
    check("W_{QK}x", "W/i/20/0 QK/i/14/-40 x/i/20/0");
    check("a_{1,2}", "a/i/20/0 1,2/r/14/-40");
    check("x_{i_j}", "x/i/20/0 i/i/14/-40 j/i/10/-68");
    check("d_{\"model\"}", "d/i/20/0 model/r/14/-40");
    check("x_é", "x/i/20/0 é/r/14/-40"); /* one character, not one byte */
}

static void a_radical_covers_its_braces(void **state) {
    (void)state;
    Panel p;
    check("√{d_k}", "√/r/20/0 d/i/20/0 k/i/14/-40");
    check("√2", "√2/r/20/0");
    panel_open(&p, nothing, NULL);
    draw(&p, "√{ab}+c");
    const DrawCurve *bar = NULL;
    for (size_t i = 0; i < p.list.command_count; i++)
        if (p.list.commands[i].kind == DRAW_CURVE)
            bar = &p.list.commands[i].as.curve;
    assert_non_null(bar);
    assert_float_equal(bar->from.y, bar->to.y, 1e-4);
    assert_true(bar->from.y < 200 - SIZE / 2);
    assert_float_equal(bar->to.x, 100 + 3 * EM, 1e-3);
    panel_close(&p);
}

static void pieces_follow_each_other(void **state) {
    (void)state;
    Panel p;
    panel_open(&p, nothing, NULL);
    assert_float_equal(formula_width(&p.ui, SIZE, "ab+c"), 4 * EM, 1e-3);
    assert_float_equal(formula_width(&p.ui, SIZE, ""), 0, 1e-6);
    assert_float_equal(formula_width(&p.ui, SIZE, "a_b"), EM + 0.7f * EM + SIZE * 0.05f, 1e-3);
    panel_close(&p);
}

static void malformed_markup_is_drawn_as_far_as_it_goes(void **state) {
    (void)state;
    static const char *const odd[] = {
        "_",   "^",    "a_",   "a^{",  "a_{b",  "}",     "{",       "\"",   "\"a",   "√{",     "√",
        "√{a", "_^_^", "__{{", "a_{}", "\xFF_", "_\xC3", "^{_{^{a", "\"\"", "{}{}}", "a_{b}}c"};
    Panel p;
    panel_open(&p, nothing, NULL);
    for (size_t i = 0; i < ARRAY_COUNT(odd); i++) {
        draw_begin(&p.list, 800, 600, 1, 0);
        float width = formula_draw(&p.ui, (Vec2){0, 0}, SIZE, 0, odd[i]);
        assert_true(width >= 0 && width < 400);
        assert_float_equal(width, formula_width(&p.ui, SIZE, odd[i]), 1e-3);
    }
    panel_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_are_italic_and_the_rest_upright),
        cmocka_unit_test(scripts_are_smaller_lowered_and_raised),
        cmocka_unit_test(a_radical_covers_its_braces),
        cmocka_unit_test(pieces_follow_each_other),
        cmocka_unit_test(malformed_markup_is_drawn_as_far_as_it_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
