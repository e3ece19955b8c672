/* The trained layers that ship in one file: each is listed, loads, settles its options, attends as
 * its note says, with the number in its note and the loss on its card, on the 200 sentences that it
 * was not trained on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/examples.h"
#include "base/util.h"
#include "document/state.h"
#include "io/file.h"
#include "model/attention/position.h"
#include "model/attention/task.h"
#include "results/layer.h"
#include "shell/assets.h"
#include "support/card.h"
#include "support/opened.h"
#include "support/test.h"

#define SENTENCES 200
#define T_MAX     64

static Assets assets;
static char *sentences;

/* The target of each layer; -1 for the most similar other word. */
static const struct {
    const char *id;
    int task, positions;
    MaskKind mask;
} ASKED[] = {{"word-before", TASK_PREVIOUS, POSITION_ROPE, MASK_NONE},
             {"word-after", TASK_NEXT, POSITION_ROPE, MASK_NONE},
             {"first-word", TASK_FIRST, POSITION_LEARNED, MASK_NONE},
             {"same-word-earlier", TASK_EARLIER, POSITION_LEARNED, MASK_CAUSAL},
             {"similar-word", -1, POSITION_LEARNED, MASK_NONE}};

static void open_layer(Session *out, int row) {
    char path[80];
    snprintf(path, sizeof path, "trained:%s", registry_entry(&TRAINED_REGISTRY, row)->id);
    Weights *weights = assets_weights(path, NULL, &told);
    must(weights != NULL);
    assert_true(session_init(out, &told));
    assert_true(session_set_weights(out, weights, 0, &told));
}

/* Mark the keys that a query should read. Any of several equal words is right. */
static bool ask(bool asked[T_MAX], const Results *run, const Mat *words, int task, int query) {
    int word[T_MAX], any = 0;
    double best = -INFINITY, likeness[T_MAX] = {0};
    for (int j = 0; j < run->T; j++) {
        TokenLabel a = results_token_text(run, j);
        word[j] = j;
        for (int k = j; k-- > 0;) {
            TokenLabel b = results_token_text(run, k);
            word[j] = a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0 ? word[k] : word[j];
        }
        for (int m = 0; m < words->cols; m++)
            likeness[j] += (double)mat_row(words, query)[m] * (double)mat_row(words, j)[m];
        if (j != query)
            best = fmax(best, likeness[j]);
    }
    for (int j = 0; j < run->T; j++) {
        asked[j] = task == TASK_EARLIER ? j < query && word[j] == word[query]
                   : task >= 0          ? TASKS[task].key(query, run->T, word) == j
                                        : j != query && likeness[j] > best - 1e-3;
        any += asked[j];
    }
    return any > 0;
}

/* Return the squared error of one row: of the target word or, for the last two tasks, of
 * the sinusoidal code of its place, the row's own if none is. */
static double row_error(const Results *run, const Mat *words, int task, const bool asked[T_MAX],
                        int query) {
    int D = words->cols, key = query, count = 0;
    double sum = 0;
    for (int j = 0; j < run->T; j++)
        if (asked[j] && (task == TASK_EARLIER || count++ == 0))
            key = j;
    for (int m = 0; m < D; m++) {
        double angle = key * pow(10000, -(m - m % 2) / (double)D);
        double code = m % 2 == 0 ? sin(angle) : cos(angle);
        bool is_word = task >= 0 && task != TASK_EARLIER;
        double wanted = is_word ? (double)mat_row(words, key)[m] : code;
        double error = (double)mat_row(&results_trace(run, 0)->Y, query)[m] - wanted;
        sum += error * error / D;
    }
    return sum;
}

/* Add each head's weight on the targets of one sentence, and the sentence's mean squared error.
 * Return the number of rows. */
static int measure(double by_head[OPTION_HEADS_MAX], double *loss, Results *run,
                   const Session *session, int task) {
    Arena arena = {0};
    EmbedNote notes[T_MAX];
    int rows = 0;
    assert_true(results_update(run, session, &assets.run, (ResultsLimits){.tokens_max = T_MAX}));
    must(arena_reserve(&arena, mat_bytes(run->T, session->options.d_model), &told));
    Mat words = mat_push(&arena, run->T, session->options.d_model);
    must(results_embed(&words, notes, run, session, &told));
    const AttnTrace *trace = results_trace(run, 0);
    for (int i = 0; i < run->T; i++) {
        bool asked[T_MAX], is_asked = ask(asked, run, &words, task, i);
        *loss += row_error(run, &words, task, asked, i) / run->T;
        if (!is_asked)
            continue;
        rows++;
        for (int h = 0; h < session->options.heads; h++)
            for (int j = 0; j < run->T; j++)
                by_head[h] += asked[j] ? (double)mat_row(&trace->A, h * run->T + i)[j] : 0;
    }
    arena_release(&arena);
    return rows;
}

/* The largest mean weight of a head over the 200 sentences, and the mean squared error. */
static double score(double *loss, const Session *opened, int task) {
    double by_head[OPTION_HEADS_MAX] = {0}, best = 0;
    Session session = session_share(opened);
    int rows = 0, count = 0;
    RESULTS(run);
    for (const char *at = sentences; *at != '\0'; at += strcspn(at, "\n") + 1, count++) {
        must(session_edit_text(&session, 0, session.text->size, at, strcspn(at, "\n"), &told));
        rows += measure(by_head, loss, &run, &session, task);
    }
    assert_int_equal(count, SENTENCES);
    *loss /= count;
    for (int h = 0; h < OPTION_HEADS_MAX; h++)
        best = fmax(best, by_head[h] / rows);
    session_release(&session);
    return best;
}

TEST(each_layer_reads_what_its_note_says) {
    for (int i = 0; i < TRAINED_REGISTRY.count; i++) {
        if (((const Example *)registry_entry(&TRAINED_REGISTRY, i))->layer > 0)
            continue;
        assert_true(i < (int)ARRAY_COUNT(ASKED));
        LOCAL(session_release) Session session;
        open_layer(&session, i);
        assert_string_equal(registry_entry(&TRAINED_REGISTRY, i)->id, ASKED[i].id);
        assert_int_equal(session.options.positions, ASKED[i].positions);
        assert_int_equal(session.options.mask.row, ASKED[i].mask);
        assert_non_null(session.weights->note);
        char name[80], card[CARD_BYTES];
        double loss = 0, is = score(&loss, &session, ASKED[i].task);
        snprintf(name, sizeof name, "trained/%s.safetensors", ASKED[i].id);
        read_card(card, name, "loss");
        if (fabs(strtod(session.weights->note, NULL) - is) > 0.0055 ||
            fabs(strtod(card, NULL) - loss) > 0.00055)
            fail_msg("%s: %.4f, loss %.5f, but its card says %s, %s", ASKED[i].id, is, loss,
                     session.weights->note, card);
    }
}

/* An option that the file sets can be changed back to the default, and stays so when read again. */
TEST(an_option_of_the_file_can_be_changed) {
    Session session, again;
    StateExtra extra = {.table = &(OptionTable){0}, .load = assets_weights};
    open_layer(&session, 0);
    const OptionRow *row = option_find(&STATE_OPTIONS, "positions", strlen("positions"));
    assert_true(session_set(&session, row, "sinusoidal", strlen("sinusoidal"), &told));
    LOCAL(free_at) char *string = state_make(&session, NULL);
    assert_non_null(strstr(string, "positions=sinusoidal"));
    assert_true(session_init(&again, &told));
    must(state_read(&again, &extra, string, strlen(string), &told));
    assert_int_equal(again.options.positions, POSITION_SINUSOIDAL);
    assert_true(session_equal(&session, &again));
    session_release(&again);
    session_release(&session);
}

/* Without positions the first word is not found; with more tokens than positions the text is
 * refused. */
TEST(positions_are_those_of_the_file) {
    char text[1024] = "";
    LOCAL(session_release) Session session;
    Err err;
    open_layer(&session, 2);
    double loss = 0;
    assert_true(score(&loss, &session, TASK_FIRST) > 0.8);
    const OptionRow *row = option_find(&STATE_OPTIONS, "positions", strlen("positions"));
    assert_true(session_set(&session, row, "none", strlen("none"), &err));
    assert_true(score(&loss, &session, TASK_FIRST) < 0.3);
    assert_true(session_set(&session, row, "learned", strlen("learned"), &err));
    for (int i = 0; i <= session.weights->size[WEIGHTS_PLACES]; i++)
        strcat(text, "word ");
    assert_true(session_edit_text(&session, 0, session.text->size, text, strlen(text), &err));
    RESULTS(run);
    assert_false(results_update(&run, &session, &assets.run, (ResultsLimits){.tokens_max = 512}));
    assert_string_equal(run.err.what, "text");
    assert_non_null(strstr(run.err.why, "65 tokens, but trained:first-word has only 64 positions"));
}

static int load(void **state) {
    char path[FILE_PATH_BYTES];
    size_t size;
    setenv("HEADLIGHT_ASSETS", "assets", 0);
    assets_load_all(&assets);
    return assets.run.words != NULL &&
                   assets_find(path, sizeof path, "trained/sentences.txt", &told) &&
                   file_read(&sentences, &size, path, 1 << 20, &told)
               ? 0
               : -1;
}

static int unload(void **state) {
    free(sentences);
    assets_release(&assets);
    return 0;
}

TEST_ALL(load, unload)
