/* A film's frames: a function of their time. */
#include <math.h>
#include <string.h>

#include "app/film_marks.h"
#include "base/util.h"
#include "document/state.h"
#include "draw/part.h"
#include "shell/film.h"
#include "support/opened.h"
#include "support/test.h"

#define SIZE "embedding=random&size=640x400"

/* A stage without pixels, and a film on it. */
typedef struct Scene {
    Session session;
    Settings settings;
    Stage stage;
    KeyScript keys;
    StateMotion motion;
    Film film;
} Scene;

static Scene scene;

static void begin(const char *state, const char *keys, const char *to) {
    scene.session = picture_opened(&scene.settings, state, NULL);
    must(key_script_read(&scene.keys, keys, &told));
    must(stage_begin(&scene.stage, &scene.session, &scene.settings,
                     (StageOptions){.kind = STAGE_LIST}, &told));
    film_begin(&scene.film, &scene.stage, &scene.keys, FILM_FPS, 1);
    if (to == NULL)
        return;
    must(state_motion_begin(&scene.motion, &scene.session, &scene.settings, to, &told));
    scene.motion.begin_s = 0.5;
    scene.motion.over_s = 1;
    scene.film.motion = &scene.motion;
}

static void end(void) {
    if (scene.film.motion != NULL)
        state_motion_release(&scene.motion);
    stage_end(&scene.stage);
    session_release(&scene.session);
}

static uint64_t shown(void) {
    return draw_hash(&scene.stage.list);
}

static uint64_t shown_at(const char *state, const char *keys, double time_s) {
    begin(state, keys, NULL);
    film_show(&scene.film, time_s);
    uint64_t hash = shown();
    end();
    return hash;
}

TEST(a_key_takes_effect_at_its_time) {
    begin("view=wqk&" SIZE, "F@0.5", NULL);
    film_show(&scene.film, 0.49);
    assert_int_equal(app_session(scene.stage.app)->options.form.row, FORM_SEPARATE);
    film_show(&scene.film, 0.5);
    assert_int_equal(app_session(scene.stage.app)->options.form.row, FORM_MERGED);
    end();
}

TEST(a_moment_is_that_of_a_recording) {
    static const int frames[] = {0, 29, 30, 31, 45, 66, 90};
    begin("view=wqk&" SIZE, "F@0.5 ]@0.9", NULL);
    uint64_t played[ARRAY_COUNT(frames)];
    int at = 0;
    for (int frame = 0; frame <= 90; frame++) {
        film_next(&scene.film);
        if (frame == frames[at])
            played[at++] = shown();
    }
    end();
    for (int i = 0; i < at; i++)
        if (shown_at("view=wqk&" SIZE, "F@0.5 ]@0.9", frames[i] / (double)FILM_FPS) != played[i])
            fail_msg("frame %d is another", frames[i]);
    assert_true(played[1] != played[2] || played[2] != played[3]);
    assert_true(played[3] != played[4]);
}

/* The window draws a frame at every refresh, the film only those that may differ. */
TEST(frames_that_are_left_out_would_be_the_same) {
    begin("view=wqk&" SIZE, "F@0.2 F@0.3", NULL);
    for (int frame = 0; frame < 100; frame++) {
        film_next(&scene.film);
        uint64_t before = shown();
        if (film_changes(&scene.film))
            continue;
        stage_frame(&scene.stage, NULL, 0, (double)scene.film.frame / FILM_FPS);
        assert_true(shown() == before);
    }
    end();
}

TEST(keys_type_into_the_text) {
    begin(SIZE, "Ctrl+L@0 Ctrl+A \"king r queen\"@0.5 Enter@3", NULL);
    film_show(&scene.film, 4);
    const Text *text = app_session(scene.stage.app)->text;
    assert_int_equal(text->size, strlen("king r queen"));
    assert_memory_equal(text->bytes, "king r queen", text->size);
    end();
}

TEST(the_merge_can_be_stopped_anywhere) {
    uint64_t none = shown_at("view=wqk&" SIZE, "", 1);
    uint64_t some = shown_at("view=wqk&merge=0.4&" SIZE, "", 1);
    uint64_t more = shown_at("view=wqk&merge=0.8&" SIZE, "", 1);
    assert_true(none != some && some != more && none != more);
}

TEST(numbers_pass_from_state_to_state) {
    begin("temperature=1&" SIZE, "", "temperature=3&pin=9,2");
    double before = 1;
    for (int frame = 0; frame < 120; frame++) {
        film_next(&scene.film);
        double t = (double)app_session(scene.stage.app)->options.temperature;
        assert_true(t >= before);
        if (frame == 45)
            assert_true(t > 1 && t < 3);
        before = t;
    }
    assert_int_equal(scene.film.failure.kind, ERR_NONE);
    assert_true(before == 3);
    assert_int_equal(app_session(scene.stage.app)->options.pin.second, 2);
    end();
}

TEST(a_state_that_is_none_is_refused) {
    Err err = {0};
    begin(SIZE, "", NULL);
    assert_false(
        state_motion_begin(&scene.motion, &scene.session, &scene.settings, "heads=x", &err));
    assert_int_equal(err.kind, ERR_USAGE);
    end();
}

/* The arrow's tip: the first corner of the triangle drawn last. */
static Vec2 tip(void) {
    const DrawList *list = &scene.stage.list;
    for (size_t i = list->command_count; i-- > 0;)
        if (list->commands[i].kind == DRAW_TRIANGLE)
            return list->commands[i].as.triangle.a;
    return (Vec2){-1, -1};
}

static Vec2 cell_place(const char *cell) {
    Rect place = {0};
    const DrawList *list = &scene.stage.list;
    const DrawPart *part = part_find(list, "heads.matrix.1", strlen("heads.matrix.1"));
    assert_true(part != NULL && part_address(&place, list, part, cell, strlen(cell)));
    return rect_centre(place);
}

TEST(the_pointer_goes_to_the_pin) {
    begin("pin=3,1&embedding=random&size=1440x900", "", "pin=3,6");
    film_marks_begin(scene.stage.app, 40, false);
    film_show(&scene.film, 0.4);
    Vec2 from = cell_place("cell(3,1)"), to = cell_place("cell(3,6)"), at = tip();
    assert_true(fabsf(at.x - from.x) < 0.5f && fabsf(at.y - from.y) < 0.5f);
    float before = at.x;
    for (double time_s = 0.5; time_s < 1.2; time_s += 1.0 / FILM_FPS) {
        film_show(&scene.film, time_s);
        assert_true(tip().x >= before - 0.01f && tip().x - before < (to.x - from.x) / 4);
        before = tip().x;
    }
    film_show(&scene.film, 3);
    assert_true(fabsf(tip().x - to.x) < 0.5f && fabsf(tip().y - to.y) < 0.5f);
    end();
}

/* A click is drawn before its effect. */
TEST(the_pointer_is_there_before_the_pin) {
    begin("pin=3,1&embedding=random&size=1440x900", "", "pin=3,6");
    film_marks_begin(scene.stage.app, 40, false);
    film_marks_expect_pin(scene.stage.app, (OptionPair){3, 6}, scene.motion.begin_s);
    film_show(&scene.film, scene.motion.begin_s - 1.5 / FILM_FPS);
    assert_int_equal(app_session(scene.stage.app)->options.pin.second, 1);
    Vec2 to = cell_place("cell(3,6)");
    assert_true(fabsf(tip().x - to.x) < 0.5f && fabsf(tip().y - to.y) < 0.5f);
    end();
}
