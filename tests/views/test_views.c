/* Every view, at every size, in every theme, for few and many tokens. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app_state.h"
#include "app/chrome.h"
#include "base/util.h"
#include "draw/theme.h"
#include "support/measure.h"
#include "support/script.h"
#include "support/test.h"
#include "views/view.h"

static const float SIZES[][2] = {{1024, 768},  {1280, 720}, {1440, 900}, {1920, 1080},
                                 {3840, 2160}, {420, 400},  {200, 150}};
static const int TOKENS[] = {0, 1, 2, 12, 300};

/* Return the box of a text command's letters; a rotated text may extend from its start in any
 * direction. */
static Rect text_box(const DrawList *list, const DrawText *text) {
    float width =
        measure_width(NULL, text->font, text->size, list->text + text->text_at, text->text_bytes);
    if (text->angle_rad == 0)
        return (Rect){text->at.x, text->at.y - text->size * 0.72f, width, text->size * 0.72f};
    return (Rect){text->at.x, text->at.y - width * 0.7072f, width * 0.7072f, width * 0.7072f};
}

/* Every text is inside the window, or cut by a clip that is. */
static void check_inside(const DrawList *list, const char *what) {
    for (size_t i = 0; i < list->command_count; i++) {
        const DrawCommand *c = &list->commands[i];
        if (c->kind != DRAW_TEXT)
            continue;
        Rect box = text_box(list, &c->as.text), clip = c->clip;
        bool outside = (box.x < -1 && clip.x <= 0) ||
                       (rect_right(box) > list->width + 1 && rect_right(clip) >= list->width) ||
                       (box.y < -1 && clip.y <= 0) ||
                       (rect_bottom(box) > list->height + 1 && rect_bottom(clip) >= list->height);
        if (outside)
            fail_msg("%s: “%.*s” lies at %.0f, %.0f of %.0f × %.0f", what,
                     (int)c->as.text.text_bytes, list->text + c->as.text.text_at, (double)box.x,
                     (double)box.y, (double)list->width, (double)list->height);
    }
}

static void check_view(const char *view, const char *theme, int T, const char *more) {
    const char *state = PRINT("view=%s&theme=%s%s&text=", view, theme, more);
    SCRIPT(s, script_begin, script_with_words(state, T, 97), SIZES[0][0], SIZES[0][1]);
    for (size_t i = 0; i < ARRAY_COUNT(SIZES); i++) {
        const char *what = PRINT("%s, %s, %d tokens%s, %.0f × %.0f", view, theme, T, more,
                                 (double)SIZES[i][0], (double)SIZES[i][1]);
        script_size(&s, SIZES[i][0], SIZES[i][1]); /* fails if a command is lost */
        assert_true(s.list.command_count > 0);
        assert_int_equal(s.list.ground & 255, 255);
        check_inside(&s.list, what);
        uint64_t hash = draw_hash(&s.list);
        script_frame(&s);
        if (draw_hash(&s.list) != hash)
            fail_msg("%s: changes by itself", what);
    }
}

TEST(every_view_at_every_size) {
    for (int view = 0; view < VIEW_REGISTRY.count; view++)
        for (int theme = 0; theme < THEME_COUNT; theme++)
            for (size_t t = 0; t < ARRAY_COUNT(TOKENS); t++)
                check_view(VIEWS[view].entry.id, THEMES[theme].entry.id, TOKENS[t], "");
}

TEST(every_view_in_other_states) {
    static const char *const more[] = {
        "&mask=causal", "&beside=normal", "&heads=64",   "&heads=1",
        "&pin=1,1",     "&form=merged",   "&init=zeros", "&temperature=1e-06&init=normal",
        "&edges=16"};
    for (int view = 0; view < VIEW_REGISTRY.count; view++)
        for (size_t i = 0; i < ARRAY_COUNT(more); i++)
            for (int T = 1; T <= 12; T += 11)
                check_view(VIEWS[view].entry.id, "dark", T, more[i]);
}

static const float TINY[][2] = {{0, 0}, {1, 1}, {3, 200}, {200, 3}, {40, 40}, {400, 0}, {0, 300}};

/* A window manager may shrink a window to nothing, with the pointer in it. */
TEST(every_view_in_a_window_of_a_few_pixels) {
    for (int view = 0; view < VIEW_REGISTRY.count; view++)
        for (int scale = 1; scale <= 2; scale++) {
            SCRIPT(s, script_begin,
                   PRINT("theme=dark&view=%s&ui-scale=%d", VIEWS[view].entry.id, scale), 640, 480);
            for (size_t k = 0; k < ARRAY_COUNT(TINY); k++) {
                script_size(&s, fmaxf(TINY[k][0], 1), fmaxf(TINY[k][1], 1));
                script_move(&s, (Vec2){s.list.width / 2, s.list.height / 2});
            }
        }
}

/* Draw the view of the App alone, in this place, with the pointer in its middle. */
static void draw_in(Script *s, Rect place) {
    App *app = s->app;
    Input input = {.width_px = s->width_px,
                   .height_px = s->height_px,
                   .pointer_px = rect_centre(place),
                   .pointer_inside = true};
    app->ui.input = &input;
    draw_begin(&s->list, s->width_px, s->height_px, 1, app->theme.canvas);
    ui_begin(&app->ui);
    app->layout.view = place;
    view_place_prepare(app);
    view_place_draw(app);
    ui_end(&app->ui);
    draw_end(&s->list);
    app->ui.input = NULL;
    assert_null(drawn_fault(&s->list));
}

/* Rows above and below a view may leave it no room. */
TEST(every_view_in_a_place_of_a_few_pixels) {
    static const char *const more[] = {"", "&text=a", "&pin=3,2", "&form=merged&heads=1"};
    for (int view = 0; view < VIEW_REGISTRY.count; view++)
        for (size_t i = 0; i < ARRAY_COUNT(more); i++) {
            SCRIPT(s, script_open, PRINT("theme=dark&view=%s%s", VIEWS[view].entry.id, more[i]));
            for (size_t k = 0; k < ARRAY_COUNT(TINY); k++)
                draw_in(&s, (Rect){100, 100, TINY[k][0], TINY[k][1]});
        }
}

static bool collide(const DrawList *list, const DrawCommand *a, const DrawCommand *b) {
    Rect one = rect_inset(rect_intersect(text_box(list, &a->as.text), a->clip), 1, 1);
    Rect two = rect_inset(rect_intersect(text_box(list, &b->as.text), b->clip), 1, 1);
    return one.w > 0 && one.h > 0 && two.w > 0 && two.h > 0 && one.x < rect_right(two) &&
           two.x < rect_right(one) && one.y < rect_bottom(two) && two.y < rect_bottom(one);
}

/* 1024 × 768 at 300 % is as wide as 342 × 256 at 100 %. Rotated names are skipped, because their
 * boxes are larger than the names. */
TEST(no_text_lies_on_another_in_a_small_window) {
    static const char *const states[] = {"view=heads",
                                         "view=heads&heads=16",
                                         "view=heads&theme=projector",
                                         "view=graph",
                                         "view=graph&graph-layout=bipartite",
                                         "view=graph&graph-layout=layered",
                                         "view=graph&heads=16",
                                         "view=graph&theme=projector",
                                         "view=steps",
                                         "view=steps&block=post-norm&bias=all&steps-step=6"};
    static const float sizes[][2] = {{342, 256}, {480, 300}, {512, 384}};
    for (size_t i = 0; i < ARRAY_COUNT(states) * ARRAY_COUNT(sizes); i++) {
        const float *size = sizes[i % ARRAY_COUNT(sizes)];
        SCRIPT(s, script_begin, states[i / ARRAY_COUNT(sizes)], size[0], size[1]);
        const DrawCommand *commands = s.list.commands;
        for (size_t a = 0; a < s.list.command_count; a++)
            for (size_t b = 0; b < a; b++)
                if (commands[a].kind == DRAW_TEXT && commands[b].kind == DRAW_TEXT &&
                    commands[a].as.text.angle_rad == 0 && commands[b].as.text.angle_rad == 0 &&
                    collide(&s.list, &commands[a], &commands[b]))
                    fail_msg("%s: “%.*s” lies on “%.*s”", states[i / ARRAY_COUNT(sizes)],
                             (int)commands[a].as.text.text_bytes,
                             s.list.text + commands[a].as.text.text_at,
                             (int)commands[b].as.text.text_bytes,
                             s.list.text + commands[b].as.text.text_at);
    }
}

/* With an underscore, which is just that in a person's text. */
#define LONG_NAME "pneumono_ultramicroscopicsilicovolcanoconiosis_of_many_long_syllables"

/* True if the whole name is shown: in a tooltip, or large in the place where it was cut. */
static bool is_told(const DrawList *list) {
    char shown[1024] = "";
    for (size_t i = 0; i < list->command_count; i++) {
        const DrawText *text = &list->commands[i].as.text;
        if (list->commands[i].kind != DRAW_TEXT)
            continue;
        if (list->commands[i].layer == UI_LAYER_TIP)
            snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%.*s",
                     (int)text->text_bytes, list->text + text->text_at);
        else if (text->text_bytes == strlen(LONG_NAME) && text->size > 20)
            return true;
    }
    return strstr(shown, LONG_NAME) != NULL;
}

TEST(a_cut_name_is_told_whole) {
    static const char *const views[] = {"heads", "graph", "graph&graph-layout=bipartite", "steps"};
    for (size_t v = 0; v < ARRAY_COUNT(views); v++) {
        int cut = 0;
        SCRIPT(s, script_begin_typical,
               PRINT("view=%s&text=the%%20" LONG_NAME "%%20cat&focus=nothing", views[v]), 1440,
               900);
        for (int nth = 0; nth < 40; nth++) {
            const DrawCommand *name = NULL;
            for (size_t i = 0, seen = 0; i < s.list.command_count && name == NULL; i++) {
                const DrawCommand *c = &s.list.commands[i];
                bool is_cut = c->kind == DRAW_TEXT && c->as.text.angle_rad == 0 &&
                              c->as.text.text_bytes > 7 &&
                              memcmp(s.list.text + c->as.text.text_at, "pneu", 4) == 0 &&
                              c->as.text.text_bytes < strlen(LONG_NAME);
                if (is_cut && seen++ == (size_t)nth)
                    name = c;
            }
            if (name == NULL)
                break;
            script_move(&s, drawn_middle(&s.list, name));
            script_play(&s, "@1 @1");
            assert_true(is_told(&s.list));
            cut++;
            script_play(&s, "move:4,4 @1");
        }
        assert_true(cut >= 2);
    }
}

/* In a sentence, too. */
TEST_IN(an_underscore_in_a_name_is_just_that, script_begin_typical,
        "text=w_qk%20is_not_d_model&pin=1,2", 1728, 1400) {
    assert_non_null(drawn_beginning(&s->list, "“w_qk” has a random vector"));
}

/* “a → b” is in the right order for words of either direction. */
TEST(words_from_right_to_left_leave_the_arrow_between_them) {
    static const char *const views[] = {"heads", "graph", "steps"};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        const char *text = PRINT("text=א%%20ב&view=%s", views[i]);
        SCRIPT(s, script_begin, text, 1728, 1400);
        script_key(&s, KEY_ESCAPE, 0); /* nothing is pinned: the list of what is read most */
        int arrows = 0;
        for (size_t k = 0; k < s.list.command_count; k++) {
            const char *words = drawn_words(&s.list, k);
            if (strstr(words, "→") == NULL || strstr(words, "א") == NULL)
                continue;
            arrows++;
            assert_non_null(strstr(words, "\u2068א\u2069"));
        }
        assert_true(arrows > 0 || i == 1);
    }
}
