/* Use a layer that a view has trained or folded: at once every view shows it, from a file that the
 * session names, and undo removes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "io/tensors.h"
#include "io/weights_file.h"
#include "results/study_plan.h"
#include "shell/stage.h"
#include "support/disk.h"
#include "support/opened.h"
#include "support/script.h"
#include "support/test.h"
#include "support/threads.h"
#include "views/view.h"

#define STEP   30
#define NESTED "text=a b c d&d-model=8&heads=2&form=nested&view=wqk&wqk-page=nested"
#define TRAINED                                                                                    \
    "view=train&compare-schemes=xavier_uniform,he_uniform&train-steps=40&train-step=30&train-"     \
    "start=2"

static char folder[] = "/tmp/headlight-use-XXXXXX/", path[64], second[64];

static void open_state(Script *s, const char *state, bool with_threads, const char *place) {
    AppResources resources = {.files = disk_files(),
                              .load_weights = weights_file_load,
                              .save_weights = weights_file_save,
                              .still = true};
    resources.files.places[PLACE_TRAINED] = place;
    if (with_threads)
        resources.pool = threads_pool(0);
    script_begin_given(s, state, &resources);
}

static void open_window(Script *s, const char *layer, bool with_threads, const char *place) {
    char state[300];
    snprintf(state, sizeof state, "%s&" TRAINED, layer);
    open_state(s, state, with_threads, place);
}

/* Use the second column's layer. */
static void use(Script *s) {
    script_click_text(s, "Use", 0);
    threads_wait(s);
    script_frame(s);
}

/* The layer of that column, computed by a race of its own. */
typedef struct Alone {
    Session session;
    Results run;
    Arena words;
    Race *race;
    RaceBench bench;
} Alone;

static void train_alone(Alone *e, const Session *session, RaceWords words) {
    RacePlan plan;
    RaceRequest request = {.rules = {.task = TASK_PREVIOUS,
                                     .optimiser = OPTIMISER_ADAM,
                                     .rate = OPTIMISERS[OPTIMISER_ADAM].rate,
                                     .batch = 16,
                                     .words = words,
                                     .seeds = 1,
                                     .steps = STEP}};
    request.schemes =
        (OptionList){1, {registry_find(&SCHEME_REGISTRY, "he_uniform", strlen("he_uniform"))}};
    *e = (Alone){.session = session_share(session)};
    must(results_init(&e->run, &told));
    assert_true(results_update(&e->run, &e->session, NULL, (ResultsLimits){64}));
    must(race_plan(&plan, &e->words, &e->run, &request, &told));
    e->race = race_create(&plan, &told);
    assert_non_null(e->race);
    must(race_bench_init(&e->bench, e->race, &told));
    must(race_advance(e->race, &e->bench, 0, STEP + 1, &told));
    must(race_look(&e->bench, e->race, 0, STEP, &told));
}

static void release(Alone *e) {
    race_bench_release(&e->bench);
    job_drop(NULL, &e->race->job);
    arena_release(&e->words);
    results_release(&e->run);
    session_release(&e->session);
}

/* Every tensor of the file that the session now names, to the bit. */
static void check_weights(const Weights *used, const Alone *e) {
    assert_non_null(used);
    assert_string_equal(used->path, path);
    Weights *wanted = race_trained_weights(path, &e->run, e->race, &e->bench.look.params, &told);
    assert_non_null(wanted);
    assert_true(weights_equal(used, wanted));
    weights_drop(wanted);
}

/* The session as it is now has the heads of the step that was on screen. */
static void check_heads(const Session *now, const Alone *e) {
    RESULTS(run);
    assert_true(results_update(&run, now, NULL, (ResultsLimits){64}));
    for (int h = 0; h < now->options.heads; h++) {
        Mat A = results_weights(&run, 0, h);
        Mat wanted = attn_head_scores(&e->bench.trace.A, &e->race->shape, h);
        assert_true(mat_max_difference(&A, &wanted) < 1e-6f);
    }
}

TEST(a_trained_layer_is_used_saved_and_undone) {
    static const char *const layers[] = {
        "text=one two three four&d-model=8&heads=2", "text=a b c&d-model=8&heads=2&form=merged",
        "text=a b c d&d-model=8&heads=2&form=nested&bias=all&block=residual&mask=causal",
        "text=a b c&d-model=9&heads=3&form=merged&bias=all"};
    for (size_t i = 0; i < ARRAY_COUNT(layers); i++) {
        LOCAL(release) Alone e;
        SCRIPT(s, open_window, layers[i], false, folder);
        train_alone(&e, app_session(s.app), RACE_WORDS_FIXED);
        use(&s);
        check_weights(app_session(s.app)->weights, &e);
        check_heads(app_session(s.app), &e);
        assert_non_null(strstr(script_state(&s), "weights="));
        script_key(&s, 'z', KEY_MOD_COMMAND);
        assert_null(app_session(s.app)->weights);
        assert_true(session_equal(app_session(s.app), &e.session));
        script_key(&s, 'z', KEY_MOD_COMMAND | KEY_MOD_SHIFT);
        check_weights(app_session(s.app)->weights, &e);
        unlink(path);
    }
}

/* The text's words have their trained vectors then, and A is that of the step. */
TEST(a_trained_embedding_goes_with_its_layer) {
    LOCAL(release) Alone e;
    SCRIPT(s, open_window, "text=one two one three&d-model=8&heads=2&train-embedding=trained",
           false, folder);
    train_alone(&e, app_session(s.app), RACE_WORDS_TRAINED);
    use(&s);
    check_weights(app_session(s.app)->weights, &e);
    assert_true(weights_has(app_session(s.app)->weights, WEIGHTS_EMBEDDING));
    check_heads(app_session(s.app), &e);
    unlink(path);
}

/* So wide that computing the step takes longer than a frame. */
TEST(a_wide_layer_is_looked_at_by_a_job) {
    LOCAL(release) Alone e;
    SCRIPT(s, open_window, "text=one two three four&d-model=512&heads=8", true, folder);
    train_alone(&e, app_session(s.app), RACE_WORDS_FIXED);
    threads_wait(&s);
    use(&s);
    check_weights(app_session(s.app)->weights, &e);
    unlink(path);
}

/* No layer that a session may name is overwritten. */
TEST(every_use_has_a_file_of_its_own) {
    static const char kept[] = "kept";
    FILE *file = fopen(path, "w");
    assert_true(file != NULL && fputs(kept, file) >= 0 && fclose(file) == 0);
    disk_put(path, kept);
    SCRIPT(s, open_window, "text=one two three four&d-model=8&heads=2", false, folder);
    use(&s);
    assert_string_equal(app_session(s.app)->weights->path, second);
    assert_int_equal(unlink(path) + unlink(second), 0);
}

TEST(a_folder_that_cannot_be_written_is_reported) {
    static const char *const places[] = {"", "/nowhere/at/all/"};
    for (size_t i = 0; i < ARRAY_COUNT(places); i++) {
        SCRIPT(s, open_window, "text=one two three four&d-model=8&heads=2", false, places[i]);
        use(&s);
        assert_null(app_session(s.app)->weights);
        assert_true(script_shows(&s, "word-before-30"));
    }
}

/* Beside the names of the four starts that there are at first, in the usual windows that are wide.
 * In the fonts as they are: in one of these windows a few pixels decide. */
TEST(what_puts_a_layer_in_use_is_written) {
    static const int sizes[][2] = {{1440, 900}, {1600, 900}, {1920, 1080}, {1920, 1200}};
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        Stage stage;
        Settings settings;
        Session session = picture_opened(
            &settings, "embedding=random&view=train&train-steps=10&train-step=10", NULL);
        settings.size = (OptionPair){sizes[i][0], sizes[i][1]};
        if (!stage_begin(&stage, &session, &settings, (StageOptions){.kind = STAGE_LIST}, &told))
            fail_msg("%s: %s", told.what, told.why);
        bool has_fonts = fonts_substitutions(stage.fonts)[0] == '\0';
        stage_frame(&stage, NULL, 0, 0);
        bool is_written = drawn_text(&stage.list, "Use", 0) != NULL;
        stage_end(&stage);
        session_release(&session);
        if (!has_fonts)
            skip();
        if (!is_written)
            fail_msg("at %d × %d nothing says Use", sizes[i][0], sizes[i][1]);
    }
}

/* The attention of every head stays as it was in the nested form. */
TEST(a_folded_layer_has_the_same_attention) {
    static const char *const layers[] = {NESTED, NESTED "&bias=all&block=residual&mask=causal"};
    for (size_t i = 0; i < ARRAY_COUNT(layers); i++) {
        LOCAL(results_release) Results before;
        LOCAL(results_release) Results after;
        SCRIPT(s, open_state, layers[i], false, folder);
        char file[64];
        must(results_init(&before, &told) && results_init(&after, &told));
        assert_true(results_update(&before, app_session(s.app), NULL, (ResultsLimits){64}));
        script_play(&s, "<Fold into one matrix per head> |");
        assert_int_equal(app_session(s.app)->options.form.row, FORM_SEPARATE);
        assert_true(results_update(&after, app_session(s.app), NULL, (ResultsLimits){64}));
        for (int h = 0; h < 2; h++) {
            Mat A = results_weights(&after, 0, h), wanted = results_weights(&before, 0, h);
            assert_true(mat_max_difference(&A, &wanted) < 1e-6f);
        }
        snprintf(file, sizeof file, "%sfolded.safetensors", folder);
        assert_int_equal(unlink(file), 0);
    }
}

static int setup(void **state) {
    folder[strlen(folder) - 1] = '\0';
    bool made = mkdtemp(folder) != NULL;
    folder[strlen(folder)] = '/';
    snprintf(path, sizeof path, "%sword-before-30.safetensors", folder);
    snprintf(second, sizeof second, "%sword-before-30-2.safetensors", folder);
    return made ? 0 : -1;
}

static int teardown(void **state) {
    return rmdir(folder) + threads_end(state);
}

TEST_ALL(setup, teardown)
