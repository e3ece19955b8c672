#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "results/fresh.h"
#include "support/test.h"

TEST(edges_reach_the_layer) {
    static const EdgePaint paints[] = {{{0, 3}, {4, 9}, EDGE_OPEN},
                                       {{5, 5}, {0, 11}, EDGE_CLOSED},
                                       {{0, 40}, {3, 3}, EDGE_CLOSED},
                                       {{5, 5}, {2, 2}, EDGE_AS_MASK}};
    LOCAL(bench_close) Bench b = bench_of("mask=causal");
    for (size_t i = 0; i < ARRAY_COUNT(paints); i++) {
        must(edges_paint(&b.session.edges, &paints[i], &told));
        check_fresh(&b, TOKENS, "painting edges");
    }
    assert_int_equal(b.run.edges_edited, 24 + 5 + 8);
    set(&b, "mask", "none");
    check_fresh(&b, TOKENS, "another mask under edges");
    must(edges_paint(&b.session.edges, &EDGES_RESET, &told));
    check_fresh(&b, TOKENS, "taking edges back");
    assert_int_equal(b.run.edges_edited, 0);
}

/* Return a text with this number of words, some of them equal. */
static void write_words(Bench *b, int count) {
    char text[8192];
    size_t used = 0;
    for (int i = 0; i < count; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%sw%d", i > 0 ? " " : "", i % 37);
    write_text(b, text);
}

/* A random edit: typing at the end and inside, deleting, edges, an option that may not hold. */
static void do_something(Bench *b, Rng rng, uint64_t *at) {
    static const char *const numbers[] = {"1", "2", "3", "4", "8", "12", "16", "24", "0.5", "1,2"};
    size_t size = b->session.text->size;
    size_t where = size > 0 ? (size_t)(rng_bits(rng, (*at)++) % size) : 0;
    uint64_t choice = rng_bits(rng, (*at)++) % 14, more = rng_bits(rng, (*at)++);
    const char *insert = more % 3 == 0 ? " word" : more % 3 == 1 ? "x" : "";
    size_t end = more % 2 == 0 ? where : where + (size_t)(more / 4 % 12);
    EdgePaint paint = {{(int)(more % 70), (int)(more % 70)},
                       {(int)(more / 70 % 70), (int)(more / 70 % 70 + more % 5)},
                       (EdgeState)(more / 9 % 3)};
    if (choice < 3)
        must(session_edit_text(&b->session, size, size, insert, strlen(insert), &told));
    else if (choice < 5)
        must(session_edit_text(&b->session, where, end < size ? end : size, insert, strlen(insert),
                               &told));
    else if (choice < 7)
        must(edges_paint(&b->session.edges, &paint, &told));
    else {
        const OptionRow *row = &STATE_OPTIONS.rows[more % (uint64_t)STATE_OPTIONS.count];
        const char *value = numbers[more / 64 % ARRAY_COUNT(numbers)];
        if (row->choices != NULL)
            value = option_choice_text(row, (int)(more / 64 % (uint64_t)row->choices->count));
        else if (row->absent != NULL && more / 4096 % 2 == 0)
            value = row->absent;
        try_set(b, row->entry.id, value);
    }
}

/* Only parts that depend on a change are computed again, and they equal those computed from
 * scratch. */
TEST(a_run_kept_up_to_date_is_a_fresh_one) {
    for (uint64_t seed = 1; seed <= 9; seed++) {
        LOCAL(bench_close) Bench b = bench_of("d-model=16");
        uint64_t at = 0;
        char what[64];
        write_words(&b, seed % 2 == 0 ? 60 : 90);
        for (int round = 0; round < 120; round++) {
            do_something(&b, rng_stream(seed, 7), &at);
            snprintf(what, sizeof what, "seed %llu, round %d", (unsigned long long)seed, round);
            check_fresh(&b, round % 5 == 4 ? 1 + round % TOKENS : 200, what);
        }
    }
}

/* Weights that were sampled while a pass failed, and the products of those before. */
TEST(a_failed_pass_leaves_no_old_product) {
    static char text[2 * 4096];
    LOCAL(bench_close) Bench b = bench_of("d-model=64&heads=64&form=merged");
    check_fresh(&b, 4096, "a short text");
    for (size_t i = 0; i + 1 < sizeof text; i++)
        text[i] = i % 2 == 0 ? 'a' : ' ';
    write_text(&b, text);
    set(&b, "seed", "3");
    check_fresh(&b, 4096, "a long text and another seed");
    assert_false(b.run.valid);
    write_text(&b, "a short text");
    check_fresh(&b, 4096, "the short text");
}
