/* A picture that lacks something is no picture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "shell/stage.h"

typedef struct Scene {
    Session session;
    Settings settings;
    Stage stage;
} Scene;

static int begin(void **state) {
    Scene *scene = calloc(1, sizeof *scene);
    Err err;
    *state = scene;
    if (scene == NULL || !session_init(&scene->session, &err))
        return -1;
    scene->session.options.embedding = EMBEDDING_RANDOM;
    option_set_standard(&scene->settings, &PICTURE_OPTIONS);
    scene->settings.size = (OptionPair){400, 300};
    return stage_begin(&scene->stage, &scene->session, &scene->settings, &err) ? 0 : -1;
}

static int end(void **state) {
    Scene *scene = *state;
    stage_end(&scene->stage);
    session_release(&scene->session);
    free(scene);
    return 0;
}

static bool makes_png(const Stage *stage, Err *err) {
    unsigned char *bytes = NULL;
    size_t size;
    bool made = stage_png(&bytes, &size, stage, err);
    free(bytes);
    return made;
}

static void a_whole_frame_is_a_picture(void **state) {
    Scene *scene = *state;
    Err err;
    stage_frame(&scene->stage, NULL, 0, 0);
    assert_true(makes_png(&scene->stage, &err));
}

static void text_without_memory_fails(void **state) {
    Scene *scene = *state;
    Err err;
    fonts_note_failure(scene->stage.fonts);
    stage_frame(&scene->stage, NULL, 0, 0);
    assert_false(makes_png(&scene->stage, &err));
    assert_string_equal(err.what, "memory");
}

static void a_list_without_memory_fails(void **state) {
    Scene *scene = *state;
    Err err;
    DrawList *list = &scene->stage.list;
    stage_frame(&scene->stage, NULL, 0, 0);
    list->dropped = 1;
    assert_false(soft_draw(scene->stage.soft, list, 400, 300, &err));
    assert_non_null(strstr(err.why, "too little"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_whole_frame_is_a_picture, begin, end),
        cmocka_unit_test_setup_teardown(text_without_memory_fails, begin, end),
        cmocka_unit_test_setup_teardown(a_list_without_memory_fails, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
