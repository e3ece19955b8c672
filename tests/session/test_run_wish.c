/* What is asked of a Run beside what every Run has: it is made beside what is shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "session/fresh.h"
#include "session/run_wish.h"

#define TOKENS 32

static void open_run(Bench *b) {
    bench_open(b);
    assert_true(run_update(&b->run, &b->session, NULL, (RunLimits){TOKENS}));
}

static RunWish wish(int rank) {
    return (RunWish){
        .gradient = true,
        .has_merge = true,
        .merge = {
            .rank = rank, .gauge = {false, 0.5f, 3}, .rate = 0.1f, .step = true, .parts = true}};
}

static void meet(Bench *b, const RunWish *w) {
    Err err;
    if (!run_wish_meet(&b->run, w, NULL, &err))
        fail_msg("%s: %s", err.what, err.why);
}

static double steps(const Bench *b, const RunWish *w) {
    return run_wish_steps(&b->run, &b->session, b->run.T, w);
}

static bool same_values(const Mat *a, const Mat *b) {
    return a->rows == b->rows && (a->rows == 0 || mat_max_difference(a, b) == 0);
}

/* Every matrix and number of a RunMerge that a picture is drawn from. */
static void check_same(const RunMerge *a, const RunMerge *b) {
    const Mat *mats[][2] = {{&a->product.product, &b->product.product},
                            {&a->separate.A, &b->separate.A},
                            {&a->merged.A, &b->merged.A},
                            {&a->cut, &b->cut},
                            {&a->cut_result.A, &b->cut_result.A},
                            {&a->turned_left, &b->turned_left},
                            {&a->turned.A, &b->turned.A},
                            {&a->step.difference, &b->step.difference},
                            {&a->symmetric, &b->symmetric}};
    for (size_t i = 0; i < ARRAY_COUNT(mats); i++)
        if (!same_values(mats[i][0], mats[i][1]))
            fail_msg("matrix %zu is another", i);
    assert_memory_equal(&a->curve, &b->curve, sizeof a->curve);
    assert_true(a->cut_A == b->cut_A);
    assert_true(a->step.cosine == b->step.cosine);
}

static void check_as_fresh(const Bench *b, const RunWish *w) {
    Bench other = {.session = session_share(&b->session)};
    Err err;
    assert_true(run_init(&other.run, &err));
    assert_true(run_update(&other.run, &other.session, NULL, (RunLimits){TOKENS}));
    meet(&other, w);
    check_same(b->run.merge, other.run.merge);
    assert_true(
        same_values(&b->run.layers[0].gradient.back.S, &other.run.layers[0].gradient.back.S));
    bench_close(&other);
}

static void steps_are_of_what_is_missing(void **state) {
    (void)state;
    Bench b;
    open_run(&b);
    RunWish all = wish(3);
    double whole = steps(&b, &all);
    assert_false(run_wish_is_drawable(&b.run, &all));
    assert_true(whole > 0);
    meet(&b, &all);
    assert_true(run_wish_is_drawable(&b.run, &all));
    assert_true(steps(&b, &all) == 0);
    RunWish cut = wish(4);
    assert_true(steps(&b, &cut) > 0 && steps(&b, &cut) < whole / 4);
    set(&b, "temperature", "2");
    double passes = steps(&b, &all);
    assert_true(passes > 0 && passes < whole);
    set(&b, "seed", "9");
    assert_true(steps(&b, &all) == whole);
    assert_true(run_update(&b.run, &b.session, NULL, (RunLimits){TOKENS}));
    assert_false(run_wish_is_drawable(&b.run, &all));
    assert_true(steps(&b, &all) == whole);
    bench_close(&b);
}

/* What takes long and the picture can do without, the singular values of a wide head, comes after
 * what the picture waits for, which then stays as it is. Of another seed nothing is shown meanwhile
 * that was of the one before. */
static void check_late(Bench *b) {
    RunWish all = wish(3), first;
    all.merge.stage = MERGE_AHEAD;
    all.merge.step = false;
    first = run_wish_first(&all);
    double whole = steps(b, &all), soon = steps(b, &first);
    assert_true(soon > 0 && soon < 0.7 * whole);
    meet(b, &first);
    const RunMerge *m = b->run.merge;
    assert_true(run_wish_is_drawable(&b->run, &all));
    assert_true(steps(b, &first) == 0 && steps(b, &all) > 0);
    assert_false(m->has_spectrum);
    assert_true(m->product.count == 0 && m->curve.count == 0 && m->cut.rows == 0);
    assert_int_equal(m->turned.A.rows, b->run.T);
    meet(b, &all);
    assert_true(b->run.merge->has_spectrum && steps(b, &all) == 0);
    check_as_fresh(b, &all);
}

static void what_takes_long_follows(void **state) {
    (void)state;
    Bench b;
    open_run(&b);
    set(&b, "d-model", "600");
    set(&b, "heads", "1");
    for (int seed = 1; seed < 3; seed++) {
        set(&b, "seed", seed == 1 ? "1" : "2");
        assert_true(run_update(&b.run, &b.session, NULL, (RunLimits){TOKENS}));
        check_late(&b);
    }
    bench_close(&b);
}

/* Whatever is asked for in turn, what is there is what a fresh Run would have. */
static void any_order_gives_the_same(void **state) {
    (void)state;
    Bench b;
    open_run(&b);
    for (int i = 0; i < 40; i++) {
        RunWish w = wish(1 + i % 3);
        w.merge.choice.head = i / 2 % 2;
        w.merge.choice.kind = i % 5 == 4 ? PRODUCT_OV : PRODUCT_QK;
        w.merge.gauge.turn = i % 4 == 3 ? 0.25f : 0.5f;
        w.merge.step = i % 7 < 4;
        if (i % 9 == 8) {
            set(&b, "seed", i % 2 == 0 ? "4" : "5");
            assert_true(run_update(&b.run, &b.session, NULL, (RunLimits){TOKENS}));
        }
        meet(&b, &w);
        w.merge.step = w.merge.step || b.run.merge->step.by_factors.rows > 0;
        meet(&b, &w);
        check_as_fresh(&b, &w);
    }
    bench_close(&b);
}

/* Nothing stays of the factors where a form has none, nor of a text that is shorter now. */
static void the_free_form_has_no_factors_left(void **state) {
    (void)state;
    Bench b;
    open_run(&b);
    RunWish w = wish(2);
    meet(&b, &w);
    assert_int_equal(b.run.merge->turned.A.rows, b.run.T);
    set(&b, "form", "free");
    write_text(&b, "a b");
    assert_true(run_update(&b.run, &b.session, NULL, (RunLimits){TOKENS}));
    meet(&b, &w);
    assert_int_equal(b.run.merge->full->A.rows, b.run.T);
    assert_int_equal(b.run.merge->turned.A.rows, 0);
    assert_int_equal(b.run.merge->turned_left.rows, 0);
    check_as_fresh(&b, &w);
    set(&b, "form", "separate");
    assert_true(run_update(&b.run, &b.session, NULL, (RunLimits){TOKENS}));
    meet(&b, &w);
    assert_int_equal(b.run.merge->turned.A.rows, b.run.T);
    bench_close(&b);
}

static void what_is_shown_stays_while_the_next_is_made(void **state) {
    (void)state;
    Bench b, kept;
    Err err;
    open_run(&b);
    open_run(&kept);
    RunWish one = wish(1), two = wish(2);
    two.merge.choice.head = 1;
    meet(&b, &one);
    meet(&kept, &one);
    assert_true(run_wish_begin(&b.run, &two, &err));
    assert_true(run_wish_make(&b.run, &two, NULL, &err));
    check_same(b.run.merge, kept.run.merge);
    run_wish_end(&b.run, &two);
    assert_int_equal(b.run.merge->wish.rank, 2);
    check_as_fresh(&b, &two);
    bench_close(&b), bench_close(&kept);
}

/* Told to stop at any of its questions it ends, and nothing of it is seen. */
static void what_is_stopped_leaves_what_was(void **state) {
    (void)state;
    Bench b, kept;
    Err err;
    open_run(&b);
    open_run(&kept);
    RunWish one = wish(1), two = wish(2);
    two.merge.choice.head = 1;
    meet(&b, &one);
    meet(&kept, &one);
    JobWatch watch;
    job_watch_begin(&watch);
    atomic_store(&watch.stop, true);
    assert_true(run_wish_begin(&b.run, &two, &err));
    assert_false(run_wish_make(&b.run, &two, &watch, &err));
    check_same(b.run.merge, kept.run.merge);
    assert_true(strstr(err.why, "stopped") != NULL);
    meet(&b, &two);
    check_as_fresh(&b, &two);
    bench_close(&b), bench_close(&kept);
}

/* One head of that width in so wide a model, of that many tokens. */
typedef struct WideHead {
    int d_model, width, tokens;
    ProductKind kind;
} WideHead;

static void open_head(Bench *b, const WideHead *head) {
    char number[16], text[2 * 1536 + 1];
    for (int i = 0; i < head->tokens; i++)
        memcpy(text + 2 * (size_t)i, "a ", 3);
    bench_open(b);
    set(b, "heads", "1");
    snprintf(number, sizeof number, "%d", head->d_model);
    set(b, "d-model", number);
    snprintf(number, sizeof number, "%d", head->width);
    set(b, "d-k", number);
    set(b, "d-v", number);
    write_text(b, text);
    assert_true(run_update(&b->run, &b->session, NULL, (RunLimits){head->tokens}));
}

/* Where what the vectors make of many tokens takes longer than they do, nothing is cut before it is
 * there. */
static void nothing_is_cut_before_its_values(void **state) {
    (void)state;
    static const WideHead heads[] = {{4096, 128, 3, PRODUCT_OV}, {2048, 192, 1536, PRODUCT_QK}};
    for (size_t i = 0; i < ARRAY_COUNT(heads); i++)
        for (int was_there = 0; was_there < 2; was_there++) {
            Bench b;
            RunWish w = {.has_merge = true, .merge = {.rank = 3, .rate = 0.1f}};
            w.merge.choice.kind = heads[i].kind;
            open_head(&b, &heads[i]);
            if (was_there)
                meet(&b, &w);
            w.merge.cut = true;
            meet(&b, &w);
            const RunMerge *m = b.run.merge;
            assert_true(m->has_spectrum || m->cut.rows == 0);
            assert_true(steps(&b, &w) == 0);
            w.merge.stage = MERGE_SPECTRUM;
            meet(&b, &w);
            assert_true(m->has_spectrum && m->cut.rows == heads[i].d_model);
            double size = 0, kept = 0;
            for (int row = 0; row < m->cut.rows; row++)
                for (int col = 0; col < m->cut.cols; col++)
                    size += pow((double)mat_row(&m->cut, row)[col], 2);
            for (int r = 0; r < 3; r++)
                kept += m->product.sigma[r] * m->product.sigma[r];
            assert_true(fabs(size - kept) < 1e-3 * kept);
            bench_close(&b);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_of_what_is_missing),
        cmocka_unit_test(what_takes_long_follows),
        cmocka_unit_test(nothing_is_cut_before_its_values),
        cmocka_unit_test(any_order_gives_the_same),
        cmocka_unit_test(the_free_form_has_no_factors_left),
        cmocka_unit_test(what_is_shown_stays_while_the_next_is_made),
        cmocka_unit_test(what_is_stopped_leaves_what_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
