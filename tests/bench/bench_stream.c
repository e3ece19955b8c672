/* Frames at the display's pace while jobs compute the view's data. */
#include "bench/more.h"
#include "bench/pace.h"

#define ROUNDS     5
#define ROUND_MOST 60.0 /* most seconds of a round; then it is counted as it is */

typedef struct Stream {
    Stage stage;
    Pace pace;
    double rounds_s[ROUNDS];
    int rounds;
} Stream;

/* From the key that asks for another seed to the picture that has everything in it. */
static void round_once(Stream *stream, bool is_noted) {
    const InputEvent reroll = {.kind = INPUT_KEY, .key = 'r'};
    Pace *pace = &stream->pace;
    pace->next_s = timing_now_s();
    double began_s = pace->next_s;
    pace_frame(pace, &reroll, is_noted);
    while (app_is_computing(stream->stage.app) && timing_now_s() < began_s + ROUND_MOST)
        pace_frame(pace, NULL, is_noted);
    if (is_noted)
        stream->rounds_s[stream->rounds++] = timing_now_s() - began_s;
}

static void tell(Timing *timing, Stream *stream, double cpu_s) {
    Timing frames = pace_timing(&stream->pace); /* which sorts them */
    *timing = timing_of(stream->rounds_s, stream->rounds);
    timing->cpu_us = 1e6 * cpu_s / stream->rounds;
    timing->parts[0] = (TimingPart){"us_frame", "a frame meanwhile", frames.median_us, TIMING_US};
    timing->parts[1] =
        (TimingPart){"us_frame_p99", "99 of 100 frames within", frames.p99_us, TIMING_US};
    timing->parts[2] = (TimingPart){"us_frame_most", "the slowest frame",
                                    1e6 * stream->pace.frames_s[frames.runs - 1], TIMING_US};
    timing->parts[3] = (TimingPart){"frames", "frames", frames.runs, TIMING_COUNT};
    timing->parts[4] = pace_missed(&stream->pace);
    timing->part_count = 5;
}

bool bench_stream(Timing *timing, const Call *call, const Session *session, Err *err) {
    Stream stream = {.rounds = 0};
    if (!stage_begin(&stream.stage, session, &call->settings, (StageOptions){.kind = STAGE_WINDOW},
                     err))
        return false;
    bool done = pace_begin(&stream.pace, &stream.stage, err);
    if (done) {
        round_once(&stream, false);
        double cpu_s = timing_cpu_s();
        for (int i = 0; i < ROUNDS; i++)
            round_once(&stream, true);
        tell(timing, &stream, timing_cpu_s() - cpu_s);
    }
    pace_release(&stream.pace);
    stage_end(&stream.stage);
    return done;
}
