/* Random events in each view and in Lecture: no command is lost, every text is valid UTF-8, the
 * picture settles, no two controls share an id, and undo leads back to the start. TEST_SEED=n runs
 * another sequence, TEST_EVENTS=n a longer one, TEST_PART=n starts at that part of it. */
#include <math.h>
#include <string.h>

#include "app/app_state.h"
#include "support/chance.h"
#include "support/disk.h"
#include "support/drawn.h"
#include "support/opened.h"
#include "support/test.h"

#define EVENTS      3000
#define EVENTS_EACH 500 /* events of one App; fewer than the steps of undo */

/* Take a file that is dropped or chosen under the field. */
static bool take_words(void *context, const WordVectors **out, bool *is_kept, const char *path,
                       Err *err) {
    static const uint32_t slots[2];
    static const WordVectors wordless = {.words = "", .slots = slots, .slot_count = 2};
    (void)context;
    *out = &wordless;
    *is_kept = true;
    return strstr(path, "words") != NULL || err_fail(err, path, "holds no word vectors");
}

/* The part's number chooses the view that it starts in; after the last one comes Lecture. */
static App *start(TextMeasure *measure, unsigned long part) {
    Settings settings;
    int place = (int)(part % (unsigned long)(VIEW_REGISTRY.count + 1));
    bool is_lecture = place == VIEW_REGISTRY.count;
    *measure = measure_fixed(NULL);
    LOCAL(session_release) Session session = session_opened("");
    option_set_standard(&settings, &PICTURE_OPTIONS);
    settings.view = is_lecture ? 0 : place;
    disk_put("/home/one.headlight", "seed=7\nheads=8\ntext=one two\n");
    disk_put("/home/broken.headlight", "seed=8\nheads=many\nmask\n");
    disk_put("/home/text.txt", "a text\nof two lines");
    AppResources resources = {
        .measure = measure, .files = disk_files(), .words = {.take = take_words}};
    App *app = app_create(&resources, &session, &settings, &told);
    assert_non_null(app);
    if (is_lecture)
        app_begin_lecture(app);
    return app;
}

/* A frame with no new event at the same time shows the same picture. */
static void check_settled(App *app, Input *input, double time_s, const DrawList *list,
                          const char *what) {
    static DrawList again;
    input->event_count = 0;
    uint64_t hash = draw_hash(list); /* before the borrowed values are freed */
    app_frame(app, input, time_s, &again);
    if (draw_hash(&again) != hash)
        drawn_fail_difference(list, &again, what);
}

/* Two controls with one id would light up and act together. */
static void check_ids(const App *app, const char *what) {
    const Ui *ui = &app->ui;
    for (int i = 0; i < ui->order_count; i++)
        for (int k = 0; k < i; k++)
            if (ui->order[i].id == ui->order[k].id)
                fail_msg("%s: the controls at %.0f, %.0f and at %.0f, %.0f have one id", what,
                         (double)ui->order[i].rect.x, (double)ui->order[i].rect.y,
                         (double)ui->order[k].rect.x, (double)ui->order[k].rect.y);
}

static void check_way_back(App *app, DrawList *list, const char *start_state) {
    chance_let_go(app, list);
    LOCAL(free_at) char *end = chance_state(app);
    assert_non_null(end);
    int steps = chance_undo_all(app, list, 2 * EVENTS_EACH);
    LOCAL(free_at) char *first = chance_state(app);
    assert_string_equal(first, start_state);
    for (int i = 0; i < steps; i++)
        chance_press(app, list, 'y', KEY_MOD_COMMAND);
    LOCAL(free_at) char *again = chance_state(app);
    assert_string_equal(again, end);
}

static void run_events(const uint8_t *bytes, size_t count, unsigned long part) {
    TextMeasure measure;
    App *app = start(&measure, part);
    char *start_state = chance_state(app);
    assert_non_null(start_state);
    DrawList list = {0};
    Chance chance = {.at = bytes, .left = count, .width_px = 1728, .height_px = 1080};
    Input input;
    InputEvent event;
    for (int i = 0; chance_next(&chance, &input, &event); i++) {
        app_frame(app, &input, chance.time_s, &list);
        const char *fault = drawn_fault(&list);
        if (fault != NULL)
            fail_msg("event %d, %s: %s", i, chance.what, fault);
        check_ids(app, chance.what);
        /* Dragging past the end of a field scrolls it in every frame. The strip of a tour makes one
         * of its pictures in every frame, and asks for the next frame until all are made. */
        bool strip_draws = app->tour_editor.is_on && isfinite(app_effects(app)->next_frame_s);
        if (!(chance.down && app_effects(app)->text_input) && !strip_draws)
            check_settled(app, &input, chance.time_s, &list, chance.what);
    }
    check_way_back(app, &list, start_state);
    free(start_state);
    draw_release(&list);
    app_destroy(app);
    disk_release();
}

TEST(whatever_a_person_does) {
    static uint8_t bytes[EVENTS_EACH * CHANCE_EVENT_BYTES];
    uint64_t seed = chance_number("TEST_SEED", 1);
    unsigned long events = chance_number("TEST_EVENTS", EVENTS);
    for (unsigned long part = chance_number("TEST_PART", 0); part * EVENTS_EACH < events; part++) {
        print_message("# seed %llu, part %lu\n", (unsigned long long)seed, part);
        chance_fill(bytes, sizeof bytes, seed, part);
        run_events(bytes, sizeof bytes, part);
    }
}
