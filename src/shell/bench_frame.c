#include "base/util.h"
#include "shell/bench.h"
#include "shell/stage.h"

#define FRAME_S (1.0 / 60)

typedef struct Typist {
    Stage stage;
    int frame;
} Typist;

/* A letter at the end of the text in one frame, and away with it in the next. */
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
    if (!stage_begin_window(&typist.stage, session, &call->settings, err))
        return false;
    focus_the_end(&typist);
    bool done = timing_measure(timing, BENCH_FRAME_SECONDS, frame_once, &typist, err);
    stage_end(&typist.stage);
    return done;
}

/* A round of a hand at the picture: so many notches in, a drag in so many moves, and out again. */
#define NOTCHES 10
#define MOVES   20
#define ROUND   (NOTCHES + 1 + MOVES + 1 + NOTCHES)

/* What happens in a frame of the round. */
static InputEvent hand_event(int at) {
    if (at == NOTCHES)
        return (InputEvent){.kind = INPUT_BUTTON_DOWN, .button = POINTER_LEFT, .clicks = 1};
    if (at == NOTCHES + 1 + MOVES)
        return (InputEvent){.kind = INPUT_BUTTON_UP, .button = POINTER_LEFT};
    return (InputEvent){.kind = INPUT_WHEEL, .wheel = {0, at < NOTCHES ? 1 : -1}};
}

static bool pan_once(void *context, Err *err) {
    (void)err;
    Typist *typist = context;
    Stage *stage = &typist->stage;
    int at = typist->frame % ROUND, moved = at - NOTCHES;
    bool is_move = moved > 0 && moved <= MOVES;
    float way = moved < 0 ? 0 : moved > MOVES ? 1 : (float)moved / MOVES;
    stage->pointer_inside = true;
    stage->pointer_px = (Vec2){(float)stage->width_px * (0.14f - 0.02f * way),
                               (float)stage->height_px * (0.32f - 0.03f * way)};
    InputEvent event = hand_event(at);
    stage_frame(stage, &event, is_move ? 0 : 1, typist->frame * FRAME_S);
    typist->frame++;
    return true;
}

bool bench_pan(Timing *timing, const Call *call, const Session *session, Err *err) {
    Typist typist = {0};
    if (!stage_begin_window(&typist.stage, session, &call->settings, err))
        return false;
    stage_frame(&typist.stage, NULL, 0, 0);
    bool done = timing_measure(timing, BENCH_FRAME_SECONDS, pan_once, &typist, err);
    stage_end(&typist.stage);
    return done;
}
