/* A person at the Train view. */
#include <stdlib.h>
#include <string.h>

#include "app/app_state.h"
#include "base/rng.h"
#include "base/util.h"
#include "draw/part.h"
#include "results/study_plan.h"
#include "support/script.h"
#include "support/test.h"
#include "ui/axis.h"
#include "views/train/train.h"

#define HEADS   4
#define COLUMNS 4
#define MAPS    (COLUMNS * (HEADS + 1) + 1) /* at step 0 */

static int step_of(const Script *s) {
    return app_settings(s->app)->train.step;
}

/* The race that the window should show, made without the view. */
typedef struct Own {
    Race *race;
    RaceBench bench;
    Arena words;
} Own;

static void expect_race(Own *e, const Script *s, int steps) {
    const Settings *settings = app_settings(s->app);
    RacePlan plan;
    bool is_given;
    RaceRequest request = train_request(app_session(s->app), settings, &is_given);
    memset(e, 0, sizeof *e);
    must(race_plan(&plan, &e->words, &s->app->run, &request, &told));
    e->race = race_create(&plan, &told);
    must(e->race != NULL && race_bench_init(&e->bench, e->race, &told));
    for (int i = 0; i < race_columns(e->race); i++)
        must(race_advance(e->race, &e->bench, i, steps + 1, &told));
}

static void expect_end(Own *e) {
    race_bench_release(&e->bench);
    job_drop(NULL, &e->race->job);
    arena_release(&e->words);
}

static void check_cells(const DrawCells *cells, const Mat *a) {
    assert_int_equal(cells->rows, a->rows);
    for (int i = 0; i < a->rows; i++)
        assert_memory_equal(cells->values + i * cells->stride, mat_row(a, i),
                            (size_t)a->cols * sizeof *a->at);
}

/* The gradient norms of the first start, as text. */
static void check_norms(const Script *s, const Race *race, int step) {
    for (int n = 0; n < RACE_NORM_COUNT; n++)
        if (race_trains(race, n))
            assert_true(script_says(s, AXIS_VALUE(race_record(race, 0, step)->norm[n])));
}

/* Losses and scores as they are written, each head now, the chosen one at quarters of all steps,
 * and that of the first start once more. */
static void check_shown(const char *state, int step) {
    LOCAL(expect_end) Own e;
    SCRIPT(s, script_begin, state, 1920, 1080);
    expect_race(&e, &s, step);
    int heads = e.race->shape.H, chosen = app_session(s.app)->options.head - 1, map = 0;
    int steps = e.race->plan.rules.steps;
    for (int i = 0; i < e.race->plan.scheme_count; i++) {
        const RaceRecord *record = race_record(e.race, i, race_measured(e.race, step));
        const char *score = AXIS_VALUE(record->score);
        assert_true(script_says(&s, PRINT("loss %s", AXIS_VALUE(record->held_out))));
        assert_true(script_says(&s, score)); /* beside the line */
        const char *text = PRINT("best head %d: %s", record->best_head + 1, score);
        if (!script_says_first(&s, text) && !script_says_first(&s, text + 5))
            fail_msg("%s: no “%s”", state, text);
        for (int h = 0; h < heads; h++) {
            Mat a = race_weights(e.race, i, step, h);
            check_cells(drawn_cells(&s.list, map++), &a);
        }
        for (int k = 0; k < 5 && steps * k / 4 <= step; k++) {
            Mat a = race_weights(e.race, i, steps * k / 4, chosen);
            check_cells(drawn_cells(&s.list, map++), &a);
        }
    }
    check_norms(&s, e.race, step);
    Mat large = race_weights(e.race, 0, step, chosen);
    check_cells(drawn_cells(&s.list, map++), &large);
    assert_int_equal(drawn_cells_count(&s.list), map);
}

/* A rate is written in full, not rounded to a few digits. */
TEST_IN(every_digit_of_a_rate_is_shown, script_begin, "view=train&train-rate=12.345&train-step=0",
        1920, 1080) {
    assert_non_null(drawn_text(&s->list, "12.345", 0));
}

TEST(what_is_shown_is_the_race) {
    check_shown("view=train&train-step=200", 200);
    check_shown("view=train&train-step=40&mask=causal&head=3&train-task=mirror", 40);
    check_shown("view=train&train-step=8&form=merged&train-optimiser=sgd&train-rate=1e-06&bias=all",
                8);
    check_shown("view=train&train-step=12&train-steps=12&form=nested&positions=rope", 12);
    check_shown("view=train&train-step=5&train-embedding=trained", 5);
    check_shown("view=train&train-step=4&block=pre-norm&heads=1&train-rate=0.1", 4);
}

/* The norms take the room that their names need, even if the view then scrolls. */
TEST_IN(names_of_norms_are_legible, script_begin, "view=train&bias=all&train-embedding=trained",
        1366, 768) {
    for (size_t i = 0; i < s->list.command_count; i++)
        if (s->list.commands[i].kind == DRAW_TEXT)
            assert_true(s->list.commands[i].as.text.size >= 6);
}

/* Fail if a word that begins like this is cut. */
static void check_whole(const DrawList *list, const char *where) {
    for (size_t i = 0; i < list->command_count; i++) {
        const char *words = drawn_words(list, i), *cut = strstr(words, "…");
        if (cut != NULL && cut[3] == '\0' && strstr(words, "→") != NULL)
            fail_msg("%s: “%s” is cut", where, words);
    }
}

/* The large head is not below the fold, and the pinned pair is named in full. */
TEST(a_small_window_shows_the_head) {
    static const float sizes[][2] = {{1024, 768}, {1366, 768}, {1920, 1080}};
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        SCRIPT(s, script_begin_typical, "view=train&train-step=0&pin=9,2", sizes[i][0],
               sizes[i][1]);
        const DrawPart *head = script_part(&s, "train.head");
        assert_false(head->is_cut);
        assert_true(rect_bottom(head->cells) <= rect_bottom(script_part(&s, "window.view")->rect));
        assert_true(head->cells.w >= 90);
        check_whole(&s.list, "Train");
    }
}

/* The same weights, to the byte of the picture. */
TEST_IN(home_rewinds_to_the_same_weights, script_begin, "view=train&d-model=16&train-step=0", 1920,
        1080) {
    uint64_t start = draw_hash(&s->list);
    script_key(s, KEY_END, 0);
    assert_int_equal(step_of(s), 400);
    assert_true(draw_hash(&s->list) != start);
    script_key(s, KEY_HOME, 0);
    assert_int_equal(step_of(s), 0);
    assert_true(draw_hash(&s->list) == start);
}

TEST(arrows_step) {
    static const struct {
        uint32_t key;
        unsigned mods;
        int step;
    } presses[] = {{KEY_RIGHT, 0, 201},
                   {KEY_LEFT, 0, 200},
                   {KEY_LEFT, 0, 199},
                   {KEY_RIGHT, KEY_MOD_SHIFT, 209},
                   {KEY_HOME, 0, 0},
                   {KEY_LEFT, 0, 0},
                   {KEY_END, 0, 400},
                   {KEY_RIGHT, KEY_MOD_SHIFT, 400},
                   {KEY_LEFT, KEY_MOD_SHIFT, 390}};
    SCRIPT(s, script_begin, "view=train&d-model=16&train-step=200", 1920, 1080);
    for (size_t i = 0; i < sizeof presses / sizeof *presses; i++) {
        script_key(&s, presses[i].key, presses[i].mods);
        assert_int_equal(step_of(&s), presses[i].step);
        assert_non_null(drawn_text(&s.list, PRINT("step %d", presses[i].step), 0));
    }
    script_key(&s, 'z', KEY_MOD_COMMAND); /* each jump is one step of undo */
    assert_int_equal(step_of(&s), 200);
}

/* Several keys may come in one frame. */
TEST(no_key_is_lost) {
    InputEvent keys[5];
    memset(keys, 0, sizeof keys);
    for (int i = 0; i < 5; i++)
        keys[i] = (InputEvent){.kind = INPUT_KEY, .key = KEY_RIGHT};
    SCRIPT(s, script_begin, "view=train&d-model=16&train-step=200", 1920, 1080);
    script_events(&s, keys, 5);
    assert_int_equal(step_of(&s), 205);
}

/* Of the grid lines of both charts. */
static uint64_t grid_hash(const Script *s) {
    uint64_t hash = 0;
    for (size_t i = 0; i < s->list.command_count; i++) {
        const DrawCommand *c = &s->list.commands[i];
        if (c->kind == DRAW_BOX && c->as.box.fill == THEMES[0].hair)
            hash = (hash ^ rng_hash(&c->as.box.rect, sizeof c->as.box.rect)) * 31;
    }
    return hash;
}

TEST_IN(the_axes_stay_from_step_to_step, script_begin, "view=train&d-model=16&train-step=0", 1920,
        1080) {
    uint64_t grid = grid_hash(s);
    assert_true(grid != 0);
    for (int i = 0; i < 40; i++) {
        script_key(s, KEY_RIGHT, KEY_MOD_SHIFT);
        assert_true(grid_hash(s) == grid);
    }
    assert_int_equal(step_of(s), 400);
}

/* Each at the chart's right, whether the line stands there or not. */
TEST_IN(names_have_a_room_of_their_own, script_begin, "view=train&d-model=16&train-step=0", 1920,
        1080) {
    float x = drawn_middle(&s->list, drawn_text(&s->list, "Xavier uniform", 0)).x;
    assert_true(x > drawn_middle(&s->list, drawn_text(&s->list, "400", 0)).x);
    script_key(s, KEY_END, 0);
    assert_true(drawn_middle(&s->list, drawn_text(&s->list, "Xavier uniform", 0)).x == x);
}

static int by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Of ten seeds the median is written; each of them is a race of its own. */
TEST(ten_seeds_are_shown_by_their_median) {
    enum { SEEDS = 10, STEPS = 20 };
    LOCAL(expect_end) Own e;
    SCRIPT(s, script_begin, "view=train&d-model=16&train-seeds=10&train-steps=20&train-step=20",
           1920, 1080);
    expect_race(&e, &s, STEPS);
    assert_int_equal(race_columns(e.race), SEEDS * COLUMNS);
    for (int i = 0; i < COLUMNS; i++) {
        float scores[SEEDS];
        for (int k = 0; k < SEEDS; k++)
            scores[k] = race_record(e.race, i + k * COLUMNS, STEPS)->score;
        qsort(scores, SEEDS, sizeof *scores, by_value);
        assert_true(scores[0] < scores[SEEDS - 1]);
        assert_true(script_says(&s, AXIS_VALUE((scores[4] + scores[5]) / 2)));
    }
    assert_non_null(drawn_beginning(&s.list, "Lines are medians"));
}

/* The line in the chart, and the bar. */
TEST(every_step_can_be_dragged_to) {
    static const int steps[] = {0, 1, 57, 199, 333, 400};
    SCRIPT(s, script_begin, "view=train&d-model=16&train-step=200", 1920, 1080);
    Vec2 flag = drawn_middle(&s.list, drawn_text(&s.list, "step 200", 0));
    float step_w = (drawn_middle(&s.list, drawn_text(&s.list, "400", 0)).x - flag.x) / 200;
    script_press(&s, flag, 0, 1);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        script_move(&s, (Vec2){flag.x + step_w * (float)(steps[i] - 200), flag.y});
        assert_in_range(step_of(&s) + 1, steps[i], steps[i] + 2);
        assert_true(script_says(&s, PRINT("%d / 400", step_of(&s)))); /* in the same frame */
    }
    script_release(&s, s.pointer, 0);
    assert_int_equal(step_of(&s), 400);
    script_key(&s, 'z', KEY_MOD_COMMAND);
    assert_int_equal(step_of(&s), 200);
}

/* Of the matrices as they are drawn. */
static uint64_t race_hash(const Script *s) {
    uint64_t hash = 0;
    for (int i = 0; i < drawn_cells_count(&s->list); i++)
        hash = hash * 31 + drawn_cells(&s->list, i)->hash;
    return hash;
}

static void check_restarted(Script *s, uint64_t before, const char *part, const char *what) {
    if (step_of(s) != 0 || !script_state_has(s, part) ||
        drawn_text(&s->list, "Restarted", 0) == NULL)
        fail_msg("%s: %s", what, script_state(s));
    script_key(s, 'z', KEY_MOD_COMMAND);
    assert_int_equal(step_of(s), 40); /* in one step, */
    assert_false(script_state_has(s, part));
    script_key(s, 'z', KEY_MOD_COMMAND | KEY_MOD_SHIFT);
    assert_true(step_of(s) == 0 && script_state_has(s, part)); /* and again */
    script_play(s, "Ctrl+Z @5 -{Restarted} move:4,4");
    if (race_hash(s) != before)
        fail_msg("%s: undone, it is another race", what);
}

TEST_IN(an_edit_rewinds, script_begin, "view=train&d-model=16&train-step=40", 1920, 1080) {
    uint64_t before = race_hash(s);
    script_play(s, "<Word before> <Mirror>");
    check_restarted(s, before, "train-task=mirror", "task");
    script_play(s, "<Adam> <Momentum>");
    check_restarted(s, before, "train-optimiser=momentum", "optimiser");
    script_double_click(s, drawn_middle(&s->list, drawn_text(&s->list, "0.005", 0)));
    script_play(s, "<0.005> '0.01' Enter");
    check_restarted(s, before, "train-rate=0.01", "rate");
    script_keys(s, "Escape R");
    check_restarted(s, before, "seed=2", "seed");
    script_key(s, 'm', 0);
    check_restarted(s, before, "mask=causal", "mask");
    script_key(s, 'f', 0);
    check_restarted(s, before, "form=merged", "form");
    script_play(s, "<He uniform#1> <He normal>");
    check_restarted(s, before, "compare-schemes=xavier_uniform,he_normal,normal", "scheme");
}

/* Edits that do not concern the race do not restart it. */
TEST(other_edits_do_not_rewind) {
    static const struct {
        uint32_t key;
        const char *part;
    } keys[] = {{']', "head=2"}, {'t', "theme=light"}};
    SCRIPT(s, script_begin, "view=train&d-model=16&train-step=200", 1920, 1080);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        script_key(&s, keys[i].key, 0);
        assert_true(script_state_has(&s, keys[i].part) && step_of(&s) == 200);
        assert_null(drawn_text(&s.list, "Restarted", 0));
    }
    script_click_text(&s, "400", 2 + COLUMNS); /* more steps of the same race: its position stays */
    script_keys(&s, "'500' Enter");
    assert_true(script_state_has(&s, "train-steps=500") && step_of(&s) == 200);
}

/* One start overflows and says so; the others continue. */
TEST(a_diverged_run_stops_and_the_others_go_on) {
    const char *diverging =
        "view=train&train-step=200&train-optimiser=sgd&train-rate=0.1&compare-schemes="
        "xavier_uniform,normal";
    LOCAL(expect_end) Own e;
    SCRIPT(s, script_begin, diverging, 1920, 1080);
    expect_race(&e, &s, 200);
    int at = race_overflow(e.race, 1);
    assert_true(at > 0 && at < 200);
    assert_int_equal(race_overflow(e.race, 0), -1);
    const char *words = PRINT("! loss overflowed at step %d", at);
    assert_true(script_says(&s, words) && drawn_text(&s.list, words, 1) == NULL);
    assert_true(script_says(&s, PRINT("σ = 1: overflow at %d", at)));
    script_key(&s, KEY_END, 0);
    assert_int_equal(step_of(&s), 400);
}

TEST_IN(schemes_are_those_of_compare, script_begin, "view=compare", 1920, 1080) {
    script_play(s, "<Add scheme> 6");
    assert_int_equal(drawn_cells_count(&s->list), MAPS + HEADS + 1);
    assert_non_null(drawn_text(&s->list, "Zeros", 0));
}

TEST(what_cannot_be_trained_says_why) {
    static const char *const cases[][2] = {
        {"form=rank:8", "Rank: after a step of training the matrix would"},
        {"form=merged&positions=rope", "Merged: with rotary positions there is no"}};
    for (int i = 0; i < 2; i++) {
        SCRIPT(s, script_begin, PRINT("view=train&%s", cases[i][0]), 1920, 1080);
        assert_int_equal(drawn_cells_count(&s.list), 0);
        assert_non_null(drawn_beginning(&s.list, cases[i][1]));
        script_click_text(&s, "Train Separate", 0);
        assert_int_equal(drawn_cells_count(&s.list), MAPS);
    }
}

static const char *copied(Script *s, const char *what) {
    script_play(s, PRINT("<Results> <%s>", what));
    return app_effects(s->app)->clipboard;
}

TEST(results_leave_as_text) {
    LOCAL(expect_end) Own e;
    SCRIPT(s, script_begin, "view=train&train-steps=20&train-step=20", 1920, 1080);
    expect_race(&e, &s, 20);
    const char *csv = copied(&s, "Copy numbers as CSV");
    assert_non_null(csv);
    assert_true(strncmp(csv, "scheme,seed,step,loss,held_out,score,norm.grad.W_Q,", 51) == 0);
    assert_non_null(
        strstr(csv, PRINT("\nhe_uniform,1,20,%.9g,", (double)race_record(e.race, 1, 20)->loss)));
    const char *json = copied(&s, "Copy numbers as JSON");
    assert_non_null(strstr(json, "\"task\": \"previous\", \"optimiser\": \"adam\""));
}
