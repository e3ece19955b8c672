#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "document/history.h"
#include "support/test.h"

/* The view settings of a state. The padding before `number` must never count as a change. */
typedef struct Heatmap {
    char unused;
    int number;
} Heatmap;

static const OptionRow SHOWN_ROWS[] = {{.entry = {.id = "number"},
                                        .kind = OPTION_INT,
                                        .offset = offsetof(Heatmap, number),
                                        .most = 100,
                                        .standard = "0"}};
static const OptionTable SHOWN_TABLE = {SHOWN_ROWS, 1};

/* A document and its history, as in the App. */
typedef struct Desk {
    Session session;
    Heatmap shown;
    History *history;
} Desk;

static Desk desk_open(void) {
    Desk desk = {.shown = {0}};
    desk.history = calloc(1, sizeof *desk.history);
    assert_non_null(desk.history);
    must(session_init(&desk.session, &told));
    must(history_start(desk.history, &desk.session, &desk.shown, sizeof desk.shown, &SHOWN_TABLE,
                       &told));
    return desk;
}

static void desk_close(Desk *desk) {
    history_release(desk->history);
    free(desk->history);
    session_release(&desk->session);
}

static void write_text(Desk *desk, const char *text, uint64_t tag) {
    must(session_edit_text(&desk->session, 0, desk->session.text->size, text, strlen(text), &told));
    history_record(desk->history, &desk->session, &desk->shown, tag);
}

static void set_seed(Desk *desk, uint64_t seed, uint64_t tag) {
    desk->session.options.seed = seed;
    history_record(desk->history, &desk->session, &desk->shown, tag);
}

static bool undo(Desk *desk) {
    return history_undo(desk->history, &desk->session, &desk->shown);
}

static bool redo(Desk *desk) {
    return history_redo(desk->history, &desk->session, &desk->shown);
}

static void check_text(const Desk *desk, const char *text) {
    assert_string_equal(desk->session.text->bytes, text);
}

/* Scripts: "5" sets the seed, "5:7" with tag 7, "<2" undoes to seed 2, ">2" redoes to it, and "<"
 * or
 * ">" is refused. The seed is 1 at first. */
static const struct {
    const char *what, *script;
} SCRIPTS[] = {
    {"undo and redo walk the same states", "2 3 5 <3 <2 <1 < >2 >3 >5 >"},
    {"a new change forgets what was undone", "2 3 <2 4 > <2 >4"},
    {"a record of no change is no step", "2 3 <2 2 >3"},
    {"records of one tag are one step", "2:7 3:7 4:7 5:8 6:8 <4 <1 <"},
    {"no tag never merges", "2 3 <2"},
    {"a tag does not reach over another step", "2:7 3 4:7 <3 <2"},
    {"a tag does not reach over an undo", "2:7 3 <2 9:7 <2"},
    {"a step that comes back is none", "2 3:7 4:7 2:7 <1 >2"},
    {"and continues without changing the previous step", "2 3:7 2:7 5:7 <2"},
};

TEST(scripts_give_their_states) {
    for (size_t i = 0; i < ARRAY_COUNT(SCRIPTS); i++) {
        LOCAL(desk_close) Desk desk = desk_open();
        for (const char *at = SCRIPTS[i].script; *at != '\0'; at += strspn(at, " ")) {
            bool moves = *at == '<' || *at == '>',
                 is_done = moves && (*at == '<' ? undo : redo)(&desk);
            char *end;
            unsigned long seed = strtoul(at + moves, &end, 10);
            bool has_seed = end > at + moves;
            uint64_t tag = *end == ':' ? strtoul(end + 1, &end, 10) : 0;
            at = end;
            if (!moves)
                set_seed(&desk, seed, tag);
            else if (is_done != has_seed || (has_seed && desk.session.options.seed != seed))
                fail_msg("%s: seed %d before “%s”", SCRIPTS[i].what, (int)desk.session.options.seed,
                         at);
        }
    }
}

TEST(weights_that_take_much_memory_are_forgotten_earlier) {
    LOCAL(desk_close) Desk desk = desk_open();
    for (int i = 0; i < 9; i++) {
        weights_drop(desk.session.weights);
        desk.session.weights = weights_new("layer", &told);
        desk.session.weights->tensors[WEIGHTS_W_Q] =
            (WeightsTensor){.rank = 2, .shape = {1 << 13, HISTORY_WEIGHTS_MAX >> 17}};
        set_seed(&desk, 2 + (uint64_t)i, 0);
        set_seed(&desk, 100 + (uint64_t)i, 0); /* the same weights */
    }
    int steps = 0;
    while (undo(&desk))
        steps++;
    assert_int_equal(steps, 2 * 4 + 1); /* four times a quarter of the limit, and the newest */
    for (uint64_t seed = 200; seed < 240; seed++)
        set_seed(&desk, seed, 0);
    for (steps = 0; undo(&desk);)
        steps++;
    assert_in_range(steps, 40, 50);
}

TEST(the_oldest_is_forgotten_first) {
    LOCAL(desk_close) Desk desk = desk_open();
    const uint64_t last = 3 * HISTORY_MAX + 17;
    for (uint64_t seed = 2; seed <= last; seed++)
        set_seed(&desk, seed, 0);
    int steps = 0;
    while (undo(&desk))
        assert_true(desk.session.options.seed == last - (uint64_t)++steps);
    assert_int_equal(steps, HISTORY_MAX - 1);
    for (; redo(&desk); steps--)
        continue;
    assert_int_equal(steps, 0);
    assert_true(desk.session.options.seed == last);
    for (int i = 0; i < HISTORY_MAX / 2; i++)
        assert_true(undo(&desk));
    set_seed(&desk, 1, 0);
    assert_false(redo(&desk));
    assert_true(undo(&desk));
    assert_true(desk.session.options.seed == last - HISTORY_MAX / 2);
}

TEST(a_tag_still_merges_when_the_ring_is_full) {
    LOCAL(desk_close) Desk desk = desk_open();
    for (uint64_t seed = 2; seed < 2 + HISTORY_MAX + 5; seed++)
        set_seed(&desk, seed, 0);
    uint64_t before = desk.session.options.seed;
    for (uint64_t i = 0; i < 10; i++)
        set_seed(&desk, 9000 + i, 77);
    assert_true(undo(&desk));
    assert_true(desk.session.options.seed == before);
}

TEST(starting_anew_forgets_everything) {
    LOCAL(desk_close) Desk desk = desk_open();
    write_text(&desk, "one", 0);
    must(history_start(desk.history, &desk.session, &desk.shown, sizeof desk.shown, &SHOWN_TABLE,
                       &told));
    assert_false(undo(&desk));
    assert_false(redo(&desk));
    check_text(&desk, "one");
}

TEST(padding_is_no_change) {
    LOCAL(desk_close) Desk desk = desk_open();
    uint64_t position = history_position(desk.history);
    memset(&desk.shown, 0xAB, sizeof desk.shown);
    desk.shown.number = 0;
    history_record(desk.history, &desk.session, &desk.shown, 0);
    assert_true(history_position(desk.history) == position);
}

/* Chance edits of both the text and the options, some under one tag. */
static void random_edit(Desk *desk, Rng rng, uint64_t step) {
    static const char *const pieces[] = {"a", "ñ", "鍵 ", "🔑", " the ", ""};
    static const char *const values[][2] = {
        {"heads", "8"}, {"heads", "4"},  {"mask", "causal"}, {"mask", "none"},
        {"pin", "1,2"}, {"pin", "none"}, {"form", "merged"}, {"temperature", "0.5"}};
    uint64_t bits = rng_bits(rng, step);
    if (bits % 3 == 0) {
        const char *const *pair = values[bits / 8 % 8];
        const OptionRow *row = option_find(&STATE_OPTIONS, pair[0], strlen(pair[0]));
        must(session_set(&desk->session, row, pair[1], strlen(pair[1]), &told));
    } else {
        const char *piece = pieces[bits / 8 % 6];
        size_t size = desk->session.text->size;
        size_t from = bits % 2 == 0 ? size : 0, to = bits / 64 % 4 == 0 ? size : from;
        must(session_edit_text(&desk->session, from < to ? from : to, to, piece, strlen(piece),
                               &told));
    }
    history_record(desk->history, &desk->session, &desk->shown, bits / 512 % 4);
}

TEST(undoing_all_of_a_random_sequence_is_the_start_again) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Rng rng = rng_stream(seed, 0);
        LOCAL(desk_close) Desk desk = desk_open();
        Session start = session_share(&desk.session);
        for (uint64_t step = 0; step < 500; step++)
            random_edit(&desk, rng, step);
        LOCAL(session_release) Session end = session_share(&desk.session);
        int steps = 0;
        for (; undo(&desk); steps++)
            continue;
        assert_true(steps > 50);
        if (!session_equal(&desk.session, &start))
            fail_msg("seed %d: not the start", (int)seed);
        for (; redo(&desk); steps--)
            continue;
        assert_int_equal(steps, 0);
        if (!session_equal(&desk.session, &end))
            fail_msg("seed %d: not the end", (int)seed);
        session_release(&start);
    }
}

TEST(every_text_is_released_once) {
    LOCAL(desk_close) Desk desk = desk_open();
    write_text(&desk, "kept", 0);
    Text *text = desk.session.text;
    assert_int_equal(text->owners, 2);
    LOCAL(session_release) Session share = session_share(&desk.session);
    write_text(&desk, "other", 0);
    assert_int_equal(text->owners, 2);
    for (int i = 0; i < HISTORY_MAX; i++)
        set_seed(&desk, 100 + (uint64_t)i, 0);
    assert_int_equal(text->owners, 1); /* its step has left the ring */
}

/* Undo and redo also restore the view settings of the session. */
TEST(what_is_shown_is_a_part_of_each_state) {
    LOCAL(desk_close) Desk desk = desk_open();
    desk.shown.number = 1;
    set_seed(&desk, 5, 0);
    desk.shown.number = 2;
    set_seed(&desk, 5, 0); /* of the same session */
    assert_true(undo(&desk));
    assert_int_equal(desk.shown.number, 1);
    assert_int_equal(desk.session.options.seed, 5);
    assert_true(undo(&desk));
    assert_int_equal(desk.shown.number, 0);
    assert_int_equal(desk.session.options.seed, 1);
    assert_false(undo(&desk));
    assert_true(redo(&desk) && redo(&desk));
    assert_int_equal(desk.shown.number, 2);
    desk.shown.number = 3;
    set_seed(&desk, 5, 9);
    desk.shown.number = 2; /* back within one step, which is none */
    set_seed(&desk, 5, 9);
    assert_true(undo(&desk));
    assert_int_equal(desk.shown.number, 1);
}
