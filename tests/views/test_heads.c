/* The wall of heads: its matrices compared with each other, and input to it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app_state.h"
#include "base/util.h"
#include "draw/theme.h"
#include "support/matrices.h"
#include "support/test.h"
#include "views/shared/heatmap.h"

#define NOWHERE ((Vec2){4, 4})

TEST(the_mean_and_the_rollout_follow_from_the_heads) {
    Picture p = picture_of("&summary=both&mask=causal");
    assert_int_equal(p.count, 4);
    for (int i = 0; i < p.rows; i++)
        for (int j = 0; j < p.rows; j++) {
            float a = p.at[0][i * p.rows + j], b = p.at[1][i * p.rows + j];
            float mean = p.at[2][i * p.rows + j], rolled = p.at[3][i * p.rows + j];
            if (j > i) {
                assert_true(mean == DRAW_CELL_MASKED && rolled == 0);
                continue;
            }
            assert_true(fabsf(mean - (a + b) / 2) < 1e-6f);
            assert_true(fabsf(rolled - (mean + (i == j ? 1 : 0)) / 2) < 1e-6f);
        }
}

/* The bar has a list and the menu segments for the same option. */
TEST_IN(what_is_subtracted_is_chosen_in_the_menu_too, script_open, "view=heads&minus=head:1") {
    s->app->ui.popup = ui_id("heads options", 0);
    s->app->memory.heads.menu_button = (Rect){1200, 900, 36, 36};
    script_play(s, "| {Subtract} <nothing>");
    assert_string_equal(script_state(s), "");
}

/* Every layer of a stack mixes: what a token draws from itself fades with each. */
TEST(a_rollout_goes_through_the_stack) {
    Picture one = picture_of("&summary=rollout"), four = picture_of("&summary=rollout&depth=4");
    int T = one.rows;
    double own[2] = {0, 0};
    for (int i = 0; i < T; i++) {
        double sum = 0;
        for (int j = 0; j < T; j++)
            sum += (double)four.at[2][i * T + j];
        assert_true(fabs(sum - 1) < 1e-5);
        own[0] += (double)one.at[2][i * T + i] / T;
        own[1] += (double)four.at[2][i * T + i] / T;
    }
    assert_true(own[0] >= 0.5 && own[1] < own[0] && own[1] > 1.0 / 16);
    assert_memory_equal(one.at[0], four.at[0], sizeof(float) * (size_t)(T * T));
}

TEST(scores_stand_before_the_mask_and_masked_ones_after) {
    Picture plain = picture_of("&show=scores&mask=causal");
    Picture masked = picture_of("&show=masked&mask=causal");
    for (int i = 0; i < plain.rows; i++)
        for (int j = 0; j < plain.rows; j++) {
            float value = masked.at[0][i * plain.rows + j];
            assert_true(isfinite(plain.at[0][i * plain.rows + j]));
            assert_true(j > i ? value == DRAW_CELL_MASKED
                              : value == plain.at[0][i * plain.rows + j]);
        }
}

/* The softmax lets no gradient through to a shift of a whole row. */
TEST(gradients_of_scores_sum_to_nothing_along_a_row) {
    Picture p = picture_of("&show=grad-s");
    for (int i = 0; i < p.rows; i++) {
        float sum = 0, most = 0;
        for (int j = 0; j < p.rows; j++) {
            sum += p.at[0][i * p.rows + j];
            most = fmaxf(most, fabsf(p.at[0][i * p.rows + j]));
        }
        assert_true(most > 0 && fabsf(sum) < 1e-5f * (1 + most));
    }
}

TEST(colours_follow_the_warp_and_the_clamp) {
    Picture plain = picture_of(""), root = picture_of("&warp=root"), log = picture_of("&warp=log");
    Picture cut = picture_of("&clamp=90");
    for (int i = 0; i < entries(&plain); i++) {
        float share = plain.at[0][i] / plain.hi[0];
        assert_true(fabsf(root.at[0][i] - sqrtf(share)) < 1e-5f);
        assert_true(fabsf(log.at[0][i] - fmaxf(1 + log10f(share) / 4, 0)) < 1e-5f);
    }
    int above = 0;
    for (int n = 0; n < cut.count; n++)
        for (int i = 0; i < entries(&cut); i++)
            above += cut.at[n][i] > cut.hi[n];
    assert_int_equal(above, cut.count * entries(&cut) / 10);
    Picture own = picture_of("&range=each");
    for (int n = 0; n < own.count; n++)
        for (int i = 0; i < entries(&own); i++)
            assert_true(own.at[n][i] <= own.hi[n] && own.hi[n] <= plain.hi[n]);
}

TEST(an_order_moves_rows_and_columns_alike) {
    Picture plain = picture_of(""), sorted = picture_of("&order=weight");
    int T = plain.rows;
    double before = INFINITY;
    for (int j = 0; j < T; j++) {
        double received = 0;
        for (int i = 0; i < T; i++)
            received += (double)sorted.at[0][i * T + j];
        assert_true(received <= before + 1e-6);
        before = received;
        bool found = false; /* its entry on the diagonal is one of the others' */
        for (int k = 0; k < T; k++)
            found = found || sorted.at[0][j * T + j] == plain.at[0][k * T + k];
        assert_true(found);
    }
}

/* In a small window many cells share a point. */
TEST(a_point_is_the_largest_of_its_cells) {
    static float all[300 * 300];
    SCRIPT(s, script_begin, script_with_words("d-model=8&heads=1&text=", 300, 31), 4000, 3000);
    const DrawCells *cells = drawn_cells(&s.list, 0);
    assert_int_equal(cells->rows, 300);
    for (int i = 0; i < 300; i++)
        memcpy(&all[i * 300], cells->values + (size_t)i * (size_t)cells->stride, 300 * sizeof *all);
    script_size(&s, 640, 480);
    cells = drawn_cells(&s.list, 0);
    assert_true(cells->rows < 300);
    int pool = (300 + cells->rows - 1) / cells->rows;
    for (int i = 0; i < cells->rows; i++)
        for (int j = 0; j < cells->cols; j++) {
            float most = 0;
            for (int a = i * pool; a < (i + 1) * pool && a < 300; a++)
                for (int b = j * pool; b < (j + 1) * pool && b < 300; b++)
                    most = fmaxf(most, all[a * 300 + b]);
            assert_true(cells->values[(size_t)i * (size_t)cells->stride + (size_t)j] == most);
        }
}

static const DrawCells *first(const Script *s) {
    return drawn_cells(&s->list, 0);
}

TEST_IN(the_wheel_zooms_at_the_pointer_and_a_drag_pans, script_open, "") {
    DrawCells fit = *first(s);
    Vec2 at = drawn_cell(&fit, 8, 8);
    for (int i = 0; i < 6; i++)
        script_wheel(s, at, 1, 0);
    DrawCells in = *first(s);
    assert_true(in.rows < fit.rows && in.rect.w / (float)in.cols > fit.rect.w / (float)fit.cols);
    assert_non_null(drawn_beginning(&s->list, "Head 1 · query 9 · key 9"));
    script_press(s, at, 0, 1);
    script_move(s, (Vec2){at.x + 30, at.y + 20});
    script_move(s, (Vec2){at.x + 60, at.y + 40});
    assert_true(fabsf(first(s)->rect.x - in.rect.x) > 1 || first(s)->values != in.values);
    script_release(s, (Vec2){at.x + 60, at.y + 40}, 0);
    assert_string_equal(script_state(s), "");
    script_double_click(s, at);
    assert_int_equal(first(s)->rows, fit.rows);
    assert_true(first(s)->rect.w == fit.rect.w);
    assert_string_equal(script_state(s), "");
}

TEST(a_title_fills_the_view_with_its_head) {
    static const uint32_t ways_back[] = {KEY_ESCAPE, KEY_BACKSPACE};
    for (size_t i = 0; i < ARRAY_COUNT(ways_back); i++) {
        SCRIPT(s, script_open, "");
        float side = first(&s)->rect.w;
        script_double_click(&s, drawn_middle(&s.list, drawn_text(&s.list, "Head 3", 0)));
        assert_int_equal(drawn_cells_count(&s.list), 1);
        assert_true(first(&s)->rect.w > 1.5f * side);
        assert_string_equal(script_state(&s), "head=3&wall=one");
        script_key(&s, ways_back[i], 0);
        assert_int_equal(drawn_cells_count(&s.list), 4);
    }
}

/* Return the number of words with this start below the first row of matrices. */
static int count_words(const Script *s, const char *beginning) {
    int count = 0;
    size_t bytes = strlen(beginning);
    for (size_t i = 0; i < s->list.command_count; i++)
        count += strncmp(drawn_words(&s->list, i), beginning, bytes) == 0;
    return count;
}

/* Entropy, largest weight and effective rank, in short words or long ones, of each of four heads in
 * all windows that are usual. */
TEST(four_heads_have_all_their_figures) {
    static const float sizes[][2] = {
        {1024, 768}, {1280, 720}, {1366, 768}, {1440, 900}, {1920, 1080}};
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        SCRIPT(s, script_begin_typical, "", sizes[i][0], sizes[i][1]);
        assert_int_equal(count_words(&s, "entropy "), 4);
        assert_int_equal(count_words(&s, "largest 0.") + count_words(&s, "max 0."), 4);
        assert_int_equal(count_words(&s, "eff. rank ") + count_words(&s, "rank "), 4);
    }
}

/* For any number of heads, and if some parts have no room below them. */
TEST_IN(a_title_tells_all_figures_of_its_head, script_begin_typical, "heads=16&d-model=64", 1024,
        768) {
    assert_int_equal(count_words(s, "rank ") + count_words(s, "eff. rank "), 0);
    script_move(s, drawn_middle(&s->list, drawn_text(&s->list, "Head 3", 0)));
    script_wait(s, 1);
    char listed[1024] = "";
    for (size_t i = 0; i < s->list.command_count; i++)
        if (s->list.commands[i].layer == UI_LAYER_TIP)
            snprintf(listed + strlen(listed), sizeof listed - strlen(listed), "%s ",
                     drawn_words(&s->list, i));
    assert_non_null(strstr(listed, "Head 3 "));
    assert_non_null(strstr(listed, "Entropy "));
    assert_non_null(strstr(listed, "Largest weight 0."));
    assert_non_null(strstr(listed, "Effective rank of A "));
}

/* A closed cell has no colour of the scale, and no number under it. */
TEST(the_scale_marks_no_closed_cell) {
    static const char *const shows[] = {"weights", "masked"};
    for (size_t i = 0; i < ARRAY_COUNT(shows); i++) {
        SCRIPT(s, script_begin_typical, PRINT("mask=causal&show=%s&focus=nothing", shows[i]), 1440,
               900);
        script_move(&s, drawn_cell(drawn_cells(&s.list, 0), 2, 5));
        assert_int_equal(s.app->hover.lit.key, 5);
        assert_null(drawn_text(&s.list, "−∞", 0));
    }
}

/* Return the last drawn matrix of that head, which covers the wall while it moves. */
static Rect last_matrix(const Script *s) {
    return drawn_cells(&s->list, drawn_cells_count(&s->list) - 1)->rect;
}

/* It moves out of its place in the wall, and back from any position, with the same picture at the
 * same times. */
TEST(a_head_grows_out_of_its_place) {
    float sides[2][3];
    for (int take = 0; take < 2; take++) {
        SCRIPT(s, script_begin_moving, "head=4", 1728, 1080);
        Rect from = drawn_cells(&s.list, 3)->rect;
        s.time_s = 10;
        script_double_click(&s, drawn_middle(&s.list, drawn_text(&s.list, "Head 4", 0)));
        Rect begun = last_matrix(&s);
        assert_true(fabsf(begun.x - from.x) < 2 && fabsf(begun.y - from.y) < 2);
        assert_true(app_effects(s.app)->next_frame_s <= 10);
        for (int i = 0; i < 3; i++) {
            script_wait(&s, 0.03);
            sides[take][i] = last_matrix(&s).w;
            assert_true(sides[take][i] > (i == 0 ? from.w : sides[take][i - 1]));
            assert_true(take == 0 || sides[1][i] == sides[0][i]);
        }
        script_key(&s, KEY_ESCAPE, 0);
        assert_true(fabsf(last_matrix(&s).w - sides[take][2]) < 1);
        script_wait(&s, 0.05);
        assert_true(last_matrix(&s).w < sides[take][2]);
        script_play(&s, "@1 #4");
        assert_true(rect_equal(drawn_cells(&s.list, 3)->rect, from));
        assert_true(app_effects(s.app)->next_frame_s == INFINITY);
    }
}

TEST_IN(less_motion_enlarges_at_once, script_begin_moving, "motion=less", 1728, 1080) {
    script_double_click(s, drawn_middle(&s->list, drawn_text(&s->list, "Head 3", 0)));
    assert_int_equal(drawn_cells_count(&s->list), 1);
}

TEST_IN(selected_tokens_are_added_up, script_open, "") {
    script_click_with(s, drawn_cell(first(s), 2, 5), KEY_MOD_SHIFT);
    script_click_with(s, drawn_cell(first(s), 7, 5), KEY_MOD_SHIFT);
    script_move(s, NOWHERE);
    assert_non_null(drawn_text(&s->list, "2 queries", 0));
    assert_int_equal(drawn_curves(&s->list, THEMES[THEME_DARK].ring), 0); /* nothing else is lit */
    const DrawCells *cells = first(s);
    float most = 0;
    for (int j = 0; j < cells->cols; j++)
        most = fmaxf(most,
                     (cells->values[2 * cells->stride + j] + cells->values[7 * cells->stride + j]) /
                         2);
    assert_true(script_says(s, FIXED(most, 3)));
    script_click_text(s, "Sum", 0);
    script_move(s, NOWHERE);
    assert_true(script_says(s, FIXED(most * 2, 3)));
    script_play(s, "Escape -{2 queries}");
    assert_string_equal(script_state(s), "");
}

/* As many as there are: a press of Shift and a click on every row. */
TEST_IN(any_number_of_tokens_is_selected, script_open,
        script_with_words("d-model=8&heads=1&wall=one&init=zeros&text=", 100, 100)) {
    for (int i = 0; i < 100; i++)
        script_click_with(s, drawn_cell(first(s), i, 99 - i), KEY_MOD_SHIFT);
    script_move(s, NOWHERE);
    script_play(s, "{100 queries} <Sum>");
    script_move(s, NOWHERE);
    assert_non_null(drawn_text(&s->list, "1.000", 0));
    for (int i = 1; i < 100; i++)
        script_click_with(s, drawn_cell(first(s), i, 3), KEY_MOD_SHIFT);
    script_move(s, NOWHERE);
    assert_non_null(drawn_text(&s->list, "1 query", 0));
}

TEST_IN(the_mask_panel_opens_and_closes_what_is_dragged_over, script_open,
        STANDARD "&mask-panel=show&mask=causal") {
    const DrawCommand *title = drawn_text(&s->list, "Mask", 1);
    const DrawCells *cells = first(s);
    title = title != NULL ? title : drawn_text(&s->list, "Mask", 0);
    float cell = cells->rect.w / (float)cells->cols;
    Vec2 corner = {title->as.text.at.x - 2, 0};
    corner.y = drawn_cells(&s->list, 1)->rect.y;
    if (title->as.text.at.y > rect_bottom(cells->rect))
        corner.y = title->as.text.at.y + 14;
    Vec2 a = {corner.x + 3.5f * cell, corner.y + 0.9f * cell};
    script_drag(s, a, (Vec2){a.x + 2 * cell, a.y});
    assert_non_null(strstr(script_state(s), "&open=1-4..6"));
    script_key(s, 'z', KEY_MOD_COMMAND);
    assert_null(strstr(script_state(s), "open="));
}

/* Count the closed cells of a matrix, and check that its scale holds all others. */
static int closed_cells(const DrawCells *c) {
    int closed = 0;
    for (int i = 0; i < c->rows * c->cols; i++) {
        float value = c->values[i / c->cols * c->stride + i % c->cols];
        closed += value == DRAW_CELL_MASKED;
        if (value != DRAW_CELL_MASKED)
            assert_true(value >= c->lo && value <= c->hi);
    }
    return closed;
}

/* With a causal mask the words over the loops stand next to them, if the first loop reaches there.
 */
TEST(loops_do_not_cover_their_caption) {
    static const char *const texts[] = {"text=a%20b%20c",
                                        "text=a%20b%20c%20d%20e%20f%20g%20h%20i%20j%20k%20l%20m"};
    for (int dense = 0; dense < 2; dense++) {
        SCRIPT(s, script_begin, PRINT("%s&mask=causal", texts[dense]), 1366, 768);
        const DrawCommand *caption = drawn_text(&s.list, "reads itself", 0);
        assert_non_null(caption);
        float away = caption->as.text.at.x - rect_right(script_part(&s, "heads.graph")->cells);
        assert_true(dense ? away > 30 : away < 5);
    }
}

/* Every extreme in everything that the matrices can show. Only weights, masked scores and their
 * gradient know the mask. */
TEST(every_extreme_is_within_its_scale) {
    static const struct {
        const char *state;
        int side, closed;
    } extremes[] = {{"text=alone&d-model=8&heads=2", 1, 0},
                    {"text=a%20a&positions=none&d-model=8&heads=2", 2, 0},
                    {"text=a%20b&d-model=8&heads=2&close=1..2-1..2", 2, 4},
                    {STANDARD "&temperature=1e-06&init=normal", 6, 0},
                    {STANDARD "&init=zeros", 6, 0},
                    {NULL, 256, 0}};
    for (int show = 0; show < SHOWS.count; show++)
        for (size_t i = 0; i < ARRAY_COUNT(extremes); i++) {
            const char *id = registry_entry(&SHOWS, show)->id;
            bool has_mask = strcmp(id, "scores") != 0 && strcmp(id, "grad-a") != 0;
            const char *given = extremes[i].state;
            const char *line =
                PRINT("show=%s&%s", id, given != NULL ? given : "d-model=8&heads=2&text=");
            SCRIPT(s, script_begin, given != NULL ? line : script_with_words(line, 1024, 37), 1100,
                   800);
            for (int nth = 0; nth < 2; nth++) {
                const DrawCells *c = drawn_cells(&s.list, nth);
                assert_non_null(c);
                assert_int_equal(c->rows, extremes[i].side);
                assert_int_equal(closed_cells(c), has_mask ? extremes[i].closed : 0);
            }
        }
}
