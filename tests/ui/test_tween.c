/* Motion: easings, and tweens over frames at given times. */
#include <math.h>
#include <string.h>

#include "draw/easing.h"
#include "support/panel.h"
#include "support/test.h"
#include "ui/tween.h"

typedef struct Mover {
    Panel panel;
    float target, at;
    Colour colour_target, colour;
    Motion motion;
    bool absent;
} Mover;

static void build(Panel *panel) {
    Mover *m = panel->data;
    if (m->absent)
        return;
    m->at = ui_tween(&panel->ui, 5, m->target, m->motion);
    m->colour = ui_tween_colour(&panel->ui, 6, m->colour_target, m->motion);
}

static void mover_open(Mover *m, Motion motion) {
    memset(m, 0, sizeof *m);
    m->motion = motion;
    m->colour_target = 0x102030FFu;
    panel_open(&m->panel, build, m);
    m->panel.ui.reduced_motion = false;
    panel_events(&m->panel, NULL, 0);
}

static void go(Mover *m, double time_s) {
    m->panel.time_s = time_s;
    panel_events(&m->panel, NULL, 0);
}

TEST(every_easing_runs_from_end_to_end) {
    for (int e = 0; e < EASE_COUNT; e++) {
        float before = 0;
        assert_true(easing_at((Easing)e, 0) == 0 && easing_at((Easing)e, 1) == 1);
        assert_true(easing_at((Easing)e, -3) == 0 && easing_at((Easing)e, 7) == 1);
        for (int i = 1; i <= 200; i++) {
            float at = easing_at((Easing)e, (float)i / 200);
            assert_true(at >= before && at <= 1);
            before = at;
        }
    }
}

/* Points of CSS Easing's curve, from its parameter s: at s = 1/2, x = (3 x1 + 3 x2 + 1) / 8 and y =
 * (3 y1 + 3 y2 + 1) / 8. */
TEST(an_easing_passes_through_the_middle_of_its_curve) {
    assert_float_equal(easing_at(EASE_LINEAR, 0.3f), 0.3f, 1e-6);
    assert_float_equal(easing_at(EASE_STANDARD, (0.6f + 0 + 1) / 8), 0.5f, 1e-4);
    assert_float_equal(easing_at(EASE_REROLL, (0.9f + 0.3f + 1) / 8), 0.5f, 1e-4);
    assert_float_equal(easing_at(EASE_FLIGHT, (1.2f + 0.6f + 1) / 8), 0.5f, 1e-4);
}

TEST(a_value_goes_to_its_target_in_its_time_and_rests) {
    for (int motion = 0; motion < MOTION_COUNT; motion++) {
        PANEL_IN(Mover, m, mover_open, (Motion)motion);
        float duration = MOTIONS[motion].duration_s;
        m.target = 8;
        m.colour_target = 0x50403020u;
        go(&m, 1);
        assert_true(m.at == (duration > 0 ? 0 : 8));
        float before = m.at;
        for (int i = 1; i < 10 && duration > 0; i++) {
            assert_true(m.panel.ui.next_time_s <= m.panel.time_s); /* it requests a frame */
            go(&m, 1 + (double)duration * i / 10);
            assert_true(m.at > before && m.at < 8);
            before = m.at;
        }
        go(&m, 1.0001 + (double)duration);
        assert_true(m.at == 8 && m.colour == 0x50403020u);
        assert_true(isinf(m.panel.ui.next_time_s)); /* and then none */
    }
}

TEST(what_is_first_seen_or_seen_again_stands_at_its_target) {
    PANEL_IN(Mover, m, mover_open, MOTION_VIEW);
    assert_true(m.at == 0 && isinf(m.panel.ui.next_time_s));
    m.absent = true;
    go(&m, 1);
    m.absent = false;
    m.target = 3;
    go(&m, 2);
    assert_true(m.at == 3 && isinf(m.panel.ui.next_time_s));
}

TEST(a_new_target_sets_off_from_where_it_stands) {
    PANEL_IN(Mover, m, mover_open, MOTION_HOVER);
    m.target = 10;
    go(&m, 1);
    go(&m, 1.04);
    assert_float_equal(m.at, 5, 1e-3);
    m.target = 0;
    go(&m, 1.04);
    assert_float_equal(m.at, 5, 1e-3);
    go(&m, 1.08);
    assert_float_equal(m.at, 2.5f, 1e-3);
}

TEST(with_less_motion_all_is_at_once) {
    PANEL_IN(Mover, m, mover_open, MOTION_REROLL);
    m.panel.ui.reduced_motion = true;
    m.target = 4;
    go(&m, 1);
    assert_true(m.at == 4 && isinf(m.panel.ui.next_time_s));
}

/* More tweens than slots: none is lost for long, and none is wrong. */
static void build_many(Panel *panel) {
    Mover *m = panel->data;
    for (int i = 0; i < 3 * UI_TWEENS_MAX; i++) {
        float at = ui_tween(&panel->ui, ui_id("many", i), m->target, MOTION_VALUE);
        assert_true(at >= 0 && at <= 1);
    }
}

TEST(more_tweens_than_room_arrive_too) {
    PANEL_IN(Mover, m, memset, 0, sizeof m);
    panel_open(&m.panel, build_many, &m);
    m.panel.ui.reduced_motion = false;
    m.target = 1;
    go(&m, 1);
    go(&m, 2);
    go(&m, 3);
    assert_true(isinf(m.panel.ui.next_time_s));
}
