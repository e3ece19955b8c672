#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "shell/bench.h"
#include "shell/pass.h"

/* What takes turns: a token comes to the end; A of every head and all figures are asked for, as the
 * Heads view does; it goes again; and the same words in another order, so that every row of X is
 * another. */
typedef enum Turn { TURN_APPEND, TURN_ASK, TURN_AWAY, TURN_WHOLE, TURN_COUNT } Turn;
#define TURNS_MOST  20000
#define TURNS_LEAST 20
#define APPENDS     8 /* between one whole pass and the next; before them is one for the room */

/* A Run that goes from one text to another: as given, with a word more, in another order. */
typedef enum UpdateText { TEXT_GIVEN, TEXT_MORE, TEXT_TURNED, TEXT_COUNT } UpdateText;
typedef struct Update {
    Pass pass;
    Session texts[TEXT_COUNT];
    double *durations_s[TURN_COUNT];
    int runs[TURN_COUNT];
    double append_cpu_s;
} Update;

static bool update_to(Update *update, UpdateText text, Err *err) {
    bool done = run_update(&update->pass.run, &update->texts[text], &update->pass.assets.run,
                           (RunLimits){TOKENS_MAX});
    if (!done)
        *err = update->pass.run.err;
    return done;
}

static bool whole_once(void *context, Err *err) {
    Update *update = context;
    run_release(&update->pass.run);
    return run_init(&update->pass.run, err) && update_to(update, TEXT_GIVEN, err);
}

/* Keep how long it took from then to now, which is returned. */
static double note(Update *update, Turn turn, double then_s) {
    double now_s = timing_now_s();
    if (update->runs[turn] < TURNS_MOST)
        update->durations_s[turn][update->runs[turn]++] = now_s - then_s;
    return now_s;
}

static void ask(const Run *run) {
    for (int i = 0; i < run->layer_count; i++) {
        run_whole_trace(run, i);
        run_figures(run, i);
    }
}

static bool append_once(Update *update, bool is_noted, Err *err) {
    double cpu_s = timing_cpu_s(), then_s = timing_now_s();
    if (!update_to(update, TEXT_MORE, err))
        return false;
    if (is_noted)
        update->append_cpu_s += timing_cpu_s() - cpu_s;
    if (is_noted)
        then_s = note(update, TURN_APPEND, then_s);
    ask(&update->pass.run);
    if (is_noted)
        then_s = note(update, TURN_ASK, then_s);
    if (!update_to(update, TEXT_GIVEN, err))
        return false;
    if (is_noted)
        note(update, TURN_AWAY, then_s);
    return true;
}

static bool take_turns(Update *update, Err *err) {
    double then_s = timing_now_s(), end_s = then_s + 2 * BENCH_SECONDS;
    while (update->runs[TURN_APPEND] < TURNS_LEAST || timing_now_s() < end_s) {
        then_s = timing_now_s();
        if (!update_to(update, TEXT_TURNED, err))
            return false;
        then_s = note(update, TURN_WHOLE, then_s);
        if (!update_to(update, TEXT_GIVEN, err))
            return false;
        note(update, TURN_WHOLE, then_s);
        for (int i = 0; i <= APPENDS; i++)
            if (!append_once(update, i > 0, err))
                return false;
    }
    return true;
}

static void tell(Timing *timing, Update *update) {
    static const TimingPart parts[] = {
        {"us_whole", "all of it again, in place", 0, TIMING_MEDIAN_US},
        {"us_asked", "after either, A of all heads and their figures, when they are asked for", 0,
         TIMING_MEDIAN_US},
        {"us_away", "the token taken away again", 0, TIMING_MEDIAN_US}};
    static const Turn turns[] = {TURN_WHOLE, TURN_ASK, TURN_AWAY};
    *timing = timing_of(update->durations_s[TURN_APPEND], update->runs[TURN_APPEND]);
    timing->cpu_us = 1e6 * update->append_cpu_s / timing->runs;
    for (size_t i = 0; i < ARRAY_COUNT(turns); i++) {
        Turn turn = turns[i];
        timing->parts[i] = parts[i];
        timing->parts[i].value = timing_of(update->durations_s[turn], update->runs[turn]).median_us;
    }
    timing->part_count = ARRAY_COUNT(turns);
}

/* The last word goes to the front. */
static bool turn_words(Session *session, Err *err) {
    char word[40];
    size_t size = session->text->size, first = size;
    while (first > 0 && session->text->bytes[first - 1] != ' ')
        first--;
    snprintf(word, sizeof word, "%s ", session->text->bytes + first);
    return first == 0 || (session_edit_text(session, first - 1, size, "", 0, err) &&
                          session_edit_text(session, 0, 0, word, strlen(word), err));
}

static bool begin(Update *update, const Session *session, Err *err) {
    static const char word[] = " lazy";
    size_t size = session->text->size;
    *update = (Update){0};
    for (int i = 0; i < TEXT_COUNT; i++)
        update->texts[i] = session_share(session);
    return session_edit_text(&update->texts[TEXT_MORE], size, size, word, strlen(word), err) &&
           turn_words(&update->texts[TEXT_TURNED], err) &&
           pass_begin(&update->pass, &update->texts[TEXT_GIVEN], err);
}

static void end(Update *update) {
    if (update->pass.run.cache != NULL)
        pass_end(&update->pass);
    for (int i = 0; i < TEXT_COUNT; i++)
        session_release(&update->texts[i]);
}

bool bench_append(Timing *timing, const Call *call, const Session *session, Err *err) {
    (void)call;
    Update update;
    double *durations_s = malloc(TURN_COUNT * TURNS_MOST * sizeof *durations_s);
    if (durations_s == NULL)
        return err_fail(err, "memory", "too little to measure; close other programs");
    bool done = begin(&update, session, err);
    for (int i = 0; i < TURN_COUNT; i++)
        update.durations_s[i] = durations_s + i * TURNS_MOST;
    done = done && take_turns(&update, err);
    if (done)
        tell(timing, &update);
    end(&update);
    free(durations_s);
    return done;
}

bool bench_whole(Timing *timing, const Call *call, const Session *session, Err *err) {
    (void)call;
    Update update;
    bool done = begin(&update, session, err) &&
                timing_measure(timing, BENCH_SECONDS, whole_once, &update, err);
    end(&update);
    return done;
}
