/* The presenter's tools: the pen, a hall that keeps its picture, and the window with notes, time
 * and the next step. */
#include <math.h>

#include "app/console.h"
#include "app/hall.h"
#include "app/tour.h"
#include "support/script.h"
#include "support/test.h"

#define WIDTH  1280
#define HEIGHT 720

static const char TOUR[] = "title = Learn\n"
                           "state = text=one two three four&seed=3&wall=one\n"
                           "== look: Look\n"
                           "caption = Row 2 sums to {sum(2):.2f}.\n"
                           "note = Wait for W_Q. (1 min)\n"
                           "== form: Form\n"
                           "state = view=wqk\n"
                           "caption = First\n"
                           "at 1 caption = Second\n"
                           "== end: End\n";

static Console console;
static DrawList list;

static void begin(Script *s, int displays) {
    script_begin(s, "", WIDTH, HEIGHT);
    presenter_displays(s->app, displays);
    must(tour_begin_bytes(s->app, "learn", TOUR, sizeof TOUR - 1, &told) &&
         presenter_begin(s->app, NULL, 2, &told));
    for (int i = 0; i < 4; i++)
        script_frame(s);
}

static int end(void **state) {
    console_release(&console);
    draw_release(&list);
    return 0;
}
TEST_EACH(NULL, end)

static void show(Script *s, int frames) {
    ConsoleSize size = {1440, 900, "10:42"};
    for (int i = 0; i < frames; i++)
        console_frame(&console, s->app, &s->list, &size, &list);
    assert_null(drawn_fault(&list));
}

static bool says(const char *words) {
    return drawn_text(&list, words, 0) != NULL;
}

TEST_IN(with_two_displays_notes_have_a_window, begin, 2) {
    assert_true(app_effects(s->app)->has_console);
    show(s, 20);
    assert_true(says("10:42") && says("1 of 3") && says("In the hall") &&
                says("next press: step 2"));
    assert_true(says("2:00") && says("left of 2:00") && says("on time"));
    assert_true(says("Row 2 sums to 1.00.")); /* the stage */
    assert_true(says("Second"));              /* the next step at its last cue */
    script_play(s, "PageDown @300");
    show(s, 20);
    assert_true(says("2 of 3") && says("next press: cue 1 of 1") && says("−3:00"));
    assert_true(says("3 min behind"));
    script_keys(s, "N");
    assert_false(app_effects(s->app)->has_console);
    assert_false(script_says(s, "No notes.")); /* for the hall */
}

TEST_IN(with_one_display_a_key_opens_it, begin, 1) {
    assert_false(app_effects(s->app)->has_console);
    script_keys(s, "Shift+N");
    assert_true(app_effects(s->app)->has_console);
    presenter_close_console(s->app);
    script_frame(s);
    assert_false(app_effects(s->app)->has_console);
}

TEST_IN(a_frozen_hall_needs_the_window, begin, 1) {
    script_keys(s, "Z");
    assert_true(app_effects(s->app)->is_frozen && app_effects(s->app)->has_console);
    script_play(s, "PageDown |");
    show(s, 1);
    assert_true(says("Hall frozen") && says("First"));
    presenter_close_console(s->app);
    script_frame(s);
    assert_false(app_effects(s->app)->is_frozen);
}

TEST_IN(a_black_hall_is_seen_by_the_presenter, begin, 2) {
    size_t before = s->list.command_count;
    script_keys(s, "B");
    const DrawCommand *last = &s->list.commands[s->list.command_count - 1];
    assert_int_equal(s->list.command_count, before + 1);
    assert_true(last->kind == DRAW_BOX && last->as.box.fill == 0x000000FFu);
    show(s, 1);
    assert_true(says("Hall is black"));
    for (size_t i = 0; i < list.command_count; i++)
        assert_false(list.commands[i].kind == DRAW_BOX && list.commands[i].as.box.fill == 255 &&
                     list.commands[i].as.box.rect.h > 400);
}

TEST_IN(a_place_on_the_stage_is_one_in_the_hall, begin, 2) {
    show(s, 1);
    const DrawCommand *there = drawn_text(&s->list, "Row 2 sums to 1.00.", 0);
    const DrawCommand *here = drawn_text(&list, "Row 2 sums to 1.00.", 0);
    Vec2 at = here->as.text.at;
    Vec2 px = console_point(&console, (Vec2){at.x * list.scale, at.y * list.scale});
    assert_true(fabsf(px.x - there->as.text.at.x * s->list.scale) < 0.01f);
    assert_true(fabsf(px.y - there->as.text.at.y * s->list.scale) < 0.01f);
}

static int strokes(const Script *s) {
    int count = 0;
    for (size_t i = 0; i < s->list.command_count; i++)
        count += s->list.commands[i].kind == DRAW_CURVE &&
                 s->list.commands[i].as.curve.colour_from == 0xE5484DFFu;
    return count;
}

TEST_IN(the_pen_draws_until_it_is_erased, begin, 1) {
    char *was = app_session(s->app)->text->bytes;
    script_keys(s, "P");
    script_press(s, (Vec2){300, 200}, 0, 1);
    script_play(s, "move:340,220 move:380,200");
    script_release(s, (Vec2){400, 260}, 0);
    script_move(s, (Vec2){500, 300});
    assert_int_equal(strokes(s), 3);
    assert_int_equal(app_session(s->app)->options.pin.first, 0); /* no click on the matrix */
    assert_ptr_equal(app_session(s->app)->text->bytes, was);
    assert_int_equal(app_effects(s->app)->cursor, CURSOR_NONE);
    script_keys(s, "J"); /* the laser leaves the strokes */
    assert_int_equal(strokes(s), 3);
    script_keys(s, "E");
    assert_int_equal(strokes(s), 0);
    script_keys(s, "Escape");
    assert_true(app_effects(s->app)->is_presented);
    script_play(s, "Escape |");
    assert_false(app_effects(s->app)->is_presented);
}
