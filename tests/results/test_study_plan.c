#include <math.h>
#include <stdio.h>

#include "base/util.h"
#include "lab/studied.h"
#include "results/fresh.h"
#include "results/study_plan.h"
#include "support/test.h"

#define SEEDS 3

static void check_seed(Bench *b, const Study *study, int seed) {
    char text[8];
    snprintf(text, sizeof text, "%d", seed + 1);
    set(b, "seed", text);
    assert_true(update(b));
    float entries[4 * TOKENS * TOKENS];
    int T = b->run.T, H = b->session.options.heads;
    Mat scores = {entries, H * T, T, T};
    for (int h = 0; h < H; h++) {
        Mat rows = mat_rows(&scores, h * T, T), head = results_scores(&b->run, 0, h);
        mat_copy(&rows, &head);
    }
    double Q = stats_std(&results_trace(&b->run, 0)->Q);
    double S = stats_score_std(&scores, &b->run.mask);
    assert_true(fabs((double)study_value(study, 0, seed, 0, STUDY_STD_Q) - Q) < 1e-6 * Q);
    assert_true(fabs((double)study_value(study, 0, seed, 0, STUDY_STD_S) - S) < 1e-6 * S);
}

/* X is sampled, all of it or only its positions, or it is fixed. */
TEST(every_seed_is_the_session_with_that_seed) {
    static const char *const inputs[] = {
        "embedding=random&positions=none", "embedding=random&positions=learned",
        "embedding=glove&positions=learned", "embedding=onehot&positions=sinusoidal"};
    for (size_t i = 0; i < ARRAY_COUNT(inputs); i++) {
        Bench b = bench_of("%s", inputs[i]), other = bench_of("%s", inputs[i]);
        assert_true(update(&b));
        StudyPlan plan =
            study_plan(&b.run, &b.session, &b.session.options.init, 1, SEEDS, STUDY_FILES);
        LOCAL(studied_drop) Study *study = studied(&plan);
        for (int seed = 0; seed < SEEDS; seed++)
            check_seed(&other, study, seed);
        bench_close(&other);
        bench_close(&b);
    }
}
