/* An incomplete picture is an error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/state.h"
#include "draw/part.h"
#include "shell/figure.h"
#include "support/opened.h"
#include "support/test.h"
#include "views/parts.h"

typedef struct Scene {
    Session session;
    Settings settings;
    Stage stage;
} Scene;

static int begin(void **state) {
    Scene *scene = calloc(1, sizeof *scene);
    Err err;
    *state = scene;
    if (scene == NULL)
        return -1;
    scene->session = picture_opened(&scene->settings, "embedding=random&size=400x300", NULL);
    return stage_begin(&scene->stage, &scene->session, &scene->settings, (StageOptions){0}, &err)
               ? 0
               : -1;
}

static int end(void **state) {
    Scene *scene = *state;
    stage_end(&scene->stage);
    session_release(&scene->session);
    free(scene);
    return 0;
}

static bool makes_png(Stage *stage, Err *err) {
    LOCAL(text_out_release) TextOut out = {0};
    return figure_encode(&out, figure_png, stage, &(CallFigure){0}, err);
}

TEST(a_whole_frame_is_a_picture) {
    Scene *scene = *state;
    stage_frame(&scene->stage, NULL, 0, 0);
    must(makes_png(&scene->stage, &told));
}

TEST(text_without_memory_fails) {
    Scene *scene = *state;
    fonts_note_failure(scene->stage.fonts);
    stage_frame(&scene->stage, NULL, 0, 0);
    assert_false(makes_png(&scene->stage, &told));
    assert_string_equal(told.what, "memory");
}

TEST(a_list_without_memory_fails) {
    Scene *scene = *state;
    DrawList *list = &scene->stage.list;
    stage_frame(&scene->stage, NULL, 0, 0);
    list->dropped = 1;
    assert_false(soft_draw(scene->stage.soft, list, 400, 300, &told));
    assert_non_null(strstr(told.why, "too little"));
}

/* Every part of the picture is one group with its id, and groups nest. */
static void check_groups(const char *part_state) {
    LOCAL(session_release) Session session;
    Settings settings;
    LOCAL(stage_end) Stage stage;
    LOCAL(text_out_release) TextOut svg = {0};
    char state[320], id[PART_ID_MAX + 16];
    snprintf(state, sizeof state, "embedding=random&size=1440x900&%s", part_state);
    session = picture_opened(&settings, state, NULL);
    must(stage_begin(&stage, &session, &settings, (StageOptions){0}, &told));
    stage_frame(&stage, NULL, 0, 0);
    must(figure_encode(&svg, figure_svg, &stage, &(CallFigure){0}, &told));
    assert_int_equal(count_in(svg.at, "<g "), count_in(svg.at, "</g>"));
    assert_true(stage.list.part_count > 5);
    for (size_t i = 0; i < stage.list.part_count; i++) {
        snprintf(id, sizeof id, "<g id=\"%s\">", stage.list.parts[i].id);
        if (count_in(svg.at, id) != 1)
            fail_msg("%s: %d of %s", part_state, count_in(svg.at, id), id);
    }
}

TEST(every_part_is_a_group_of_the_svg) {
    for (int i = 0; i < PART_REGISTRY.count; i++)
        check_groups(PARTS[i].state);
}

TEST_EACH(begin, end)
