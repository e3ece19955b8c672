#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "document/history.h"
#include "document/state.h"
#include "results/cell_story.h"
#include "results/layer_map.h"
#include "results/model_output.h"
#include "results/results.h"
#include "support/opened.h"
#include "support/test.h"

/* Weights from "X 3 8; W_Q 2 8 4": entry i of each tensor is i. NULL if the shapes disagree. */
static Weights *made(const char *parts, Err *err) {
    Weights *w = weights_new("some.npz", err);
    assert_non_null(w);
    for (const char *at = parts; *at != '\0'; at += strspn(at, "; ")) {
        char name[8];
        int used, rank = 0, size;
        assert_int_equal(sscanf(at, "%7s%n", name, &used), 1);
        at += used;
        WeightsPart p = 0;
        while (strcmp(WEIGHTS_PARTS[p].name, name) != 0)
            p++;
        size_t count = 1;
        for (; sscanf(at, "%d%n", &size, &used) == 1; at += used, count *= (size_t)size)
            w->tensors[p].shape[rank++] = (size_t)size;
        w->tensors[p].rank = rank;
        w->tensors[p].at = malloc(count * sizeof(float));
        assert_non_null(w->tensors[p].at);
        for (size_t i = 0; i < count; i++)
            w->tensors[p].at[i] = (float)i;
    }
    if (weights_agree(w, err) && (!weights_has(w, WEIGHTS_X) ||
                                  weights_name_rows(w, NULL, w->tensors[WEIGHTS_X].shape[0], err)))
        return w;
    weights_drop(w);
    return NULL;
}

static Weights *sound(const char *parts) {
    Err err = {0};
    Weights *w = made(parts, &err);
    if (w == NULL)
        fail_msg("%s: %s: %s", parts, err.what, err.why);
    return w;
}

static uint64_t bits_of(const char *keys) {
    uint64_t bits = 0;
    for (; *keys != '\0'; keys += strcspn(keys, " "), keys += strspn(keys, " "))
        bits |= weights_fixed_bit(option_find(&STATE_OPTIONS, keys, strcspn(keys, " ")));
    return bits;
}

static void read_state(Session *session, const char *state) {
    Err err = {0};
    if (!state_read(session, NULL, state, strlen(state), &err))
        fail_msg("%s: %s: %s", state, err.what, err.why);
}

TEST(shapes_that_disagree_are_refused) {
    static const struct {
        const char *parts, *words;
    } cases[] = {
        {"X 3 8; W_Q 2 7 4", "“W_Q”: shape[1] is 7, but d_model of “X” is 8"},
        {"W_Q 2 8 4; W_K 2 8 5", "“W_K”: shape[2] is 5, but d_k of “W_Q” is 4"},
        {"W_Q 2 8 4; W_K 3 8 4", "“W_K”: shape[0] is 3, but heads of “W_Q” is 2"},
        {"W_V 2 8 4; W_O 9 8", "“W_O”: shape[0] is 9, but heads · d_v is 2 · 4"},
        {"W_Q 2 8 4; W_O 9 8", "“W_O”: shape[0] is 9"},
        {"W_V 2 8 4; b_V 2 5", "“b_V”: shape[1] is 5, but d_v of “W_V” is 4"},
        {"X 3 8; b_O 9", "“b_O”: shape[0] is 9"},
        {"X 3 8; W_QK 2 10 10",
         "“W_QK”: shape[1] is 10, but must be 8, the d_model of “X”, or 9 with biases"},
        {"W_QK 2 8 9", "“W_QK”: shape[2] is 9"},
        {"W_Q 2 8 4; W_QK 2 8 8", "only one of its factors"},
        {"W_QK 2 9 9; b_Q 2 4; X 1 8", "last row and column"},
        {"X 5000 1", "tokens must be from 1 to 4096"},
        {"W_Q 65 1 1", "heads must be from 1 to 64"},
        {"W_Q 1 5000 1", "d_model must be from 1 to 4096"},
        {"X 3", "rank 1; rank 2 is needed"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        Err err = {0};
        if (made(cases[i].parts, &err) != NULL)
            fail_msg("%s was taken", cases[i].parts);
        if (strstr(err.why, cases[i].words) == NULL)
            fail_msg("%s: “%s” does not say “%s”", cases[i].parts, err.why, cases[i].words);
    }
}

/* The options of a state after weights were added. */
TEST(weights_settle_the_options) {
    static const struct {
        const char *parts, *before, *fixed, *after;
    } cases[] = {
        {"X 3 8", "", "", "d-model=8"},
        {"X 3 64", "", "d-model heads", ""},
        {"W_Q 2 8 4", "", "", "d-model=8&heads=2"},
        {"W_Q 2 8 3", "", "", "d-model=8&heads=2&d-k=3"},
        {"W_V 2 8 3", "", "", "d-model=8&heads=2&d-v=3"},
        {"W_O 6 8", "heads=2", "heads", "d-model=8&heads=2&d-v=3"},
        {"W_O 6 8; b_V 3 2", "", "", "d-model=8&heads=3&d-k=4&d-v=2&bias=all"},
        {"b_O 64", "", "", "bias=output"},
        {"b_O 64", "bias=all", "bias", "bias=all"},
        {"b_Q 4 16", "", "", "bias=all"},
        {"W_QK 2 8 8", "", "", "d-model=8&heads=2&form=free"},
        {"W_QK 2 9 9; X 1 8", "", "", "d-model=8&heads=2&bias=all&form=free"},
        {"W_QK 2 8 8; W_Q 2 8 4; W_K 2 8 4", "form=merged", "form",
         "d-model=8&heads=2&form=merged"},
        {"W_QK 2 8 8; W_Q 2 8 4; W_K 2 8 4", "form=free", "form", "d-model=8&heads=2&form=free"},
        {"W_V 2 8 4", "form=nested", "", "d-model=8&heads=2"},
        {"W_Q 2 8 4", "heads=8&head=7", "", "d-model=8&heads=2&head=2"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        Err err = {0};
        char expected[200];
        LOCAL(session_release) Session session = session_opened("");
        read_state(&session, cases[i].before);
        if (strstr(cases[i].parts, "b_V 3 2") != NULL)
            read_state(&session, "d-k=4");
        if (!session_set_weights(&session, sound(cases[i].parts), bits_of(cases[i].fixed), &err))
            fail_msg("%s: %s: %s", cases[i].parts, err.what, err.why);
        snprintf(expected, sizeof expected, "weights=some.npz%s%s",
                 cases[i].after[0] != '\0' ? "&" : "", cases[i].after);
        check_session(&session, expected);
    }
}

TEST(options_that_contradict_are_refused) {
    static const struct {
        const char *parts, *before, *what;
    } cases[] = {
        {"X 3 8", "d-model=64", "--d-model 64"},
        {"W_Q 2 8 4", "heads=4", "--heads 4"},
        {"W_Q 2 8 4", "d-k=3", "--d-k 3"},
        {"W_V 2 8 4", "d-v=3", "--d-v 3"},
        {"W_O 6 8", "heads=4", "--heads"},
        {"b_O 64", "bias=none", "--bias none"},
        {"b_V 4 16", "bias=output", "--bias output"},
        {"W_QK 2 8 8", "form=merged", "--form merged"},
        {"W_Q 2 8 4", "form=free", "--form free"},
        {"W_V 2 8 4", "form=nested", "--form nested"},
        {"W_QK 4 64 64", "positions=rope", "--positions rope"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        Session session, before;
        Err err = {0};
        char key[20];
        assert_true(session_init(&session, &err));
        read_state(&session, cases[i].before);
        before = session_share(&session);
        snprintf(key, sizeof key, "%.*s", (int)strcspn(cases[i].before, "="), cases[i].before);
        if (session_set_weights(&session, sound(cases[i].parts), bits_of(key), &err))
            fail_msg("%s was taken with %s", cases[i].parts, cases[i].before);
        assert_int_equal(err.kind, ERR_USAGE);
        assert_string_equal(err.what, cases[i].what);
        assert_true(session_equal(&session, &before));
        session_release(&session);
        session_release(&before);
    }
}

/* While weights are used, no option may contradict them; without them, every option may change. */
TEST(edits_hold_to_the_weights) {
    Err err = {0};
    const OptionRow *heads = option_find(&STATE_OPTIONS, "heads", 5);
    const OptionRow *seed = option_find(&STATE_OPTIONS, "seed", 4);
    LOCAL(session_release) Session session = session_opened("");
    assert_true(session_set_weights(&session, sound("W_Q 2 8 4"), 0, &err));
    assert_false(session_set(&session, heads, "4", 1, &err));
    assert_non_null(strstr(err.why, "some.npz"));
    assert_true(session_set(&session, seed, "4", 1, &err));
    assert_true(session_set_weights(&session, NULL, 0, &err));
    assert_int_equal(session.options.heads, 2);
    assert_true(session_set(&session, heads, "4", 1, &err));
}

static int loads;

static Weights *load_by_name(const char *path, const WeightsRequest *request, Err *err) {
    (void)request;
    loads++;
    if (strcmp(path, "missing.npz") == 0) {
        err_fail(err, path, "there is no such file");
        return NULL;
    }
    return sound("W_Q 2 8 4");
}

TEST(a_state_string_names_the_file) {
    Session session, again;
    Err err = {0};
    char text[200];
    StateExtra none = {.table = &(OptionTable){NULL, 0}, .values = text},
               loader = {.table = none.table, .values = text, .load = load_by_name};
    const char *string = "weights=some.npz&seed=3";
    assert_true(session_init(&session, &err) && session_init(&again, &err));
    assert_false(state_read(&session, NULL, string, strlen(string), &err));
    assert_string_equal(err.what, "weights");
    assert_false(state_read(&session, &none, string, strlen(string), &err));
    assert_true(state_read(&session, &loader, string, strlen(string), &err));
    assert_int_equal(session.options.heads, 2);
    LOCAL(free_at) char *written = state_make(&session, NULL);
    assert_true(state_read(&again, &loader, written, strlen(written), &err));
    assert_true(session_equal(&session, &again));
    assert_false(state_read(&session, &loader, "heads=4&weights=some.npz", 24, &err));
    assert_false(state_read(&session, &loader, "weights=some.npz&heads=4", 24, &err));
    assert_false(state_read(&session, &loader, "weights=missing.npz", 19, &err));
    assert_true(session_equal(&session, &again));
    assert_true(state_read(&session, &loader, "weights=", 8, &err));
    assert_null(session.weights);
    assert_int_equal(loads, 5);
    session_release(&session);
    session_release(&again);
}

/* A pass uses the given parameters and samples the others as it would without a file; undo restores
 * both. */
TEST(a_run_takes_what_is_there) {
    static History history;
    LOCAL(session_release) Session session;
    LOCAL(results_release) Results run;
    must(session_init(&session, &told) && results_init(&run, &told));
    read_state(&session, "embedding=random&d-model=8&heads=2");
    must(history_start(&history, &session, NULL, 0, NULL, &told));
    assert_true(results_update(&run, &session, NULL, (ResultsLimits){64}));
    assert_int_equal(run.T, 12);
    float drawn_k = run.layers[0].params.p[ATTN_W_K].at[3];
    assert_true(session_set_weights(&session, sound("X 3 8; W_Q 2 8 4; W_O 8 8"), 0, &told));
    history_record(&history, &session, NULL, 0);
    assert_true(results_update(&run, &session, NULL, (ResultsLimits){64}));
    const AttnParams *params = &run.layers[0].params;
    assert_int_equal(run.T, 3);
    assert_memory_equal(results_token(&run, 2), "3", 1);
    assert_true(run.X.at[9] == 9 && run.layers[0].has_given);
    assert_true(mat_row(&params->p[ATTN_W_Q], 3)[5] == 1 * 8 * 4 + 3 * 4 + 1);
    assert_true(mat_row(&params->p[ATTN_W_O], 3)[5] == 3 * 8 + 5);
    assert_true(params->p[ATTN_W_K].at[3] == drawn_k);
    assert_true(results_update(&run, &session, NULL, (ResultsLimits){2}));
    assert_int_equal(run.T, 2);
    assert_int_equal(run.token_total, 3);
    assert_true(history_undo(&history, &session, NULL));
    assert_null(session.weights);
    assert_true(results_update(&run, &session, NULL, (ResultsLimits){64}));
    assert_int_equal(run.T, 12);
    assert_false(run.layers[0].has_given);
    assert_true(history_redo(&history, &session, NULL));
    assert_true(results_update(&run, &session, NULL, (ResultsLimits){64}));
    assert_int_equal(run.T, 3);
    history_release(&history);
}

TEST(a_product_without_biases_gets_zeros) {
    LOCAL(session_release) Session session;
    LOCAL(results_release) Results run;
    must(session_init(&session, &told) && results_init(&run, &told));
    read_state(&session, "embedding=random");
    assert_true(session_set_weights(&session, sound("W_QK 2 4 4; b_V 2 2"), 0, &told));
    assert_true(results_update(&run, &session, NULL, (ResultsLimits){64}));
    const Mat *w = &run.layers[0].params.p[ATTN_W_QK];
    assert_int_equal(w->rows, 10);
    assert_int_equal(w->cols, 5);
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 5; j++)
            assert_true(mat_row(w, i)[j] ==
                        (float)(i % 5 < 4 && j < 4 ? i / 5 * 16 + i % 5 * 4 + j : 0));
}

static int runs;

/* Show the weights 10·block + 2·row + column of one head. */
static void see_block(const ModelPass *pass, int block) {
    float at[4];
    for (int i = 0; i < 4; i++)
        at[i] = (float)(10 * block + i);
    AttnShape shape = {.T = 2, .H = 1};
    AttnTrace trace = {.S = {at, 2, 2, 2}, .A = {at, 2, 2, 2}};
    uint8_t open[] = {1, 1, 1, 1};
    Mask mask = {.T = 2, .open = open};
    assert_int_equal(pass->x->rows, 2);
    pass->see(pass->context, &(ModelBlock){block, pass->x, &trace, &shape, &mask});
}

/* A model whose blocks add 1 to every entry of the stream. The embedding is the token's number. */
static bool count_up(const WeightsModel *model, const ModelPass *pass, Err *err) {
    runs++;
    for (int t = 0; t < pass->x->rows; t++) {
        if (pass->ids != NULL && pass->ids[t] >= model->words)
            return err_usage(err, "--ids 9", "is outside");
        for (int j = 0; j < pass->x->cols; j++) {
            float *entry = mat_row(pass->x, t) + j;
            *entry = (pass->ids != NULL ? (float)pass->ids[t] : *entry) +
                     (float)(pass->last - pass->first);
        }
    }
    for (int b = pass->first; pass->see != NULL && b < pass->last; b++)
        if (b > pass->first || pass->attention == NULL)
            see_block(pass, b);
    for (int i = 0; pass->logits != NULL && i < pass->logits->rows; i++)
        for (int j = 0; j < pass->logits->cols; j++)
            mat_row(pass->logits, i)[j] =
                mat_row(pass->x, pass->x->rows - pass->logits->rows + i)[0] * (float)(1 + j) / 8;
    return true;
}

/* The list is the softmax of the last token's logits, and with an edit it also has that without. */
static void the_next_tokens_are_a_softmax(Results *run, const float *logits) {
    double sum = 0;
    must(results_next_tokens(run, NULL, &told));
    for (int j = 0; j < 4; j++)
        sum += exp((double)logits[j]);
    assert_true(run->next.count == 4 && !run->next.edited);
    for (int n = 0; n < 4; n++) {
        const struct NextToken *token = &run->next.at[n];
        assert_int_equal(token->id, 3 - n);
        assert_true(token->logit[0] == (double)logits[3 - n]);
        assert_true(fabs(token->share[0] - exp((double)logits[3 - n]) / sum) < 1e-12);
        assert_true(token->share[1] == token->share[0]);
    }
    assert_string_equal(run->next.at[0].name, "id 3");
}

/* The layer shown has its own weights; the others have those that the model shows. */
static void the_map_has_every_layer(Results *run) {
    must(results_layer_map(run, true, NULL, &told));
    assert_true(run->map.layers == 5 && run->map.heads == 1 && run->map.side == 2);
    for (int layer = 0; layer < 5; layer++) {
        Mat shown = layer_map_head(&run->map, layer, 0), own = results_weights(run, 0, 0);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                assert_true(mat_row(&shown, i)[j] ==
                            (layer == 2 ? mat_row(&own, i)[j] : (float)(10 * layer + 2 * i + j)));
    }
}

static void an_edit_moves_the_next_tokens(Session *session, Results *run) {
    struct NextToken most = run->next.at[0];
    read_state(session, "set=X(2,1)=-90");
    assert_true(results_update(run, session, NULL, (ResultsLimits){64}));
    assert_true(run->next.is_stale);
    int before = runs; /* the logits without the edit are known */
    assert_true(results_next_tokens(run, NULL, &told) && run->next.edited && !run->next.is_stale);
    assert_int_equal(runs, before + 2);
    for (int n = 0; n < 4; n++)
        if (run->next.at[n].id == most.id) {
            assert_true(run->next.at[n].logit[1] == most.logit[0]);
            assert_true(run->next.at[n].share[1] == most.share[0]);
            assert_true(run->next.at[n].logit[0] < 0);
            assert_int_equal(n, 3);
        }
    read_state(session, "temperature=2"); /* changes them, too */
    assert_true(results_update(run, session, NULL, (ResultsLimits){64}));
    before = runs;
    must(results_next_tokens(run, NULL, &told));
    assert_in_range(runs, before + 3, before + 5);
    read_state(session, "temperature=1&set=none");
}

/* X is the stream at the layer, hidden one block more, and logits all blocks. */
TEST(a_model_streams_the_tokens_of_a_text) {
    LOCAL(session_release) Session session;
    LOCAL(results_release) Results run;
    ModelOutput out;
    Err err = {0};
    Weights *weights = sound("W_Q 1 2 2; W_K 1 2 2; W_V 1 2 2; W_O 2 2");
    weights->model = calloc(1, sizeof *weights->model + 1);
    assert_non_null(weights->model);
    *weights->model = (WeightsModel){count_up, .D = 2, .words = 9, .logits = 4};
    weights->traits.cap = 2;
    weights->layer = 3;
    weights->layers = 5;
    assert_true(session_init(&session, &err) && results_init(&run, &err));
    assert_true(session_set_ids(&session, "5, 7", 4, &err));
    assert_false(session_streams(&session));
    assert_true(session_set_weights(&session, weights, 0, &err));
    assert_int_equal(session.options.layer, 3);
    assert_true(session_streams(&session) && session_gives_x(&session));
    assert_true(results_update(&run, &session, NULL, (ResultsLimits){64}));
    assert_int_equal(run.T, 2);
    assert_true(mat_row(&run.X, 0)[0] == 7 && mat_row(&run.X, 1)[1] == 9);
    assert_true(model_output_make(&out, &run, run.T, NULL, &err));
    assert_true(mat_row(&out.hidden, 0)[0] == 8 && mat_row(&out.hidden, 1)[1] == 10);
    assert_int_equal(out.logits.cols, 4);
    assert_true(mat_row(&out.logits, 1)[3] == 6 && mat_row(&out.logits, 0)[3] == 5);
    the_next_tokens_are_a_softmax(&run, mat_row(&out.logits, 1));
    Mat S = results_scores(&run, 0, 0);
    ARENA(arena, cell_story_bytes(&run.layers[0].shape[run.form]));
    double computed = cell_story(&run, (AttnCell){0, 0, 1, 0}, -1, &arena).computed;
    assert_true(fabs(computed - (double)mat_row(&S, 1)[0]) < 1e-5);
    model_output_release(&out);
    an_edit_moves_the_next_tokens(&session, &run);
    the_map_has_every_layer(&run);
    assert_true(results_update(&run, &session, NULL, (ResultsLimits){64}));
    int before = runs; /* an edit that does not change X does not run the model again */
    read_state(&session, "scale=none");
    assert_true(results_update(&run, &session, NULL, (ResultsLimits){64}));
    assert_int_equal(runs, before);
    read_state(&session, "ids=8");
    assert_true(results_update(&run, &session, NULL, (ResultsLimits){64}));
    assert_true(run.T == 1 && mat_row(&run.X, 0)[0] == 10);
    read_state(&session, "ids=9");
    assert_false(results_update(&run, &session, NULL, (ResultsLimits){64}));
    assert_string_equal(run.err.what, "--ids 9");
    read_state(&session, "tokenizer=words");
    assert_false(session_streams(&session));
    static const char *const WRONG[] = {"", " ,", "5,x", "-1", "5;7", "99999999999", "1.5"};
    for (size_t i = 0; i < ARRAY_COUNT(WRONG); i++)
        assert_false(session_set_ids(&session, WRONG[i], strlen(WRONG[i]), &err));
}
