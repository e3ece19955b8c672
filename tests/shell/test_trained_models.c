/* The trained models that ship: each opens at the layer that its example shows, and its card has
 * the numbers measured here, on sequences and verses that it was not trained on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/examples.h"
#include "base/rng.h"
#include "base/util.h"
#include "io/file.h"
#include "io/weights_file.h"
#include "model/analysis/rollout.h"
#include "results/layer.h"
#include "results/layer_map.h"
#include "results/model_output.h"
#include "shell/assets.h"
#include "support/card.h"
#include "support/opened.h"
#include "support/test.h"

#define SEQUENCES 200
#define HALF_MOST 24
#define VERSES    200
#define VERSE_T   64

static Assets assets;

static void open_model(Session *out, const char *id, int layer) {
    char path[80];
    snprintf(path, sizeof path, "trained:%s", id);
    Weights *weights = assets_weights(path, &(WeightsRequest){.layer = layer}, &told);
    must(weights != NULL);
    assert_true(session_init(out, &told));
    assert_true(session_set_weights(out, weights, 0, &told));
}

#define MODEL(name, ...)                                                                           \
    LOCAL(session_release) Session name;                                                           \
    open_model(&(name), __VA_ARGS__)

static const Example *example_of(const char *id) {
    return &EXAMPLES[registry_find(&EXAMPLE_REGISTRY, id, strlen(id))];
}

static void run_session(Results *run, const Session *session, int tokens_max) {
    if (!results_update(run, session, &assets.run, (ResultsLimits){.tokens_max = tokens_max}))
        fail_msg("%s: %s", run->err.what, run->err.why);
}

/* The best head must be the one of the card, with its number. */
static void check_best(const double by_head[OPTION_HEADS_MAX], int heads, int head, double said,
                       double slack) {
    int best = 0;
    for (int h = 0; h < heads; h++)
        best = by_head[h] > by_head[best] ? h : best;
    assert_int_equal(best, head - 1);
    if (fabs(by_head[best] - said) > slack)
        fail_msg("%.4f, but the card says %.2f", by_head[best], said);
}

/* Fill ids with `half` random tokens, and write them twice, but the last only once.
 * Return half. */
static int write_twice(char list[16 * HALF_MOST], int ids[2 * HALF_MOST], int words, int sequence) {
    Rng rng = rng_stream(25, (uint64_t)sequence);
    int half = 6 + (int)(rng_bits(rng, 0) % (HALF_MOST - 5));
    size_t used = 0;
    for (int i = 0; i < half; i++)
        ids[i] = (int)(rng_bits(rng, 1 + (uint64_t)i) % (unsigned)words);
    for (int i = 0; i < 2 * half - 1; i++)
        used += (size_t)sprintf(list + used, "%s%d", i > 0 ? "," : "", ids[i % half]);
    return half;
}

/* Add each head's mean weight on the token `back` before the query's, over rows from `first` on. */
static void add_weights(double by_head[OPTION_HEADS_MAX], const Results *run, int heads, int back,
                        int first, int of) {
    const AttnTrace *trace = results_trace(run, 0);
    for (int h = 0; h < heads; h++)
        for (int i = first; i < run->T; i++)
            by_head[h] += (double)mat_row(&trace->A, h * run->T + i)[i - back] /
                          ((double)(run->T - first) * of);
}

/* Losses of the next tokens, and the number of tokens that were the first choice. */
typedef struct Guesses {
    double loss;
    int right, count;
} Guesses;

/* Compare the prediction at each token from `first` on with the token after it. */
static void add_guesses(Guesses *to, const Results *run, const int *ids, int first) {
    LOCAL(model_output_release) ModelOutput out;
    must(model_output_make(&out, run, run->T, NULL, &told));
    for (int i = first; i < run->T; i++) {
        const float *logits = mat_row(&out.logits, i);
        double sum = 0;
        int best = 0;
        for (int w = 0; w < out.logits.cols; w++) {
            best = logits[w] > logits[best] ? w : best;
            sum += exp((double)logits[w]);
        }
        to->loss += log(sum) - (double)logits[ids[i + 1]];
        to->right += best == ids[i + 1];
    }
    to->count += run->T - first;
}

/* Read sequences that occur twice, and score the predictions in the second half. back 0: the token
 * after the same token. */
static Guesses read_sequences(double by_head[OPTION_HEADS_MAX], Session *session, int back) {
    Guesses guesses = {0};
    RESULTS(run);
    for (int n = 0; n < SEQUENCES; n++) {
        char list[16 * HALF_MOST];
        int ids[2 * HALF_MOST], half = write_twice(list, ids, session->weights->model->words, n);
        must(session_set_ids(session, list, strlen(list), &told));
        run_session(&run, session, VERSE_T);
        assert_int_equal(run.T, 2 * half - 1);
        add_weights(by_head, &run, session->options.heads, back > 0 ? back : half - 1,
                    back > 0 ? back : half, SEQUENCES);
        memcpy(ids + half, ids, (size_t)half * sizeof *ids);
        add_guesses(&guesses, &run, ids, half);
    }
    return guesses;
}

TEST(an_induction_head_reads_what_followed) {
    double said[2], loss;
    int head[2], layer[2];
    char card[CARD_BYTES];
    read_card(card, "trained/induction/model.safetensors", "score");
    assert_int_equal(sscanf(card,
                            "%lf on what followed the same token: head %d of layer %d; "
                            "%lf on the token before: head %d of layer %d",
                            &said[0], &head[0], &layer[0], &said[1], &head[1], &layer[1]),
                     6);
    read_card(card, "trained/induction/model.safetensors", "loss");
    assert_int_equal(sscanf(card, "%lf nats a token of the second half", &loss), 1);
    for (int back = 0; back < 2; back++) {
        double by_head[OPTION_HEADS_MAX] = {0};
        MODEL(session, "induction", layer[back]);
        Guesses is = read_sequences(by_head, &session, back);
        if (is.right < is.count * 19 / 20 || fabs(is.loss / is.count - loss) > 0.01)
            fail_msg("loss %.4f, right %d of %d, but the card says %s", is.loss / is.count,
                     is.right, is.count, card);
        check_best(by_head, session.options.heads, head[back], said[back], 0.03);
    }
}

/* Without head 1 of layer 1, or with its mean, layer 2 does not know the previous token. */
TEST(it_takes_two_layers) {
    static const char *const edits[] = {"gain1(1,1)=0", "mean1(1,1)=1"};
    for (int i = 0; i < 2; i++) {
        double by_head[OPTION_HEADS_MAX] = {0};
        MODEL(session, "induction", 1);
        must(hand_set_read(&session.hand, edits[i], strlen(edits[i]), &told));
        Guesses is = read_sequences(by_head, &session, 1);
        assert_true(is.right < is.count / 4);
    }
}

/* Read each verse as a user would type it. A row's pass is of the tokens up to the last but one,
 * as in training. */
static Guesses read_verses(double by_head[OPTION_HEADS_MAX], Session *session) {
    Guesses guesses = {0};
    size_t size;
    char *verses = read_asset(&size, "trained/verses.txt");
    int count = 0;
    RESULTS(run);
    for (const char *at = verses; *at != '\0'; at += strcspn(at, "\n") + 1, count++) {
        int ids[VERSE_T + 1] = {0};
        must(session_edit_text(session, 0, session->text->size, at, strcspn(at, "\n"), &told));
        run_session(&run, session, VERSE_T + 1);
        for (int i = 0; i < run.T; i++)
            ids[i] = run.tokens[i].id;
        run_session(&run, session, run.T - 1);
        add_weights(by_head, &run, session->options.heads, 1, 1, VERSES);
        add_guesses(&guesses, &run, ids, 0);
    }
    assert_int_equal(count, VERSES);
    free(verses);
    return guesses;
}

TEST(english_expects_what_follows) {
    double by_head[OPTION_HEADS_MAX] = {0}, said, loss, plain;
    int head, layer, share;
    char card[CARD_BYTES];
    read_card(card, "trained/english/model.safetensors", "score");
    assert_int_equal(sscanf(card,
                            "%d%% of the next tokens are the first choice; "
                            "%lf on the token before: head %d of layer %d",
                            &share, &said, &head, &layer),
                     4);
    read_card(card, "trained/english/model.safetensors", "loss");
    assert_int_equal(sscanf(card, "%lf nats a token on 200 unseen verses; by frequency alone %lf",
                            &loss, &plain),
                     2);
    MODEL(session, "english", layer);
    Guesses is = read_verses(by_head, &session);
    check_best(by_head, session.options.heads, head, said, 0.0055);
    if (fabs(is.loss / is.count - loss) > 0.0055 ||
        fabs(100.0 * is.right / is.count - share) > 0.55)
        fail_msg("loss %.4f, right %d of %d, but the card says %s", is.loss / is.count, is.right,
                 is.count, card);
    assert_true(loss < plain - 2);
}

/* Its hint is true for every layer that is open. */
TEST(english_expects_israel) {
    static const struct {
        int layer;
        const char *edit, *next;
        double share;
    } rows[] = {{1, "", "Israel", 0.9},
                {2, "", "Israel", 0.9},
                {3, "", "Israel", 0.9},
                {1, "gain4(1,1)=0", "the", 0.2}};
    Results run;
    const char *text = example_of("english")->text;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        MODEL(session, "english", rows[i].layer);
        must(session_edit_text(&session, 0, session.text->size, text, strlen(text), &told));
        must(hand_set_read(&session.hand, rows[i].edit, strlen(rows[i].edit), &told));
        must(results_init(&run, &told));
        run_session(&run, &session, VERSE_T);
        must(results_next_tokens(&run, NULL, &told));
        assert_non_null(strstr(run.next.at[0].name, rows[i].next));
        assert_true(run.next.at[0].share[0] > rows[i].share);
        results_release(&run);
    }
}

TEST(a_rollout_covers_the_layers_below) {
    Results run;
    ARENA(arena, 4 * mat_bytes(VERSE_T, VERSE_T));
    Mat rooms[4];
    for (int i = 0; i < 4; i++)
        rooms[i] = mat_push(&arena, VERSE_T, VERSE_T);
    for (int layer = 1; layer <= 3; layer++) {
        MODEL(session, "english", layer);
        must(results_init(&run, &told));
        run_session(&run, &session, VERSE_T);
        int T = run.T;
        Mat mean = {rooms[0].at, T, T, T}, below = {rooms[1].at, T, T, T},
            rolled = {rooms[2].at, T, T, T}, scratch = {rooms[3].at, T, T, T};
        heads_mean(&mean, &results_trace(&run, 0)->A, &run.layers[0].shape[run.form]);
        rollout_step(&rolled, &scratch, &mean, layer > 1 ? &below : NULL);
        mat_copy(&below, &rolled);
        must(results_layer_map(&run, false, NULL, &told));
        assert_int_equal(run.map.rollout.rows, 0);
        must(results_layer_map(&run, true, NULL, &told));
        assert_true(mat_max_difference(&rolled, &run.map.rollout) < 1e-6f);
        Mat small = layer_map_head(&run.map, layer - 1, run.map.heads);
        assert_true(mat_max_difference(&mean, &small) == 0);
        results_release(&run);
    }
}

/* Every order of the map has each head once, sorted by its number. */
TEST(the_map_of_layers_is_sorted) {
    MODEL(session, "english", 3);
    RESULTS(run);
    run_session(&run, &session, VERSE_T);
    must(results_layer_map(&run, false, NULL, &told));
    const LayerMap *map = &run.map;
    int count = map->layers * map->heads;
    assert_int_equal(count, 12);
    for (LayerOrder order = 0; order < LAYER_ORDER_COUNT; order++) {
        unsigned seen = 0;
        for (int i = 0; i < count; i++) {
            const LayerMapHead *head = &map->figures[map->order[order][i]];
            const LayerMapHead *last = &map->figures[map->order[order][i > 0 ? i - 1 : 0]];
            seen |= 1u << map->order[order][i];
            assert_true(order != LAYER_ORDER_PLACE || map->order[order][i] == i);
            assert_true(order != LAYER_ORDER_ENTROPY || head->entropy >= last->entropy);
            assert_true(order != LAYER_ORDER_DISTANCE || head->distance >= last->distance);
            assert_true(order != LAYER_ORDER_PATTERN ||
                        (unsigned)head->pattern.kind >= (unsigned)last->pattern.kind);
        }
        assert_int_equal(seen, (1u << count) - 1);
    }
    HeadStats own = run.layers[0].figures.stats[1];
    assert_true(own.entropy == map->figures[2 * map->heads + 1].entropy);
}

/* True if a deleted file of this folder is mapped. Systems without /proc do not tell. */
static bool keeps_deleted(const char *folder) {
    char line[FILE_PATH_BYTES];
    bool keeps = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        keeps |= strstr(line, folder) != NULL && strstr(line, "(deleted)") != NULL;
    if (maps != NULL)
        fclose(maps);
    return keeps;
}

static void copy_of_model(const char *folder) {
    static const char *const files[] = {"config.json", "model.safetensors", "tokenizer.json"};
    for (size_t i = 0; i < ARRAY_COUNT(files); i++) {
        char from[FILE_PATH_BYTES], to[FILE_PATH_BYTES], name[64], *bytes;
        size_t size;
        snprintf(name, sizeof name, "trained/induction/%s", files[i]);
        snprintf(to, sizeof to, "%s/%s", folder, files[i]);
        must(assets_find(from, sizeof from, name, &told) &&
             file_read(&bytes, &size, from, SIZE_MAX, &told) &&
             file_write_atomic(to, bytes, size, &told));
        free(bytes);
    }
}

/* A pass must not mix the weights of two files. */
TEST(a_model_that_was_replaced_does_not_run) {
    char folder[] = "/tmp/headlight-model-XXXXXX", command[80];
    int ids[] = {1, 2, 3};
    assert_non_null(mkdtemp(folder));
    copy_of_model(folder);
    Weights *weights = weights_file_load(folder, &(WeightsRequest){.layer = 1}, &told);
    assert_non_null(weights);
    const WeightsModel *model = weights->model;
    float *x = calloc(3 * (size_t)model->D, sizeof *x);
    Mat X = {x, 3, model->D, model->D};
    ModelPass pass = {.x = &X, .ids = ids, .last = weights->layers};
    assert_true(model->run(model, &pass, &told));
    copy_of_model(folder);
    assert_false(model->run(model, &pass, &told));
    assert_non_null(strstr(told.why, "has changed"));
    assert_false(keeps_deleted(folder));
    weights_drop(weights);
    free(x);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

TEST(each_example_opens_its_layer) {
    for (int i = 0; i < EXAMPLE_REGISTRY.count; i++) {
        const Example *example = &EXAMPLES[i];
        if (example->layer == 0)
            continue;
        MODEL(session, example->entry.id, example->layer);
        assert_int_equal(session.weights->layer, example->layer);
        assert_non_null(strstr(session.weights->note, " "));
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

TEST_ALL(load, unload)
