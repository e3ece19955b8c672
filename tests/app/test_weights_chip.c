/* Every view says where its weights come from, and it is true. */
#include <stdlib.h>
#include <string.h>

#include "app/app_state.h"
#include "app/examples.h"
#include "base/util.h"
#include "support/script.h"
#include "support/test.h"

TEST_IN(its_commands_are_clicked, script_begin, "", 1440, 900) {
    script_play(s, "<Reroll> | {Random weights, seed 2} "
                   "<Train#1> " /* the first is on the rail */
                   "~view=train");
    script_end(s);
    script_begin(s, "view=train&train-step=7&d-model=8", 1440, 900);
    script_click_text(s, "Rewind", 0);
    assert_int_equal(app_settings(s->app)->train.step, 0);
}

/* A file that gives all matrices, or one. */
static Weights *weights_file(WeightsPart from, WeightsPart to) {
    Weights *weights = weights_new("/home/my_layer.safetensors", &told);
    static const size_t sizes[WEIGHTS_AXIS_COUNT] = {
        [WEIGHTS_D] = 64,  [WEIGHTS_H] = 4,  [WEIGHTS_K] = 16, [WEIGHTS_V] = 16,
        [WEIGHTS_HV] = 64, [WEIGHTS_E] = 64, [WEIGHTS_T] = 2};
    for (WeightsPart p = from; p <= to; p++) {
        WeightsTensor *t = &weights->tensors[p];
        t->rank = WEIGHTS_PARTS[p].rank;
        for (int i = 0; i < t->rank; i++)
            t->shape[i] = sizes[WEIGHTS_PARTS[p].axes[i]];
        t->at = calloc(64 * 64, sizeof(float));
    }
    must(weights_agree(weights, &told));
    return weights;
}

TEST(a_file_is_named_and_closed) {
    static const struct {
        WeightsPart from, to;
        const char *words;
    } files[] = {{WEIGHTS_W_Q, WEIGHTS_W_O, "From my_layer.safetensors"},
                 {WEIGHTS_W_V, WEIGHTS_W_V, "; the others are random"}};
    for (size_t i = 0; i < ARRAY_COUNT(files); i++) {
        SCRIPT(s, script_begin, "", 1440, 900);
        Session changed = session_share(app_session(s.app));
        must(session_set_weights(&changed, weights_file(files[i].from, files[i].to), 0, &told));
        must(app_take_session(s.app, true, &changed, NULL, &told));
        script_play(&s, PRINT("| | {%s}", files[i].words));
        script_play(&s, "{my_layer.safetensors} " /* Init says it too */
                        "<Close> |");
        script_play(&s, PRINT("-{%s} {Random weights, seed 1}", files[i].words));
    }
}

TEST(letters_for_a_fixed_text_run_no_command) {
    LOCAL(script_end) Script s;
    script_begin(&s, "", 1440, 900);
    Session changed = session_share(app_session(s.app));
    Weights *weights = weights_file(WEIGHTS_X, WEIGHTS_X);
    assert_true(weights_name_rows(weights, NULL, 2, &told));
    assert_true(session_set_weights(&changed, weights, 0, &told));
    assert_true(app_take_session(s.app, true, &changed, NULL, &told));
    script_frame(&s);
    script_keys(&s, "Ctrl+L");
    assert_non_null(strstr(s.app->messages[0].text, "rows of X"));
    script_keys(&s, "2 '2' T 't'");
    assert_false(script_state_has(&s, "view=") || script_state_has(&s, "theme="));
    script_keys(&s, "Escape 2");
    assert_true(script_state_has(&s, "view="));
}

TEST(every_question_keeps_its_way_back) {
    static const float sizes[][2] = {{1024, 768}, {1366, 768}, {1920, 1080}};
    for (size_t size = 0; size < ARRAY_COUNT(sizes); size++)
        for (int i = 0; i < QUESTION_REGISTRY.count; i++) {
            SCRIPT(s, script_begin, "", sizes[size][0], sizes[size][1]);
            question_ask(s.app, i);
            script_play(&s, "| |");
            if (drawn_text(&s.list, "Back to my layer", 0) == NULL)
                fail_msg("%s at %.0f: no way back", QUESTIONS[i].entry.id, (double)sizes[size][0]);
        }
}
