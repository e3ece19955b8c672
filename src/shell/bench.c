#include "shell/bench.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/number.h"
#include "base/util.h"
#include "results/study_plan.h"
#include "shell/output.h"
#include "shell/pass.h"
#include "shell/stage.h"

#define BENCH_TOKENS 16 /* default of --tokens */
#define FRAME_S      (1.0 / 60)

typedef struct PassBench {
    Pass pass;
    Arena arena;
    AttnTrace trace;
} PassBench;

static void pass_bench_end(PassBench *bench) {
    arena_release(&bench->arena);
    pass_end(&bench->pass);
}

static bool pass_bench_begin(PassBench *bench, const Session *session, Err *err) {
    *bench = (PassBench){0};
    if (!pass_begin(&bench->pass, session, err))
        return false;
    LayerResults *layer = &bench->pass.run.layers[0];
    const AttnShape *shape = &layer->shape[bench->pass.run.form];
    bool done = arena_reserve(&bench->arena, attn_trace_bytes(shape), err);
    if (done)
        bench->trace = attn_trace_push(&bench->arena, shape);
    done = done && attn_fold(&bench->trace, shape, &layer->params, err);
    if (!done)
        pass_bench_end(bench);
    return done;
}

static bool forward_once(void *context, Err *err) {
    (void)err;
    PassBench *bench = context;
    const Results *run = &bench->pass.run;
    const LayerResults *layer = &run->layers[0];
    attn_forward(&bench->trace, &layer->shape[run->form], &layer->params, &run->X, &run->mask);
    return true;
}

static bool backward_once(void *context, Err *err) {
    PassBench *bench = context;
    Results *run = &bench->pass.run;
    LayerResults *layer = &run->layers[0];
    GradientResults *gradient = &layer->gradient;
    forward_once(bench, err);
    attn_backward(&gradient->params, &gradient->back, &layer->shape[run->form], &layer->params,
                  &bench->trace, &run->X, &gradient->G);
    return true;
}

static bool time_pass(Timing *timing, const Session *session, bool is_backward, Err *err) {
    PassBench bench;
    if (!pass_bench_begin(&bench, session, err))
        return false;
    bool done = (!is_backward || results_gradient(&bench.pass.run, 0, err)) &&
                timing_measure(timing, BENCH_SECONDS, is_backward ? backward_once : forward_once,
                               &bench, err);
    pass_bench_end(&bench);
    return done;
}

bool bench_forward(Timing *timing, const Call *call, const Session *session, Err *err) {
    (void)call;
    return time_pass(timing, session, false, err);
}

bool bench_backward(Timing *timing, const Call *call, const Session *session, Err *err) {
    (void)call;
    return time_pass(timing, session, true, err);
}

typedef struct Units {
    StudyPlan plan;
    StudyBench bench;
    float *values; /* STUDY_STAT_COUNT values for each layer */
    long long unit;
} Units;

/* Compute the study of one scheme with one seed. Each call takes the next seed. */
static bool study_once(void *context, Err *err) {
    Units *b = context;
    return study_compute(b->values, &b->bench, &b->plan, b->unit++, err);
}

bool bench_study(Timing *timing, const Call *call, const Session *session, Err *err) {
    (void)call;
    Pass pass;
    if (!pass_begin(&pass, session, err))
        return false;
    Units b = {.plan = study_plan(&pass.run, session, &session->options.init, 1, 1, STUDY_FILES)};
    b.values = heap_get((size_t)b.plan.layers * STUDY_STAT_COUNT * sizeof *b.values);
    bool done = b.values != NULL ? timing_measure(timing, BENCH_SECONDS, study_once, &b, err)
                                 : err_fail(err, "memory", "too little; close other programs");
    study_bench_release(&b.bench);
    free(b.values);
    pass_end(&pass);
    return done;
}

typedef struct Typist {
    Stage stage;
    int frame;
} Typist;

/* Type a letter at the end of the text in one frame, and delete it in the next. */
static bool frame_once(void *context, Err *err) {
    (void)err;
    Typist *typist = context;
    const InputEvent keys[] = {
        {.kind = INPUT_TEXT, .text = "s", .text_bytes = 1},
        {.kind = INPUT_KEY, .key = KEY_BACKSPACE},
    };
    stage_frame(&typist->stage, &keys[typist->frame % 2], 1, typist->frame * FRAME_S);
    typist->frame++;
    return true;
}

bool bench_frame(Timing *timing, const Call *call, const Session *session, Err *err) {
    Typist typist = {0};
    if (!stage_begin(&typist.stage, session, &call->settings, (StageOptions){.kind = STAGE_WINDOW},
                     err))
        return false;
    const InputEvent keys[] = {
        {.kind = INPUT_KEY, .key = 'l', .mods = KEY_MOD_COMMAND},
        {.kind = INPUT_KEY, .key = KEY_END},
    };
    for (size_t i = 0; i < ARRAY_COUNT(keys); i++)
        stage_frame(&typist.stage, &keys[i], 1, 0);
    bool done = timing_measure(timing, BENCH_FRAME_SECONDS, frame_once, &typist, err);
    stage_end(&typist.stage);
    return done;
}

static bool give_words(Session *session, int count, Err *err) {
    static const char *const words[] = {"the ",    "animal ",  "did ", "not ", "cross ", "a ",
                                        "street ", "because ", "it ",  "was ", "too ",   "tired "};
    TextOut text = {0};
    for (int i = 0; i < count; i++)
        text_out(&text, "%s", words[(size_t)i % ARRAY_COUNT(words)]);
    bool given = text.failed ? err_fail(err, "memory", "too little for the text; use fewer tokens")
                             : session_edit_text(session, 0, session->text->size, text.at,
                                                 text.used - 1, err);
    text_out_release(&text);
    return given;
}

static void form_text(char out[OPTION_TEXT_MAX], const Options *o) {
    option_get(out, option_find(&STATE_OPTIONS, "form", strlen("form")), o);
}

static void print_json(TextOut *to, const Call *call, int tokens, const Timing *timing) {
    const Options *o = &call->session.options;
    char form[OPTION_TEXT_MAX];
    form_text(form, o);
    text_out(to,
             "{\"what\": \"%s\", \"tokens\": %d, \"d_model\": %d, \"heads\": %d, \"form\": \"%s\", "
             "\"us_median\": %s, \"us_min\": %s, \"us_p99\": %s, \"us_cpu\": %s, \"runs\": %d",
             call->word, tokens, o->d_model, o->heads, form, JSON(timing->median_us),
             JSON(timing->least_us), JSON(timing->p99_us), JSON(timing->cpu_us), timing->runs);
    for (int i = 0; i < timing->part_count; i++)
        text_out(to, ", \"%s\": %s", timing->parts[i].key, JSON(timing->parts[i].value));
    text_out(to, "}\n");
}

static void print_line(TextOut *to, const Call *call, int tokens, const Timing *timing) {
    const Options *o = &call->session.options;
    char median[40], least[40], form[OPTION_TEXT_MAX];
    form_text(form, o);
    number_format_fixed(median, sizeof median, timing->median_us, 2);
    number_format_fixed(least, sizeof least, timing->least_us, 2);
    text_out(to,
             "%s: median %s µs, minimum %s µs, p99 %s µs, %d runs, CPU %s µs (%d tokens, d_model "
             "%d, %d heads, %s)\n",
             call->word, median, least, FIXED(timing->p99_us, 2), timing->runs,
             FIXED(timing->cpu_us, 2), tokens, o->d_model, o->heads, form);
    for (const TimingPart *part = timing->parts; part < timing->parts + timing->part_count; part++)
        text_out(to, "  %s: %s%s\n", part->label,
                 FIXED(part->value, part->unit == TIMING_COUNT ? 0 : 2),
                 part->unit == TIMING_US ? " µs" : "");
}

bool verb_bench(const Call *call, Err *err) {
    int found = registry_find(&BENCHES, call->word, strlen(call->word));
    int tokens = call->tokens > 0 ? call->tokens : BENCH_TOKENS;
    Timing timing;
    if (found < 0) {
        char ids[96];
        registry_ids(&BENCHES, ids, sizeof ids);
        return err_usage(err, call_name(call->word), "is not a known timing; there are: %s", ids);
    }
    if (weights_has(call->session.weights, WEIGHTS_X))
        return err_usage(err, "--weights",
                         "contains X, but a timing uses its own text; leave X out of the file");
    Session session = session_share(&call->session);
    int words = registry_find(&TOKENIZER_REGISTRY, "words", strlen("words"));
    session.options.tokenizer = words;
    TextOut text = {0};
    bool done = give_words(&session, tokens, err) &&
                ((const BenchRow *)BENCHES.rows)[found].time(&timing, call, &session, err);
    if (done)
        (call->json ? print_json : print_line)(&text, call,
                                               timing.tokens > 0 ? timing.tokens : tokens, &timing);
    session_release(&session);
    return done && print_text(&text, err);
}
