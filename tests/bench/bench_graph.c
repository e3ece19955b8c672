/* Frames at the display's pace while the temperature is dragged, and while the Graph view is
 * dragged, passed over and set otherwise. */
#include <string.h>

#include "base/util.h"
#include "bench/more.h"
#include "bench/pace.h"
#include "views/view.h"

#define ACT_S       1.5 /* of each */
#define REACH       15  /* frames from one end of a drag to the other */
#define CLICK_EVERY 24  /* frames between two clicks, so that all motions end */
#define COMING_IN_S 1.0 /* until the motions of a new window have ended */

/* The input: drag a handle near words in the picture, move the pointer over the tokens, or click
 * two words alternately. */
typedef struct Act {
    const char *words, *other; /* other: the second to be clicked, or NULL */
    bool is_hover;
    bool is_beside; /* the handle: to the right of the words, not below them */
    const char *key, *p99_key, *label, *p99_label;
} Act;

/* As they are named in a wide and in a narrow panel. */
static const Act TEMPERATURES[] = {{.words = "Temperature", .is_beside = true},
                                   {.words = "Temp.", .is_beside = true}};

#define ACT(key, label) "us_" key, "us_" key "_p99", label, label ", 99 of 100 within"

static const Act ACTS[] = {
    {"Top k", NULL, false, false, ACT("filter", "the filter dragged")},
    {"Top k", NULL, true, false, ACT("hover", "edges and tokens passed over")},
    {"Circle", "Arc", false, false, ACT("layout", "another layout")},
    {"Circle", "Force", false, false, ACT("force", "by force and back")},
    {"Received", "PageRank", false, false, ACT("rank", "PageRank and back")},
};

typedef struct Hand {
    Stage stage;
    Pace pace;
    const Act *act;
    Vec2 at, other;
    int frame;
} Hand;

/* To and fro, a step a frame. */
static float swing(int frame) {
    int at = frame % (2 * REACH);
    return (float)(at < REACH ? at : 2 * REACH - at) / REACH;
}

static void move_once(Hand *hand, bool is_noted) {
    float way = swing(hand->frame), down = swing(hand->frame / 7);
    Vec2 to = {hand->at.x + 30 * way, hand->at.y};
    if (hand->act->is_hover) /* all over the tokens, right of the panels */
        to = (Vec2){hand->stage.list.width * (0.32f + 0.2f * way),
                    hand->stage.list.height * (0.3f + 0.4f * down)};
    stage_point_at(&hand->stage, to);
    pace_frame(&hand->pace, NULL, is_noted);
}

/* Press, and release in the next frame; then time the following frames. */
static void click_once(Hand *hand, bool is_noted) {
    const InputEvent press = {.kind = INPUT_BUTTON_DOWN, .button = POINTER_LEFT, .clicks = 1};
    const InputEvent end = {.kind = INPUT_BUTTON_UP, .button = POINTER_LEFT};
    int at = hand->frame % CLICK_EVERY, nth = hand->frame / CLICK_EVERY;
    stage_point_at(&hand->stage, nth % 2 == 0 ? hand->other : hand->at);
    pace_frame(&hand->pace, at == 1 ? &press : at == 2 ? &end : NULL, is_noted);
}

static void act_once(Hand *hand, bool is_noted) {
    if (hand->act->other != NULL)
        click_once(hand, is_noted);
    else
        move_once(hand, is_noted);
    hand->frame++;
}

/* Set a point on the dragged or clicked control. False if it is not visible. */
static bool find(Vec2 *at, const Stage *stage, const char *words, bool is_below, bool is_beside) {
    float width;
    if (!stage_find(at, &width, stage, words))
        return false;
    *at = (Vec2){at->x + (is_beside ? width + 40 : 20), at->y + (is_below ? 36.0f : -6.0f)};
    return true;
}

/* Wait until the window is at rest, and press. False if there is no control. */
static bool begin_act(Hand *hand) {
    const InputEvent press = {.kind = INPUT_BUTTON_DOWN, .button = POINTER_LEFT, .clicks = 1};
    const Act *act = hand->act;
    double rest_s = timing_now_s() + COMING_IN_S;
    while (timing_now_s() < rest_s || app_is_computing(hand->stage.app))
        pace_frame(&hand->pace, NULL, false);
    bool is_drag = act->other == NULL && !act->is_hover;
    if (!find(&hand->at, &hand->stage, act->words, is_drag && !act->is_beside, act->is_beside) ||
        (act->other != NULL && !find(&hand->other, &hand->stage, act->other, false, false)))
        return false;
    stage_point_at(&hand->stage, hand->at);
    pace_frame(&hand->pace, NULL, false);
    if (is_drag)
        pace_frame(&hand->pace, &press, false);
    return true;
}

/* The first act is the timing's own figure, the others its parts. */
static void tell(Timing *timing, const Act *act, const Pace *pace, const Timing *own) {
    bool is_first = act == ACTS || act->key == NULL;
    if (is_first)
        *timing = *own;
    else {
        timing->parts[timing->part_count++] =
            (TimingPart){act->key, act->label, own->median_us, TIMING_US};
        timing->parts[timing->part_count++] =
            (TimingPart){act->p99_key, act->p99_label, own->p99_us, TIMING_US};
    }
    timing->parts[timing->part_count++] = pace_missed(pace);
}

static bool time_act(Timing *timing, const Act *act, double seconds, const Settings *settings,
                     const Session *session, Err *err) {
    Hand hand = {.act = act};
    if (!stage_begin(&hand.stage, session, settings, (StageOptions){.kind = STAGE_WINDOW}, err))
        return false;
    bool done = pace_begin(&hand.pace, &hand.stage, err);
    if (done && !begin_act(&hand))
        done = err_usage(err, "--size", "shows nothing to drag; take a larger one");
    if (done) {
        double cpu_s = timing_cpu_s(), end_s = timing_now_s() + seconds;
        while (timing_now_s() < end_s)
            act_once(&hand, true);
        Timing own = pace_timing(&hand.pace);
        own.cpu_us = 1e6 * (timing_cpu_s() - cpu_s) / own.runs;
        tell(timing, act, &hand.pace, &own);
        if (act->key == NULL &&
            app_session(hand.stage.app)->options.temperature == session->options.temperature)
            done = err_usage(err, "--size", "shows no temperature to drag; take a larger one");
    }
    pace_release(&hand.pace);
    stage_end(&hand.stage);
    return done;
}

bool bench_drag(Timing *timing, const Call *call, const Session *session, Err *err) {
    bool done = false;
    for (size_t i = 0; i < ARRAY_COUNT(TEMPERATURES) && !done; i++)
        done =
            time_act(timing, &TEMPERATURES[i], BENCH_FRAME_SECONDS, &call->settings, session, err);
    return done;
}

bool bench_graph(Timing *timing, const Call *call, const Session *session, Err *err) {
    Settings settings = call->settings;
    settings.view = registry_find(&VIEW_REGISTRY, "graph", strlen("graph"));
    for (size_t i = 0; i < ARRAY_COUNT(ACTS); i++)
        if (!time_act(timing, &ACTS[i], ACT_S, &settings, session, err))
            return false;
    return true;
}
