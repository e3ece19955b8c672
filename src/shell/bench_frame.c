#include <string.h>

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

#define SLIDER_AWAY 40 /* from the name of the temperature to within its slider, logical pixels */

typedef struct Dragger {
    Stage stage;
    Vec2 at;
    int frame;
} Dragger;

static void point_at(Stage *stage, Vec2 at) {
    stage->pointer_px = (Vec2){at.x * stage->list.scale, at.y * stage->list.scale};
    stage->pointer_inside = true;
}

static bool drag_once(void *context, Err *err) {
    (void)err;
    Dragger *dragger = context;
    Vec2 to = {dragger->at.x + (float)(dragger->frame % 4) * 4, dragger->at.y};
    point_at(&dragger->stage, to);
    stage_frame(&dragger->stage, NULL, 0, dragger->frame * FRAME_S);
    dragger->frame++;
    return true;
}

/* Where the name of the temperature ends in the picture; false where it is not seen. */
static bool find_slider(Vec2 *at, const Stage *stage) {
    static const char *const names[] = {"Temperature", "Temp."};
    const DrawList *list = &stage->list;
    for (size_t i = 0; i < list->command_count; i++)
        for (size_t n = 0; n < ARRAY_COUNT(names); n++) {
            const DrawText *text = &list->commands[i].as.text;
            size_t bytes = strlen(names[n]);
            if (list->commands[i].kind != DRAW_TEXT || text->text_bytes != bytes ||
                memcmp(list->text + text->text_at, names[n], bytes) != 0)
                continue;
            float width = stage->measure.width(stage->measure.context, text->font, text->size,
                                               names[n], bytes);
            *at = (Vec2){text->at.x + width + SLIDER_AWAY, text->at.y - 6};
            return true;
        }
    return false;
}

/* Take hold of it; false where that changed nothing. */
static bool begin_drag(Dragger *dragger) {
    const InputEvent press = {.kind = INPUT_BUTTON_DOWN, .button = POINTER_LEFT, .clicks = 1};
    const float before = app_session(dragger->stage.app)->options.temperature;
    stage_frame(&dragger->stage, NULL, 0, 0);
    if (!find_slider(&dragger->at, &dragger->stage))
        return false;
    point_at(&dragger->stage, dragger->at);
    stage_frame(&dragger->stage, NULL, 0, 0);
    stage_frame(&dragger->stage, &press, 1, 0);
    for (dragger->frame = 1; dragger->frame < 4;)
        drag_once(dragger, NULL);
    return app_session(dragger->stage.app)->options.temperature != before;
}

bool bench_drag(Timing *timing, const Call *call, const Session *session, Err *err) {
    Dragger dragger = {.frame = 0};
    if (!stage_begin_window(&dragger.stage, session, &call->settings, err))
        return false;
    bool done = begin_drag(&dragger)
                    ? timing_measure(timing, BENCH_FRAME_SECONDS, drag_once, &dragger, err)
                    : err_usage(err, "--size", "shows no temperature to drag; take a larger one");
    stage_end(&dragger.stage);
    return done;
}
