#include "base/util.h"
#include "shell/bench.h"
#include "shell/stage.h"

#define FRAME_S (1.0 / 60)

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

static void focus_the_end(Typist *typist) {
    const InputEvent keys[] = {
        {.kind = INPUT_KEY, .key = 'l', .mods = KEY_MOD_COMMAND},
        {.kind = INPUT_KEY, .key = KEY_END},
    };
    for (size_t i = 0; i < ARRAY_COUNT(keys); i++)
        stage_frame(&typist->stage, &keys[i], 1, 0);
}

bool bench_frame(Timing *timing, const Call *call, const Session *session, Err *err) {
    Typist typist = {0};
    if (!stage_begin(&typist.stage, session, &call->settings, (StageOptions){.kind = STAGE_WINDOW},
                     err))
        return false;
    focus_the_end(&typist);
    bool done = timing_measure(timing, BENCH_FRAME_SECONDS, frame_once, &typist, err);
    stage_end(&typist.stage);
    return done;
}
