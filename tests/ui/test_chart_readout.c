/* The readout's line of a line chart: the x in its handle and the values next to it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/panel.h"
#include "support/test.h"
#include "ui/chart.h"

#define POINTS 12

/* Two charts with the same x, one above the other, each with one curve from 0 to 11. */
typedef struct Pair {
    Panel panel;
    Chart chart;
    ChartSeries series;
    ChartHover hover;
    ChartState states[2];
    float y[POINTS];
} Pair;

static void build(Panel *panel) {
    Pair *p = panel->data;
    for (int i = 0; i < 2; i++)
        p->states[i] = chart_draw(&panel->ui, ui_id("pair", i),
                                  (Rect){50, 20 + 200 * (float)i, 500, 180}, &p->chart);
}

static void pair_open(Pair *p, const char *name) {
    memset(p, 0, sizeof *p);
    for (int i = 0; i < POINTS; i++)
        p->y[i] = (float)i;
    p->series = (ChartSeries){.y = p->y,
                              .x_first = 1,
                              .count = POINTS,
                              .name = name,
                              .mark = MARK_CIRCLE,
                              .colour = THEMES[THEME_DARK].heads[0]};
    p->chart = (Chart){.x = {1, POINTS, false, true},
                       .y = {0, POINTS, false, false},
                       .series = &p->series,
                       .series_count = 1,
                       .marked_x = 4,
                       .names = true,
                       .x_name = "d_k =",
                       .shared = &p->hover,
                       .draggable = true};
    panel_open(&p->panel, build, p);
}

static void mark(Pair *p, float x) {
    p->chart.marked_x = x;
    panel_move(&p->panel, 700, 590); /* away from both */
}

/* Return the number of readouts, of two, that show this text. */
static int said(const Pair *p, const char *text) {
    int count = 0;
    while (drawn_text(&p->panel.list, text, count) != NULL)
        count++;
    return count;
}

/* With or without the pointer on the chart, the value next to a curve's name is that at the line,
 * never that of another point. */
TEST(values_are_those_at_the_line) {
    PANEL_IN(Pair, p, pair_open, "Curve");
    mark(&p, 4);
    assert_int_equal(said(&p, "3.00"), 2);
    Vec2 at = chart_place(p.states[0].plot, &p.chart, 9, 2);
    panel_move(&p.panel, at.x, at.y);
    assert_int_equal(said(&p, "8.00"), 2);
    assert_int_equal(said(&p, "3.00"), 0);
    mark(&p, 4.5f);
    assert_int_equal(said(&p, "3.00") + said(&p, "4.00") + said(&p, "11.00"), 0);
    assert_int_equal(said(&p, "–"), 2);
    mark(&p, NAN);
    assert_int_equal(said(&p, "11.00"), 2); /* no line: the last value of each curve */
}

TEST(the_handle_says_where_the_line_stands) {
    PANEL_IN(Pair, p, pair_open, "Curve");
    for (int x = 1; x <= POINTS; x++) {
        char number[8], markup[24];
        snprintf(number, sizeof number, "%d", x);
        snprintf(markup, sizeof markup, "d_k = %d", x);
        mark(&p, (float)x);
        Rect handle =
            chart_handle(p.states[1].plot, chart_place(p.states[1].plot, &p.chart, (float)x, 0).x,
                         chart_handle_width(&p.panel.ui, markup));
        int in = 0;
        const DrawCommand *c;
        for (int i = 0; (c = drawn_text(&p.panel.list, number, i)) != NULL; i++)
            in += rect_contains(handle, drawn_middle(&p.panel.list, c));
        assert_int_equal(in, 1);
    }
    mark(&p, 4);
    Vec2 from = {chart_place(p.states[0].plot, &p.chart, 4, 0).x,
                 rect_bottom(p.states[0].plot) + 12};
    panel_press(&p.panel, from.x, from.y, 0, 1);
    panel_move(&p.panel, chart_place(p.states[0].plot, &p.chart, 9, 0).x, from.y);
    assert_true(p.states[0].moved && p.states[0].x == 9);
    panel_release(&p.panel, from.x, from.y);
}

/* True if the lower chart has an upright line of this colour at x. */
static bool has_line(const Pair *p, float x, Colour colour) {
    float at = chart_place(p->states[1].plot, &p->chart, x, 0).x;
    for (size_t i = 0; i < p->panel.list.command_count; i++) {
        const DrawCommand *c = &p->panel.list.commands[i];
        if (c->kind == DRAW_BOX && c->as.box.rect.h == p->states[1].plot.h &&
            fabsf(c->as.box.rect.x - at) <= 2 &&
            memcmp(&c->as.box.fill, &colour, sizeof colour) == 0)
            return true;
    }
    return false;
}

/* The pointer reads another x, but moves nothing: the handle's place stays marked. */
TEST(the_handles_place_is_marked_while_another_x_is_read) {
    LOCAL(panel_end) Pair p;
    Colour quiet = THEMES[THEME_DARK].control;
    pair_open(&p, "Curve");
    mark(&p, 4);
    assert_false(has_line(&p, 4, quiet));
    Vec2 at = chart_place(p.states[0].plot, &p.chart, 9, 2);
    panel_move(&p.panel, at.x, at.y);
    assert_true(has_line(&p, 4, quiet) && !p.states[0].moved);
}

/* In the frame of the pointer's move, whichever chart is drawn first. */
TEST(charts_of_one_x_are_read_together) {
    PANEL_IN(Pair, p, pair_open, "Curve");
    for (int i = 0; i < 2; i++) {
        Vec2 at = chart_place(p.states[i].plot, &p.chart, (float)(9 + i), 2);
        panel_move(&p.panel, at.x, at.y);
        assert_true(p.states[i].hovered && !p.states[!i].hovered);
        assert_true(p.states[0].x == (float)(9 + i) && p.states[1].x == (float)(9 + i));
    }
    mark(&p, 4);
    assert_true(p.states[0].x == 4 && p.states[1].x == 4);
}

/* For any values: the widest has an exponent. */
TEST(a_name_is_whole_next_to_any_value) {
    PANEL_IN(Pair, p, pair_open, "Orthogonal");
    for (int i = 0; i < POINTS; i++)
        p.y[i] = 9.85e-17f;
    mark(&p, 4);
    assert_int_equal(said(&p, "9.85e−17"), 2);
    assert_int_equal(said(&p, "Orthogonal"), 2);
}
