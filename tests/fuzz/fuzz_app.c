/* Any bytes as input to the window: no crash, no lost command, all text is UTF-8, and undo restores
 * the start. */
#include <stdint.h>
#include <stdlib.h>

#define CHANCE_WIDTH  560
#define CHANCE_HEIGHT 420

#include "check.h"
#include "support/chance.h"

#define BYTES_MAX (CHANCE_EVENT_BYTES * 12) /* the random test has longer sequences */
#define STATE     "text=a%20b&d-model=4&heads=1"

const char *__asan_default_options(void);

/* These two checks take half of the time of a frame, and the random test makes them too. */
const char *__asan_default_options(void) {
    return "detect_stack_use_after_return=0:check_printf=0";
}

/* Few tokens, a small window and a short training, so that a frame takes little time. */
static App *start(const TextMeasure *measure) {
    Err err;
    Session session;
    Settings settings;
    if (!session_init(&session, &err) || !state_read(&session, NULL, STATE, strlen(STATE), &err))
        abort();
    option_set_standard(&settings, &PICTURE_OPTIONS);
    settings.train.steps = 2;
    App *app = app_create(&(AppResources){.measure = measure}, &session, &settings, &err);
    session_release(&session);
    if (app == NULL)
        abort();
    return app;
}

static void check_texts(const DrawList *list) {
    if (list->dropped > 0)
        abort();
    for (size_t i = 0; i < list->command_count; i++) {
        const DrawText *text = &list->commands[i].as.text;
        if (list->commands[i].kind == DRAW_TEXT &&
            utf8_first_invalid(list->text + text->text_at, text->text_bytes) != text->text_bytes)
            abort();
    }
}

/* True if the next event needs no frame of its own: a key, words, or the release of the button. */
static bool may_join(const Chance *c) {
    return c->left >= CHANCE_EVENT_BYTES && *c->at % 16 < (c->down ? 11 : 6);
}

/* Fill in the next frame: an event and those that may join it. */
static bool next_frame(Chance *c, Input *input, InputEvent *events) {
    if (!chance_next(c, input, events))
        return false;
    while (may_join(c)) {
        int count = input->event_count;
        chance_next(c, input, &events[count]);
        input->events = events;
        input->event_count += count;
    }
    return true;
}

/* Undo everything in one frame. */
static void undo_all(App *app, DrawList *list) {
    InputEvent events[2 * BYTES_MAX / CHANCE_EVENT_BYTES];
    for (size_t i = 0; i < ARRAY_COUNT(events); i++)
        events[i] = (InputEvent){.kind = INPUT_KEY, .key = 'z', .mods = KEY_MOD_COMMAND};
    Input input = {.width_px = CHANCE_WIDTH,
                   .height_px = CHANCE_HEIGHT,
                   .events = events,
                   .event_count = ARRAY_COUNT(events)};
    app->tour_editor.is_on = false; /* undo of a tour's words changes no state */
    app_frame(app, &input, 1e6, list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static DrawList list;
    TextMeasure measure = measure_fixed(NULL);
    App *app = start(&measure);
    Chance chance = {.at = data,
                     .left = size < BYTES_MAX ? size : BYTES_MAX,
                     .width_px = CHANCE_WIDTH,
                     .height_px = CHANCE_HEIGHT};
    Input input;
    InputEvent events[BYTES_MAX / CHANCE_EVENT_BYTES];
    char *before = chance_state(app);
    while (next_frame(&chance, &input, events)) {
        app_frame(app, &input, chance.time_s, &list);
        check_texts(&list);
    }
    chance_let_go(app, &list);
    undo_all(app, &list);
    char *after = chance_state(app);
    if (before == NULL || after == NULL || strcmp(before, after) != 0)
        abort();
    free(before);
    free(after);
    app_destroy(app);
    return 0;
}
