/* Toasts: they fade in, wait and fade out, and show text of any length in full. */
#include <math.h>
#include <string.h>

#include "support/panel.h"
#include "support/test.h"
#include "ui/toast.h"
#include "ui/tween.h"

#define ID 9

static const Rect AREA = {20, 50, 700, 500};

typedef struct Bread {
    Panel panel;
    Toast toast;
    ToastState state;
    int closed;
} Bread;

static void build(Panel *panel) {
    Bread *b = panel->data;
    ui_control(&panel->ui, 1, (Rect){0, 0, 40, 40}, 0);
    b->state = toast(&panel->ui, ID, AREA, &b->toast);
    b->closed += b->state.closed;
}

static void bread_open(Bread *b, const Toast *toast, bool moves) {
    memset(b, 0, sizeof *b);
    b->toast = *toast;
    panel_open(&b->panel, build, b);
    b->panel.ui.reduced_motion = !moves;
    panel_events(&b->panel, NULL, 0);
}

static void go(Bread *b, double time_s) {
    b->panel.time_s = time_s;
    panel_events(&b->panel, NULL, 0);
}

/* The opacity of its text, 0 to 255. */
static unsigned ink(const Bread *b) {
    const DrawCommand *words = drawn_beginning(&b->panel.list, "Saved");
    assert_non_null(words);
    return words->as.text.colour & 255;
}

static const Toast SAVED = {
    .text = "Saved one.headlight", .passes = true, .until_s = 8, .above = 8};

TEST(it_comes_and_goes_with_motion) {
    LOCAL(panel_end) Bread b;
    double comes_s = (double)MOTIONS[MOTION_VIEW].duration_s;
    bread_open(&b, &SAVED, true);
    assert_int_equal(ink(&b), 0);
    assert_true(b.panel.ui.next_time_s <= 0); /* the next frame, immediately */
    go(&b, comes_s / 4);
    assert_in_range(ink(&b), 1, 254);
    float rising = drawn_beginning(&b.panel.list, "Saved")->as.text.at.y;
    go(&b, comes_s);
    assert_int_equal(ink(&b), 255);
    assert_true(drawn_beginning(&b.panel.list, "Saved")->as.text.at.y < rising);
    assert_true(b.panel.ui.next_time_s == 8 - TOAST_LEAVES_S); /* nothing until then */
    go(&b, 8 - TOAST_LEAVES_S / 2);
    assert_in_range(ink(&b), 1, 254);
}

TEST(with_less_motion_it_is_there_at_once) {
    PANEL_IN(Bread, b, bread_open, &SAVED, false);
    assert_int_equal(ink(&b), 255);
    assert_true(isinf(b.panel.ui.next_time_s));
    go(&b, 7.99);
    assert_int_equal(ink(&b), 255);
}

TEST(pointer_and_keys_close_it_and_hold_it) {
    PANEL_IN(Bread, b, bread_open, &SAVED, false);
    assert_false(b.state.held);
    Vec2 words = {b.state.rect.x + 60, b.state.rect.y + 10}, cross = rect_centre(b.state.close);
    panel_move(&b.panel, words.x, words.y);
    assert_true(b.state.held);
    panel_click(&b.panel, words.x, words.y);
    assert_int_equal(b.closed, 0);
    panel_click(&b.panel, cross.x, cross.y);
    assert_int_equal(b.closed, 1);
    panel_move(&b.panel, 700, 20);
    assert_false(b.state.held);
    panel_keys(&b.panel, "Tab Tab");
    assert_true(b.panel.ui.focus == ID);
    assert_true(b.state.held);
    panel_key(&b.panel, KEY_ENTER, 0);
    assert_int_equal(b.closed, 2);
}

TEST(what_holds_has_no_button) {
    PANEL_IN(Bread, b, bread_open, &(Toast){.text = "Saved as long as it holds"}, true);
    assert_int_equal(ink(&b), 255);
    assert_int_equal(b.panel.ui.order_count, 1);
    assert_true(isinf(b.panel.ui.next_time_s));
}

TEST(long_words_take_more_lines) {
    char text[600];
    LOCAL(panel_end) Bread b;
    strcpy(text, "Saved");
    while (strlen(text) < 500)
        strcat(text, " word");
    bread_open(&b, &(Toast){.text = text, .passes = true, .until_s = 8, .above = 8}, false);
    assert_true(b.state.rect.h > 5 * 18 && b.state.rect.w <= AREA.w);
    assert_true(b.state.rect.y >= AREA.y);
    assert_float_equal(rect_bottom(b.state.rect), rect_bottom(AREA) - 8, 1e-3);
    size_t drawn = 0;
    for (size_t i = 0; i < b.panel.list.command_count; i++)
        if (b.panel.list.commands[i].kind == DRAW_TEXT)
            drawn += b.panel.list.commands[i].as.text.text_bytes;
    assert_true(drawn + 20 > strlen(text)); /* all except the blanks at line ends */
}

/* When the space below becomes free, the toast sinks into it. */
TEST(it_slides_to_its_place) {
    PANEL_IN(Bread, b, bread_open, &SAVED, true);
    go(&b, 1);
    float at = b.state.rect.y;
    b.toast.above = 60;
    go(&b, 1.01);
    go(&b, 1.05);
    assert_true(b.state.rect.y < at && b.state.rect.y > at - 52);
    go(&b, 2);
    assert_float_equal(b.state.rect.y, at - 52, 1e-3);
}
