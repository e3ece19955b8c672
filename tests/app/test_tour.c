/* A tour in the window: a task that the user does is noticed, Next and Back are exact, and an
 * unfinished tour is resumed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/hall.h"
#include "app/tour.h"
#include "base/util.h"
#include "draw/part.h"
#include "support/disk.h"
#include "support/script.h"
#include "support/test.h"
#include "views/tour_numbers.h"

#define WIDTH  1728
#define HEIGHT 1080

static const char TOUR[] = "title = Learn\n"
                           "state = text=one two three four&seed=3&view=heads&wall=one\n"
                           "== look: Look\n"
                           "light = heads.matrix.1 row(2)\n"
                           "caption = Row 2 sums to {sum(2):.2f}.\n"
                           "== ask: Ask\n"
                           "state = focus=nothing\n"
                           "ask = pin(2,*) : Click the brightest cell of row 2.\n"
                           "hint = It is in row 2.\n"
                           "== form: Form\n"
                           "ask = form=merged : Merge.\n"
                           "== guess: Guess\n"
                           "guess = A(2,*) : Which word does two read most?\n"
                           "light = heads.matrix.1\n"
                           "caption = It was {A(2,*):%}.\n"
                           "== cues: Cues\n"
                           "caption = First\n"
                           "at 1 caption = Second\n"
                           "at 1 state = pin=1,1\n"
                           "at 2 caption = Third\n"
                           "at 2 play temperature 1..3 over 2\n"
                           "at 6 key M\n";

static void begin(Script *s, const char *state) {
    script_begin(s, state, WIDTH, HEIGHT);
    must(tour_begin_bytes(s->app, "learn", TOUR, sizeof TOUR - 1, &told));
    script_frame(s);
}

static void go(Script *s, int step) {
    tour_go(s->app, step);
    script_play(s, "| |");
}

TEST_IN(the_panel_says_the_step_and_its_number, begin, "") {
    script_play(s, "{Look} {Tour: 1 of 5} {Row 2 sums to 1.00.}");
}

/* Return words with their numbers filled in. */
static const char *filled(Script *s, const char *words) {
    const char *out = tour_fill(s->app, words, &told);
    assert_int_equal(told.kind, ERR_NONE);
    return out;
}

TEST_IN(no_words_are_cut, begin, "") {
    LOCAL(text_out_release) TextOut words = {0};
    for (int i = 0; i < 20000; i++)
        text_out(&words, "完%d ", i);
    text_out(&words, "{sum(2):.2f} end");
    const char *out = filled(s, words.at), *end = strstr(out, "完19999");
    assert_non_null(end);
    assert_string_equal(end, "完19999 1.00 end");
}

TEST_IN(words_with_a_bad_number_keep_it, begin, "") {
    assert_string_equal(tour_fill(s->app, "{sum(9)} {{sum(2):.2f} {sum(2)", &told),
                        "{sum(9)} {1.00 {sum(2)");
    assert_int_equal(told.kind, ERR_USAGE);
}

/* Digits that a double does not know are not shown. */
TEST_IN(large_numbers_get_an_exponent, begin, "") {
    assert_string_equal(filled(s, "{1234567:,} {-999999999999999:,}"),
                        "1,234,567 −999,999,999,999,999");
    assert_string_equal(filled(s, "{9.5e18:,} {-1e308:,}"), "9.50e+18 −1.00e+308");
}

/* A film's caption gets smaller letters until every line is in the picture. */
TEST(a_long_caption_in_a_film_is_not_cut) {
    for (int hall = 0; hall < 2; hall++) {
        SCRIPT(s, script_begin, "", WIDTH, HEIGHT);
        LOCAL(text_out_release) TextOut words = {0};
        Tour tour;
        text_out(&words, "title = T\n== long: Long\ncaption =");
        for (int i = 0; i < 300; i++)
            text_out(&words, " caption");
        must(tour_read_text(&tour, words.at, words.used, &told));
        tour_record_begin(s.app, &tour, 0, hall, true);
        script_play(&s, "| |");
        int seen = 0;
        for (size_t i = 0; i < s.list.command_count; i++) {
            const char *line = drawn_words(&s.list, i);
            if (strncmp(line, "caption", 7) != 0)
                continue;
            Vec2 at = s.list.commands[i].as.text.at;
            float size = s.list.commands[i].as.text.size;
            assert_true(at.y - size >= 0 && at.y + size / 3 <= s.app->layout.window.h);
            seen += (int)(strlen(line) + 1) / 8;
        }
        assert_int_equal(seen, 300);
    }
}

TEST_IN(what_is_asked_is_noticed, begin, "") {
    Rect cell = {0};
    go(s, 1);
    int most = tour_largest_key(app_context(s->app), 1), other = (most + 1) % 4;
    char address[16];
    for (int tries = 0; tries < 2; tries++) {
        assert_false(script_says(s, "It is in row 2."));
        const DrawPart *part = part_find(&s->list, "heads.matrix.1", 14);
        int bytes = snprintf(address, sizeof address, "cell(%d,%d)", 1 + 2 * tries, other + 1);
        assert_true(part_address(&cell, &s->list, part, address, (size_t)bytes));
        script_click(s, rect_centre(cell));
        script_frame(s);
    }
    assert_true(script_says(s, "It is in row 2."));
    assert_false(s->app->tour.is_done);
    script_play(s, "<Show me> |");
    assert_true(s->app->tour.is_done);
    assert_int_equal(app_session(s->app)->options.pin.first, 2);
    assert_int_equal(app_session(s->app)->options.pin.second, most + 1);
    script_play(s, "Ctrl+L Ctrl+A 'one' " /* the pinned cell is gone */
                   "Enter |");
    go(s, 2);
    assert_false(s->app->tour.is_done);
    script_play(s, "F |");
    assert_true(s->app->tour.is_done);
    assert_true(script_says(s, "Well done. Press Next."));
}

TEST_IN(a_guess_comes_first, begin, "") {
    go(s, 3);
    const ViewContext *context = app_context(s->app);
    int most = tour_largest_key(context, 1);
    script_play(s, "-{✓ measured} -{✓ your guess} {Show me}");
    const char *name = TOKEN_NAME(context, (most + 1) % 4, 32);
    script_move(s, (Vec2){WIDTH - 200, 60});
    int nth = 0;
    while (drawn_text(&s->list, name, nth + 1) != NULL)
        nth++; /* the last of them is the panel's */
    script_click_text(s, name, nth);
    script_frame(s);
    assert_int_equal(s->app->tour.guess, (most + 1) % 4 + 1);
    script_play(s, "{your guess} {✓ measured} {Next}");
}

TEST_IN(cues_follow_the_time, begin, "") {
    go(s, 4);
    script_play(s, "{First} @1.5 {Second}");
    assert_int_equal(app_session(s->app)->options.pin.first, 1);
    script_play(s, "@1.5 {Third}");
    float half = app_session(s->app)->options.temperature;
    assert_true(half > 1.5f && half < 2.5f);
    script_wait(s, 2);
    assert_true(app_session(s->app)->options.temperature == 3);
    int mask = app_session(s->app)->options.mask.row;
    script_wait(s, 2);
    assert_int_not_equal(app_session(s->app)->options.mask.row, mask);
}

/* The user's changes stay until the next move, which is exact. */
TEST_IN(a_detour_stops_the_cues_and_ends_exactly, begin, "") {
    go(s, 4);
    script_keys(s, "R");
    uint64_t seed = app_session(s->app)->options.seed;
    assert_int_equal(seed, 4);
    script_wait(s, 10);
    assert_int_equal(app_session(s->app)->options.seed, 4);
    assert_true(app_session(s->app)->options.temperature == 1);
    script_play(s, "PageUp |");
    assert_int_equal(s->app->tour.step, 4); /* back to the step's original state */
    assert_int_equal(app_session(s->app)->options.seed, 3);
    script_keys(s, "PageUp");
    assert_int_equal(s->app->tour.step, 3);
    script_keys(s, "PageDown");
    assert_int_equal(s->app->tour.step, 4);
}

TEST_IN(a_tour_left_is_resumed_and_the_layer_comes_back, begin, "text=my own words&seed=9") {
    char before[256];
    snprintf(before, sizeof before, "%s", "text=my%20own%20words&seed=9");
    go(s, 2);
    tour_leave(s->app);
    script_frame(s);
    assert_false(tour_is_on(s->app));
    assert_false(script_says(s, "Form") && script_says(s, "Step 3 of 5"));
    assert_true(script_state_has(s, "one%20two"));
    must(tour_begin_bytes(s->app, "learn", TOUR, sizeof TOUR - 1, &told));
    script_frame(s);
    assert_int_equal(s->app->tour.step, 2);
    script_play(s, "<Back to my layer> |");
    assert_false(tour_is_on(s->app));
    script_check(s, before);
    script_keys(s, "Ctrl+Z"); /* one step of undo */
    assert_true(script_state_has(s, "one%20two"));
}

TEST_IN(a_presenter_goes_cue_by_cue, begin, "") {
    must(presenter_begin(s->app, "cues", 10, &told));
    script_play(s, "| @30 {First} PageDown @30 {Second} PageDown @30 {Third}");
    assert_true(app_session(s->app)->options.temperature == 3);
    script_play(s, "Home |");
    assert_int_equal(s->app->tour.step, 0);
    script_keys(s, "Backspace");
    assert_int_equal(s->app->tour.step, 4);
    script_keys(s, "G 2 Enter");
    assert_int_equal(s->app->tour.step, 1);
    script_keys(s, "R");
    assert_true(s->app->tour.is_detour || app_session(s->app)->options.seed == 4);
    script_play(s, "| Enter |");
    assert_int_equal(app_session(s->app)->options.seed, 3);
    assert_false(presenter_begin(s->app, "nowhere", 0, &told));
}

static bool is_covered(const Script *s, Colour colour) {
    for (size_t i = 0; i < s->list.command_count; i++) {
        const DrawCommand *c = &s->list.commands[i];
        if (c->kind == DRAW_BOX && c->as.box.fill == colour && c->as.box.rect.w >= s->list.width &&
            c->as.box.rect.h >= s->list.height)
            return true;
    }
    return false;
}

TEST_IN(the_room_sees_black_white_or_notes, begin, "") {
    must(presenter_begin(s->app, NULL, 10, &told));
    script_play(s, "| B");
    assert_true(is_covered(s, 0x000000FFu));
    script_keys(s, "B");
    assert_false(is_covered(s, 0x000000FFu));
    script_keys(s, "W");
    assert_true(is_covered(s, 0xFFFFFFFFu));
    script_play(s, "Escape N @65 {1 of 5} H move:300,200 H F5 |");
    assert_false(s->app->tour.is_presented);
    assert_true(script_says(s, "Tour: 1 of 5"));
}

/* The point under the pointer stays where it is. */
TEST_IN(the_presenter_zooms_at_the_pointer, begin, "") {
    must(presenter_begin(s->app, NULL, 0, &told));
    script_play(s, "| |");
    const DrawPart *part = part_find(&s->list, "heads.matrix.1", 14);
    Rect before, after;
    assert_true(part_address(&before, &s->list, part, "cell(2,3)", 9));
    Vec2 at = rect_centre(before);
    s->held = KEY_MOD_COMMAND;
    script_wheel(s, at, 4, KEY_MOD_COMMAND);
    script_frame(s);
    part = part_find(&s->list, "heads.matrix.1", 14);
    assert_true(part_address(&after, &s->list, part, "cell(2,3)", 9));
    assert_true(after.w > 2 * before.w && rect_contains(after, at));
    s->held = 0;
    script_play(s, "Ctrl+0 |");
    part = part_find(&s->list, "heads.matrix.1", 14);
    assert_true(part_address(&after, &s->list, part, "cell(2,3)", 9));
    assert_true(fabsf(after.w - before.w) < 0.01f && fabsf(after.x - before.x) < 0.01f);
}

/* Every state that was on screen becomes a step that shows it for the same time. */
TEST_IN(what_a_person_does_becomes_a_tour, script_open_disk, "") {
    static const uint32_t keys[] = {'f', 'm', ']', '3', 'f'};
    char seen[ARRAY_COUNT(keys) + 1][256];
    Tour tour;
    TourFaults faults;
    script_keys(s, "Ctrl+F9");
    for (size_t i = 0; i < ARRAY_COUNT(keys); i++) {
        snprintf(seen[i], sizeof seen[i], "%s", script_state(s));
        s->time_s += 1;
        script_key(s, keys[i], 0);
    }
    snprintf(seen[ARRAY_COUNT(keys)], sizeof seen[0], "%s", script_state(s));
    script_keys(s, "Ctrl+F9 Enter");
    const char *file = disk_text("/home/my-tour.tour");
    assert_non_null(file);
    must(tour_read(&tour, file, strlen(file), &PICTURE_OPTIONS, &faults, &told));
    assert_int_equal(faults.count, 0);
    assert_int_equal(tour.step_count, ARRAY_COUNT(keys) + 1);
    assert_true(tour.steps[0].hold_s >= 1 && tour.steps[0].hold_s < 1.5);
    tour_release(&tour);
    must(tour_begin_bytes(s->app, "take", file, strlen(file), &told));
    for (int step = 0; step <= (int)ARRAY_COUNT(keys); step++) {
        go(s, step);
        script_check(s, seen[step]);
    }
}

TEST_IN(a_branch_leads_aside_and_back, script_begin, "", WIDTH, HEIGHT) {
    static const char file[] = "title = B\nstate = text=one two\n== a: A\nbranch = Q why : Why?\n"
                               "== b: B\n== why: Because\n";
    must(tour_begin_bytes(s->app, "b", file, sizeof file - 1, &told));
    script_play(s, "| <Why?#1> " /* the first is the rail's */
                   "|");
    assert_int_equal(s->app->tour.step, 2);
    tour_go(s->app, 0);
    must(presenter_begin(s->app, NULL, 0, &told));
    script_play(s, "| Q");
    assert_int_equal(s->app->tour.step, 2);
    script_keys(s, "Backspace");
    assert_int_equal(s->app->tour.step, 0);
}

TEST_IN(a_later_start_resumes, script_open_disk, "") {
    must(tour_begin_bytes(s->app, "merge", TOUR, sizeof TOUR - 1, &told));
    go(s, 2);
    script_wait(s, 5);
    script_close(s);
    assert_non_null(strstr(disk_text("/config/settings"), "tour.merge = 3\n"));
    script_open_disk(s, "");
    must(tour_begin_bytes(s->app, "merge", TOUR, sizeof TOUR - 1, &told));
    assert_int_equal(s->app->tour.step, 2);
    assert_int_equal(s->app->message_count, 0); /* the line is no fault of the settings */
    script_close(s);
    disk_put("/config/settings", "tour.merge = 0\ntour.none = 2\ntour.merge = 99999\n");
    script_open_disk(s, "");
    must(tour_begin_bytes(s->app, "merge", TOUR, sizeof TOUR - 1, &told));
    assert_int_equal(s->app->tour.step, 0);
}

static bool load_learn(char **bytes, size_t *size, const char *id, Err *err) {
    (void)id, (void)err;
    *size = sizeof TOUR - 1;
    *bytes = malloc(*size);
    return *bytes != NULL && memcpy(*bytes, TOUR, *size) != NULL;
}

#define OFFER "Take the tour"

TEST(the_first_start_offers_the_first_tour_once) {
    AppResources resources = {.files = disk_files(), .load_tour = load_learn, .recovers = true};
    SCRIPT(s, script_begin_given, "", &resources);
    script_play(&s, PRINT("{%s} <%s> |", OFFER, OFFER));
    assert_true(tour_is_on(s.app));
    assert_false(script_says(&s, OFFER));
    script_wait(&s, 5);
    script_close(&s);
    script_begin_given(&s, "", &resources);
    assert_false(script_says(&s, OFFER));
}

/* With the inspector on screen the hints offer it, otherwise a line, which must not vanish under a
 * double click. */
TEST(typing_and_hiding_decline_the_offer) {
    for (int wide = 0; wide < 2; wide++) {
        AppResources resources = {.files = disk_files(), .load_tour = load_learn, .recovers = true};
        SCRIPT(s, script_begin_given, "", &resources);
        if (!wide)
            script_size(&s, 1024, 768);
        script_play(&s, PRINT("| R | {%s}", OFFER));
        if (wide)
            script_click_text(&s, "Hide", 0);
        else
            script_keys(&s, "Ctrl+L 'so '");
        script_play(&s, PRINT("| -{%s}", OFFER));
    }
}
