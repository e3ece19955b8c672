/* Each allocation fails, one per run, while a view is opened and edited: the program continues, the
 * shortage is recorded, and the picture of another state is complete. */
#include <stdlib.h>
#include <string.h>

#include "app/app_state.h"
#include "base/heap.h"
#include "base/utf8.h"
#include "support/drawn.h"
#include "support/measure.h"
#include "support/test.h"

#define STATE "text=a%20b%20c&d-model=8&heads=2&embedding=random&compare-schemes=zeros,gpt2&view="
#define MOST  2000 /* allocations */

typedef struct Window {
    App *app;
    DrawList list;
    double time_s;
} Window;

static void frame(Window *w, const InputEvent *event) {
    Input input = {
        .width_px = 1200, .height_px = 800, .events = event, .event_count = event != NULL};
    app_frame(w->app, &input, w->time_s, &w->list);
    w->time_s += 5;
}

static void press(Window *w, uint32_t key, unsigned mods) {
    frame(w, &(InputEvent){.kind = INPUT_KEY, .key = key, .mods = mods});
    frame(w, NULL);
}

static bool read_state(Session *session, Settings *settings, const char *view, const char *more,
                       Err *err) {
    StateExtra extra = settings_extra(settings, NULL);
    *session = (Session){0};
    option_set_standard(settings, &PICTURE_OPTIONS);
    const char *text = PRINT("%s%s%s", STATE, view, more);
    return session_init(session, err) && state_read(session, &extra, text, strlen(text), err);
}

/* False if memory ran out. */
static bool open(Window *w, const TextMeasure *measure, const char *view, bool is_lecture) {
    Session session;
    Settings settings;
    Err err = {0};
    AppResources resources = {.measure = measure, .still = true};
    *w = (Window){0};
    bool done = read_state(&session, &settings, view, "", &err) &&
                (w->app = app_create(&resources, &session, &settings, &err)) != NULL;
    session_release(&session);
    if (!done)
        assert_true(heap_was_short() && err.why[0] != '\0');
    else if (is_lecture)
        app_begin_lecture(w->app);
    return done;
}

/* Open the view, run its jobs, and edit the state. */
static void use(Window *w) {
    frame(w, NULL);
    press(w, ' ', 0);
    press(w, 'r', 0);
    press(w, KEY_RIGHT, 0);
    press(w, 'm', 0);
}

/* Show another state, after the messages there are. */
static void show_another(Window *w, const char *view) {
    Session session;
    Settings settings;
    must(read_state(&session, &settings, view, "&seed=2", &told));
    must(app_take(w->app, &session, &settings, &told));
    session_release(&session);
    for (int i = 0; i < 3; i++)
        press(w, KEY_ESCAPE, 0);
}

/* Use a window in which the allocation with this number fails, and hash the picture of another
 * state after that; 0 if no window was made. True if there was such an allocation. */
static bool fails_at(uint64_t *another, long number, const TextMeasure *measure, const char *view,
                     bool is_lecture) {
    Window w;
    heap_fail_at(number);
    bool opened = open(&w, measure, view, is_lecture);
    if (opened)
        use(&w);
    bool failed = heap_was_short();
    heap_fail_at(0);
    const char *fault = w.list.dropped == 0 ? drawn_fault(&w.list) : NULL;
    if (fault != NULL)
        fail_msg("%s, allocation %ld: %s", view, number, fault);
    *another = 0;
    if (opened) {
        show_another(&w, view);
        *another = draw_hash(&w.list);
        app_destroy(w.app);
    }
    draw_release(&w.list);
    return failed;
}

static void a_view_lives_with_one_failure(const char *view, bool is_lecture) {
    TextMeasure measure = measure_fixed(NULL);
    uint64_t whole, another;
    long number = 1;
    fails_at(&whole, 0, &measure, view, is_lecture);
    for (; number < MOST && fails_at(&another, number, &measure, view, is_lecture); number++)
        if (another != 0 && another != whole)
            fail_msg("%s: another picture after allocation %ld had failed", view, number);
    print_message("# %s: %ld allocations\n", view, number - 1);
    assert_in_range(number, 10, MOST - 1);
}

TEST(every_view_lives_with_one_failure) {
    for (int i = 0; i < VIEW_REGISTRY.count; i++)
        a_view_lives_with_one_failure(registry_entry(&VIEW_REGISTRY, i)->id, false);
}

TEST(a_lecture_lives_with_one_failure) {
    a_view_lives_with_one_failure("heads", true);
}
