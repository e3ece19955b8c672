/* Buttons, segments, dropdowns, and the order of the focus. */
#include <string.h>

#include "base/util.h"
#include "support/panel.h"
#include "support/test.h"
#include "ui/button.h"
#include "ui/dropdown.h"

static const Entry ROWS[] = {{"one", "First", "", "Help on the first."},
                             {"two", "Second", "", "Help on the second."},
                             {"three", "Third", "", "Help on the third."}};
static const Registry CHOICES = {"numbers", "number", ROWS, sizeof ROWS[0], ARRAY_COUNT(ROWS)};

enum { BEFORE, SEGMENTS, LIST, BEHIND, AFTER, WIDGETS };

/* A button, segments, a dropdown, a button that the open list covers, and one below all. */
typedef struct Desk {
    Panel panel;
    bool without_segments;
    int clicks[WIDGETS];
    int segment, choice;
    bool with_absent;
    bool is_pressed; /* a control is pressed, for what is drawn before the controls */
} Desk;

static const Rect PLACES[WIDGETS] = {{20, 20, 100, 36},
                                     {200, 20, 300, 36},
                                     {20, 100, 160, 36},
                                     {40, 180, 100, 36},
                                     {20, 540, 100, 36}};

static void build(Panel *panel) {
    static const char *const labels[] = {"Ab", "Abcd", "Abc"};
    Desk *d = panel->data;
    Ui *ui = &panel->ui;
    d->is_pressed = ui->active != 0;
    d->clicks[BEFORE] += button_text(ui, ui_id("before", 0), PLACES[BEFORE], "Before");
    int segment = d->without_segments ? -1
                                      : segmented(ui, ui_id("segments", 0), PLACES[SEGMENTS],
                                                  labels, 3, d->segment);
    if (segment >= 0) {
        d->segment = segment;
        ui->again = true;
    }
    DropdownChoices choices = {.registry = &CHOICES, .absent = d->with_absent ? "None" : NULL};
    int choice = dropdown(ui, ui_id("list", 0), PLACES[LIST], &choices, d->choice);
    if (choice != DROPDOWN_UNCHANGED) {
        d->choice = choice;
        d->clicks[LIST]++;
        ui->again = true;
    }
    d->clicks[BEHIND] += button_text(ui, ui_id("behind", 0), PLACES[BEHIND], "Behind");
    d->clicks[AFTER] += button_icon(ui, ui_id("after", 0), PLACES[AFTER], ICON_HELP);
}

static void desk_open(Desk *d) {
    memset(d, 0, sizeof *d);
    panel_open(&d->panel, build, d);
}

static Desk desk; /* opened for each test */

PANEL_EACH(desk, desk_open)

static Vec2 middle(int widget) {
    return rect_centre(PLACES[widget]);
}

static void click(Desk *d, int widget) {
    panel_click(&d->panel, middle(widget).x, middle(widget).y);
}

static bool is_open(const Desk *d) {
    return drawn_text(&d->panel.list, "Second", d->choice == 1) != NULL;
}

static void click_row(Desk *d, const char *label, int nth) {
    const DrawCommand *row = drawn_text(&d->panel.list, label, nth);
    assert_non_null(row);
    Vec2 at = drawn_middle(&d->panel.list, row);
    panel_click(&d->panel, at.x, at.y);
}

TEST(a_button_is_clicked_when_let_go_inside) {
    panel_press(&desk.panel, 30, 30, 0, 1);
    assert_int_equal(desk.clicks[BEFORE], 0);
    panel_release(&desk.panel, 100, 50);
    assert_int_equal(desk.clicks[BEFORE], 1);
    panel_press(&desk.panel, 30, 30, 0, 1);
    panel_release(&desk.panel, 30, 90);
    assert_int_equal(desk.clicks[BEFORE], 1);
    panel_press(&desk.panel, 30, 90, 0, 1); /* pressed outside, let go inside */
    panel_release(&desk.panel, 30, 30);
    assert_int_equal(desk.clicks[BEFORE], 1);
    panel_press(&desk.panel, 30, 30, 0, 1); /* out and in again */
    panel_move(&desk.panel, 300, 300);
    panel_move(&desk.panel, 30, 30);
    panel_release(&desk.panel, 30, 30);
    assert_int_equal(desk.clicks[BEFORE], 2);
}

/* What is drawn before a control also shows in the same frame that it is pressed or released. */
TEST(a_press_is_known_in_the_whole_frame) {
    Vec2 at = middle(AFTER);
    panel_press(&desk.panel, at.x, at.y, 0, 1);
    assert_true(desk.is_pressed);
    panel_release(&desk.panel, at.x, at.y);
    assert_false(desk.is_pressed);
}

TEST(a_drag_from_one_control_clicks_no_other) {
    panel_press(&desk.panel, middle(BEFORE).x, middle(BEFORE).y, 0, 1);
    panel_move(&desk.panel, middle(AFTER).x, middle(AFTER).y);
    assert_true(desk.panel.ui.hot != ui_id("after", 0));
    panel_release(&desk.panel, middle(AFTER).x, middle(AFTER).y);
    assert_int_equal(desk.clicks[BEFORE] + desk.clicks[AFTER], 0);
}

TEST(other_buttons_of_the_mouse_click_nothing) {
    desk.panel.inside = true;
    desk.panel.pointer = middle(BEFORE);
    for (int button = POINTER_MIDDLE; button <= POINTER_RIGHT; button++) {
        PointerButton which = (PointerButton)button;
        panel_events(&desk.panel, &(InputEvent){.kind = INPUT_BUTTON_DOWN, .button = which}, 1);
        panel_events(&desk.panel, &(InputEvent){.kind = INPUT_BUTTON_UP, .button = which}, 1);
    }
    assert_int_equal(desk.clicks[BEFORE], 0);
}

TEST(a_pointer_outside_the_window_hovers_nothing) {
    panel_move(&desk.panel, middle(BEFORE).x, middle(BEFORE).y);
    assert_true(desk.panel.ui.hot == ui_id("before", 0));
    assert_int_equal(desk.panel.ui.cursor, 2);
    desk.panel.inside = false;
    panel_events(&desk.panel, NULL, 0);
    assert_true(desk.panel.ui.hot == 0);
    assert_int_equal(desk.panel.ui.cursor, 0);
}

TEST(focus_goes_round_in_reading_order) {
    static const char *const names[] = {"before", "segments", "list", "behind", "after"};
    LOCAL(panel_end) Desk d;
    desk_open(&d);
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
            panel_key(&d.panel, KEY_TAB, 0);
            assert_true(d.panel.ui.focus == ui_id(names[i], 0));
        }
    for (size_t i = ARRAY_COUNT(names) - 1; i-- > 0;) {
        panel_key(&d.panel, KEY_TAB, KEY_MOD_SHIFT);
        assert_true(d.panel.ui.focus == ui_id(names[i], 0));
    }
    panel_key(&d.panel, KEY_TAB, KEY_MOD_SHIFT);
    assert_true(d.panel.ui.focus == ui_id("after", 0));
}

/* A focused control may disappear, as a button does that closes its own sheet. */
TEST(the_focus_goes_on_from_where_it_was) {
    static const struct {
        unsigned mods;
        const char *next;
    } ways[] = {{0, "list"}, {KEY_MOD_SHIFT, "before"}};
    for (size_t i = 0; i < ARRAY_COUNT(ways); i++) {
        LOCAL(panel_end) Desk d;
        desk_open(&d);
        panel_keys(&d.panel, "Tab Tab");
        d.without_segments = true;
        panel_move(&d.panel, 700, 300);
        panel_key(&d.panel, KEY_TAB, ways[i].mods);
        assert_true(d.panel.ui.focus == ui_id(ways[i].next, 0));
    }
    LOCAL(panel_end) Desk d;
    desk_open(&d);
    click(&d, BEHIND);
    d.panel.ui.focus = 0; /* the owner removed it, as a field does on Enter */
    panel_key(&d.panel, KEY_TAB, 0);
    assert_true(d.panel.ui.focus == ui_id("after", 0));
    panel_click(&d.panel, 700, 300); /* on nothing: Tab starts again */
    panel_key(&d.panel, KEY_TAB, 0);
    assert_true(d.panel.ui.focus == ui_id("before", 0));
}

TEST(the_focus_has_a_ring_when_it_came_by_key) {
    LOCAL(panel_end) Desk d;
    Colour ring = THEMES[THEME_DARK].ring;
    desk_open(&d);
    panel_key(&d.panel, KEY_TAB, 0);
    assert_true(drawn_edge_at(&d.panel.list, ring, middle(BEFORE)));
    click(&d, BEFORE);
    assert_true(d.panel.ui.focus == ui_id("before", 0));
    assert_false(drawn_edge_at(&d.panel.list, ring, middle(BEFORE)));
    panel_click(&d.panel, 700, 300); /* on nothing */
    assert_true(d.panel.ui.focus == 0);
}

TEST(keys_click_what_has_the_focus) {
    panel_keys(&desk.panel, "Enter Space");
    assert_int_equal(desk.clicks[BEFORE], 0);
    panel_keys(&desk.panel, "Tab Enter Space");
    assert_int_equal(desk.clicks[BEFORE], 2);
    panel_key(&desk.panel, KEY_ENTER, KEY_MOD_COMMAND);
    assert_int_equal(desk.clicks[BEFORE], 2);
}

TEST(the_wheel_steps_a_choice) {
    Ui *ui = &desk.panel.ui;
    panel_wheel(&desk.panel, middle(LIST).x, middle(LIST).y, -1, 0);
    uint64_t serial = ui_wheel_serial(ui, ui_id("list", 0));
    assert_true(serial != 0 && desk.choice == 1);
    panel_wheel(&desk.panel, middle(LIST).x, middle(LIST).y, -5, 0);
    assert_int_equal(desk.choice, 2);
    assert_true(ui_wheel_serial(ui, ui_id("list", 0)) == serial);
    panel_wheel(&desk.panel, middle(LIST).x, middle(LIST).y, 1, 0);
    assert_int_equal(desk.choice, 1);
    assert_false(is_open(&desk));
    panel_wheel(&desk.panel, middle(SEGMENTS).x, middle(SEGMENTS).y, -1, 0);
    assert_int_equal(desk.segment, 1);
    assert_true(ui_wheel_serial(ui, ui_id("segments", 0)) > serial);
    assert_true(ui_wheel_serial(ui, ui_id("list", 0)) == 0);
    panel_wheel(&desk.panel, middle(SEGMENTS).x, middle(SEGMENTS).y, 9, 0);
    assert_int_equal(desk.segment, 0);
    desk.segment = -1; /* no segment is chosen to step from */
    panel_wheel(&desk.panel, middle(SEGMENTS).x, middle(SEGMENTS).y, -1, 0);
    assert_int_equal(desk.segment, -1);
}

TEST(a_segment_is_chosen_by_pointer_and_arrows) {
    click_row(&desk, "Abcd", 0);
    assert_int_equal(desk.segment, 1);
    click_row(&desk, "Abc", 0);
    assert_int_equal(desk.segment, 2);
    panel_click(&desk.panel, 499, 30); /* the last segment takes the remaining width */
    assert_int_equal(desk.segment, 2);
    panel_key(&desk.panel, KEY_RIGHT, 0);
    assert_int_equal(desk.segment, 2);
    panel_keys(&desk.panel, "Left Left");
    assert_int_equal(desk.segment, 0);
    panel_key(&desk.panel, KEY_LEFT, 0);
    assert_int_equal(desk.segment, 0);
    panel_key(&desk.panel, KEY_RIGHT, 0);
    assert_int_equal(desk.segment, 1);
    assert_true(
        drawn_fill_at(&desk.panel.list, THEMES[THEME_DARK].fill,
                      drawn_middle(&desk.panel.list, drawn_text(&desk.panel.list, "Abcd", 0))));
    const char *const labels[] = {"Ab", "Abcd", "Abc"};
    assert_float_equal(segmented_width(&desk.panel.ui, labels, 3), 9 * 18 * 0.6f + 6 * 14, 1e-3);
}

TEST(a_list_opens_and_a_row_is_chosen) {
    assert_false(is_open(&desk));
    click(&desk, LIST);
    assert_true(is_open(&desk));
    click_row(&desk, "Third", 0);
    assert_int_equal(desk.choice, 2);
    assert_int_equal(desk.clicks[LIST], 1);
    assert_false(is_open(&desk));
    click(&desk, LIST);
    click(&desk, LIST); /* its own button closes it */
    assert_false(is_open(&desk));
    assert_int_equal(desk.choice, 2);
}

TEST(a_list_is_walked_by_keys) {
    for (int i = 0; i < 3; i++)
        panel_key(&desk.panel, KEY_TAB, 0);
    panel_key(&desk.panel, KEY_ENTER, 0);
    assert_true(is_open(&desk));
    panel_key(&desk.panel, KEY_DOWN, 0);
    assert_non_null(drawn_text(&desk.panel.list, "Help on the second.", 0));
    panel_keys(&desk.panel, "End Down");
    assert_non_null(drawn_text(&desk.panel.list, "Help on the third.", 0));
    panel_keys(&desk.panel, "Home Up");
    assert_non_null(drawn_text(&desk.panel.list, "Help on the first.", 0));
    panel_keys(&desk.panel, "Down Space");
    assert_int_equal(desk.choice, 1);
    assert_false(is_open(&desk));
    panel_key(&desk.panel, KEY_DOWN, 0); /* arrows step the closed list */
    assert_int_equal(desk.choice, 2);
    panel_key(&desk.panel, KEY_DOWN, 0);
    assert_int_equal(desk.choice, 2);
    panel_key(&desk.panel, KEY_UP, 0);
    assert_int_equal(desk.choice, 1);
}

/* A pointer that rests on a row does not keep the lit row there. */
TEST(a_resting_pointer_leaves_the_keys_alone) {
    click(&desk, LIST);
    Vec2 third = drawn_middle(&desk.panel.list, drawn_text(&desk.panel.list, "Third", 0));
    panel_move(&desk.panel, third.x, third.y);
    assert_non_null(drawn_text(&desk.panel.list, "Help on the third.", 0));
    panel_key(&desk.panel, KEY_UP, 0);
    assert_non_null(drawn_text(&desk.panel.list, "Help on the second.", 0));
    panel_key(&desk.panel, KEY_ENTER, 0);
    assert_int_equal(desk.choice, 1);
}

TEST(a_list_closes_without_a_choice) {
    click(&desk, LIST);
    panel_keys(&desk.panel, "Down Escape");
    assert_false(is_open(&desk));
    click(&desk, LIST);
    panel_click(&desk.panel, 700, 300);
    assert_false(is_open(&desk));
    click(&desk, LIST);
    panel_key(&desk.panel, KEY_TAB, 0);
    assert_false(is_open(&desk));
    assert_int_equal(desk.choice, 0);
    assert_int_equal(desk.clicks[LIST], 0);
}

/* Also if the click lands on another control, drawn before or after the list. */
TEST(a_list_closes_when_another_control_is_clicked) {
    static const int others[] = {BEFORE, SEGMENTS, AFTER};
    for (size_t i = 0; i < ARRAY_COUNT(others); i++) {
        LOCAL(panel_end) Desk d;
        desk_open(&d);
        click(&d, LIST);
        assert_true(is_open(&d));
        click(&d, others[i]);
        assert_false(is_open(&d));
        assert_int_equal(d.choice, 0);
    }
}

TEST(an_open_list_covers_what_is_under_it) {
    click(&desk, LIST);
    panel_move(&desk.panel, middle(BEHIND).x, middle(BEHIND).y);
    assert_true(desk.panel.ui.hot != ui_id("behind", 0));
    click(&desk, BEHIND);
    assert_int_equal(desk.clicks[BEHIND], 0);
    assert_int_equal(desk.clicks[LIST], 1); /* it was a row of the list */
    click(&desk, BEHIND);
    assert_int_equal(desk.clicks[BEHIND], 1);
}

TEST(an_open_list_is_drawn_above_everything) {
    click(&desk, LIST);
    const DrawCommand *row = drawn_text(&desk.panel.list, "Third", 0);
    const DrawCommand *behind = drawn_text(&desk.panel.list, "Behind", 0);
    assert_int_equal(row->layer, UI_LAYER_POPUP);
    assert_true(row > behind);
}

TEST(no_choice_is_a_row_of_its_own) {
    desk.with_absent = true;
    click(&desk, LIST);
    click_row(&desk, "None", 0);
    assert_int_equal(desk.choice, -1);
    panel_keys(&desk.panel, "Tab Shift+Tab");
    assert_true(desk.panel.ui.focus == ui_id("list", 0));
    panel_key(&desk.panel, KEY_UP, 0);
    assert_int_equal(desk.choice, -1);
    panel_key(&desk.panel, KEY_DOWN, 0);
    assert_int_equal(desk.choice, 0);
    panel_key(&desk.panel, KEY_UP, 0);
    assert_int_equal(desk.choice, -1);
    panel_keys(&desk.panel, "Enter Down Enter");
    assert_int_equal(desk.choice, 0);
}

TEST(ids_are_never_none_and_tell_apart) {
    UiId seen[300];
    for (int i = 0; i < 300; i++) {
        seen[i] = ui_id(i % 2 == 0 ? "chip" : "rail", i / 2);
        assert_true(seen[i] != 0);
        for (int k = 0; k < i; k++)
            assert_true(seen[k] != seen[i]);
    }
}
