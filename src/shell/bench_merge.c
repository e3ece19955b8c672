#include <stdlib.h>

#include "base/util.h"
#include "model/free.h"
#include "session/run_merge.h"
#include "shell/bench.h"
#include "shell/pass.h"

/* What takes turns: what a hand may drag in W_QK. */
typedef enum Drag {
    DRAG_RANK,
    DRAG_TURN,
    DRAG_STRETCH,
    DRAG_RATE,
    DRAG_OFFSET,
    DRAG_TEMPERATURE,
    DRAG_SEED,
    DRAG_LATE, /* after another seed: what the picture does not wait for */
    DRAG_FREE,
    DRAG_COUNT
} Drag;
#define DRAGS_MOST  4000
#define DRAGS_LEAST 5

/* A Run whose product is looked at. */
typedef struct Merging {
    Pass pass;
    Arena scratch; /* of a W_QK drawn whole */
    double durations_s[DRAG_COUNT][DRAGS_MOST];
    int runs;
    double rank_cpu_s;
} Merging;

/* Where the hand begins: all is made, R too. */
static MergeWish at_rest(const Session *session, int turn) {
    int most = session->options.d_model / 2;
    float way = (float)(turn % 64) / 256;
    return (MergeWish){.choice = {PRODUCT_QK, session->options.head - 1, 0},
                       .rank = 1 + turn % (most > 0 ? most : 1),
                       .gauge = {true, 0.5f + way, 1},
                       .rate = 0.1f + way,
                       .step = true,
                       .parts = true,
                       .stage = MERGE_AHEAD};
}

/* What comes first of the wish after a move of the hand. */
static MergeWish moved(Drag drag, const MergeWish *from) {
    MergeWish to = *from;
    to.stage = MERGE_PICTURE;
    switch (drag) {
    case DRAG_RANK:
        to.rank++;
        break;
    case DRAG_STRETCH:
        to.gauge.is_rotation = false;
        to.gauge.turn /= 4; /* where rounding is not yet all there is */
        break;
    case DRAG_TURN:
        to.gauge.turn += 0.001f;
        break;
    case DRAG_RATE:
        to.rate += 0.001f;
        break;
    case DRAG_OFFSET:
        to.choice.offset = from->choice.offset + 1;
        break;
    case DRAG_LATE:
        to.stage = MERGE_AHEAD;
        break;
    case DRAG_FREE:
    case DRAG_TEMPERATURE:
    case DRAG_SEED:
    case DRAG_COUNT:
        break;
    }
    return to;
}

static bool session_to(Merging *merging, const Session *session, Err *err) {
    bool done =
        run_update(&merging->pass.run, session, &merging->pass.assets.run, (RunLimits){TOKENS_MAX});
    if (!done)
        *err = merging->pass.run.err;
    return done;
}

static bool drag_once(Merging *merging, const Session *session, Drag drag, Err *err) {
    MergeWish from = at_rest(session, merging->runs);
    from.step = drag < DRAG_SEED; /* a page of its own */
    if (drag == DRAG_STRETCH) {   /* whose own seed's matrices are there, as after a first move */
        from.gauge.is_rotation = false;
        from.gauge.turn /= 8;
    }
    const MergeWish to = moved(drag, &from);
    if (drag < DRAG_LATE && !run_merge(&merging->pass.run, &from, err))
        return false;
    Session other = *session;
    other.options.temperature += drag == DRAG_TEMPERATURE ? 0.01f * (float)(1 + merging->runs) : 0;
    other.options.seed += (uint64_t)merging->runs + (drag == DRAG_SEED);
    bool is_other = drag == DRAG_TEMPERATURE || drag == DRAG_SEED;
    double cpu_s = timing_cpu_s(), then_s = timing_now_s();
    if ((is_other && !session_to(merging, &other, err)) || !run_merge(&merging->pass.run, &to, err))
        return false;
    merging->durations_s[drag][merging->runs] = timing_now_s() - then_s;
    if (drag == DRAG_RANK)
        merging->rank_cpu_s += timing_cpu_s() - cpu_s;
    return true;
}

/* The same of a W_QK drawn whole, which follows from the session alone. */
static bool free_once(Merging *merging, const Session *session, Err *err) {
    const Options *o = &session->options;
    AttnShape shape = options_shape(o, 1, FORM_FREE);
    SchemePlan plan = options_plan(o, o->init);
    plan.seed += (uint64_t)merging->runs;
    double *sigma = malloc((size_t)attn_input_width(&shape) * sizeof *sigma);
    if (sigma == NULL)
        return err_fail(err, "memory", "too little for singular values; use smaller matrices");
    double then_s = timing_now_s();
    bool found = free_spectrum(sigma, o->head - 1, &shape, &plan, &merging->scratch, NULL, err);
    merging->durations_s[DRAG_FREE][merging->runs] = timing_now_s() - then_s;
    free(sigma);
    return found;
}

static bool take_turns(Merging *merging, const Session *session, Err *err) {
    double end_s = timing_now_s() + BENCH_FRAME_SECONDS;
    while (merging->runs < DRAGS_LEAST || (merging->runs < DRAGS_MOST && timing_now_s() < end_s)) {
        for (Drag drag = 0; drag < DRAG_COUNT; drag++)
            if (!(drag == DRAG_FREE ? free_once(merging, session, err)
                                    : drag_once(merging, session, drag, err)))
                return false;
        merging->runs++;
    }
    return true;
}

static void tell(Timing *timing, Merging *merging, bool turns) {
    static const struct {
        Drag drag;
        TimingPart part;
    } parts[] = {
        {DRAG_TURN, {"us_turn", "R turned", 0, TIMING_MEDIAN_US}},
        {DRAG_STRETCH, {"us_stretch", "R turned and stretched", 0, TIMING_MEDIAN_US}},
        {DRAG_RATE, {"us_rate", "one step of training at another rate", 0, TIMING_MEDIAN_US}},
        {DRAG_TEMPERATURE, {"us_temperature", "another temperature", 0, TIMING_MEDIAN_US}},
        {DRAG_SEED, {"us_seed", "another seed", 0, TIMING_MEDIAN_US}},
        {DRAG_LATE, {"us_late", "of it what the picture does not wait for", 0, TIMING_MEDIAN_US}},
        {DRAG_FREE, {"us_free", "singular values of a W_QK drawn whole", 0, TIMING_MEDIAN_US}},
        {DRAG_OFFSET, {"us_offset", "the matrix of another distance", 0, TIMING_MEDIAN_US}},
    };
    *timing = timing_of(merging->durations_s[DRAG_RANK], merging->runs);
    timing->cpu_us = 1e6 * merging->rank_cpu_s / merging->runs;
    for (size_t i = 0; i < ARRAY_COUNT(parts) - (turns ? 0 : 1); i++) {
        Drag drag = parts[i].drag;
        TimingPart *part = &timing->parts[timing->part_count++];
        *part = parts[i].part;
        part->value = timing_of(merging->durations_s[drag], merging->runs).median_us;
    }
}

bool bench_merge(Timing *timing, const Call *call, const Session *session, Err *err) {
    (void)call;
    static Merging merging;
    merging.runs = 0;
    merging.rank_cpu_s = 0;
    if (!pass_begin(&merging.pass, session, err))
        return false;
    bool done = take_turns(&merging, session, err);
    if (done)
        tell(timing, &merging, session->options.positions == POSITION_ROPE);
    arena_release(&merging.scratch);
    pass_end(&merging.pass);
    return done;
}
