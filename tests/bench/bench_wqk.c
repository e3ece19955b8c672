/* Drags and pointer moves on the pages of W_QK, in fully drawn frames. */
#include <string.h>

#include "base/util.h"
#include "bench/more.h"
#include "shell/stage.h"
#include "views/wqk/wqk.h"

#define FRAME_S         (1.0 / 60)
#define PART_S          0.6 /* of each handle of W_QK */
#define LATE_ROUNDS     9
#define LATE_MOST       4000 /* frames that a picture is waited for */
#define FRAMES_APART_MS 5

/* The dragged point: its offset from the end or start of words in the picture, in logical pixels.
 */
typedef struct Handle {
    const char *words;
    bool from_start;
    Vec2 away;
    WqkPage page;
    const char *keys[3], *labels[3]; /* median, 99 of 100, and until all follows */
} Handle;

#define HANDLE(words, from_start, x, y, page, key, what)                                           \
    {                                                                                              \
        words, from_start, {x, y}, page, {"us_" key, "us_" key "_p99", "us_" key "_late"},         \
            {what, what ", 99 of 100 within", what ", with all that follows"},                     \
    }

static const Handle HANDLES[] = {
    HANDLE("Singular values", true, 40, 90, PAGE_RANK, "rank", "rank"),
    HANDLE("Rotate by R", false, 60, -6, PAGE_TRANSFORM, "turn", "R"),
    HANDLE("tokens", false, 60, -6, PAGE_COST, "p", "p"),
    HANDLE("tokens", false, 60, 36, PAGE_COST, "n", "n"),
    HANDLE("tokens", false, 60, 78, PAGE_COST, "m", "m"),
    HANDLE("η", false, 60, -6, PAGE_TRAINING, "rate", "rate"),
    HANDLE("Merge  F", true, -60, 60, PAGE_RANK, "hover", "hover"),
    HANDLE("One matrix for each ", true, 100, 26, PAGE_RANK, "offset", "distance"),
};

typedef struct Dragger {
    Stage stage;
    Vec2 at;
    int frame;
    double begun_s;
} Dragger;

static bool drag_once(void *context, Err *err) {
    (void)err;
    Dragger *dragger = context;
    Vec2 to = {dragger->at.x + (float)(dragger->frame % 4) * 4, dragger->at.y};
    stage_point_at(&dragger->stage, to);
    stage_frame(&dragger->stage, NULL, 0, dragger->frame * FRAME_S);
    dragger->frame++;
    return true;
}

/* Find the handle in the picture. False if its words are not visible. */
static bool find_handle(Vec2 *at, const Stage *stage, const Handle *handle) {
    float width;
    if (!stage_find(at, &width, stage, handle->words))
        return false;
    at->x += handle->away.x + (handle->from_start ? 0 : width);
    at->y += handle->away.y;
    return true;
}

/* Draw frames until no job runs. */
static void settle(Dragger *dragger) {
    for (int i = 0; i < LATE_MOST && app_is_computing(dragger->stage.app); i++)
        stage_frame(&dragger->stage, NULL, 0, dragger->frame++ * FRAME_S);
}

/* Press the handle. False if it is not visible. */
static bool begin_drag(Dragger *dragger, const Handle *handle) {
    const InputEvent press = {.kind = INPUT_BUTTON_DOWN, .button = POINTER_LEFT, .clicks = 1};
    stage_frame(&dragger->stage, NULL, 0, 0);
    settle(dragger);
    stage_frame(&dragger->stage, NULL, 0, 0);
    if (!find_handle(&dragger->at, &dragger->stage, handle))
        return false;
    stage_point_at(&dragger->stage, dragger->at);
    stage_frame(&dragger->stage, NULL, 0, 0);
    if (strcmp(handle->keys[0], "us_hover") != 0) /* the pointer only passes over it */
        stage_frame(&dragger->stage, &press, 1, 0);
    for (dragger->frame = 1; dragger->frame < 4;)
        drag_once(dragger, NULL);
    return true;
}

/* Return the time from a move to the picture with all of its effects. */
static double late_us(Dragger *dragger) {
    double waits_s[LATE_ROUNDS];
    for (int i = 0; i < LATE_ROUNDS; i++) {
        settle(dragger);
        double then_s = timing_now_s();
        drag_once(dragger, NULL);
        settle(dragger);
        waits_s[i] = timing_now_s() - then_s;
    }
    return timing_of(waits_s, LATE_ROUNDS).median_us;
}

/* The window also sleeps between its frames. It uses the real clock, because fades and the note on
 * a stale picture are part of the wait. */
static void wait_a_frame(Dragger *dragger) {
    SDL_Delay(FRAMES_APART_MS);
    stage_frame(&dragger->stage, NULL, 0, timing_now_s() - dragger->begun_s);
}

/* Times from a new seed to its picture, to the complete picture, and to the data computed in
 * advance. */
static void reroll_once(double *picture_s, double *whole_s, double *late_s, Dragger *dragger) {
    const InputEvent press = {.kind = INPUT_KEY, .key = 'r'};
    App *app = dragger->stage.app;
    while (app_is_computing(app))
        wait_a_frame(dragger);
    double then_s = timing_now_s();
    stage_frame(&dragger->stage, &press, 1, then_s - dragger->begun_s);
    while (app_is_behind(app))
        wait_a_frame(dragger);
    *picture_s = timing_now_s() - then_s;
    while (app_lacks(app))
        wait_a_frame(dragger);
    *whole_s = timing_now_s() - then_s;
    while (app_is_computing(app))
        wait_a_frame(dragger);
    *late_s = timing_now_s() - then_s;
}

static bool reroll(Timing *timing, const Call *call, const Session *session, Err *err) {
    Dragger dragger = {.begun_s = timing_now_s()};
    Settings settings = call->settings;
    double picture_s[LATE_ROUNDS], whole_s[LATE_ROUNDS], late_s[LATE_ROUNDS];
    settings.view = registry_find(&VIEW_REGISTRY, "wqk", strlen("wqk"));
    settings.wqk_page = PAGE_RANK;
    if (!stage_begin(&dragger.stage, session, &settings, (StageOptions){.kind = STAGE_WINDOW}, err))
        return false;
    stage_frame(&dragger.stage, NULL, 0, 0);
    for (int i = 0; i < LATE_ROUNDS; i++)
        reroll_once(&picture_s[i], &whole_s[i], &late_s[i], &dragger);
    timing->parts[timing->part_count++] = (TimingPart){
        "us_seed", "another seed", timing_of(picture_s, LATE_ROUNDS).median_us, TIMING_US};
    timing->parts[timing->part_count++] =
        (TimingPart){"us_seed_whole", "another seed, with all that is shown",
                     timing_of(whole_s, LATE_ROUNDS).median_us, TIMING_US};
    timing->parts[timing->part_count++] =
        (TimingPart){"us_seed_late", "another seed, with what may be asked for next",
                     timing_of(late_s, LATE_ROUNDS).median_us, TIMING_US};
    stage_end(&dragger.stage);
    return true;
}

/* The first handle is the timing's own figure, the others its parts. */
static void tell(Timing *timing, const Handle *handle, const Timing *own, double late_us) {
    const double values[] = {own->median_us, own->p99_us, late_us};
    bool is_first = handle == HANDLES;
    if (is_first)
        *timing = *own;
    for (size_t i = is_first ? 2 : 0; i < ARRAY_COUNT(values); i++)
        timing->parts[timing->part_count++] =
            (TimingPart){handle->keys[i], handle->labels[i], values[i], TIMING_US};
}

static bool drag_handle(Timing *timing, const Handle *handle, const Call *call,
                        const Session *session, Err *err) {
    Dragger dragger = {.frame = 0};
    Settings settings = call->settings;
    Timing own;
    settings.view = registry_find(&VIEW_REGISTRY, "wqk", strlen("wqk"));
    settings.wqk_page = (int)handle->page;
    if (!stage_begin(&dragger.stage, session, &settings, (StageOptions){.kind = STAGE_WINDOW}, err))
        return false;
    bool done = begin_drag(&dragger, handle)
                    ? timing_measure(&own, PART_S, drag_once, &dragger, err)
                    : err_usage(err, "--size", "shows nothing to drag; take a larger one");
    if (done)
        tell(timing, handle, &own, late_us(&dragger));
    stage_end(&dragger.stage);
    return done;
}

bool bench_wqk(Timing *timing, const Call *call, const Session *session, Err *err) {
    for (size_t i = 0; i < ARRAY_COUNT(HANDLES); i++)
        if ((strcmp(HANDLES[i].keys[0], "us_offset") != 0 || /* the distance of rotary positions */
             session->options.positions == POSITION_ROPE) &&
            !drag_handle(timing, &HANDLES[i], call, session, err))
            return false;
    return reroll(timing, call, session, err);
}
