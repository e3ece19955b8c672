/* Questions: each goes to its answer by one click and one undo step. */
#include <stdio.h>
#include <string.h>

#include "app/examples.h"
#include "app/tour.h"
#include "base/utf8.h"
#include "base/util.h"
#include "support/chance.h"
#include "support/script.h"
#include "support/test.h"

/* By mouse and keyboard, as a user would. */
static void ask(Script *s, int question) {
    script_click_text(s, "Why?", 0);
    for (int i = 0; i < question; i++)
        script_keys(s, "Down");
    script_keys(s, "Enter");
}

/* True if the hint is shown, compared up to the first formula. */
static bool is_said(Script *s, int question) {
    char begin[20];
    snprintf(begin, sizeof begin, "%s", QUESTIONS[question].entry.help);
    begin[utf8_floor(begin, strlen(begin), strlen(begin))] = '\0';
    script_frame(s);
    return drawn_beginning(&s->list, begin) != NULL;
}

/* Changes that a user made in the views, and window settings. */
#define TRIED                                                                                      \
    "&wqk-turn=0.9&wqk-gauge=any&wqk-rank=3&wqk-n=512&wqk-entry=2,2&warp=log&clamp=90"             \
    "&compare-q=zeros&compare-depth=3&graph-filter=mass&train-rate=0.5&steps-output=3"
#define OWN "&theme=light&palette=viridis"

/* The question's state does not depend on the earlier layer; text, seed and window settings stay.
 */
TEST(a_question_asked_is_its_state) {
    for (int i = 0; i < QUESTION_REGISTRY.count; i++) {
        Script asked, given;
        char wanted[1024];
        bool has_text = strstr(QUESTIONS[i].state, "text=") != NULL;
        snprintf(wanted, sizeof wanted, "%sseed=7&%s" OWN,
                 has_text ? "" : "text=one%20two%20three&", QUESTIONS[i].state);
        script_open(&given, wanted);
        script_open(&asked,
                    "text=one%20two%20three&heads=2&mask=window:1&scale=none&seed=7" TRIED OWN);
        ask(&asked, i);
        assert_true(is_said(&asked, i));
        snprintf(wanted, sizeof wanted, "%s", script_state(&given));
        assert_string_equal(script_state(&asked), wanted);
        script_end(&asked);
        script_end(&given);
    }
}

TEST(it_is_one_step_back_to_what_was) {
    for (int i = 0; i < QUESTION_REGISTRY.count; i++) {
        SCRIPT(s, script_open, "text=one%20two%20three&heads=2&mask=window:1&scale=sqrt&pin=1,1");
        LOCAL(session_release) Session before = session_share(app_session(s.app));
        ask(&s, i);
        bool changed = !session_equal(&before, app_session(s.app));
        if (changed)
            script_keys(&s, "Ctrl+Z");
        assert_true(session_equal(&before, app_session(s.app)));
    }
}

static char *state_of(const Script *s) {
    return chance_state(s->app);
}

/* After any number of questions and changes, the window's own settings stay. */
TEST_IN(back_to_my_layer_is_back_before_the_first_question, script_open,
        "text=one%20two%20three&heads=2&seed=7&pin=1,1&view=graph") {
    LOCAL(free_at) char *before = state_of(s);
    ask(s, registry_find(&QUESTION_REGISTRY, "output", 6));
    assert_int_equal(app_session(s->app)->options.heads, 12);
    script_keys(s, "1 R");
    ask(s, registry_find(&QUESTION_REGISTRY, "meaning", 7));
    LOCAL(free_at) char *there = state_of(s);
    script_click_text(s, "Back to my layer", 0);
    LOCAL(free_at) char *after = state_of(s);
    assert_string_equal(after, before);
    script_play(s, "| -{Back to my layer} Ctrl+Z");
    LOCAL(free_at) char *undone = state_of(s);
    assert_string_equal(undone, there);
}

TEST_IN(undo_past_a_question_ends_its_detour, script_open, "seed=7") {
    ask(s, 0);
    script_play(s, "Ctrl+Z | -{Back to my layer} R");
    ask(s, 0);
    script_click_text(s, "Back to my layer", 0);
    assert_int_equal(app_session(s->app)->options.seed, 8);
}

TEST(what_there_is_to_try_stays_until_it_is_closed_or_left) {
    for (int i = 0; i < QUESTION_REGISTRY.count; i++) {
        SCRIPT(s, script_open, "");
        ask(&s, i);
        s.time_s += 600;
        assert_true(is_said(&s, i));
        script_keys(&s, "Escape"); /* the tooltip of the focused item */
        script_keys(&s, "Escape");
        assert_false(is_said(&s, i));
        ask(&s, i);
        assert_true(is_said(&s, i));
        script_keys(&s, "1 2 1");
        bool of_heads = strstr(QUESTIONS[i].state, "view=heads") != NULL;
        assert_true(of_heads || !is_said(&s, i));
    }
}

/* Its subject is only on that page. */
TEST_IN(another_page_of_compare_ends_what_there_is_to_try, script_open, "d-model=16") {
    int at = registry_find(&QUESTION_REGISTRY, "output", 6);
    ask(s, at);
    assert_true(is_said(s, at));
    script_click_text(s, "Map", 0);
    assert_false(is_said(s, at));
}

TEST_IN(a_narrow_window_has_them_too, script_begin, "", 1024, 768) {
    script_play(s, "Ctrl+K 'question embedding' Enter ~wqk-page=plain");
}

/* The text that a question or a tour brought does not stay for the next question, and a tour ends
 * before it; a text that the user types stays. */
TEST_IN(each_question_is_about_the_users_text, script_open, "text=one%20two%20three") {
    static const char TOUR[] = "title = Learn\nstate = text=of%20a%20tour&view=heads\n"
                               "== look: Look\ncaption = Look.\n";
    int meaning = registry_find(&QUESTION_REGISTRY, "meaning", 7);
    ask(s, registry_find(&QUESTION_REGISTRY, "contextual", 10));
    ask(s, meaning);
    assert_string_equal(app_session(s->app)->text->bytes, "one two three");
    must(tour_begin_bytes(s->app, "learn", TOUR, sizeof TOUR - 1, &told));
    script_frame(s);
    question_ask(s->app, meaning);
    script_frame(s);
    assert_false(tour_is_on(s->app));
    assert_string_equal(app_session(s->app)->text->bytes, "one two three");
    assert_true(app_edit_text(s->app, 0, 3, "four", 4, 0));
    script_frame(s);
    ask(s, meaning);
    assert_string_equal(app_session(s->app)->text->bytes, "four two three");
}

/* In a window that starts with one head, it is one head after a question, too. */
TEST(a_question_keeps_the_first_screen_quiet) {
    for (int i = 0; i < QUESTION_REGISTRY.count; i++) {
        SCRIPT(s, script_begin, "", 1366, 768);
        s.app->hints.is_on = true;
        ask(&s, i);
        script_keys(&s, "1");
        assert_int_equal(app_settings(s.app)->wall, WALL_ONE);
    }
}

#define MISSING_H 44 /* of the line on missing words, which only the tests' words have */

/* Also in a small window: the words in the number's line are inside the visible area. */
TEST(the_number_in_which_a_question_ends_is_on_screen) {
    static const struct {
        const char *question, *words;
        int nth;
    } ends[] = {
        {"bias", "16,640", 0},  {"square", "8,192", 0},
        {"norm", "std", 10}, /* of ∂W_O, in the second column */
        {"lookup", "E", 0},     {"contextual", "y: after attention", 0},
        {"training", "0.5", 0}, {"apart", " of two heads differs by up to 0 %", 0},
    };
    for (size_t i = 0; i < ARRAY_COUNT(ends); i++) {
        SCRIPT(s, script_begin_typical, "", 1366, 768 + MISSING_H);
        ask(&s, registry_find(&QUESTION_REGISTRY, ends[i].question, strlen(ends[i].question)));
        script_frame(&s);
        const DrawCommand *number = drawn_text(&s.list, ends[i].words, ends[i].nth);
        assert_non_null(number);
        if (!rect_contains(rect_inset(number->clip, 0, 6), drawn_middle(&s.list, number)))
            fail_msg("%s: its number is off the screen", ends[i].question);
    }
}

/* The list's button does not keep the focus, or Space would open the list again. */
TEST_IN(space_plays_after_a_question, script_open, "text=one%20two%20three") {
    ask(s, registry_find(&QUESTION_REGISTRY, "training", 8));
    script_play(s, "Space | -{Type to search}");
}
