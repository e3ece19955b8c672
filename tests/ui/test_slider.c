#include <math.h>
#include <string.h>

#include "support/panel.h"
#include "support/test.h"
#include "ui/slider.h"

#define LEFT  109.0f /* of the track, which is 200 wide */
#define Y     218
#define SHIFT KEY_MOD_SHIFT

typedef struct Desk {
    Panel panel;
    SliderRange range;
    float value;
    int changes;
} Desk;

static void build(Panel *panel) {
    Desk *d = panel->data;
    d->changes += slider(&panel->ui, 12, (Rect){100, 200, 218, 36}, &d->range, &d->value);
}

static void desk_open(Desk *d, SliderRange range, float value) {
    memset(d, 0, sizeof *d);
    d->range = range;
    d->value = value;
    panel_open(&d->panel, build, d);
}

static void gives(Desk *d, const char *keys, float value) {
    panel_keys(&d->panel, keys);
    assert_true(d->value == value);
}

static void held(Desk *d, float x, unsigned mods) {
    d->panel.mods = mods;
    panel_move(&d->panel, x, Y);
}

TEST(the_knob_follows_the_pointer) {
    PANEL_IN(Desk, d, desk_open, (SliderRange){0, 1, 0, NAN, false}, 0.5f);
    panel_press(&d.panel, LEFT + 50, Y, 0, 1);
    assert_float_equal(d.value, 0.25f, 1e-4);
    panel_move(&d.panel, LEFT + 150, 300);
    assert_float_equal(d.value, 0.75f, 1e-4);
    panel_move(&d.panel, 10, 300);
    assert_true(d.value == 0);
    panel_move(&d.panel, 900, 300);
    assert_true(d.value == 1);
    panel_release(&d.panel, 900, 300);
    panel_move(&d.panel, 150, Y);
    assert_true(d.value == 1);
}

TEST(a_knob_taken_off_its_middle_does_not_jump) {
    PANEL_IN(Desk, d, desk_open, (SliderRange){0, 1, 0, NAN, false}, 0.5f);
    panel_press(&d.panel, LEFT + 106, Y, 0, 1);
    assert_true(d.value == 0.5f && d.changes == 0);
    panel_move(&d.panel, LEFT + 126, Y);
    assert_float_equal(d.value, 0.6f, 1e-4);
}

TEST(shift_is_finer_and_ctrl_snaps) {
    Desk d;
    desk_open(&d, (SliderRange){0, 1, 0, NAN, false}, 0.5f);
    panel_press(&d.panel, LEFT + 100, Y, 0, 1);
    held(&d, LEFT + 120, SHIFT);
    assert_float_equal(d.value, 0.51f, 1e-4);
    held(&d, LEFT + 140, 0);
    assert_float_equal(d.value, 0.61f, 1e-4);
    held(&d, LEFT + 147, KEY_MOD_COMMAND);
    assert_float_equal(d.value, 0.6f, 1e-4);
    panel_close(&d.panel);
    desk_open(&d, (SliderRange){0.1f, 10, 0, NAN, true}, 1);
    panel_press(&d.panel, LEFT + 100, Y, 0, 1);
    held(&d, LEFT + 127, KEY_MOD_COMMAND);
    assert_float_equal(d.value, 2, 1e-3);
    held(&d, LEFT + 200, KEY_MOD_COMMAND);
    assert_float_equal(d.value, 10, 1e-3);
    panel_close(&d.panel);
}

TEST(keys_and_wheel_step) {
    PANEL_IN(Desk, d, desk_open, (SliderRange){1, 64, 1, 16, false}, 63);
    gives(&d, "Tab Right", 64);
    int changes = d.changes;
    panel_key(&d.panel, KEY_RIGHT, 0);
    assert_int_equal(d.changes, changes); /* at its end it does not change */
    gives(&d, "Shift+Left", 54);
    gives(&d, "PageDown", 44);
    gives(&d, "Home", 1);
    gives(&d, "End", 64);
    panel_wheel(&d.panel, 150, Y, -2, 0);
    assert_true(d.value == 62);
    panel_press(&d.panel, 150, Y, 0, 2);
    assert_true(d.value == 16);
}

/* Over the whole range, in steps of a pixel, the value is a multiple of the step and never
 * falls. */
TEST(a_stepped_value_is_always_a_multiple) {
    PANEL_IN(Desk, d, desk_open, (SliderRange){0, 20, 1, NAN, false}, 0);
    panel_press(&d.panel, LEFT, Y, 0, 1);
    float before = 0;
    for (float x = LEFT; x <= LEFT + 201; x++) {
        panel_move(&d.panel, x, Y);
        assert_true(d.value == roundf(d.value) && d.value >= before);
        before = d.value;
    }
    assert_true(before == 20);
}

TEST(a_value_outside_its_range_is_left_alone) {
    PANEL_IN(Desk, d, desk_open, (SliderRange){0.1f, 10, 0, 1, true}, 250);
    panel_move(&d.panel, 150, Y);
    panel_key(&d.panel, KEY_TAB, 0);
    assert_true(d.value == 250 && d.changes == 0);
    panel_key(&d.panel, KEY_LEFT, 0);
    assert_true(d.value < 10);
}
