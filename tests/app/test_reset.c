/* The reset law: after any change, Ctrl N equals a first start except for theme, colours, motion
 * and sizes. */
#include "app/app_state.h"
#include "app/desk.h"
#include "app/tour.h"
#include "base/rng.h"
#include "support/chance.h"
#include "support/disk.h"
#include "support/drawn.h"
#include "support/opened.h"
#include "support/test.h"

#define ROUNDS      24
#define EVENTS_EACH 80

static App *start(TextMeasure *measure, const Settings *settings) {
    *measure = measure_fixed(NULL);
    LOCAL(session_release) Session session = session_opened("");
    disk_release();
    disk_put("/home/one.headlight", "seed=7\nheads=8\ntext=one two\n");
    disk_put("/home/text.txt", "a text\nof two lines");
    AppResources resources = {
        .measure = measure, .files = disk_files(), .first_example = true, .still = true};
    App *app = app_create(&resources, &session, settings, &told);
    assert_non_null(app);
    return app;
}

/* Set an option to another value than its default; it may be refused. */
static void set_another(App *app, const OptionRow *row, uint64_t chance) {
    static const char *const numbers[] = {"2", "0.5", "7", "64", "2,3", "640x480"};
    char text[OPTION_TEXT_MAX];
    if (row->choices != NULL)
        snprintf(text, sizeof text, "%s",
                 registry_entry(row->choices, (int)(chance % (uint64_t)row->choices->count))->id);
    else
        snprintf(text, sizeof text, "%s", numbers[chance % ARRAY_COUNT(numbers)]);
    Settings settings = app->settings;
    if (strcmp(row->entry.id, "ui-scale") != 0 &&
        option_set(&settings, row, text, strlen(text), &told))
        app_set(app, row, text, 0);
}

static void set_options(App *app, Rng rng) {
    uint64_t at = 0;
    for (int i = 0; i < PICTURE_OPTIONS.count; i++)
        set_another(app, &PICTURE_OPTIONS.rows[i], rng_bits(rng, at++) >> 40);
    app_set_key(app, "init", "normal");
    app_set_key(app, "heads", "8");
    app_set_key(app, "pin", "2,3");
    app_set_key(app, "form", "merged");
    app->settings.train.steps = 10; /* a frame without a clock waits for all of them */
}

static void do_anything(App *app, DrawList *list, Rng rng) {
    static uint8_t bytes[EVENTS_EACH * CHANCE_EVENT_BYTES];
    Input input;
    InputEvent event;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(rng_bits(rng, 1000 + i) >> 32);
    Chance chance = {.at = bytes, .left = sizeof bytes, .width_px = 1728, .height_px = 1080};
    while (chance_next(&chance, &input, &event))
        app_frame(app, &input, chance.time_s, list);
    chance_let_go(app, list);
}

static void draw_late(App *app, DrawList *list) {
    Input input = {.width_px = 1728, .height_px = 1080};
    app_frame(app, &input, 2e6, list); /* messages and motion have ended */
    app_frame(app, &input, 2e6, list);
}

static void check_round(uint64_t seed) {
    TextMeasure measure;
    Settings settings;
    static DrawList list, first_list;
    Rng rng = rng_stream(8, seed);
    option_set_standard(&settings, &PICTURE_OPTIONS);
    App *app = start(&measure, &settings);
    set_options(app, rng);
    do_anything(app, &list, rng);
    app->tour_editor.is_unsaved = false;
    tour_leave(app); /* a tour outlives Ctrl N: its next step may begin with a new session */
    chance_press(app, &list, 'n', KEY_MOD_COMMAND);
    draw_late(app, &list);
    settings_keep_remembered(&settings, app_settings(app));
    LOCAL(free_at) char *state = chance_state(app);
    App *first = start(&measure, &settings);
    draw_late(first, &first_list);
    LOCAL(free_at) char *first_state = chance_state(first);
    assert_string_equal(state, first_state);
    if (draw_hash(&list) != draw_hash(&first_list))
        drawn_fail_difference(&first_list, &list, "after Ctrl N");
    draw_release(&list);
    draw_release(&first_list);
    app_destroy(first);
    app_destroy(app);
}

TEST(a_new_session_equals_a_first_start) {
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        print_message("# seed %llu\n", (unsigned long long)seed);
        check_round(seed);
    }
}
