/* Tooltips: when they open, stay and close, and that they never cover their own control. */
#include <math.h>

#include "support/panel.h"
#include "support/test.h"
#include "ui/button.h"
#include "ui/tooltip.h"

typedef struct Desk {
    Panel panel;
    Rect places[2];
    int clicks;
    float scrolled; /* by the wheel over everything */
    bool is_behind_sheet, second_is_behind;
} Desk;

static const char *const TEXTS[] = {"What the first does.", "What the second does."};

static void build(Panel *panel) {
    Desk *d = panel->data;
    unsigned mods;
    panel->ui.unlisted = d->is_behind_sheet;
    d->scrolled += ui_wheel(&panel->ui, ui_id("ground", 0), (Rect){0, 0, 800, 600}, &mods).y;
    for (int i = 0; i < 2; i++) {
        UiId id = ui_id("button", i);
        d->clicks += button_text(&panel->ui, id, d->places[i], "Button");
        panel->ui.unlisted |= i == 1 && d->second_is_behind;
        tooltip_on(&panel->ui, id, d->places[i], panel->ui.hot == id,
                   &(Tooltip){.title = "Title", .text = TEXTS[i], .key = "K"});
    }
}

static void desk_open(Desk *d) {
    *d = (Desk){.places = {{50, 50, 100, 36}, {400, 50, 100, 36}}};
    panel_open(&d->panel, build, d);
}

static Desk desk; /* opened for each test */
PANEL_EACH(desk, desk_open)

static void at(Desk *d, double time_s, float x, float y) {
    d->panel.time_s = time_s;
    panel_move(&d->panel, x, y);
}

static bool shows(const Desk *d, int i) {
    return drawn_text(&d->panel.list, TEXTS[i], 0) != NULL;
}

TEST(it_comes_when_the_pointer_rests) {
    at(&desk, 1, 60, 60);
    assert_false(shows(&desk, 0));
    assert_true(desk.panel.ui.next_time_s > 1.4 && desk.panel.ui.next_time_s < 1.6);
    at(&desk, desk.panel.ui.next_time_s, 60, 60);
    assert_true(shows(&desk, 0));
    assert_true(isinf(desk.panel.ui.next_time_s)); /* at rest no frame is requested */
    at(&desk, 3, 60, 300);
    assert_true(shows(&desk, 0)); /* a short time to reach it */
    at(&desk, 3.3, 60, 300);
    assert_false(shows(&desk, 0));
}

/* An area under a tip scrolls as if there were no tip. */
TEST(the_wheel_reaches_through_it) {
    at(&desk, 1, 60, 60);
    at(&desk, 2, 60, 60);
    Rect place = desk.panel.ui.tip.place;
    assert_true(shows(&desk, 0));
    panel_wheel(&desk.panel, place.x + 20, place.y + 10, 1, 0);
    assert_true(shows(&desk, 0));
    assert_true(desk.scrolled == 1);
}

TEST(from_one_to_the_next_it_goes_at_once) {
    at(&desk, 1, 60, 60);
    at(&desk, 2, 60, 60);
    at(&desk, 2.1, 410, 60);
    assert_true(shows(&desk, 1) && !shows(&desk, 0));
}

TEST(it_stays_while_the_pointer_is_on_it) {
    at(&desk, 1, 60, 60);
    at(&desk, 2, 60, 60);
    Vec2 on = rect_centre(desk.panel.ui.tip.place);
    at(&desk, 2.1, 60, 90); /* between the two */
    at(&desk, 2.2, on.x, on.y);
    at(&desk, 9, on.x, on.y);
    assert_true(shows(&desk, 0));
    at(&desk, 9.1, 700, 500);
    at(&desk, 9.5, 700, 500);
    assert_false(shows(&desk, 0));
}

TEST(escape_sends_it_away_until_the_pointer_has_left) {
    at(&desk, 1, 60, 60);
    at(&desk, 2, 60, 60);
    panel_key(&desk.panel, KEY_ESCAPE, 0);
    assert_false(shows(&desk, 0));
    at(&desk, 8, 62, 60);
    at(&desk, 9, 62, 60);
    assert_false(shows(&desk, 0));
    at(&desk, 10, 700, 500);
    at(&desk, 11, 62, 60);
    at(&desk, 12, 62, 60);
    assert_true(shows(&desk, 0));
}

TEST(a_click_pins_it) {
    at(&desk, 1, 60, 60);
    at(&desk, 2, 60, 60);
    Vec2 on = rect_centre(desk.panel.ui.tip.place);
    at(&desk, 2.1, on.x, on.y);
    panel_click(&desk.panel, on.x, on.y);
    at(&desk, 3, 410, 60);
    at(&desk, 9, 410, 60);
    assert_true(shows(&desk, 0) && !shows(&desk, 1)); /* one at a time */
    panel_key(&desk.panel, KEY_ESCAPE, 0);
    assert_false(shows(&desk, 0));
    assert_int_equal(desk.clicks, 0);
}

/* A menu that covers the control also covers its tip, which returns after the menu has closed. */
TEST(a_menu_or_a_sheet_lies_over_a_pinned_one) {
    at(&desk, 1, 60, 60);
    at(&desk, 2, 60, 60);
    Vec2 on = rect_centre(desk.panel.ui.tip.place);
    at(&desk, 2.1, on.x, on.y);
    panel_click(&desk.panel, on.x, on.y);
    for (int sheet = 0; sheet < 2; sheet++) {
        desk.is_behind_sheet = sheet;
        desk.panel.ui.popup = sheet ? 0 : ui_id("a menu", 0);
        at(&desk, 3, 410, 300);
        assert_false(shows(&desk, 0) || shows(&desk, 1));
        assert_false(rect_contains(desk.panel.ui.cover[UI_LAYER_TIP], on));
        panel_key(&desk.panel, KEY_ESCAPE, 0); /* Esc belongs to the menu or sheet */
        desk.is_behind_sheet = false;
        desk.panel.ui.popup = 0;
        at(&desk, 4, 410, 300);
        assert_true(shows(&desk, 0));
    }
}

TEST(a_menu_or_a_sheet_ends_one_that_is_not_pinned) {
    panel_key(&desk.panel, KEY_TAB, 0);
    desk.panel.time_s = 1;
    panel_events(&desk.panel, NULL, 0);
    assert_true(shows(&desk, 0));
    desk.is_behind_sheet = true;
    panel_events(&desk.panel, NULL, 0);
    assert_false(shows(&desk, 0));
}

/* A control behind does not replace the tip of one in front, which stays for its time. */
TEST(what_is_behind_takes_no_place) {
    desk.second_is_behind = true;
    at(&desk, 1, 60, 60);
    at(&desk, 2, 60, 60);
    at(&desk, 2.1, 410, 60);
    for (int i = 0; i < 2; i++) {
        assert_true(shows(&desk, 0) && !shows(&desk, 1));
        panel_events(&desk.panel, NULL, 0);
    }
    at(&desk, 2.5, 410, 60);
    assert_false(shows(&desk, 0) || shows(&desk, 1));
}

TEST(a_press_on_its_control_sends_it_away) {
    at(&desk, 1, 60, 60);
    at(&desk, 2, 60, 60);
    panel_click(&desk.panel, 60, 60);
    assert_int_equal(desk.clicks, 1);
    at(&desk, 9, 60, 60);
    assert_false(shows(&desk, 0));
}

/* Also if the pointer comes and presses within a frame, as a finger or a fast hand does. */
TEST(none_covers_what_a_press_has_opened) {
    panel_click(&desk.panel, 60, 60);
    at(&desk, 1, 60, 60);
    at(&desk, 2, 61, 60);
    at(&desk, 3, 61, 60);
    assert_false(shows(&desk, 0));
    at(&desk, 4, 700, 500);
    at(&desk, 5, 60, 60);
    at(&desk, 6, 60, 60);
    assert_true(shows(&desk, 0));
}

TEST(it_comes_to_what_has_the_focus) {
    panel_keys(&desk.panel, "Tab Tab");
    desk.panel.time_s = 1;
    panel_events(&desk.panel, NULL, 0);
    assert_true(shows(&desk, 1) && !shows(&desk, 0));
}

/* For a control of any place and size. */
TEST(it_never_lies_over_its_own_control) {
    for (float x = 0; x <= 760; x += 40)
        for (float y = 0; y <= 570; y += 30)
            for (float side = 28; side < 300; side += 90) {
                Rect owner = {x, y, side, side};
                Rect place = tooltip_place(&desk.panel.ui, owner, 300, 100);
                Rect both = rect_intersect(place, owner);
                assert_true(both.w <= 0 || both.h <= 0);
            }
}
