#include "bench/more.h"
#include "shell/stage.h"

#define FRAME_S (1.0 / 60)

typedef struct Hand {
    Stage stage;
    int frame;
} Hand;

/* A round of input: zoom in by some notches, drag in some moves, and zoom out again. */
#define NOTCHES 10
#define MOVES   20
#define ROUND   (NOTCHES + 1 + MOVES + 1 + NOTCHES)

/* The input of a frame of the round. */
static InputEvent hand_event(int at) {
    if (at == NOTCHES)
        return (InputEvent){.kind = INPUT_BUTTON_DOWN, .button = POINTER_LEFT, .clicks = 1};
    if (at == NOTCHES + 1 + MOVES)
        return (InputEvent){.kind = INPUT_BUTTON_UP, .button = POINTER_LEFT};
    return (InputEvent){.kind = INPUT_WHEEL, .wheel = {0, at < NOTCHES ? 1 : -1}};
}

static bool pan_once(void *context, Err *err) {
    (void)err;
    Hand *hand = context;
    Stage *stage = &hand->stage;
    int at = hand->frame % ROUND, moved = at - NOTCHES;
    bool is_move = moved > 0 && moved <= MOVES;
    float way = moved < 0 ? 0 : moved > MOVES ? 1 : (float)moved / MOVES;
    stage->pointer_inside = true;
    stage->pointer_px = (Vec2){(float)stage->width_px * (0.14f - 0.02f * way),
                               (float)stage->height_px * (0.32f - 0.03f * way)};
    InputEvent event = hand_event(at);
    stage_frame(stage, &event, is_move ? 0 : 1, hand->frame * FRAME_S);
    hand->frame++;
    return true;
}

bool bench_pan(Timing *timing, const Call *call, const Session *session, Err *err) {
    Hand hand = {0};
    if (session_streams(&call->session))
        session = &call->session; /* the map of all layers needs the model's own tokens */
    if (!stage_begin(&hand.stage, session, &call->settings, (StageOptions){.kind = STAGE_WINDOW},
                     err))
        return false;
    stage_frame(&hand.stage, NULL, 0, 0);
    bool done = timing_measure(timing, BENCH_FRAME_SECONDS, pan_once, &hand, err);
    stage_end(&hand.stage);
    return done;
}
