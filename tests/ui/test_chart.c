/* Line charts and histograms. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "support/panel.h"
#include "support/test.h"
#include "ui/axis.h"
#include "ui/bars.h"
#include "ui/chart.h"

typedef struct Desk {
    Panel panel;
    Chart chart;
    ChartSeries series[2];
    ChartState state;
    float y[2][12];
} Desk;

static void build(Panel *panel) {
    Desk *d = panel->data;
    d->state = chart_draw(&panel->ui, 9, (Rect){50, 50, 500, 300}, &d->chart);
    if (d->state.moved) {
        d->chart.marked_x = d->state.x;
        panel->ui.again = true;
    }
}

static void desk_open(Desk *d) {
    memset(d, 0, sizeof *d);
    for (int i = 0; i < 12; i++) {
        d->y[0][i] = (float)i;
        d->y[1][i] = 6;
    }
    for (int s = 0; s < 2; s++)
        d->series[s] = (ChartSeries){.y = d->y[s],
                                     .x_first = 1,
                                     .count = 12,
                                     .name = s == 0 ? "First" : "Second",
                                     .leaves = "goes on",
                                     .mark = MARK_CIRCLE,
                                     .colour = THEMES[THEME_DARK].heads[s]};
    d->chart = (Chart){.x = {1, 12, false, true},
                       .y = {0, 12, false, false},
                       .series = d->series,
                       .series_count = 2,
                       .marked_x = 4,
                       .names = true,
                       .readout = true,
                       .draggable = true};
    panel_open(&d->panel, build, d);
}

static Desk desk; /* opened for each test */

PANEL_EACH(desk, desk_open)

static void redraw(Desk *d) {
    panel_events(&d->panel, NULL, 0);
}

TEST(a_handle_is_dragged_and_stepped_to_points) {
    Rect plot = desk.state.plot;
    for (int i = 1; i <= 12; i++) {
        Vec2 at = chart_place(plot, &desk.chart, (float)i, 3);
        panel_press(&desk.panel, at.x + 3, at.y, 0, 1);
        assert_true(desk.chart.marked_x == (float)i);
        panel_release(&desk.panel, at.x + 3, at.y);
    }
    panel_key(&desk.panel, KEY_LEFT, 0);
    assert_true(desk.chart.marked_x == 11);
    panel_key(&desk.panel, KEY_HOME, 0);
    assert_true(desk.chart.marked_x == 1);
    panel_key(&desk.panel, KEY_LEFT, 0);
    assert_true(desk.chart.marked_x == 1);
    panel_key(&desk.panel, KEY_END, 0);
    assert_true(desk.chart.marked_x == 12);
}

/* A chart with steps moves to every whole number, wherever the points are. */
TEST(a_handle_steps_between_points) {
    static const float x[] = {0, 40, 100};
    LOCAL(panel_end) Desk d;
    desk_open(&d);
    d.series[0].x = x;
    d.series[0].count = 3;
    d.chart.series_count = 1;
    d.chart.x = (Axis){.lo = 0, .hi = 120, .whole = true};
    d.chart.steps = true;
    redraw(&d);
    Vec2 at = chart_place(d.state.plot, &d.chart, 57, 3);
    panel_press(&d.panel, at.x, at.y, 0, 1);
    assert_true(d.chart.marked_x == 57);
    panel_release(&d.panel, at.x, at.y);
    panel_key(&d.panel, KEY_RIGHT, 0);
    assert_true(d.chart.marked_x == 58);
    panel_key(&d.panel, KEY_LEFT, KEY_MOD_SHIFT);
    assert_true(d.chart.marked_x == 48);
    panel_key(&d.panel, KEY_END, 0);
    assert_true(d.chart.marked_x == 100);
}

/* If the line is only the handle and shows no values, it stays while the pointer is elsewhere. */
TEST(a_handle_without_values_stays) {
    for (int says = 0; says < 2; says++) {
        LOCAL(panel_end) Desk d;
        desk_open(&d);
        d.chart.names = d.chart.readout = says == 1;
        redraw(&d);
        Vec2 at = chart_place(d.state.plot, &d.chart, 9, 3), handle = at;
        handle.x = chart_place(d.state.plot, &d.chart, d.chart.marked_x, 3).x;
        panel_move(&d.panel, at.x, at.y);
        Colour ring = d.panel.ui.theme->ring;
        assert_true(d.chart.marked_x == 4 && d.state.hovered);
        assert_true(drawn_fill_at(&d.panel.list, ring, handle) == (says == 0));
        assert_true(drawn_fill_at(&d.panel.list, ring, at) == (says == 1));
    }
}

/* A handle below the plot can be grabbed there, and only if it exists. */
TEST(a_handle_below_the_plot_is_dragged) {
    for (int has_handle = 0; has_handle < 2; has_handle++) {
        LOCAL(panel_end) Desk d;
        desk_open(&d);
        d.chart.handle_w = has_handle ? 80 : 0;
        redraw(&d);
        float before = d.chart.marked_x;
        Rect handle =
            chart_handle(d.state.plot, chart_place(d.state.plot, &d.chart, before, 0).x, 80);
        Vec2 from = rect_centre(handle), to = chart_place(d.state.plot, &d.chart, 9, 0);
        assert_true(before != 9);
        panel_press(&d.panel, from.x, from.y, 0, 1);
        panel_move(&d.panel, to.x, from.y);
        assert_true(d.chart.marked_x == (has_handle ? 9 : before));
        panel_release(&d.panel, to.x, from.y);
    }
}

/* No number of the axis touches the handle, wherever it is, and some numbers stay. */
TEST(numbers_keep_clear_of_the_handle) {
    desk.chart.handle_w = 80;
    for (int x = 1; x <= 12; x++) {
        int seen = 0;
        desk.chart.marked_x = (float)x;
        redraw(&desk);
        float at = chart_place(desk.state.plot, &desk.chart, (float)x, 0).x;
        Rect handle = chart_handle(desk.state.plot, at, 80);
        assert_true(handle.x >= desk.state.plot.x - 10);
        for (int i = 1; i <= 12; i++) {
            char number[8];
            snprintf(number, sizeof number, "%d", i);
            const DrawCommand *c;
            for (int nth = 0; (c = drawn_text(&desk.panel.list, number, nth)) != NULL; nth++) {
                float left = c->as.text.at.x,
                      right = 2 * drawn_middle(&desk.panel.list, c).x - left;
                bool is_below = c->as.text.at.y > rect_bottom(desk.state.plot);
                seen += is_below;
                assert_true(!is_below || right < handle.x || left > rect_right(handle));
            }
        }
        assert_in_range(seen, 2, 12);
    }
}

TEST(the_readout_says_the_values_where_the_pointer_is) {
    Vec2 at = chart_place(desk.state.plot, &desk.chart, 9, 2);
    panel_move(&desk.panel, at.x, at.y);
    assert_true(desk.state.hovered && desk.state.x == 9);
    assert_non_null(drawn_text(&desk.panel.list, "8.00", 0));
    assert_non_null(drawn_text(&desk.panel.list, "6.00", 0));
    panel_move(&desk.panel, 700, 500);
    assert_true(!desk.state.hovered && desk.state.x == 4);
}

/* For any values, no part of a curve is outside the plot, and a curve that leaves it is
 * labelled. */
TEST(a_curve_that_leaves_ends_at_the_edge_with_an_arrow) {
    static const float beyond[] = {40, INFINITY, -5, -INFINITY, 1e30f};
    for (size_t k = 0; k < ARRAY_COUNT(beyond); k++) {
        desk.y[0][6] = beyond[k];
        redraw(&desk);
        int arrows = 0;
        for (size_t i = 0; i < desk.panel.list.command_count; i++) {
            const DrawCommand *c = &desk.panel.list.commands[i];
            Rect plot = rect_inset(desk.state.plot, -1, -1);
            arrows += c->kind == DRAW_TRIANGLE;
            if (c->kind == DRAW_CURVE && c->as.curve.colour_from == desk.series[0].colour)
                assert_true(rect_contains(plot, c->as.curve.from) &&
                            rect_contains(plot, c->as.curve.to));
        }
        assert_int_equal(arrows, 1);
        assert_non_null(drawn_text(&desk.panel.list, "goes on", 0));
    }
    desk.y[0][6] = NAN;
    redraw(&desk);
    assert_int_equal(drawn_curves(&desk.panel.list, desk.series[0].colour), 9);
}

/* A label nearly as wide as the plot would hide a curve, so its brief form takes its place. */
TEST(a_long_label_of_a_curve_that_leaves_has_a_brief_form) {
    desk.y[0][6] = 40;
    desk.series[0].leaves = "goes on and on, far beyond the upper edge of the plot";
    desk.series[0].leaves_brief = "goes far";
    redraw(&desk);
    assert_non_null(drawn_text(&desk.panel.list, "goes far", 0));
    desk.series[0].leaves = "goes on";
    redraw(&desk);
    assert_non_null(drawn_text(&desk.panel.list, "goes on", 0));
    assert_null(drawn_text(&desk.panel.list, "goes far", 0));
}

static int triangles(const Desk *d) {
    int count = 0;
    for (size_t i = 0; i < d->panel.list.command_count; i++)
        count += d->panel.list.commands[i].kind == DRAW_TRIANGLE;
    return count;
}

/* A curve that runs to the left has its arrow at its left end, and none at its right end. */
TEST(a_curve_that_runs_backward_leaves_at_the_left) {
    desk.y[0][0] = 40;
    redraw(&desk);
    assert_int_equal(triangles(&desk), 0);
    assert_null(drawn_text(&desk.panel.list, "goes on", 0));
    desk.chart.backward = true;
    redraw(&desk);
    assert_int_equal(triangles(&desk), 1);
    const DrawCommand *words = drawn_text(&desk.panel.list, "goes on", 0);
    assert_non_null(words);
    assert_true(words->as.text.at.x < desk.state.plot.x + desk.state.plot.w / 2);
}

TEST(a_curve_that_is_never_in_the_plot_is_told_of) {
    for (int i = 0; i < desk.series[0].count; i++)
        desk.y[0][i] = 40;
    redraw(&desk);
    assert_non_null(drawn_text(&desk.panel.list, "goes on", 0));
    assert_int_equal(triangles(&desk), 0);
}

TEST(names_do_not_lie_on_each_other) {
    desk.y[0][11] = desk.y[1][11] = 6;
    redraw(&desk);
    const DrawCommand *a = drawn_text(&desk.panel.list, "First", 0);
    const DrawCommand *b = drawn_text(&desk.panel.list, "Second", 0);
    assert_true(fabsf(a->as.text.at.y - b->as.text.at.y) >= 20);
    desk.y[0][11] = INFINITY;
    desk.chart.marked_x = 12;
    redraw(&desk);
    assert_non_null(drawn_text(&desk.panel.list, "overflow", 0));
}

/* A line with a flag stays with its number while the pointer is elsewhere, and can be dragged by
 * the flag. */
TEST(a_flag_stays_on_its_line) {
    desk.chart.flag = "step";
    desk.chart.readout = false;
    redraw(&desk);
    Vec2 at = chart_place(desk.state.plot, &desk.chart, 9, 3);
    panel_move(&desk.panel, at.x, at.y);
    assert_true(desk.state.hovered && desk.state.x == 9 && desk.chart.marked_x == 4);
    Vec2 flag = drawn_middle(&desk.panel.list, drawn_text(&desk.panel.list, "step 4", 0));
    assert_true(flag.y < desk.state.plot.y);
    panel_press(&desk.panel, flag.x, flag.y, 0, 1);
    panel_move(&desk.panel, at.x, flag.y);
    panel_release(&desk.panel, at.x, flag.y);
    assert_non_null(drawn_text(&desk.panel.list, "step 9", 0));
}

/* With many points, marks are far apart, and no mark is next to one of another curve. */
TEST(marks_of_many_points_are_some) {
    static const float level[101];
    LOCAL(panel_end) Desk d;
    desk_open(&d);
    for (int s = 0; s < 2; s++) {
        d.series[s].y = level;
        d.series[s].x_first = 0;
        d.series[s].count = 101;
    }
    d.chart.x = (Axis){.lo = 0, .hi = 100, .whole = true};
    d.chart.mark_every = 20;
    d.chart.marked_x = NAN;
    redraw(&d);
    for (int x = 0; x <= 100; x += 10)
        for (int s = 0; s < 2; s++) {
            Vec2 at = chart_place(d.state.plot, &d.chart, (float)x, 0);
            at.y -= 3.5f; /* above the curve */
            bool is_marked = drawn_fill_at(&d.panel.list, d.series[s].colour, at);
            assert_true(is_marked == (x % 20 == 10 * s));
        }
}

static void build_words(Panel *panel) {
    static const char *const names[] = {"First", NULL, "Third", "Fourth"};
    const Rect *bounds = panel->data;
    ChartWord words[4];
    for (int i = 0; i < 4; i++)
        words[i] = (ChartWord){bounds->y + 40, MARK_CIRCLE, 0, names[i], "1.00", i == 3};
    chart_words_draw(&panel->ui, *bounds, bounds->x + bounds->w - 60, words, 4);
}

/* Labels at the same height get a line each, all inside. */
TEST(words_next_to_a_line_do_not_touch) {
    Rect bounds = {100, 100, 300, 90};
    PANEL_IN(Panel, panel, panel_open, build_words, &bounds);
    float y[4];
    for (int i = 0; i < 4; i++) {
        const DrawCommand *value = drawn_text(&panel.list, "1.00", i);
        y[i] = drawn_middle(&panel.list, value).y;
        assert_true(y[i] > bounds.y && y[i] < rect_bottom(bounds));
        for (int k = 0; k < i; k++)
            assert_true(fabsf(y[i] - y[k]) > 20);
        assert_true(value->as.text.at.x > bounds.x && value->as.text.at.x < rect_right(bounds));
    }
}

TEST(every_value_falls_into_one_bin_or_outside) {
    const float values[] = {-1, -0.999f, 0, 0.5f, 1, 1.001f, NAN, INFINITY, -INFINITY, 0.999f};
    float counts[4] = {0}, sum = 0;
    int outside = histogram_add(counts, 4, -1, 1, values, ARRAY_COUNT(values));
    for (int i = 0; i < 4; i++)
        sum += counts[i];
    assert_int_equal(outside, 4);
    assert_true(sum == 6 && counts[0] == 2 && counts[1] == 0 && counts[2] == 1 && counts[3] == 3);
}

/* A chart without finite values says so, and shows no figures. */
TEST(what_is_no_number_is_written_without_figures) {
    static const float values[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        char text[48] = "";
        axis_value_text(text, sizeof text, values[i]);
        assert_true(text[0] != '\0' && strpbrk(text, "0123456789") == NULL);
    }
}
