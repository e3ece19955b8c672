/* Frames at the display's pace while the temperature is dragged. */
#include "base/util.h"
#include "bench/more.h"
#include "bench/pace.h"

#define SLIDER_AWAY 40  /* from the name of the temperature to within its slider, logical pixels */
#define REACH       15  /* steps of two of them from one end of the drag to the other */
#define COMING_IN_S 1.0 /* until the motions of a new window have ended */

typedef struct Dragger {
    Stage stage;
    Pace pace;
    Vec2 at;
    int frame;
} Dragger;

/* To and fro, a step a frame. */
static void drag_once(Dragger *dragger, bool is_noted) {
    int at = dragger->frame++ % (2 * REACH), steps = at < REACH ? at : 2 * REACH - at;
    stage_point_at(&dragger->stage, (Vec2){dragger->at.x + 2 * (float)steps, dragger->at.y});
    pace_frame(&dragger->pace, NULL, is_noted);
}

/* Set a point on the slider of the temperature. False if it is not visible. */
static bool find_slider(Vec2 *at, const Stage *stage) {
    static const char *const names[] = {"Temperature", "Temp."};
    float width;
    for (size_t n = 0; n < ARRAY_COUNT(names); n++)
        if (stage_find(at, &width, stage, names[n])) {
            *at = (Vec2){at->x + width + SLIDER_AWAY, at->y - 6};
            return true;
        }
    return false;
}

/* Wait until the window is at rest, and press the slider. False if that changed nothing. */
static bool begin_drag(Dragger *dragger) {
    const InputEvent press = {.kind = INPUT_BUTTON_DOWN, .button = POINTER_LEFT, .clicks = 1};
    const float before = app_session(dragger->stage.app)->options.temperature;
    double rest_s = timing_now_s() + COMING_IN_S;
    while (timing_now_s() < rest_s || app_is_computing(dragger->stage.app))
        pace_frame(&dragger->pace, NULL, false);
    if (!find_slider(&dragger->at, &dragger->stage))
        return false;
    stage_point_at(&dragger->stage, dragger->at);
    pace_frame(&dragger->pace, NULL, false);
    pace_frame(&dragger->pace, &press, false);
    while (dragger->frame < REACH)
        drag_once(dragger, false);
    return app_session(dragger->stage.app)->options.temperature != before;
}

static void measure(Timing *timing, Dragger *dragger) {
    double cpu_s = timing_cpu_s(), end_s = timing_now_s() + BENCH_FRAME_SECONDS;
    while (timing_now_s() < end_s)
        drag_once(dragger, true);
    *timing = pace_timing(&dragger->pace);
    timing->cpu_us = 1e6 * (timing_cpu_s() - cpu_s) / timing->runs;
    timing->parts[0] = pace_missed(&dragger->pace);
    timing->part_count = 1;
}

bool bench_drag(Timing *timing, const Call *call, const Session *session, Err *err) {
    Dragger dragger = {.frame = 0};
    if (!stage_begin(&dragger.stage, session, &call->settings, (StageOptions){.kind = STAGE_WINDOW},
                     err))
        return false;
    bool done = pace_begin(&dragger.pace, &dragger.stage, err);
    if (done && !begin_drag(&dragger))
        done = err_usage(err, "--size", "shows no temperature to drag; take a larger one");
    if (done)
        measure(timing, &dragger);
    pace_release(&dragger.pace);
    stage_end(&dragger.stage);
    return done;
}
