/* A checkpoint: the time of all blocks from the tokens, and of a typed token in the window. */
#include <string.h>

#include "bench/more.h"
#include "bench/pace.h"
#include "results/layer.h"
#include "shell/pass.h"

#define LETTERS     6
#define LETTER_MOST 60.0 /* most seconds of a letter; then it is counted as it is */

typedef struct Layers {
    Pass pass;
    Arena arena;
    Mat x;
    int *ids;
} Layers;

static void see_block(void *context, const ModelBlock *block) {
    (void)context;
    (void)block;
}

static bool run_once(void *context, Err *err) {
    Layers *l = context;
    const Weights *weights = results_source(&l->pass.run)->weights;
    ModelPass pass = {.x = &l->x, .ids = l->ids, .last = weights->layers, .see = see_block};
    return weights->model->run(weights->model, &pass, err);
}

static bool time_blocks(Timing *timing, const Session *session, Err *err) {
    Layers l = {0};
    if (!pass_begin(&l.pass, session, err))
        return false;
    const Results *run = &l.pass.run;
    bool done = arena_reserve(
        &l.arena, mat_bytes(run->T, run->X.cols) + arena_padded((size_t)run->T * sizeof *l.ids),
        err);
    if (done) {
        l.x = mat_push(&l.arena, run->T, run->X.cols);
        l.ids = arena_push(&l.arena, (size_t)run->T * sizeof *l.ids);
        results_ids(l.ids, run);
    }
    done = done && timing_measure(timing, 4 * BENCH_SECONDS, run_once, &l, err);
    timing->tokens = done ? run->T : 0;
    arena_release(&l.arena);
    pass_end(&l.pass);
    return done;
}

/* Type a digit at the end of the ids, or delete it, and show frames until all has been computed. */
static double type_one(Stage *stage, Pace *pace, int at, bool is_noted) {
    const InputEvent keys[] = {{.kind = INPUT_TEXT, .text = "1", .text_bytes = 1},
                               {.kind = INPUT_KEY, .key = KEY_BACKSPACE}};
    pace->next_s = timing_now_s();
    double began_s = pace->next_s;
    pace_frame(pace, &keys[at % 2], is_noted);
    while (app_is_computing(stage->app) && timing_now_s() < began_s + LETTER_MOST)
        pace_frame(pace, NULL, is_noted);
    return timing_now_s() - began_s;
}

static bool time_letters(Timing *timing, const Call *call, Err *err) {
    const InputEvent open = {.kind = INPUT_KEY, .key = 'l', .mods = KEY_MOD_COMMAND};
    const InputEvent end = {.kind = INPUT_KEY, .key = KEY_END};
    Stage stage = {0};
    Pace pace;
    double letters_s[LETTERS];
    if (!stage_begin(&stage, &call->session, &call->settings, (StageOptions){.kind = STAGE_WINDOW},
                     err))
        return false;
    bool done = pace_begin(&pace, &stage, err);
    if (done) {
        pace.next_s = timing_now_s();
        pace_frame(&pace, &open, false);
        pace_frame(&pace, &end, false);
        type_one(&stage, &pace, 0, false);
        type_one(&stage, &pace, 1, false);
        for (int i = 0; i < LETTERS; i++)
            letters_s[i] = type_one(&stage, &pace, i, true);
        Timing letter = timing_of(letters_s, LETTERS), frames = pace_timing(&pace);
        timing->parts[0] =
            (TimingPart){"us_letter", "a typed letter, with all", letter.median_us, TIMING_US};
        timing->parts[1] =
            (TimingPart){"us_frame", "a frame meanwhile", frames.median_us, TIMING_US};
        timing->parts[2] = (TimingPart){"us_frame_most", "the slowest frame",
                                        1e6 * pace.frames_s[frames.runs - 1], TIMING_US};
        timing->parts[3] = pace_missed(&pace);
        timing->part_count = 4;
    }
    pace_release(&pace);
    stage_end(&stage);
    return done;
}

bool bench_layers(Timing *timing, const Call *call, const Session *session, Err *err) {
    (void)session; /* has words, which a model's tokens are not */
    if (!session_streams(&call->session))
        return err_usage(err, "--weights", "is no checkpoint that runs on --ids or --text");
    return time_blocks(timing, &call->session, err) && time_letters(timing, call, err);
}
