#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "document/options.h"
#include "model/attention/params.h"
#include "support/panel.h"
#include "support/test.h"
#include "ui/formula.h"

#define SIZE 20.0f
#define EM   12.0f /* width of a code point at this size */

/* Return the registry of a choice if no earlier row has it, or the parameters after all rows; else
 * NULL. */
static const Registry *registry_at(int i) {
    if (i == STATE_OPTIONS.count)
        return &PARAM_REGISTRY;
    for (int k = 0; k < i; k++)
        if (STATE_OPTIONS.rows[k].choices == STATE_OPTIONS.rows[i].choices)
            return NULL;
    return STATE_OPTIONS.rows[i].choices;
}

static int begin(void **state) {
    static Panel panel;
    panel_blank(&panel);
    *state = &panel;
    return 0;
}

static int end(void **state) {
    panel_close(*state);
    return 0;
}

static FormulaSize draw(Panel *p, const char *markup) {
    FormulaStyle style = {.size = SIZE, .colour = 0xFFFFFFFFu};
    draw_begin(&p->list, 800, 600, 1, 0);
    FormulaSize size = formula_set(&p->ui, (Vec2){100, 200}, &style, markup, strlen(markup));
    FormulaSize measured = formula_measure(&p->ui, &style, markup, strlen(markup));
    assert_memory_equal(&size, &measured, sizeof size);
    assert_null(drawn_fault(&p->list));
    return size;
}

/* Assert the pieces as "text/face/size/rise": face i for italic, r for upright; rise in tenths. */
static void check(void **state, const char *markup, const char *expected) {
    Panel *p = *state;
    char got[512] = "";
    size_t used = 0;
    draw(p, markup);
    for (size_t i = 0; i < p->list.command_count; i++) {
        const DrawText *t = &p->list.commands[i].as.text;
        if (p->list.commands[i].kind != DRAW_TEXT)
            continue;
        used += (size_t)snprintf(got + used, sizeof got - used, "%s%.*s/%c/%.0f/%.0f",
                                 used > 0 ? " " : "", (int)t->text_bytes, p->list.text + t->text_at,
                                 t->font == FONT_MATH_ITALIC ? 'i' : 'r', (double)t->size,
                                 (double)(200 - t->at.y) * 10);
    }
    assert_string_equal(got, expected);
}

TEST(letters_are_italic_and_words_upright) {
    check(state, "s", "s/i/20/0");
    check(state, "s=2x", "s/i/20/0 =/r/20/0 2/r/20/0 x/i/20/0");
    check(state, "\"max\"x", "max/r/20/0 x/i/20/0");
    check(state, "softmax(QK)", "softmax/r/20/0 (/r/20/0 QK/i/20/0 )/r/20/0");
    check(state, "LN x", "LN/r/20/0 x/i/20/0");
    check(state, "x_ij", "x/i/20/0 ij/i/14/-40");
    check(state, "τ", "τ/i/20/0");
    check(state, "Δ", "Δ/r/20/0"); /* a capital Greek letter is upright */
    check(state, "1,234.5", "1,234.5/r/20/0");
    check(state, "a-b", "a/i/20/0 −/r/20/0 b/i/20/0");
}

TEST(scripts_are_smaller_lowered_and_raised) {
    check(state, "d_k", "d/i/20/0 k/i/14/-40");
    check(state, "e^s", "e/i/20/0 s/i/14/76");
    check(state, "W_QK·x", "W/i/20/0 QK/i/14/-40 ·/r/20/0 x/i/20/0");
    check(state, "a_{1,2}", "a/i/20/0 1,2/r/14/-40");
    check(state, "x_{i_j}", "x/i/20/0 i/i/14/-40 j/i/10/-68");
    check(state, "d_model", "d/i/20/0 model/r/14/-40");
    check(state, "fan_in", "fan/r/20/0 in/r/14/-40");
    check(state, "x_é", "x/i/20/0 é/r/14/-40"); /* one character, not one byte */
    check(state, "W_i^Q", "W/i/20/0 i/i/14/-40 Q/i/14/76");
    check(state, "Kᵀ", "K/i/20/0 T/r/14/76");
    check(state, "σ²", "σ/i/20/0 2/r/14/76");
    check(state, "10^(2i)", "10/r/20/0 2/r/14/76 i/i/14/76"); /* without its parentheses */
}

static float left_of(Panel *p, const char *words) {
    const DrawCommand *command = drawn_text(&p->list, words, 0);
    assert_non_null(command);
    return command->as.text.at.x;
}

static float baseline_of(Panel *p, const char *words) {
    const DrawCommand *command = drawn_text(&p->list, words, 0);
    assert_non_null(command);
    return command->as.text.at.y;
}

TEST(relations_and_sums_have_room_and_signs_have_none) {
    Panel *p = *state;
    draw(p, "a=b+c");
    float relation = left_of(p, "=") - left_of(p, "a") - EM;
    float sum = left_of(p, "+") - left_of(p, "b") - EM;
    assert_true(relation > sum && sum > 0.1f * SIZE);
    assert_float_equal(left_of(p, "c") - left_of(p, "+") - EM, sum, 1e-3);
    draw(p, "a=−b");
    assert_float_equal(left_of(p, "b") - left_of(p, "−"), EM, 1e-3);
    draw(p, "x_{a+b}");
    assert_true(left_of(p, "+") - left_of(p, "a") - 0.7f * EM < sum / 2);
}

/* Return the box that is drawn as a bar, or NULL. */
static const DrawBox *bar_of(const Panel *p) {
    for (size_t i = 0; i < p->list.command_count; i++)
        if (p->list.commands[i].kind == DRAW_BOX)
            return &p->list.commands[i].as.box;
    return NULL;
}

TEST(a_radical_covers_what_is_under_it) {
    Panel *p = *state;
    static const char *const roots[] = {"√(ab)+c", "√{ab}+c", "√d_k+c"};
    for (size_t i = 0; i < ARRAY_COUNT(roots); i++) {
        FormulaSize size = draw(p, roots[i]);
        const DrawBox *bar = bar_of(p);
        assert_non_null(bar);
        const char *under = i < 2 ? "ab" : "k";
        float right = left_of(p, under) + (i < 2 ? 2 * EM : 0.7f * EM);
        assert_true(rect_right(bar->rect) >= right && rect_right(bar->rect) < left_of(p, "+"));
        assert_true(bar->rect.x < left_of(p, i < 2 ? "ab" : "d"));
        assert_true(bar->rect.y < 200 - 0.66f * SIZE && bar->rect.y >= 200 - size.ascent - 1);
    }
}

TEST(a_stroke_has_little_room_and_more_between_blanks) {
    Panel *p = *state;
    draw(p, "a/b");
    assert_float_equal(left_of(p, "/") - left_of(p, "a") - EM, 0.03f * SIZE, 1e-3);
    draw(p, "a / b");
    assert_float_equal(left_of(p, "/") - left_of(p, "a") - EM, 0.18f * SIZE, 1e-3);
    assert_float_equal(left_of(p, "b") - left_of(p, "/") - EM, 0.18f * SIZE, 1e-3);
}

TEST(a_single_bar_is_only_a_bar) {
    Panel *p = *state;
    draw(p, "|x − y");
    assert_non_null(drawn_text(&p->list, "|", 0));
    draw(p, "|x|"); /* two bars are brackets, with some room */
    assert_float_equal(left_of(p, "x") - left_of(p, "|"), EM + 0.03f * SIZE, 1e-3);
}

TEST(marks_stand_over_their_letter) {
    Panel *p = *state;
    draw(p, "x̂");
    float middle = left_of(p, "x") + EM / 2;
    assert_float_equal(left_of(p, "ˆ") + EM / 2, middle, 0.1f * SIZE);
    draw(p, "ABx̂"); /* over the last of several letters */
    assert_true(left_of(p, "ˆ") > left_of(p, "AB") + 2 * EM - SIZE * 0.1f);
    draw(p, "x̄");
    assert_non_null(bar_of(p));
    assert_true(bar_of(p)->rect.y < 200 - 0.46f * SIZE);
}

TEST(pieces_follow_each_other) {
    Panel *p = *state;
    assert_float_equal(formula_width(&p->ui, SIZE, "QK"), 2 * EM, 1e-3);
    assert_float_equal(formula_width(&p->ui, SIZE, ""), 0, 1e-6);
    assert_float_equal(formula_width(&p->ui, SIZE, "a_b"), EM + 0.7f * EM + SIZE * 0.07f, 1e-3);
}

TEST(a_label_is_aligned_and_made_smaller_where_it_must) {
    Panel *p = *state;
    FormulaStyle style = {.size = SIZE, .colour = 0xFFFFFFFFu, .align = LABEL_RIGHT};
    draw_begin(&p->list, 800, 600, 1, 0);
    formula_label(&p->ui, (Rect){100, 100, 200, 40}, &style, "QK");
    assert_float_equal(left_of(p, "QK"), 300 - 2 * EM, 1e-3);
    assert_float_equal(baseline_of(p, "QK"), 120 + 0.33f * SIZE, 1e-3);
    float width = formula_label(&p->ui, (Rect){100, 100, 18, 40}, &style, "QK");
    assert_true(width <= 18 && width > 14);
}

TEST(malformed_markup_is_drawn_as_far_as_it_goes) {
    static const char *const odd[] = {"_",
                                      "^",
                                      "a_",
                                      "a^{",
                                      "a_{b",
                                      "}",
                                      "{",
                                      "\"",
                                      "\"a",
                                      "√{",
                                      "√",
                                      "√{a",
                                      "_^_^",
                                      "__{{",
                                      "a_{}",
                                      "\xFF_",
                                      "_\xC3",
                                      "\"\"",
                                      "{}{}",
                                      "^{_{^{a",
                                      "/",
                                      "a/",
                                      "/b",
                                      "//",
                                      "a/ /b",
                                      "[;",
                                      "[,;,",
                                      "[;;;]",
                                      "|",
                                      "||",
                                      "(]",
                                      "[)",
                                      ")",
                                      "x\u0302\u0302",
                                      "\u0302",
                                      "√√√",
                                      "a_b_c_d",
                                      "^^^^",
                                      "((((((((((((((((",
                                      "a///b/c/d",
                                      "[[;];",
                                      "\xE2\x88"};
    Panel *p = *state;
    for (size_t i = 0; i < ARRAY_COUNT(odd); i++) {
        FormulaSize size = draw(p, odd[i]);
        assert_true(size.width >= 0 && size.width < 700);
        assert_true(isfinite(size.ascent) && isfinite(size.descent));
    }
}

TEST(deep_nesting_ends) {
    static const char *const parts[] = {"(", "a/", "x_{", "√(", "[a;", "|", "a^b_", "x\u0302"};
    Panel *p = *state;
    char markup[4096];
    for (size_t part = 0; part < ARRAY_COUNT(parts); part++) {
        size_t used = 0, bytes = strlen(parts[part]);
        for (; used + bytes < sizeof markup - 1; used += bytes)
            memcpy(markup + used, parts[part], bytes);
        markup[used] = '\0';
        assert_true(isfinite(draw(p, markup).width));
    }
}

/* In the formulas of the registries, no sign of the notation is drawn. */
TEST(every_registry_is_set) {
    Panel *p = *state;
    int formulas = 0;
    for (int k = 0; k <= STATE_OPTIONS.count; k++)
        for (int i = 0; registry_at(k) != NULL && i < registry_at(k)->count; i++) {
            const char *markup = registry_entry(registry_at(k), i)->formula;
            draw(p, markup);
            formulas += markup[0] != '\0';
            for (size_t at = 0; at < p->list.text_used; at++)
                if (strchr("_^\"", p->list.text[at]) != NULL)
                    fail_msg("“%s” leaves a %c", markup, p->list.text[at]);
        }
    assert_true(formulas > 30);
}

TEST_EACH(begin, end)
