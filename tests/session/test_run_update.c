#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "session/fresh.h"

#define TOKENS 32

static void edges_reach_the_layer(void **state) {
    (void)state;
    static const EdgePaint paints[] = {{{0, 3}, {4, 9}, EDGE_OPEN},
                                       {{5, 5}, {0, 11}, EDGE_CLOSED},
                                       {{0, 40}, {3, 3}, EDGE_CLOSED},
                                       {{5, 5}, {2, 2}, EDGE_AS_MASK}};
    Bench b;
    Err err;
    bench_open(&b);
    set(&b, "mask", "causal");
    for (size_t i = 0; i < ARRAY_COUNT(paints); i++) {
        assert_true(session_paint_edges(&b.session, &paints[i], &err));
        check_fresh(&b, TOKENS, "painting edges");
    }
    assert_int_equal(b.run.edges_edited, 24 + 5 + 8);
    set(&b, "mask", "none");
    check_fresh(&b, TOKENS, "another mask under edges");
    assert_true(session_paint_edges(&b.session, &EDGES_RESET, &err));
    check_fresh(&b, TOKENS, "taking edges back");
    assert_int_equal(b.run.edges_edited, 0);
    bench_close(&b);
}

/* A text of that many words, some of them alike. */
static void write_words(Bench *b, int count) {
    char text[8192];
    size_t used = 0;
    for (int i = 0; i < count; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%sw%d", i > 0 ? " " : "", i % 37);
    write_text(b, text);
}

/* What a person does next, drawn: typing at the end and inside, deleting, edges, options. */
static void do_something(Bench *b, Rng rng, uint64_t *at) {
    static const char *const options[][2] = {{"temperature", "0.7"}, {"temperature", "2"},
                                             {"mask", "none"},       {"mask", "causal"},
                                             {"mask", "window:3"},   {"scale", "none"},
                                             {"scale", "sqrt"},      {"form", "merged"},
                                             {"form", "separate"},   {"form", "nested"},
                                             {"form", "free"},       {"form", "rank:3"},
                                             {"bias", "all"},        {"bias", "none"},
                                             {"block", "pre-norm"},  {"block", "post-norm"},
                                             {"block", "residual"},  {"positions", "rope"},
                                             {"positions", "none"},  {"positions", "sinusoidal"},
                                             {"seed", "3"},          {"heads", "2"},
                                             {"heads", "4"},         {"beside", "he_normal"},
                                             {"beside", "none"},     {"d-model", "24"},
                                             {"d-model", "16"}};
    Err err;
    size_t size = b->session.text->size, where = size > 0 ? rng_bits(rng, (*at)++) % size : 0;
    uint64_t choice = rng_bits(rng, (*at)++) % 10, more = rng_bits(rng, (*at)++);
    const char *insert = more % 3 == 0 ? " word" : more % 3 == 1 ? "x" : "";
    size_t end = more % 2 == 0 ? where : where + (more / 4 % 12);
    EdgePaint paint = {{(int)(more % 70), (int)(more % 70)},
                       {(int)(more / 70 % 70), (int)(more / 70 % 70 + more % 5)},
                       (EdgeState)(more / 9 % 3)};
    if (choice < 3)
        assert_true(session_edit_text(&b->session, size, size, insert, strlen(insert), &err));
    else if (choice < 5)
        assert_true(session_edit_text(&b->session, where, end < size ? end : size, insert,
                                      strlen(insert), &err));
    else if (choice < 7)
        assert_true(session_paint_edges(&b->session, &paint, &err));
    else
        try_set(b, options[more % ARRAY_COUNT(options)][0],
                options[more % ARRAY_COUNT(options)][1]);
}

/* Only what a change reaches is computed again, and it is what everything anew would be. */
static void a_run_kept_up_to_date_is_a_fresh_one(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        Bench b;
        uint64_t at = 0;
        char what[64];
        bench_open(&b);
        set(&b, "d-model", "16");
        write_words(&b, seed % 2 == 0 ? 60 : 90);
        for (int round = 0; round < 120; round++) {
            do_something(&b, rng_stream(seed, 7), &at);
            snprintf(what, sizeof what, "seed %llu, round %d", (unsigned long long)seed, round);
            check_fresh(&b, 200, what);
        }
        bench_close(&b);
    }
}

static void update(Bench *b) {
    run_update(&b->run, &b->session, NULL, (RunLimits){300});
}

/* A few words come to the end of the text, or go from it, or the last is typed on. */
static void write_at_the_end(Bench *b, uint64_t draw) {
    static const char *const words[] = {" word", " other", "x", " a b c", " word w3"};
    Err err;
    size_t size = b->session.text->size, left = size;
    for (uint64_t back = draw / 16 % 4; draw % 3 == 0 && back > 0 && left > 300; back--)
        while (left > 300 && b->session.text->bytes[--left] != ' ')
            ;
    const char *more = draw % 3 == 0 ? "" : words[draw / 3 % ARRAY_COUNT(words)];
    assert_true(session_edit_text(&b->session, left, size, more, strlen(more), &err));
}

/* A, figures and sums over the first keys are brought up to date over more than one change, too. */
static void what_grows_and_shrinks_at_its_end_is_a_fresh_one(void **state) {
    (void)state;
    static const char *const given[][2] = {
        {"form", "separate"}, {"temperature", "1e-6"}, {"temperature", "1000000"},
        {"init", "normal"},   {"positions", "rope"},   {"bias", "all"},
        {"form", "rank:2"},   {"mask", "window:40"},   {"block", "post-norm"},
        {"form", "free"},     {"beside", "he_normal"}, {"mask", "causal"}};
    for (size_t i = 0; i < ARRAY_COUNT(given); i++) {
        Bench b;
        Err err;
        char what[64];
        uint64_t at = 0;
        Rng rng = rng_stream(i, 11);
        bench_open(&b);
        set(&b, "d-model", "16");
        try_set(&b, given[i][0], given[i][1]);
        write_words(&b, 100);
        update(&b);
        for (int round = 0; round < 40; round++) {
            for (uint64_t n = rng_bits(rng, at++) % 4; n > 0; n--) {
                write_at_the_end(&b, rng_bits(rng, at++));
                update(&b);
            }
            int row = (int)(rng_bits(rng, at++) % 110), key = (int)(rng_bits(rng, at++) % 130);
            EdgePaint paint = {{row, row + 3}, {key, 300}, (EdgeState)(rng_bits(rng, at++) % 3)};
            if (round % 5 == 0)
                assert_true(session_paint_edges(&b.session, &paint, &err));
            snprintf(what, sizeof what, "%s, round %d", given[i][1], round);
            check_fresh(&b, 300, what);
        }
        bench_close(&b);
    }
}

/* What the scores of every head are products of, where it is left as it was, is not looked at. */
static void spoil_factors(Run *run) {
    for (int f = 0; f < FORM_COUNT; f++) {
        AttnTrace *trace = &run->layers[0].trace[f];
        Mat *const spoilt[] = {&trace->Q, &trace->K, &trace->XW};
        for (size_t i = 0; run->layers[0].has_trace[f] && i < ARRAY_COUNT(spoilt); i++)
            for (int e = 0; e < spoilt[i]->rows * spoilt[i]->cols; e++)
                mat_row(spoilt[i], e / spoilt[i]->cols)[e % spoilt[i]->cols] = NAN;
    }
}

static void check_scores(const Bench *b, const Run *fresh) {
    const AttnTrace now = run_whole_trace(&b->run, 0), anew = run_whole_trace(fresh, 0);
    for (int h = 0; h < b->session.options.heads; h++) {
        Mat A = run_weights(&b->run, 0, h), A_anew = run_weights(fresh, 0, h);
        Mat S = run_scores(&b->run, 0, h), S_anew = run_scores(fresh, 0, h);
        assert_true(same_bytes(&S, &S_anew) && same_bytes(&A, &A_anew));
    }
    assert_true(same_bytes(&now.Y, &anew.Y));
}

/* From the first change on: scores are not made again from queries and keys. */
static void temperature_and_mask_repeat_no_product(void **state) {
    (void)state;
    static const char *const changes[][2] = {
        {"temperature", "0.7"}, {"scale", "none"}, {"mask", "causal"}, {"mask", "window:3"}};
    static const char *const forms[] = {"separate", "merged", "rank:3", "free", "nested"};
    for (size_t i = 0; i < ARRAY_COUNT(changes) * ARRAY_COUNT(forms); i++) {
        Bench b;
        Run fresh;
        Err err;
        bench_open(&b);
        set(&b, "form", forms[i / ARRAY_COUNT(changes)]);
        assert_true(run_update(&b.run, &b.session, NULL, (RunLimits){TOKENS}));
        spoil_factors(&b.run);
        set(&b, changes[i % ARRAY_COUNT(changes)][0], changes[i % ARRAY_COUNT(changes)][1]);
        assert_true(run_update(&b.run, &b.session, NULL, (RunLimits){TOKENS}));
        assert_true(run_init(&fresh, &err));
        assert_true(run_update(&fresh, &b.session, NULL, (RunLimits){TOKENS}));
        check_scores(&b, &fresh);
        run_release(&fresh);
        bench_close(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_reach_the_layer),
        cmocka_unit_test(a_run_kept_up_to_date_is_a_fresh_one),
        cmocka_unit_test(what_grows_and_shrinks_at_its_end_is_a_fresh_one),
        cmocka_unit_test(temperature_and_mask_repeat_no_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
