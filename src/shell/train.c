#include <stdlib.h>

#include "base/utf8.h"
#include "document/state.h"
#include "io/tensors.h"
#include "shell/output.h"
#include "shell/pass.h"
#include "views/train/train.h"

/* A race (lab/race.h) with a single column: one scheme with one seed. */
typedef struct Training {
    Race *race;
    RaceBench bench;
    const Results *run; /* the Results that the race was planned on */
    const char *state;
} Training;

typedef struct TrainFormat {
    OutputFormat output;
    bool (*write)(FileOut *out, const Training *training, Err *err);
} TrainFormat;

static bool write_csv(FileOut *out, const Training *training, Err *err) {
    TextOut text = {0};
    race_text_header(&text, training->race);
    text_out(&text, "\n");
    race_text_csv(&text, training->race, 0, "");
    return print_append(out, &text, err);
}

static bool write_json(FileOut *out, const Training *training, Err *err) {
    TextOut text = {0};
    race_text_json(&text, training->race, 0);
    text_out(&text, "\n");
    return print_append(out, &text, err);
}

static bool write_weights(FileOut *out, const Training *t, Err *err) {
    int overflow = race_overflow(t->race, 0);
    Weights *weights = NULL;
    if (overflow >= 0)
        err_fail(err, "train", "the loss overflowed at step %d; choose a smaller --train-rate",
                 overflow);
    else
        weights = race_trained_weights("", t->run, t->race, &t->bench.look.params, err);
    bool wrote = weights != NULL && weights_write(out, weights, "state", t->state, err);
    if (weights == NULL)
        file_abandon(out);
    weights_drop(weights);
    return wrote;
}

static const TrainFormat FORMATS[] = {
    {{{"safetensors", "safetensors", "", "The weights of the last step, which --weights can load."},
      true},
     write_weights},
    {{{"json", "json", "", "A list with an object for each step."}, true}, write_json},
    {{{"csv", "csv", "", "One row for each step."}, true}, write_csv},
};
static const Registry FORMAT_REGISTRY = REGISTRY("formats", "format", FORMATS);

static bool train_all(Training *t, Err *err) {
    bool goes_on = true;
    while (goes_on && !race_is_over(t->race, 0)) {
        goes_on = race_advance(t->race, &t->bench, 0, 1, err);
        progress_say(PRINT("step %d of %d", race_done(t->race, 0) - 1, t->race->plan.rules.steps));
    }
    progress_end();
    return goes_on && race_look(&t->bench, t->race, 0, race_done(t->race, 0) - 1, err);
}

/* Plan the training of one scheme with one seed. The initial weights are those that `export` writes
 * for the state. */
static bool plan_of(RacePlan *plan, Arena *words, const Call *call, const Results *run, Err *err) {
    bool is_given;
    RaceRequest request = train_request(&call->session, &call->settings, &is_given);
    request.schemes = (OptionList){.count = 1, .rows = {call->session.options.init}};
    request.rules.seeds = 1;
    if (!race_plan(plan, words, run, &request, err))
        return false;
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        plan->given[p] = run->layers[0].params.p[p];
    return true;
}

static bool train_run_to(FileOut *out, const TrainFormat *format, const RacePlan *plan,
                         const Results *run, const char *state, Err *err) {
    Training training = {.run = run, .state = state};
    training.race = race_create(plan, err);
    bool made = training.race != NULL;
    bool done =
        made && race_bench_init(&training.bench, training.race, err) && train_all(&training, err);
    if (!done)
        file_abandon(out);
    done = done && format->write(out, &training, err) && output_commit(out, err);
    race_bench_release(&training.bench);
    if (made)
        training.race->job.free(&training.race->job);
    return done;
}

static bool check_form(const Call *call, Err *err) {
    const Options *options = &call->session.options;
    AttnShape shape = options_shape(options, 1, (AttnForm)options->form.row);
    if (race_can_train(&shape, err))
        return true;
    const Err why = *err;
    const char *form = registry_entry(&ATTN_FORMS, options->form.row)->id;
    return err_usage(err, PRINT("--form %s", form), "%s", why.why);
}

bool verb_train(const Call *call, Err *err) {
    int format;
    Pass pass;
    RacePlan plan;
    FileOut out;
    Arena words = {0};
    if (!output_format(&format, &FORMAT_REGISTRY, call, err) || !check_form(call, err) ||
        !pass_begin(&pass, &call->session, err))
        return false;
    char *state = state_make(&call->session, NULL);
    bool done = state != NULL || err_fail(err, "memory", "too little; close other programs");
    done = done && plan_of(&plan, &words, call, &pass.run, err) && output_begin(&out, call, err) &&
           train_run_to(&out, &FORMATS[format], &plan, &pass.run, state, err);
    free(state);
    arena_release(&words);
    pass_end(&pass);
    return done;
}
