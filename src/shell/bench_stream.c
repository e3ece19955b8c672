/* Frames at the display's pace while what the view shows is computed beside them. */
#include <SDL.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shell/bench.h"
#include "shell/stage.h"

#define FRAME_S     (1.0 / 60)
#define ROUNDS      5
#define FRAMES_MOST 40000
#define ROUND_MOST  60.0 /* seconds, after which a round counts as far as it has come */

typedef struct Stream {
    Stage stage;
    double next_s; /* when the display takes the next picture */
    double *frames_s, rounds_s[ROUNDS];
    int frames, missed; /* missed: pictures that the display had to show twice */
    int rounds;
} Stream;

/* One frame, begun when the display took the one before. A late one is seen at the next turn. */
static void frame(Stream *stream, const InputEvent *event, bool is_noted) {
    double early_s = stream->next_s - timing_now_s();
    if (early_s > 0)
        SDL_Delay((Uint32)(early_s * 1e3));
    while (timing_now_s() < stream->next_s)
        ;
    double then_s = stream->next_s;
    stage_frame(&stream->stage, event, event != NULL, then_s);
    double took_s = timing_now_s() - then_s, turns = fmax(ceil(took_s / FRAME_S), 1);
    stream->next_s += turns * FRAME_S;
    if (!is_noted || stream->frames == FRAMES_MOST)
        return;
    stream->missed += (int)turns - 1;
    stream->frames_s[stream->frames++] = took_s;
}

/* From the key that asks for another seed to the picture that has everything in it. */
static void round_once(Stream *stream, bool is_noted) {
    const InputEvent reroll = {.kind = INPUT_KEY, .key = 'r'};
    stream->next_s = timing_now_s();
    double began_s = stream->next_s;
    frame(stream, &reroll, is_noted);
    while (app_is_computing(stream->stage.app) && timing_now_s() < began_s + ROUND_MOST)
        frame(stream, NULL, is_noted);
    if (is_noted)
        stream->rounds_s[stream->rounds++] = timing_now_s() - began_s;
}

static void tell(Timing *timing, Stream *stream, double cpu_s) {
    Timing frames = timing_of(stream->frames_s, stream->frames); /* which sorts them */
    *timing = timing_of(stream->rounds_s, stream->rounds);
    timing->cpu_us = 1e6 * cpu_s / stream->rounds;
    timing->parts[0] = (TimingPart){"us_frame", "a frame meanwhile", frames.median_us, TIMING_US};
    timing->parts[1] =
        (TimingPart){"us_frame_p99", "99 of 100 frames within", frames.p99_us, TIMING_US};
    timing->parts[2] = (TimingPart){"us_frame_most", "the slowest frame",
                                    1e6 * stream->frames_s[stream->frames - 1], TIMING_US};
    timing->parts[3] = (TimingPart){"frames", "frames", stream->frames, TIMING_COUNT};
    timing->parts[4] =
        (TimingPart){"missed", "turns of a display of 60 Hz missed", stream->missed, TIMING_COUNT};
    timing->part_count = 5;
}

bool bench_stream(Timing *timing, const Call *call, const Session *session, Err *err) {
    Stream stream = {.frames = 0};
    stream.frames_s = malloc(FRAMES_MOST * sizeof *stream.frames_s);
    if (stream.frames_s == NULL)
        return err_fail(err, "memory", "too little to measure; close other programs");
    bool done = stage_begin_window(&stream.stage, session, &call->settings, err);
    if (done) {
        round_once(&stream, false);
        double cpu_s = timing_cpu_s();
        for (int i = 0; i < ROUNDS; i++)
            round_once(&stream, true);
        tell(timing, &stream, timing_cpu_s() - cpu_s);
        stage_end(&stream.stage);
    }
    free(stream.frames_s);
    return done;
}
