/* Requests in addition to what every Results has. They are computed without changing the Results on
 * screen. */
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "results/fresh.h"
#include "results/request.h"
#include "support/test.h"

static void open_run(Bench *b) {
    *b = bench_of("");
    assert_true(update(b));
}

static ResultsRequest request(int rank) {
    return (ResultsRequest){.gradient = true,
                            .has_product = true,
                            .analysis = {.rank = rank,
                                         .transform = {false, 0.5f, 3},
                                         .rate = 0.1f,
                                         .step = true,
                                         .parts = true}};
}

static void meet(Bench *b, const ResultsRequest *w) {
    must(results_request_meet(&b->run, w, NULL, &told));
}

static bool same_values(const Mat *a, const Mat *b) {
    return a->rows == b->rows && (a->rows == 0 || mat_max_difference(a, b) == 0);
}

/* Every matrix and number of a ProductAnalysis that a picture is drawn from. */
static void check_same(const ProductAnalysis *a, const ProductAnalysis *b) {
    const Mat *mats[][2] = {{&a->product.product, &b->product.product},
                            {&a->separate.A, &b->separate.A},
                            {&a->merged.A, &b->merged.A},
                            {&a->cut, &b->cut},
                            {&a->cut_result.A, &b->cut_result.A},
                            {&a->transformed_left, &b->transformed_left},
                            {&a->transformed.A, &b->transformed.A},
                            {&a->step.difference, &b->step.difference},
                            {&a->symmetric, &b->symmetric}};
    for (size_t i = 0; i < ARRAY_COUNT(mats); i++)
        if (!same_values(mats[i][0], mats[i][1]))
            fail_msg("matrix %zu is another", i);
    assert_memory_equal(&a->curve, &b->curve, sizeof a->curve);
    assert_true(a->cut_A == b->cut_A);
    assert_true(a->step.cosine == b->step.cosine);
}

static void check_as_fresh(const Bench *b, const ResultsRequest *w) {
    LOCAL(bench_close) Bench other = {.session = session_share(&b->session)};
    must(results_init(&other.run, &told));
    assert_true(update(&other));
    meet(&other, w);
    check_same(b->run.analysis, other.run.analysis);
    assert_true(
        same_values(&b->run.layers[0].gradient.back.S, &other.run.layers[0].gradient.back.S));
}

/* The matrices of all distances, and the comparison over all heads. */
TEST(what_follows_the_picture_is_left_out_at_first) {
    LOCAL(bench_close) Bench b;
    open_run(&b);
    set(&b, "positions", "rope");
    assert_true(update(&b));
    ResultsRequest all = request(3);
    all.analysis.all = all.analysis.follows = true;
    const ResultsRequest first = results_request_first(&all);
    assert_false(results_request_is_drawable(&b.run, &all));
    meet(&b, &first);
    const ProductAnalysis *m = b.run.analysis;
    assert_true(results_request_is_drawable(&b.run, &all));
    assert_true(m->dots.rows == 0 && !m->has_family && isnan(m->all_A));
    assert_true(m->product.count > 0 && m->curve.count > 0);
    meet(&b, &all);
    m = b.run.analysis;
    assert_true(m->dots.rows == b.run.T && m->has_family && m->all_A < 1e-5f);
    check_as_fresh(&b, &all);
}

/* After any sequence of requests, the parts equal those of fresh Results. */
TEST(any_order_gives_the_same) {
    LOCAL(bench_close) Bench b;
    open_run(&b);
    for (int i = 0; i < 40; i++) {
        ResultsRequest w = request(1 + i % 3);
        w.analysis.choice.head = i / 2 % 2;
        w.analysis.choice.kind = i % 5 == 4 ? PRODUCT_OV : PRODUCT_QK;
        w.analysis.transform.turn = i % 4 == 3 ? 0.25f : 0.5f;
        w.analysis.step = i % 7 < 4;
        if (i % 9 == 8) {
            set(&b, "seed", i % 2 == 0 ? "4" : "5");
            assert_true(update(&b));
        }
        meet(&b, &w);
        w.analysis.step = w.analysis.step || b.run.analysis->step.by_factors.rows > 0;
        meet(&b, &w);
        check_as_fresh(&b, &w);
    }
}

/* No part of the factors stays in a form without factors, and none of a longer text. */
TEST(the_free_form_has_no_factors_left) {
    LOCAL(bench_close) Bench b;
    open_run(&b);
    ResultsRequest w = request(2);
    meet(&b, &w);
    assert_int_equal(b.run.analysis->transformed.A.rows, b.run.T);
    set(&b, "form", "free");
    write_text(&b, "a b");
    assert_true(update(&b));
    meet(&b, &w);
    assert_int_equal(b.run.analysis->full->A.rows, b.run.T);
    assert_int_equal(b.run.analysis->transformed.A.rows, 0);
    assert_int_equal(b.run.analysis->transformed_left.rows, 0);
    check_as_fresh(&b, &w);
    set(&b, "form", "separate");
    assert_true(update(&b));
    meet(&b, &w);
    assert_int_equal(b.run.analysis->transformed.A.rows, b.run.T);
}

TEST(what_is_shown_stays_while_the_next_is_made) {
    Bench b, kept, next;
    open_run(&b);
    open_run(&kept);
    ResultsRequest one = request(1), two = request(2);
    two.analysis.choice.head = 1;
    meet(&b, &one);
    meet(&kept, &one);
    must(results_share(&next.run, &b.run, &told));
    next.session = session_share(&b.session);
    meet(&next, &two);
    check_same(b.run.analysis, kept.run.analysis);
    assert_int_equal(next.run.analysis->request.rank, 2);
    check_as_fresh(&next, &two);
    bench_close(&b);
    check_as_fresh(&next, &two);
    bench_close(&next), bench_close(&kept);
}

/* If the job is stopped at any check, it ends, and no part of its result is used. */
TEST(what_is_stopped_leaves_what_was) {
    Bench b, kept;
    open_run(&b);
    open_run(&kept);
    ResultsRequest one = request(1), two = request(2);
    two.analysis.choice.head = 1;
    meet(&b, &one);
    meet(&kept, &one);
    Job job = {.work = NULL};
    atomic_store(&job.stop, true);
    assert_false(results_request_meet(&b.run, &two, &job, &told));
    check_same(b.run.analysis, kept.run.analysis);
    assert_true(strstr(told.why, "stopped") != NULL);
    meet(&b, &two);
    check_as_fresh(&b, &two);
    bench_close(&b), bench_close(&kept);
}
