/* The colour scale: the marked value is written among the numbers of the ticks. */
#include <math.h>

#include "support/panel.h"
#include "support/test.h"
#include "ui/scale_bar.h"

#define STEPS  200
#define BEYOND 19 /* px that a number may extend beyond the end */

static const Rect PLACE = {40, 40, 300, 40};

static void build(Panel *panel) {
    scale_bar(&panel->ui, PLACE, panel->data);
}

typedef struct Sized {
    ScaleBar bar;
    float width;
} Sized;

static void build_sized(Panel *panel) {
    const Sized *sized = panel->data;
    scale_bar(&panel->ui, (Rect){PLACE.x, PLACE.y, sized->width, PLACE.h}, &sized->bar);
}

static Rect extent(const Panel *p, const DrawCommand *c) {
    Vec2 middle = drawn_middle(&p->list, c);
    float half = fabsf(middle.x - c->as.text.at.x);
    return (Rect){middle.x - half, 0, 2 * half, 1};
}

/* Return the number of numbers; none touches another or leaves the bar by more than half its
 * width. */
static int check_numbers(const Panel *p, const ScaleBar *scale) {
    Rect seen[32];
    int count = 0, marked = 0;
    for (size_t i = 0; i < p->list.command_count; i++) {
        const DrawCommand *c = &p->list.commands[i];
        if (c->kind != DRAW_TEXT)
            continue;
        Rect at = extent(p, c);
        bool is_marked = c->as.text.colour == THEMES[THEME_DARK].text_1;
        marked += is_marked;
        assert_true(!is_marked ||
                    (at.x >= PLACE.x - 0.5f && rect_right(at) <= rect_right(PLACE) + 0.5f));
        for (int k = 0; k < count; k++)
            if (at.x < rect_right(seen[k]) && seen[k].x < rect_right(at))
                fail_msg("two numbers touch where %g is marked", (double)scale->marked);
        assert_true(count < 32);
        seen[count++] = at;
    }
    return marked;
}

TEST(the_marked_number_touches_no_tick) {
    const ScaleBar bars[] = {{.hi = 1, .name = "", .warp = WARP_LINEAR},
                             {.lo = -3, .hi = 3, .name = "", .warp = WARP_LINEAR},
                             {.hi = 0.02f, .name = "", .warp = WARP_LINEAR},
                             {.hi = 1, .name = "", .warp = WARP_LOG},
                             {.lo = -3, .hi = 3, .name = "", .warp = WARP_LOG}};
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
        ScaleBar bar = bars[i];
        bar.marked = NAN;
        PANEL_IN(Panel, p, panel_open, build, &bar);
        assert_int_equal(check_numbers(&p, &bar), 0);
        for (int step = 0; step <= STEPS; step++) {
            bar.marked = bar.lo + (bar.hi - bar.lo) * (float)step / STEPS;
            panel_events(&p, NULL, 0);
            assert_int_equal(check_numbers(&p, &bar), 1);
        }
    }
}

/* The ends are labelled even if no tick falls on them and the bar is narrow, so no colour lacks a
 * number. */
TEST(both_ends_are_written) {
    static const struct {
        ScaleBar bar;
        const char *start, *end;
    } cases[] = {{{.hi = 0.95f, .name = ""}, "0", ".95"},
                 {{.hi = 0.85f, .name = ""}, "0", ".85"},
                 {{.hi = 0.00085f, .name = ""}, "0", ".00085"},
                 {{.lo = -4.306f, .hi = 4.306f, .name = ""}, "−4.3", "4.3"},
                 {{.lo = 0.31f, .hi = 2.48f, .name = ""}, ".31", "2.48"},
                 {{.hi = 0.9f, .name = "", .warp = WARP_LOG}, "0", ".9"},
                 {{.lo = -0.83f, .hi = 0.83f, .name = "", .warp = WARP_ROOT}, "−.83", ".83"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (float width = 300; width >= 100; width -= 20) {
            Sized sized = {cases[i].bar, width};
            sized.bar.marked = NAN;
            PANEL_IN(Panel, p, panel_open, build_sized, &sized);
            assert_non_null(drawn_text(&p.list, cases[i].start, 0));
            const DrawCommand *end = drawn_text(&p.list, cases[i].end, 0);
            assert_non_null(end);
            Rect at = extent(&p, end);
            assert_true(at.x < PLACE.x + width && rect_right(at) > PLACE.x + width);
            assert_true(rect_right(at) <= PLACE.x + width + BEYOND);
            check_numbers(&p, &sized.bar);
        }
}

TEST(the_marked_number_is_written_out) {
    ScaleBar bar = {.hi = 1, .name = "", .marked = 0.394f, .warp = WARP_LINEAR};
    PANEL_IN(Panel, p, panel_open, build, &bar);
    assert_non_null(drawn_text(&p.list, ".39", 0));
    bar.marked = 0.00123f;
    bar.warp = WARP_LOG;
    panel_events(&p, NULL, 0);
    assert_non_null(drawn_text(&p.list, ".0012", 0));
}
