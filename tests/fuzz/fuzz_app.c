/* Any bytes as what a person does at the window: no crash, nothing dropped, all text is UTF-8, and
 * undo leads back to the start. */
#include <stdint.h>
#include <stdlib.h>

#include "support/chance.h"

#define BYTES_MAX (CHANCE_EVENT_BYTES * 400) /* fewer events than undo has steps */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static App *start(const TextMeasure *measure) {
    Err err;
    Session session;
    Settings settings;
    if (!session_init(&session, &err))
        abort();
    option_set_standard(&settings, &PICTURE_OPTIONS);
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
    Chance chance = {.at = data,
                     .left = size < BYTES_MAX ? size : BYTES_MAX,
                     .width_px = 1728,
                     .height_px = 1080};
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
