/* The tours that ship: each is complete, not too long, and true; and a jump to a step shows the
 * same picture as playing to it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/examples.h"
#include "app/hall.h"
#include "app/tour.h"
#include "base/util.h"
#include "shell/figure.h"
#include "support/hall_forms.h"
#include "support/opened.h"
#include "support/test.h"
#include "support/words.h"

#define REST_S      60.0 /* after which nothing moves */
#define ROUNDED     8    /* px by which words of one line may seem to lie on each other */
#define FRAME_SLACK 3    /* px of a word's box above and below its letters */

static const int WINDOWS[][2] = {{1024, 768}, {1920, 1080}};

typedef struct Played {
    Stage stage;
    double time_s;
} Played;

static Tour load(const char *id) {
    char *bytes;
    size_t size;
    Err err;
    Tour tour = {0};
    TourFaults faults;
    if (!assets_tour(&bytes, &size, id, &err) ||
        !tour_read(&tour, bytes, size, &PICTURE_OPTIONS, &faults, &err))
        fail_msg("%s: %s: %s", id, err.what, err.why);
    free(bytes);
    if (faults.count > 0)
        fail_msg("%s: %s: %s", id, faults.at[0].err.what, faults.at[0].err.why);
    return tour;
}

static void play(Played *p, const char *id) {
    Settings settings;
    Tour tour = load(id);
    Session session = picture_opened(&settings, "size=1440x900", NULL);
    if (!stage_begin(&p->stage, &session, &settings, (StageOptions){.kind = STAGE_LIST}, &told))
        fail_msg("%s: %s", told.what, told.why);
    session_release(&session);
    p->time_s = 0;
    bool is_hall = tour.is_hall;
    tour_begin(p->stage.app, &tour, 0);
    assert_true(!is_hall || presenter_begin(p->stage.app, NULL, 0, &told));
}

static void rest(Played *p) {
    for (int i = 0; i < 2; i++)
        stage_frame(&p->stage, NULL, 0, p->time_s += REST_S);
    if (p->stage.failure.kind != ERR_NONE)
        fail_msg("%s: %s", p->stage.failure.what, p->stage.failure.why);
}

/* The frames around the lit parts of the step. */
static int frames_of(Rect *out, int most, const Played *p) {
    const DrawList *list = &p->stage.list;
    Colour beam = p->stage.app->ui.theme->beam;
    int count = 0;
    for (size_t i = 0; i < list->command_count && count < most; i++) {
        const DrawBox *box = &list->commands[i].as.box;
        if (list->commands[i].kind == DRAW_BOX && box->border == 2 &&
            memcmp(&box->stroke, &beam, sizeof beam) == 0)
            out[count++] = box->rect;
    }
    return count;
}

static void check_frames(Played *p, int step) {
    int words_count;
    Rect frames[16];
    tour_go_end(p->stage.app, step);
    rest(p);
    const Word *words = words_of(&p->stage.list, &p->stage.measure, &words_count);
    int count = frames_of(frames, ARRAY_COUNT(frames), p);
    const TourStep *of = &p->stage.app->tour.tour.steps[step];
    if (count == 0 && of->light != NULL)
        fail_msg("%s at %d px: nothing is lit", of->id, p->stage.width_px);
    if (p->stage.app->drawer_open) /* it covers words */
        return;
    for (int i = 0; i < count * words_count; i++) {
        const Word *word = &words[i % words_count];
        Rect seen = rect_inset(rect_intersect(word->around, word->clip), FRAME_SLACK, FRAME_SLACK);
        Rect shared = rect_intersect(seen, frames[i / words_count]);
        if (seen.w > 0 && seen.h > 0 && shared.w > 0 && shared.h > 0 &&
            shared.w * shared.h < 0.99f * seen.w * seen.h)
            fail_msg("%s at %d px: a frame cuts “%.*s”", p->stage.app->tour.tour.steps[step].id,
                     p->stage.width_px, word->bytes, word->text);
    }
}

TEST(no_frame_cuts_a_word) {
    for (int i = 0; i < TOUR_REGISTRY.count; i++)
        for (size_t size = 0; size < ARRAY_COUNT(WINDOWS); size++) {
            Played p;
            play(&p, TOURS[i].id);
            p.stage.width_px = WINDOWS[size][0];
            p.stage.height_px = WINDOWS[size][1];
            bool is_hall = p.stage.app->tour.tour.is_hall;
            for (int step = 0; !is_hall && step < p.stage.app->tour.tour.step_count; step++)
                check_frames(&p, step);
            stage_end(&p.stage);
        }
}

TEST(every_tour_is_true) {
    for (int i = 0; i < TOUR_REGISTRY.count; i++) {
        Played p;
        TourFaults faults = {.count = 0};
        play(&p, TOURS[i].id);
        int steps = p.stage.app->tour.tour.step_count;
        for (int step = 0; step < steps; step++) {
            tour_go_end(p.stage.app, step);
            rest(&p);
            tour_check_step(p.stage.app, step, &faults);
        }
        if (faults.count > 0)
            fail_msg("%s: %s: %s", TOURS[i].id, faults.at[0].err.what, faults.at[0].err.why);
        stage_end(&p.stage);
    }
}

/* Play with all cues of the steps before, with a detour on the way, and jump. */
TEST(a_jump_shows_what_playing_shows) {
    for (int i = 0; i < TOUR_REGISTRY.count; i++) {
        Played played, jumped;
        play(&played, TOURS[i].id);
        int steps = played.stage.app->tour.tour.step_count;
        for (int step = 0; step < steps; step++) {
            rest(&played);
            uint64_t hash = draw_hash(&played.stage.list);
            play(&jumped, TOURS[i].id);
            tour_go(jumped.stage.app, step);
            rest(&jumped);
            if (draw_hash(&jumped.stage.list) != hash)
                fail_msg("%s: a jump to %s shows something else", TOURS[i].id,
                         played.stage.app->tour.tour.steps[step].id);
            stage_end(&jumped.stage);
            InputEvent key = {.kind = INPUT_KEY, .key = 'r'};
            stage_frame(&played.stage, &key, 1, played.time_s += 1);
            tour_go(played.stage.app, step + 1);
        }
        stage_end(&played.stage);
    }
}

/* The number of an attribute of an SVG element; 0 if it is absent. */
static double attribute(const char *element, const char *end, const char *name) {
    const char *at = strstr(element, name);
    return at != NULL && at < end ? strtod(at + strlen(name), NULL) : 0;
}

/* The smallest text that is seen in an SVG, as a share of the page's height. Of a turned text,
 * which has no x, its size counts wherever it is. */
static double least_text(const char *svg) {
    const char *page = strstr(svg, "<svg"), *clip = page;
    double least = INFINITY, height = attribute(page, strchr(page, '>'), " height=\"");
    for (const char *at = page; strncmp(at = strchr(at + 1, '<'), "</svg>", 6) != 0;) {
        const char *end = strchr(at, '>');
        if (strncmp(at, "<clipPath", 9) == 0)
            clip = strstr(at, "<rect");
        if (strncmp(at, "</g>", 4) == 0)
            clip = page;
        if (strncmp(at, "<text", 5) != 0)
            continue;
        const char *clip_end = strchr(clip, '>');
        double x = attribute(at, end, " x=\"") - attribute(clip, clip_end, " x=\"");
        double y = attribute(at, end, " y=\"") - attribute(clip, clip_end, " y=\"");
        bool is_hidden = x < 0 || x > attribute(clip, clip_end, " width=\"") || y < 0 ||
                         y > attribute(clip, clip_end, " height=\"");
        if (!is_hidden)
            least = fmin(least, attribute(at, end, " font-size=\"") / height);
    }
    return least;
}

static void on_fault(void *step, const char *what, const Word *word, const Word *on) {
    Rect shared = on != NULL ? rect_intersect(word->around, on->around) : word->around;
    if (shared.w < ROUNDED) /* letters of another size are not exactly that much wider */
        return;
    fail_msg("%s: “%.*s” %s “%.*s”", (const char *)step, word->bytes, word->text, what,
             on != NULL ? on->bytes : 0, on != NULL ? on->text : "");
}

/* Each step at each size: letters are large enough, no word is on another, and there is no control,
 * because an audience cannot press it. */
static void check_hall(Played *p) {
    for (int step = 0; step < p->stage.app->tour.tour.step_count; step++) {
        tour_go_end(p->stage.app, step);
        for (size_t i = 0; i < ARRAY_COUNT(HALL_SIZES); i++) {
            LOCAL(text_out_release) TextOut svg = {0};
            Vec2 at;
            float text_w;
            p->stage.width_px = HALL_SIZES[i][0];
            p->stage.height_px = HALL_SIZES[i][1];
            int count;
            rest(p);
            const Word *words = words_of(&p->stage.list, &p->stage.measure, &count);
            words_check(&p->stage.list, words, count, on_fault,
                        (void *)p->stage.app->tour.tour.steps[step].id);
            must(figure_encode(&svg, figure_svg, &p->stage, &(CallFigure){0}, &told));
            double least = least_text(svg.at);
            if (!(least >= 0.032))
                fail_msg("%s at %d × %d: the smallest text is %.2f %% of the height",
                         p->stage.app->tour.tour.steps[step].id, HALL_SIZES[i][0], HALL_SIZES[i][1],
                         100 * least);
            assert_false(stage_find(&at, &text_w, &p->stage, "Merge  F"));
            assert_false(stage_find(&at, &text_w, &p->stage, "Use"));
        }
    }
    stage_end(&p->stage);
}

TEST(a_room_can_read_every_hall) {
    Played p;
    for (int i = 0; i < TOUR_REGISTRY.count; i++) {
        play(&p, TOURS[i].id);
        if (!p.stage.app->tour.tour.is_hall)
            must(presenter_begin(p.stage.app, NULL, 0, &told));
        check_hall(&p);
    }
    play(&p, "lecture");
    must(tour_begin_bytes(p.stage.app, "forms", HALL_FORMS, sizeof HALL_FORMS - 1, &told));
    check_hall(&p);
}

static int sentences(const char *words) {
    int count = 0;
    for (const char *at = words; *at != '\0'; at++)
        count += strchr(".?!", *at) != NULL && (at[1] == ' ' || at[1] == '\0');
    return count;
}

/* Five to nine steps, three minutes, two sentences each, and a number that was checked. A lecture
 * is spoken to, and longer. */
TEST(a_tour_is_short) {
    for (int i = 0; i < TOUR_REGISTRY.count; i++) {
        LOCAL(tour_release) Tour tour = load(TOURS[i].id);
        const TourStep *last = &tour.steps[tour.step_count - 1];
        double seconds = 0;
        for (int step = 0; step < tour.step_count; step++) {
            const char *caption = tour.steps[step].caption;
            seconds += tour_seconds(&tour, step);
            if (caption == NULL || sentences(caption) > 2)
                fail_msg("%s: %s has no caption of one or two sentences", TOURS[i].id,
                         tour.steps[step].id);
        }
        assert_string_equal(tour.title, TOURS[i].label);
        assert_non_null(strchr(last->caption, '{'));
        if (!tour.is_hall && (tour.step_count < 5 || tour.step_count > 9 || seconds > 180))
            fail_msg("%s has %d steps in %.0f s", TOURS[i].id, tour.step_count, seconds);
        if (strcmp(TOURS[i].id, "first") == 0 || strcmp(TOURS[i].id, "merge") == 0)
            assert_true(seconds <= 60);
    }
}

TEST(the_tour_of_each_question_exists) {
    for (int i = 0; i < QUESTION_REGISTRY.count; i++) {
        const char *tour = QUESTIONS[i].tour;
        assert_true(tour == NULL || registry_find(&TOUR_REGISTRY, tour, strlen(tour)) >= 0);
    }
}

static int begin(void **state) {
    return setenv("HEADLIGHT_ASSETS", "assets", 0);
}

TEST_ALL(begin, NULL)
