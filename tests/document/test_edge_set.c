#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "document/edge_set.h"
#include "document/session.h"
#include "document/state.h"
#include "support/opened.h"
#include "support/test.h"

TEST(one_set_has_one_text) {
    static const struct {
        const char *given, *written;
    } cases[] = {
        {"open=3-5", "open=3-5"},
        {"close=4-1..6", "close=4-1..6"},
        {"open=4-3,4-4,4-1..2", "open=4-1..4"},
        {"open=2-7,1-7,3-7", "open=1..3-7"},
        {"open=1..2-3,2-9", "open=1-3,2-3,2-9"},
        {"open=5..6-1,5..6-3", "open=5..6-1,5..6-3"},
        {"open=1-1..4&close=1-2..3", "open=1-1,1-4&close=1-2..3"},
        {"open=1-1&open=2-2", "open=2-2"},
        {"open=1-1&open=none", ""},
        {"close=1..4096-4096", "close=1..4096-4096"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        LOCAL(session_release) Session session = session_opened(cases[i].given);
        check_session(&session, cases[i].written);
    }
}

TEST(what_is_no_list_is_refused_and_changes_nothing) {
    static const char *const wrong[] = {"",      "3",       "3-",     "-3",      "0-1",   "1-0",
                                        "1-1,",  ",1-1",    "1-4097", "3..2-1",  "1.2-1", "1-1..",
                                        "1-..2", "1-1...2", "a-b",    "1-1;2-2", "1 - 1", "1--2"};
    LOCAL(session_release) Session session = session_opened("open=7-7");
    for (size_t i = 0; i < ARRAY_COUNT(wrong); i++) {
        if (edges_read(&session.edges, edge_key(0), wrong[i], strlen(wrong[i]), &told))
            fail_msg("“%s” was read", wrong[i]);
        assert_int_equal(told.kind, ERR_USAGE);
        assert_non_null(strstr(told.what, "--open"));
        check_session(&session, "open=7-7");
    }
}

/* Five full columns of alternate keys are more runs than are kept. */
TEST(too_many_runs_are_refused) {
    const char *text = "1..4096-1,1..4096-3,1..4096-5,1..4096-7,1..4096-9";
    LOCAL(session_release) Session session = session_opened("");
    assert_false(edges_read(&session.edges, edge_key(0), text, strlen(text), &told));
    text = "1..4096-1,1..4096-3,1..4096-5,1..4096-7";
    must(edges_read(&session.edges, edge_key(0), text, strlen(text), &told));
    EdgePaint more = {{0, 0}, {8, 8}, EDGE_CLOSED};
    assert_false(edges_paint(&session.edges, &more, &told));
    must(edges_paint(&session.edges, &EDGES_RESET, &told));
    assert_null(session.edges);
}

#define T      12
#define ROUNDS 400

/* Painting is checked against a plain matrix of states, and so are the mask and the text. */
TEST(painting_is_that_of_a_matrix) {
    Rng rng = rng_stream(5, 1);
    uint64_t at = 0;
    uint8_t kept[T][T] = {{0}};
    LOCAL(arena_release) Arena arena = {0};
    LOCAL(session_release) Session session = session_opened("");
    for (int round = 0; round < ROUNDS; round++) {
        int from[4];
        for (int i = 0; i < 4; i++)
            from[i] = (int)(rng_bits(rng, at++) % T);
        EdgePaint paint = {
            {from[0] < from[1] ? from[0] : from[1], from[1] > from[0] ? from[1] : from[0]},
            {from[2] < from[3] ? from[2] : from[3], from[3] > from[2] ? from[3] : from[2]},
            (EdgeState)(rng_bits(rng, at++) % 3)};
        must(edges_paint(&session.edges, &paint, &told));
        for (int i = paint.queries.first; i <= paint.queries.last; i++)
            memset(&kept[i][paint.keys.first], (int)paint.state,
                   (size_t)(paint.keys.last - paint.keys.first) + 1);
        LOCAL(free_at) char *string = state_make(&session, NULL);
        LOCAL(session_release) Session again = session_opened(string);
        assert_true(session_equal(&session, &again));
        must(arena_reserve(&arena, mask_bytes(T), &told));
        Mask mask = mask_push(&arena, T, MASK_CAUSAL, 0);
        long changed = edges_apply(&mask, again.edges);
        for (int i = 0; i < T; i++)
            for (int j = 0; j < T; j++) {
                bool open = kept[i][j] == EDGE_AS_MASK ? j <= i : kept[i][j] == EDGE_OPEN;
                assert_int_equal(mask_row(&mask, i)[j], open);
                changed -= open != (j <= i);
            }
        assert_int_equal(changed, 0);
    }
}

TEST(edges_beyond_the_tokens_wait) {
    LOCAL(session_release) Session session = session_opened("close=2..9-3..9");
    ARENA(arena, mask_bytes(3));
    Mask mask = mask_push(&arena, 3, MASK_NONE, 0);
    assert_int_equal(edges_apply(&mask, session.edges), 2);
    assert_int_equal(mask_open_keys(&mask, 0), 3);
    assert_int_equal(mask_open_keys(&mask, 2), 2);
    assert_true(mask_row(&mask, 2)[0] && mask_row(&mask, 2)[1]);
    check_session(&session, "close=2..9-3..9");
}

TEST(copies_share_what_is_not_edited) {
    LOCAL(session_release)
    Session session = session_opened("open=1-2"), copy = session_share(&session);
    EdgePaint paint = {{0, 0}, {2, 2}, EDGE_OPEN};
    assert_ptr_equal(copy.edges, session.edges);
    assert_true(session_equal(&session, &copy));
    must(edges_paint(&copy.edges, &paint, &told));
    assert_false(session_equal(&session, &copy));
    check_session(&session, "open=1-2");
    check_session(&copy, "open=1-2..3");
}
