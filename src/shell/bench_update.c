#include <string.h>

#include "shell/bench.h"
#include "shell/pass.h"

/* Two texts that differ by their last word, and a Run that goes to and fro between them. */
typedef struct Update {
    Pass pass;
    Session texts[2];
} Update;

static bool update_to(Update *update, int turn, Err *err) {
    bool done = run_update(&update->pass.run, &update->texts[turn], &update->pass.assets.run,
                           (RunLimits){TOKENS_MAX});
    if (!done)
        *err = update->pass.run.err;
    return done;
}

static bool append_once(void *context, Err *err) {
    return update_to(context, 1, err) && update_to(context, 0, err);
}

static bool whole_once(void *context, Err *err) {
    Update *update = context;
    run_release(&update->pass.run);
    return run_init(&update->pass.run, err) && update_to(update, 0, err);
}

static bool measure(Timing *timing, const Session *session, bool (*once)(void *context, Err *err),
                    Err *err) {
    static const char word[] = " lazy";
    Update update = {.texts = {session_share(session), session_share(session)}};
    size_t size = session->text->size;
    bool begun = session_edit_text(&update.texts[1], size, size, word, strlen(word), err) &&
                 pass_begin(&update.pass, &update.texts[0], err);
    bool done = begun && timing_measure(timing, BENCH_SECONDS, once, &update, err);
    if (begun)
        pass_end(&update.pass);
    session_release(&update.texts[0]);
    session_release(&update.texts[1]);
    return done;
}

bool bench_append(Timing *timing, const Call *call, const Session *session, Err *err) {
    (void)call;
    return measure(timing, session, append_once, err);
}

bool bench_whole(Timing *timing, const Call *call, const Session *session, Err *err) {
    (void)call;
    return measure(timing, session, whole_once, err);
}
