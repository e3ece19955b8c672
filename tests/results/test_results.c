#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "results/fresh.h"
#include "support/test.h"

TEST(the_default_state_is_computed) {
    LOCAL(bench_close) Bench b = bench_of("");
    assert_true(update(&b));
    assert_int_equal(b.run.T, 12);
    assert_int_equal(b.run.token_total, 12);
    assert_int_equal(b.run.layer_count, 1);
    assert_int_equal(b.run.missing, 12); /* there are no word vectors here */
    assert_int_equal(results_rank(&b.run, 0, 0), RANK_UNKNOWN);
    assert_true(results_check(&b.run, 0, &b.run.err));
    assert_int_equal(results_rank(&b.run, 0, 0), 16);
    assert_true(b.run.layers[0].figures.form_difference_A < 1e-5f);
    Mat a = results_weights(&b.run, 0, 3);
    for (int i = 0; i < 12; i++) {
        float sum = 0;
        for (int j = 0; j < 12; j++)
            sum += mat_row(&a, i)[j];
        assert_float_equal(sum, 1, 1e-5);
    }
    size_t bytes = b.run.tokens[1].bytes;
    assert_int_equal(bytes, 6);
    assert_memory_equal(results_token(&b.run, 1), "animal", 6);
}

/* Update one after the other, each from the previous result. */
static const char CHANGES[] =
    "embedding=random seed=2 embedding=onehot seed=3 positions=none d-model=32 heads=8 d-k=3 d-v=5 "
    "scale=none temperature=2 mask=window:1 mask=window:3 mask=causal form=merged form=rank:2 "
    "bias=all block=pre-norm form=free form=nested block=post-"
    "norm positions=learned seed=7 d-k=4 positions=rope form=merged form=separate block=residual "
    "bias=output positions=none form=rank:5 form=merged init=he_normal beside=normal_002 "
    "init=identity seed=4 head=5 pin=1,1 beside=none seed=5 beside=normal_002 form=separate "
    "mask=none init-q=zeros init-v=gpt2 init-o=gpt2 init-k=small depth=3 init-q=auto d-k=auto "
    "d-v=auto heads=2";

TEST(every_option_reaches_what_depends_on_it) {
    LOCAL(bench_close) Bench b = bench_of("");
    check_fresh(&b, TOKENS, "nothing");
    for (const char *at = CHANGES; *at != '\0'; at += strspn(at, " ")) {
        char key[32], value[32];
        size_t key_bytes = strcspn(at, "="), bytes = strcspn(at, " ");
        snprintf(key, sizeof key, "%.*s", (int)key_bytes, at);
        snprintf(value, sizeof value, "%.*s", (int)(bytes - key_bytes - 1), at + key_bytes + 1);
        set(&b, key, value);
        check_fresh(&b, TOKENS, at);
        at += bytes;
    }
}

TEST(the_revision_grows_with_what_is_computed) {
    LOCAL(bench_close) Bench b = bench_of("");
    assert_true(update(&b));
    uint64_t revision = b.run.revision;
    const float *s = results_scores(&b.run, 0, 0).at;
    assert_true(update(&b));
    set(&b, "pin", "2,3");
    set(&b, "head", "2");
    assert_true(update(&b));
    assert_true(b.run.revision == revision);
    assert_true(results_check(&b.run, 0, &b.run.err));
    assert_int_equal(results_rank(&b.run, 0, 1), 16);
    set(&b, "temperature", "2");
    assert_true(update(&b));
    assert_true(b.run.revision > revision);
    assert_ptr_equal(results_scores(&b.run, 0, 0).at, s); /* of one shape: no memory is moved */
}

TEST(a_text_without_tokens_is_valid_and_empty) {
    static const char *const empty[] = {"", " ", "\n\t ", "\u2003"};
    LOCAL(bench_close) Bench b = bench_of("");
    assert_true(update(&b));
    for (size_t i = 0; i < ARRAY_COUNT(empty); i++) {
        write_text(&b, empty[i]);
        assert_true(update(&b));
        assert_int_equal(b.run.T, 0);
        assert_int_equal(b.run.token_total, 0);
        check_fresh(&b, TOKENS, "an empty text");
    }
    set(&b, "d-model", "32");
    set(&b, "mask", "causal");
    set(&b, "beside", "he_normal");
    assert_true(update(&b));
    write_text(&b, "back again");
    check_fresh(&b, TOKENS, "words after an empty text");
    assert_int_equal(b.run.T, 2);
}

TEST(one_token_reads_itself) {
    LOCAL(bench_close) Bench b = bench_of("text=alone");
    assert_true(update(&b));
    assert_int_equal(b.run.T, 1);
    Mat a = results_weights(&b.run, 0, 0);
    assert_true(mat_row(&a, 0)[0] == 1.0f);
    assert_true(run_largest_A(&b.run) == 1.0f);
    check_fresh(&b, TOKENS, "one token");
}

TEST(a_longer_text_is_cut_and_said_to_be) {
    LOCAL(bench_close) Bench b = bench_of("");
    assert_true(results_update(&b.run, &b.session, NULL, (ResultsLimits){5}));
    assert_int_equal(b.run.T, 5);
    assert_int_equal(b.run.token_total, 12);
    check_fresh(&b, 5, "a cut");
    check_fresh(&b, 12, "a higher limit");
    assert_int_equal(b.run.T, 12);
    check_fresh(&b, 1, "a lower limit");
    assert_int_equal(b.run.T, 1);
}

TEST(too_many_tokens_for_one_hot_are_an_error_that_passes) {
    LOCAL(bench_close) Bench b = bench_of("embedding=onehot&d-model=8");
    assert_false(update(&b));
    assert_false(b.run.valid);
    assert_int_equal(b.run.err.kind, ERR_USAGE);
    assert_non_null(strstr(b.run.err.why, "11 different tokens"));
    assert_false(update(&b));
    check_fresh(&b, TOKENS, "too few columns");
    set(&b, "d-model", "16");
    assert_true(update(&b));
    check_fresh(&b, TOKENS, "enough columns");
    set(&b, "d-model", "8");
    assert_false(update(&b));
    write_text(&b, "a b a b a b a b a b");
    assert_true(update(&b));
    check_fresh(&b, TOKENS, "fewer words");
}

TEST(beside_is_a_layer_of_its_own_with_the_same_draws) {
    Bench b = bench_of("beside=he_normal"), other = bench_of("init=he_normal");
    assert_true(update(&b));
    assert_true(update(&other));
    assert_int_equal(b.run.layer_count, 2);
    Mat A = results_weights(&b.run, 0, 0), A_beside = results_weights(&b.run, 1, 0);
    Mat A_alone = results_weights(&other.run, 0, 0);
    assert_true(same_bytes(&A_beside, &A_alone));
    assert_false(same_bytes(&A_beside, &A));
    set(&b, "init", "he_normal");
    assert_true(update(&b));
    const AttnTrace one = *results_trace(&b.run, 1), other_one = *results_trace(&b.run, 0);
    assert_true(same_bytes(&one.Y, &other_one.Y));
    bench_close(&b);
    bench_close(&other);
}

TEST(what_takes_too_much_memory_is_refused) {
    LOCAL(bench_close) Bench b = bench_of("");
    assert_true(update(&b));
    set(&b, "d-k", "4096");
    set(&b, "d-v", "4096");
    set(&b, "d-model", "4096");
    set(&b, "heads", "64");
    assert_false(update(&b));
    assert_int_equal(b.run.err.kind, ERR_FAILED);
    assert_string_equal(b.run.err.what, "weights");
    assert_non_null(strstr(b.run.err.why, "smaller d_model"));
    set(&b, "d-k", "1");
    set(&b, "d-v", "1");
    set(&b, "form", "merged");
    assert_false(update(&b));
    assert_string_equal(b.run.err.what, "attention");
    set(&b, "d-model", "64");
    assert_true(update(&b));
    check_fresh(&b, TOKENS, "a refusal");
}

TEST(a_wide_model_is_computed_without_the_other_form) {
    LOCAL(bench_close) Bench b = bench_of("d-model=2048&heads=64&text=one two three");
    assert_true(update(&b));
    assert_true(b.run.layers[0].has_trace[FORM_SEPARATE]);
    assert_false(b.run.layers[0].has_trace[FORM_MERGED]);
    assert_true(isnan(b.run.layers[0].figures.form_difference_A));
    const AttnTrace whole = *results_trace(&b.run, 0);
    assert_true(whole.Y.rows == b.run.T && mat_is_finite(&whole.Y));
}

TEST(one_matrix_can_have_a_scheme_of_its_own) {
    Bench plain = bench_of("beside=orthogonal"), own = bench_of("beside=orthogonal&init-k=zeros");
    assert_true(update(&plain) && update(&own));
    for (int layer = 0; layer < 2; layer++) {
        const Mat *drawn = plain.run.layers[layer].params.p,
                  *mixed = own.run.layers[layer].params.p;
        assert_true(same_bytes(&drawn[ATTN_W_Q], &mixed[ATTN_W_Q]));
        assert_true(same_bytes(&drawn[ATTN_W_V], &mixed[ATTN_W_V]));
        assert_true(same_bytes(&drawn[ATTN_W_O], &mixed[ATTN_W_O]));
        assert_true(mat_row(&mixed[ATTN_W_K], 5)[7] == 0);
    }
    set(&own, "init-k", "auto");
    assert_true(update(&own));
    assert_null(difference_of_layers(&plain.run, &own.run, 0));
    bench_close(&plain), bench_close(&own);
}

TEST(a_scheme_that_cannot_be_drawn_is_an_error_that_passes) {
    LOCAL(bench_close) Bench b = bench_of("d-model=2048&init=mimetic");
    assert_false(update(&b));
    assert_non_null(strstr(b.run.err.why, "1024"));
    set(&b, "d-model", "32");
    assert_true(update(&b));
    set(&b, "init", "xavier_uniform");
    assert_true(update(&b));
}
