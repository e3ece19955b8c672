/* The W_QK view: the effect of each control, and every page in every state. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "draw/part.h"
#include "results/product_analysis.h"
#include "support/opened.h"
#include "support/script.h"
#include "support/test.h"
#include "views/wqk/wqk.h"

static void open_with(Script *s, const char *more) {
    char state[512];
    snprintf(state, sizeof state, "view=wqk%s", more);
    script_open(s, state);
}

/* Factors of 64 × 65536 entries, which the spare scratch memory would not hold. */
TEST(scratch_memory_holds_wide_factors) {
    Results run = {.layers[0].shape[0] = {.T = 3, .D = 64, .H = 1, .K = 65536, .V = 8}, .T = 3};
    assert_true(wqk_scratch_bytes(&run) > mat_bytes(65536, 64));
}

/* The button and F switch between the forms, and the attention next to them does not change. */
TEST_IN(merging_folds_the_factors, open_with, "") {
    int apart = drawn_cells_count(&s->list);
    script_play(s, "<Merge  F> ~form=merged @1");
    assert_int_equal(drawn_cells_count(&s->list), apart - 2);
    script_play(s, "F @1 -~form=");
    assert_int_equal(drawn_cells_count(&s->list), apart);
}

/* True if a box hides a word before the given command. */
static bool is_hidden(const DrawCommand *word, const DrawCommand *before) {
    for (const DrawCommand *c = word + 1; c < before; c++)
        if (c->kind == DRAW_BOX && (c->as.box.fill & 255) == 255 &&
            rect_contains(c->as.box.rect, word->as.text.at))
            return true;
    return false;
}

/* While W_Q moves to the product and back, it covers the gauge, but none of its words. */
TEST(no_word_is_under_a_flying_factor) {
    static const char *const words[] = {"Rotate by R", "0.00", "Any invertible"};
    int over = 0, seen = 0;
    SCRIPT(s, script_begin_moving, "view=wqk", 1920, 1080);
    for (int frame = 0; frame < 48; frame++) {
        if (frame % 24 == 0)
            script_key(&s, 'f', 0);
        script_wait(&s, 0.03);
        for (size_t k = 0; k < s.list.command_count; k++) {
            const DrawCommand *c = &s.list.commands[k];
            if (c->kind != DRAW_CELLS || c->as.cells.cols != 16 || c->as.cells.rows != 64)
                continue;
            for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
                const DrawCommand *word = drawn_text(&s.list, words[i], 0);
                bool is_over = rect_contains(c->as.cells.rect, drawn_middle(&s.list, word));
                over += is_over;
                seen += !is_hidden(word, s.list.commands + s.list.command_count);
                assert_true(!is_over || is_hidden(word, c));
            }
        }
    }
    assert_true(over > 6 && seen > 6);
}

TEST_IN(an_entry_is_pinned_and_let_go, open_with, "") {
    Vec2 at = drawn_cell(drawn_cells(&s->list, 0), 24, 51);
    script_move(s, at);
    assert_non_null(drawn_text(&s->list, "Hovered", 0));
    script_click(s, at);
    script_play(s, "~wqk-entry=25,52 move:5,5 {Pinned}");
    script_click(s, at);
    assert_false(script_state_has(s, "wqk-entry"));
}

/* A place in a chart below its title. */
static Vec2 in_chart(const Script *s, const char *title, float right) {
    const DrawCommand *text = drawn_text(&s->list, title, 0);
    assert_non_null(text);
    return (Vec2){text->as.text.at.x + right, text->as.text.at.y + 100};
}

/* A drag in either chart and its keys set the rank, also beyond the curve's end; a button puts the
 * rank in force. */
TEST(the_rank_is_dragged_and_used) {
    static const char *const titles[] = {"Singular values", "Lost at r"};
    for (int i = 0; i < 2; i++) {
        SCRIPT(s, open_with, "&wqk-rank=8");
        Vec2 at = in_chart(&s, titles[i], i == 0 ? 60 : 160);
        script_press(&s, at, 0, 1);
        script_play(&s, "~wqk-rank= -~wqk-rank=8 ~wqk-against=rank");
        script_release(&s, at, 0);
        script_play(&s, "End ~wqk-rank=64 Shift+Left ~wqk-rank=54 Home Right Right ~wqk-rank=3 "
                        "Home {Rank 1} <Use rank 1 in every view>");
        assert_true(script_state_has(&s, "form=rank:1") || script_state_has(&s, "form=rank%3A1"));
        script_play(&s, "<Back to separate> -~form=");
    }
}

/* A rank between the points of the curve has its own values beside it, and the curve goes through
 * them: the arrows of either chart step by one. */
TEST_IN(the_curve_has_what_the_cut_loses, open_with, "&d-model=256&heads=2&wqk-rank=101") {
    ProductRequest request = {.rank = 101};
    RESULTS(run);
    assert_true(results_update(&run, app_session(s->app), NULL, (ResultsLimits){64}));
    must(results_product(&run, &request, NULL, &told));
    const ProductAnalysis *m = run.analysis;
    for (int r = 0; r < m->curve.count; r++)
        assert_true(m->curve.rank[r] != 101);
    assert_true(script_says(s, FIXED(m->cut_loss, 2)));
    assert_true(script_says(s, FIXED(m->cut_A, m->cut_A < 0.095f ? 3 : 2)));
    script_click(s, in_chart(s, "Lost at r", 200));
    int rank = app_settings(s->app)->wqk_rank;
    assert_true(rank != 101);
    script_key(s, KEY_RIGHT, 0);
    assert_int_equal(app_settings(s->app)->wqk_rank, rank + 1);
}

/* Return the number that is drawn `away` commands after some words, or before them if away < 0. */
static double number_by(const Script *s, const char *words, int away) {
    const DrawCommand *at = drawn_text(&s->list, words, 0);
    assert_non_null(at);
    const DrawText *text = &at[away].as.text;
    double value = NAN;
    assert_int_equal(at[away].kind, DRAW_TEXT);
    assert_true(number_parse_real(&value, s->list.text + text->text_at, text->text_bytes));
    return value;
}

/* Count the brackets in the formula between the heading of an entry's sum and its value. */
static int brackets_before(const Script *s, const char *words) {
    const DrawCommand *at = drawn_text(&s->list, "Sum of 16", 0);
    int count = 0;
    assert_non_null(at);
    for (const DrawCommand *end = drawn_text(&s->list, words, 0); at < end; at++)
        count += at->kind == DRAW_TEXT && at->as.text.text_bytes == 1 &&
                 s->list.text[at->as.text.text_at] == '(';
    return count;
}

/* A double click opens the editor of the entry under the pointer, on both pages. The cell of a
 * factor is found by its place in the head's block. */
TEST(every_factor_is_edited_where_it_is_drawn) {
    static const struct {
        const char *more, *set, *part;
        int row, col;
    } cases[] = {{"&head=2", "set=W_Q2(3,5)=2", "wqk.left", 2, 4},
                 {"&head=2", "set=W_K2(3,5)=2", "wqk.right", 4, 2},
                 {"&head=2&wqk-product=ov", "set=W_V2(3,5)=2", "wqk.left", 2, 4},
                 {"&head=2&wqk-product=ov", "set=W_O(19,5)=2", "wqk.right", 2, 4},
                 {"&bias=all&head=2", "set=b_Q2(1,5)=2", "wqk.left", 64, 4},
                 {"&bias=all&head=2&wqk-product=ov", "set=b_V2(1,5)=2", "wqk.left", 64, 4}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        SCRIPT(s, open_with, cases[i].more);
        const DrawPart *part = script_part(&s, cases[i].part);
        Rect cells = part->cells;
        script_double_click(
            &s, (Vec2){cells.x + cells.w * ((float)cases[i].col + 0.5f) / (float)part->cols,
                       cells.y + cells.h * ((float)cases[i].row + 0.5f) / (float)part->rows});
        script_keys(&s, "'2' Enter");
        if (!script_state_has(&s, cases[i].set))
            fail_msg("%s: %s", cases[i].set, script_state(&s));
    }
}

/* With RoPE, too, what an entry is shown to be the sum of is the entry: of another distance its
 * factors have a turn in between, with which no R cancels. */
TEST(an_entry_is_its_sum) {
    static const struct {
        const char *more, *sign;
        int turned; /* rotated factors of its terms */
    } cases[] = {{"", "=", 0},
                 {"&wqk-turn=0.5", "=", 2},
                 {"&wqk-turn=0.5&wqk-product=ov", "=", 2},
                 {"&positions=rope&wqk-turn=0.5", "=", 2},
                 {"&positions=rope&wqk-offset=3", "=", 1},
                 {"&positions=rope&wqk-offset=3&wqk-turn=0.5", "≠", 1}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        SCRIPT(s, open_with, PRINT("%s&wqk-entry=5,9", cases[i].more));
        double entry = number_by(&s, "Head 1 · row 5 · column 9", 1);
        assert_true(fabs(entry - number_by(&s, "sum", -1)) < 6e-4);
        assert_non_null(drawn_text(&s.list, cases[i].sign, 0));
        assert_int_equal(brackets_before(&s, "sum"), cases[i].turned);
    }
}

/* The smallest scale of the drawn matrices. */
static float least_scale(const Script *s) {
    float least = INFINITY;
    const DrawCells *cells;
    for (int i = 0; (cells = drawn_cells(&s->list, i)) != NULL; i++)
        least = fminf(least, cells->hi);
    return least;
}

/* Rounding is invisible on the scale of A and seen on a scale of its own. */
TEST_IN(a_difference_is_magnified, open_with, "") {
    assert_true(least_scale(s) > 0.01f);
    script_play(s, "<Magnify the difference> ~wqk-delta=magnify");
    assert_true(least_scale(s) < 1e-5f);
    script_click_text(s, "Magnify the difference", 0);
    assert_true(least_scale(s) > 0.01f);
}

/* The small matrices of the strip with RoPE, in their order. */
static int strip(const Script *s, const DrawCells *found[64]) {
    int count = 0;
    for (int i = 0; i < drawn_cells_count(&s->list); i++) {
        const DrawCells *cells = drawn_cells(&s->list, i);
        if (cells->rows == 64 && cells->cols == 64 && cells->rect.w < 80)
            found[count++] = cells;
    }
    return count;
}

/* A drag over the strip chooses the distance under the pointer, as one undo step. The strip does
 * not scroll during the drag, even if the pointer leaves it. */
TEST(the_strip_is_scrubbed) {
    const DrawCells *found[64];
    SCRIPT(s, open_with, "&positions=rope");
    int count = strip(&s, found);
    assert_in_range(count, 5, 23);
    Rect first = found[0]->rect, last = found[count - 1]->rect;
    const char *least = PRINT("wqk-offset=%d", -(count / 2));
    const char *most = PRINT("wqk-offset=%d", count - 1 - count / 2);
    script_press(&s, rect_centre(first), 0, 1);
    assert_true(script_state_has(&s, least));
    script_move(&s, rect_centre(last));
    assert_true(script_state_has(&s, most));
    script_move(&s, (Vec2){rect_right(last) + 300, first.y});
    assert_true(script_state_has(&s, most));
    script_move(&s, (Vec2){first.x - 60, first.y});
    assert_true(script_state_has(&s, least));
    script_release(&s, rect_centre(first), 0);
    script_play(&s, "Ctrl+Z -~wqk-offset");
}

/* Entries too fine to be shown apart: the wheel zooms in at the pointer, a drag pans and pins
 * nothing, a double click shows all again. */
TEST_IN(fine_entries_are_zoomed, open_with, "&d-model=256") {
    Rect all = drawn_cells(&s->list, 0)->rect;
    Vec2 at = {all.x + all.w / 2, all.y + all.h / 2};
    script_wheel(s, at, 6, 0);
    Rect near = drawn_cells(&s->list, 0)->rect;
    assert_true(near.w > 3 * all.w);
    assert_true(fabsf(near.x + near.w / 2 - at.x) < 2 && fabsf(near.y + near.h / 2 - at.y) < 2);
    script_press(s, at, 0, 1);
    script_move(s, (Vec2){at.x + 10, at.y});
    script_move(s, (Vec2){at.x + 30, at.y + 20});
    script_release(s, (Vec2){at.x + 30, at.y + 20}, 0);
    Rect panned = drawn_cells(&s->list, 0)->rect;
    assert_true(fabsf(panned.x - near.x - 30) < 1 && fabsf(panned.y - near.y - 20) < 1);
    assert_false(script_state_has(s, "wqk-entry"));
    script_double_click(s, at);
    assert_true(drawn_cells(&s->list, 0)->rect.w == all.w);
}

/* A page shows the first text and not the second, if there is one. What is counted is what is
 * merged: with RoPE a matrix for each distance, and of W_OV the way through its two matrices, which
 * the paper nests but once. With biases a head's factors and its product have one row more. The
 * sizes under What if belong to the page Cost. */
TEST(each_page_shows_its_numbers) {
    static const struct {
        const char *more, *shown, *hidden;
    } cases[] = {
        {"&wqk-page=cost", "4,096", "94,208"},
        {"&wqk-page=cost&positions=rope", "94,208", "µs measured"}, /* (2·12 − 1)·64·64 */
        {"&wqk-page=cost&positions=rope&wqk-p=2", "12,288", "94,208"},
        {"&wqk-page=cost&wqk-product=ov", "From X to Y, counted for one head", "Nested"},
        {"&wqk-page=cost&wqk-product=ov&positions=rope", "4,096", "94,208"},
        {"&wqk-page=cost", "26,880", "Nested"}, /* 2·12·64·16 + 12²·16 */
        {"&bias=all", "2,080", NULL},           /* 2·65·16 */
        {"&bias=all", "4,225", NULL},
        {"&bias=all&form=nested&wqk-page=cost", "4,128", NULL}, /* nested: 2·(64²/4 + 65·16) */
        {"&bias=all&wqk-rank=16", "27,264", NULL},
        {"&bias=all&wqk-page=cost&positions=rope", "97,175", NULL},             /* 23·65² */
        {"&bias=all&wqk-page=cost&wqk-product=ov", "2,048", NULL},              /* weights alone */
        {"&bias=all&wqk-page=parts&wqk-product=ov&wqk-rank=16", "2,064", NULL}, /* (65 + 64)·16 */
        {"&wqk-page=rank&wqk-n=512&wqk-p=100&wqk-m=99", "2,048", NULL},         /* 2·64·16 */
        {"&wqk-page=cost&wqk-n=512&wqk-m=99", "101,376", NULL},                 /* 2·512·99 */
        {"&wqk-page=rank", "32.0", NULL}, /* parameters are equal at m = 64/2, */
        {"&wqk-page=rank", "34.7", NULL}, /* multiply-adds at 64·76/140 */
        {"&wqk-page=training", "One step, same start", NULL},
        {"&wqk-page=parts", "Mutual and one-way", NULL},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        SCRIPT(s, open_with, cases[i].more);
        if (!script_says(&s, cases[i].shown) ||
            (cases[i].hidden != NULL && script_says(&s, cases[i].hidden)))
            fail_msg("%s: %s", cases[i].more, cases[i].shown);
    }
}

/* The proof shows all heads' difference if it compares two forms of the layer or of its output. */
TEST(all_heads_are_told_of_the_same_two_forms) {
    static const char *const shown[] = {"&form=separate",  "&form=merged",
                                        "&form=nested",    "&form=rank:4",
                                        "&positions=rope", "&positions=rope&bias=all",
                                        "&wqk-product=ov", "&form=free&wqk-product=ov"};
    static const char *const untold[] = {"&form=free", "&wqk-against=rank",
                                         "&positions=rope&wqk-against=gauge"};
    for (size_t i = 0; i < ARRAY_COUNT(shown) + ARRAY_COUNT(untold); i++) {
        bool is_told = i < ARRAY_COUNT(shown);
        SCRIPT(s, open_with, is_told ? shown[i] : untold[i - ARRAY_COUNT(shown)]);
        assert_int_equal(script_says(&s, "all heads: "), is_told);
        script_size(&s, 1024, 768);
        assert_int_equal(script_says(&s, "all heads: "), is_told);
    }
}

TEST_IN(pages_and_products_are_chosen, open_with, "") {
    script_play(s, "<Symmetry> ~wqk-page=parts <V·O> ~wqk-product=ov {Y unchanged*}");
}

/* Matrices next to each other on a page have one scale, up to the largest of their entries. */
TEST(what_is_compared_has_one_scale) {
    static const struct {
        const char *more;
        int count;
    } pages[] = {{"&wqk-page=training", 3},
                 {"&wqk-page=parts", 2},
                 {"&wqk-page=parts&init=identity&d-model=16", 2}};
    for (size_t i = 0; i < ARRAY_COUNT(pages); i++) {
        float most = 0;
        SCRIPT(s, open_with, pages[i].more);
        int cells = drawn_cells_count(&s.list);
        for (int k = cells - pages[i].count; k < cells; k++) {
            const DrawCells *m = drawn_cells(&s.list, k);
            for (int at = 0; at < m->rows * m->cols; at++)
                most = fmaxf(most, fabsf(m->values[(at / m->cols) * m->stride + at % m->cols]));
        }
        assert_true(most > 0);
        for (int k = cells - pages[i].count; k < cells; k++) {
            assert_true(drawn_cells(&s.list, k)->hi == most);
            assert_true(drawn_cells(&s.list, k)->lo == -most);
        }
    }
}

/* However large the numbers beside it become in a drag, the mark where both forms hold as much
 * stays in sight, and the column of the form in use. */
TEST(the_crossover_stays) {
    static const struct {
        const char *more;
        bool has_curve, has_nested;
    } cases[] = {{"", true, false},
                 {"&form=nested", true, true},
                 {"&wqk-n=1377&wqk-p=634&wqk-m=464", true, false},
                 {"&wqk-n=4096&wqk-p=4096&wqk-m=4096", true, false},
                 {"&form=nested&wqk-n=4096&wqk-p=4096", false, true}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        SCRIPT(s, script_begin_typical, PRINT("view=wqk&wqk-page=cost%s", cases[i].more), 1440,
               900);
        assert_true((drawn_text(&s.list, "equal", 0) != NULL) == cases[i].has_curve);
        assert_true((drawn_text(&s.list, "Nested", 0) != NULL) == cases[i].has_nested);
    }
}

/* The number of texts that are exactly these words. */
static int texts(const Script *s, const char *words) {
    int count = 0;
    while (drawn_text(&s->list, words, count) != NULL)
        count++;
    return count;
}

static int triangles(const char *more) {
    int count = 0;
    SCRIPT(s, open_with, more);
    for (size_t i = 0; i < s.list.command_count; i++)
        count += s.list.commands[i].kind == DRAW_TRIANGLE;
    return count;
}

/* With few ranks a saturated softmax loses more than the chart holds: that ends in an arrow. */
TEST(what_is_lost_beyond_the_chart_has_an_arrow) {
    assert_int_equal(triangles("&init=normal"), triangles("") + 1);
}

/* All six words of the question whether W_Q and W_K are the embedding have their cosines and what
 * the head makes of them, while its words are still there. */
TEST_IN(likeness_and_attention_have_room_for_all_words, script_begin_typical, "", 1440, 900) {
    script_play(s, "Ctrl+K 'question embedding' Enter {No: the embedding*} "
                   "{Cosine of rows of X → attention of this layer}");
    assert_int_equal(texts(s, "→"), 6 * 6);
}

/* Each product's page names its own matrix; the other's occurs at most in the title. */
TEST_IN(the_training_page_names_its_product, open_with, "&wqk-page=training") {
    assert_true(texts(s, "QK") > texts(s, "OV"));
    script_click_text(s, "V·O", 0);
    assert_true(texts(s, "OV") > texts(s, "QK"));
}

static double a_clock(void) {
    static double now_s;
    return now_s += 1e-6;
}

/* Of V·O the page sets the cosine of two rows of X before that of their rows of Y. Equal words
 * under no mask and without positions stay equal; under a causal mask they read other words. */
TEST(equal_words_come_apart_in_y) {
    for (int causal = 0; causal < 2; causal++) {
        SCRIPT(s, open_with,
               causal ? "&wqk-page=plain&wqk-product=ov&text=a%20b%20a&positions=none"
                        "&mask=causal"
                      : "&wqk-page=plain&wqk-product=ov&text=a%20b%20a&positions=none");
        assert_non_null(drawn_text(&s.list, "Cosine of rows of X → of Y", 0));
        /* of nine pairs with two numbers each, and the temperature */
        assert_int_equal(texts(&s, "1.00"), causal ? 9 : 11);
    }
}

/* A measurement that would delay a frame is not made, and the page says so. */
TEST(times_are_measured_or_said_to_take_too_long) {
    static const AppResources with_clock = {.now_s = a_clock};
    for (int is_large = 0; is_large < 2; is_large++) {
        SCRIPT(s, script_begin_given,
               is_large ? "view=wqk&wqk-page=cost&wqk-n=4096" : "view=wqk&wqk-page=cost",
               &with_clock);
        assert_non_null(drawn_text(&s.list, "µs measured", 0));
        assert_true((drawn_text(&s.list, "too long", 1) != NULL) == (is_large == 1));
    }
}

/* One click to W_Q = W_K = W_V = I, one back to the same state; each is one step of undo. */
TEST(the_special_case_and_back) {
    char before[1024];
    SCRIPT(s, open_with, "&wqk-page=plain&embedding=random&heads=2&seed=5");
    snprintf(before, sizeof before, "%s", script_state(&s));
    script_play(&s, "<Set all three to I> ~init-q=identity ~text=king {queen} Ctrl+Z");
    assert_string_equal(script_state(&s), before);
    script_play(&s, "Ctrl+Shift+Z <Restore the layer>");
    assert_string_equal(script_state(&s), before);
}
