/* The trained models that ship: each opens at the layer that its example shows, and its heads do on
 * unseen sequences what its note says, by the number that its note says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/examples.h"
#include "base/rng.h"
#include "results/layer.h"
#include "results/next_tokens.h"
#include "shell/assets.h"
#include "support/test.h"

#define SEQUENCES 60
#define HALF_MOST 24

static Assets assets;

static void open_model(Session *out, const char *id, int layer) {
    char path[80];
    Err err;
    snprintf(path, sizeof path, "trained:%s", id);
    Weights *weights = assets_weights(path, &(WeightsRequest){.layer = layer}, &err);
    if (weights == NULL)
        fail_msg("%s: %s", err.what, err.why);
    assert_true(session_init(out, &err));
    assert_true(session_set_weights(out, weights, 0, &err));
}

/* Fill ids with `half` random tokens, all different, and write them twice, but the last only once.
 * Return half. */
static int write_twice(char list[16 * HALF_MOST], int ids[HALF_MOST], int words, int sequence) {
    Rng rng = rng_stream(25, (uint64_t)sequence);
    int half = 6 + (int)(rng_bits(rng, 0) % (HALF_MOST - 5));
    size_t used = 0;
    for (int i = 0; i < half; i++)
        ids[i] = (int)((rng_bits(rng, 1) + (unsigned)i * 41) % (unsigned)words);
    for (int i = 0; i < 2 * half - 1; i++)
        used += (size_t)sprintf(list + used, "%s%d", i > 0 ? "," : "", ids[i % half]);
    return half;
}

/* Add each head's mean weight on what followed the query's token, over the second half. */
static void add_weights(double by_head[OPTION_HEADS_MAX], const Results *run, int heads, int half) {
    const AttnTrace *trace = results_trace(run, 0);
    for (int h = 0; h < heads; h++)
        for (int i = half; i < run->T; i++)
            by_head[h] += (double)mat_row(&trace->A, h * run->T + i)[i - half + 1] /
                          ((run->T - half) * SEQUENCES);
}

/* Return how many sequences the model continues as they began. */
static int read_sequences(double by_head[OPTION_HEADS_MAX], Session *session) {
    Results run;
    Err err;
    int right = 0;
    assert_true(results_init(&run, &err));
    for (int n = 0; n < SEQUENCES; n++) {
        char list[16 * HALF_MOST];
        int ids[HALF_MOST], half = write_twice(list, ids, session->weights->model->words, n);
        assert_true(session_set_ids(session, list, strlen(list), &err));
        assert_true(results_update(&run, session, &assets.run, (ResultsLimits){.tokens_max = 64}));
        assert_int_equal(run.T, 2 * half - 1);
        add_weights(by_head, &run, session->options.heads, half);
        assert_true(results_next_tokens(&run, NULL, &err));
        right += run.next.at[0].id == ids[half - 1];
    }
    results_release(&run);
    return right;
}

static void an_induction_head_reads_what_followed(void **state) {
    double by_head[OPTION_HEADS_MAX] = {0}, said;
    int head, layer, best = 0;
    Session session;
    open_model(&session, "induction", 2);
    assert_int_equal(sscanf(session.weights->note,
                            "%lf on what followed the same token: head %d of layer %d", &said,
                            &head, &layer),
                     3);
    assert_int_equal(layer, session.weights->layer);
    assert_true(read_sequences(by_head, &session) >= SEQUENCES * 19 / 20);
    for (int h = 0; h < session.options.heads; h++)
        best = by_head[h] > by_head[best] ? h : best;
    assert_int_equal(best, head - 1);
    assert_true(fabs(by_head[best] - said) < 0.03);
    session_release(&session);
}

/* Without its first layer's heads, layer 2 does not know what came before a token. */
static void it_takes_two_layers(void **state) {
    double by_head[OPTION_HEADS_MAX] = {0};
    static const char edit[] = "gain1(1,1)=0;gain2(1,1)=0;gain3(1,1)=0;gain4(1,1)=0";
    Session session;
    Err err;
    open_model(&session, "induction", 1);
    assert_true(session_read_numbers(&session, edit, strlen(edit), &err));
    assert_true(read_sequences(by_head, &session) < SEQUENCES / 4);
    session_release(&session);
}

/* After "And the LORD spake unto Moses, saying, Speak unto the children of". */
static void english_expects_israel(void **state) {
    enum { ISRAEL = 429 };
    Session session;
    Results run;
    Err err;
    const Example *example =
        &EXAMPLES[registry_find(&EXAMPLE_REGISTRY, "english", strlen("english"))];
    for (int layer = 1; layer <= 3; layer++) {
        open_model(&session, "english", layer);
        assert_true(session_set_ids(&session, example->text, strlen(example->text), &err));
        assert_true(results_init(&run, &err));
        assert_true(results_update(&run, &session, &assets.run, (ResultsLimits){.tokens_max = 64}));
        assert_true(results_next_tokens(&run, NULL, &err));
        assert_int_equal(run.next.at[0].id, ISRAEL);
        assert_true(run.next.at[0].share[0] > 0.9);
        results_release(&run);
        session_release(&session);
    }
}

static void each_example_opens_its_layer(void **state) {
    for (int i = 0; i < EXAMPLE_REGISTRY.count; i++) {
        const Example *example = &EXAMPLES[i];
        Session session;
        if (example->layer == 0)
            continue;
        open_model(&session, example->entry.id, example->layer);
        assert_int_equal(session.weights->layer, example->layer);
        assert_non_null(strstr(session.weights->note, " "));
        session_release(&session);
    }
}

static int load(void **state) {
    setenv("HEADLIGHT_ASSETS", "assets", 0);
    assets_load_all(&assets);
    return 0;
}

static int unload(void **state) {
    assets_release(&assets);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_induction_head_reads_what_followed),
        cmocka_unit_test(it_takes_two_layers),
        cmocka_unit_test(english_expects_israel),
        cmocka_unit_test(each_example_opens_its_layer),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
