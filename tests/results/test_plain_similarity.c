#include "base/util.h"
#include "results/fresh.h"
#include "results/plain_similarity.h"
#include "support/test.h"

/* States that the special case is entered from. */
static const char *const BEFORE[] = {
    "seed=3",
    "heads=8&head=8&d-k=5&bias=all",
    "form=rank:3&mask=window:2",
    "positions=rope&form=merged",
    "heads=1&d-model=7&tokenizer=chars&form=free",
};

/* Q, K and V are X to the bit; and the way back leads to the very session. */
TEST(queries_keys_and_values_are_the_input) {
    for (size_t i = 0; i < ARRAY_COUNT(BEFORE); i++) {
        LOCAL(bench_close) Bench b = bench_of("embedding=random&%s", BEFORE[i]);
        LOCAL(session_release) Session kept = session_share(&b.session);
        assert_false(plain_is(&b.session));
        must(plain_enter(&b.session, NULL, &told));
        assert_true(plain_is(&b.session));
        assert_string_equal(b.session.text->bytes, PLAIN_TEXT);
        set(&b, "embedding", "random"); /* no vectors are loaded here */
        assert_true(results_update(&b.run, &b.session, NULL, (ResultsLimits){16}));
        const AttnTrace *trace = results_trace(&b.run, 0);
        assert_int_equal(b.run.T, 3);
        for (int t = 0; t < 3; t++)
            for (int c = 0; c < b.run.X.cols; c++) {
                float x = mat_row(&b.run.X, t)[c];
                assert_true(mat_row(&trace->Q, t)[c] == x && mat_row(&trace->K, t)[c] == x &&
                            mat_row(&trace->V, t)[c] == x);
            }
        must(plain_leave(&b.session, &kept, &told));
        assert_true(session_equal(&b.session, &kept));
    }
}

/* A text that already has the words is the user's own and stays. */
TEST(a_text_with_the_words_stays) {
    static const char *const texts[] = {"king queen man woman dog cat", "a dog, a queen and a king",
                                        "king queen cat", "making queens dogmatic"};
    for (int i = 0; i < 4; i++) {
        LOCAL(bench_close) Bench b = bench_of("text=%s", texts[i]);
        must(plain_enter(&b.session, NULL, &told));
        assert_string_equal(b.session.text->bytes, i < 2 ? texts[i] : PLAIN_TEXT);
    }
}

/* Without a kept state the weights are sampled again. */
TEST(without_a_way_back_weights_are_drawn) {
    LOCAL(bench_close) Bench b = bench_of("");
    must(plain_enter(&b.session, NULL, &told));
    must(plain_leave(&b.session, NULL, &told));
    assert_false(plain_is(&b.session));
}
