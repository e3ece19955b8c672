/* Any bytes as what a person does at the window: no crash, nothing dropped, all text is UTF-8, and
 * undo leads back to the start. */
#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "support/chance.h"

#define BYTES_MAX (CHANCE_EVENT_BYTES * 24) /* the random test takes longer sequences */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static DrawList list;
    TextMeasure measure = measure_fixed(NULL);
    App *app = start(&measure);
    Chance chance = {
        .at = data, .left = size < BYTES_MAX ? size : BYTES_MAX, .width_px = 560, .height_px = 420};
    Input input;
    InputEvent event;
    char *before = chance_state(app);
    while (chance_next(&chance, &input, &event)) {
        app_frame(app, &input, chance.time_s, &list);
        check_texts(&list);
    }
    chance_let_go(app, &list);
    chance_undo_all(app, &list, 1000);
    char *after = chance_state(app);
    if (before == NULL || after == NULL || strcmp(before, after) != 0)
        abort();
    free(before);
    free(after);
    app_destroy(app);
    return 0;
}
