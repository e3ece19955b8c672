/* A model in Heads: the map of all layers leads to its heads in every order, and the inspector
 * shows what training changed. */
#include <stdlib.h>
#include <string.h>

#include "app/app_state.h"
#include "app/tour.h"
#include "base/number.h"
#include "base/util.h"
#include "draw/part.h"
#include "results/layer_map.h"
#include "shell/assets.h"
#include "support/script.h"
#include "support/test.h"

#define MAP "text=In%20the%20beginning%20God&weights=trained:english&wall=layers"

static void begin_map(Script *s, const char *more) {
    setenv("HEADLIGHT_ASSETS", "assets", 0);
    script_begin_given(s, PRINT("%s%s", MAP, more),
                       &(AppResources){.load_weights = assets_weights, .still = true});
}

static Rect map_place(const Script *s) {
    return script_part(s, "heads.layers")->rect;
}

/* The first matrix of a sorted map is at its upper left. */
TEST(a_click_opens_the_first_of_each_order) {
    for (LayerOrder order = LAYER_ORDER_PATTERN; order < LAYER_ORDER_COUNT; order++) {
        SCRIPT(s, begin_map,
               PRINT("&layer-order=%s", registry_entry(&LAYER_ORDERS, (int)order)->id));
        const LayerMap *map = &app_results(s.app)->map;
        int first = map->order[order][0];
        int layer = first / map->heads + 1, head = first % map->heads + 1;
        Rect all = map_place(&s);
        script_move(&s, (Vec2){all.x + 20, all.y + 20});
        assert_true(script_says_first(&s, PRINT("layer %d, head %d: ", layer, head)));
        script_click(&s, (Vec2){all.x + 20, all.y + 20});
        assert_int_equal(app_session(s.app)->weights->layer, layer);
        assert_int_equal(app_session(s.app)->options.head, head);
        assert_false(script_state_has(&s, "wall=layers"));
    }
}

static int loads;

static Weights *load_counted(const char *path, const WeightsRequest *request, Err *err) {
    loads++;
    return assets_weights(path, request, err);
}

TEST(presses_of_one_frame_read_one_layer) {
    SCRIPT(s, begin_map, "");
    InputEvent up = {.kind = INPUT_KEY, .key = '}'}, down = {.kind = INPUT_KEY, .key = '{'};
    int layers = app_session(s.app)->weights->layers;
    s.app->resources.load_weights = load_counted;
    loads = 0;
    script_events(&s, (InputEvent[]){down, down, up, down, down, down, down}, 7);
    assert_int_equal(app_session(s.app)->weights->layer, 1 + (5 * layers - 5) % layers);
    assert_int_equal(loads, 1);
}

/* All heads of layer 2 read what followed the same token, most of all head 4. */
TEST(induction_heads_are_named) {
    setenv("HEADLIGHT_ASSETS", "assets", 0);
    SCRIPT(s, script_begin_given,
           "weights=trained:induction&wall=layers&text=Then%20bread%20water%20fire%20sword%20gold"
           "%20house%20bread%20water%20fire%20sword%20gold",
           &(AppResources){.load_weights = assets_weights, .still = true});
    const LayerMap *map = &app_results(s.app)->map;
    const HeadPattern *best = &map->figures[map->heads + 3].pattern;
    assert_int_equal(map->figures[0].pattern.kind, PATTERN_PREVIOUS);
    for (int at = 0; at < 2 * map->heads; at++) {
        const HeadPattern *pattern = &map->figures[at].pattern;
        assert_true((pattern->kind == PATTERN_INDUCTION) == (at >= map->heads));
        assert_true(pattern->of[PATTERN_INDUCTION].value <= best->of[PATTERN_INDUCTION].value);
    }
    assert_true(best->of[PATTERN_INDUCTION].value > 0.95);
}

TEST_IN(the_order_is_chosen_above_the_map, begin_map, "") {
    script_play(s, "<Entropy> ~layer-order=entropy");
}

/* σ of Xavier is √(2 / (128 + 128)). */
TEST_IN(trained_weights_are_next_to_their_scheme, begin_map,
        "&statistics=show&size=1920x1600&init=xavier_normal") {
    const Results *run = app_results(s->app);
    Mat own =
        attn_head_query(&run->layers[0].params.p[ATTN_W_Q], &run->layers[0].shape[run->form], 0);
    assert_true(script_says(s, "this file") && script_says(s, "Xavier normal"));
    assert_true(script_says(s, FIXED(stats_std(&own), 3)) && script_says(s, "0.088"));
    assert_string_not_equal(FIXED(stats_std(&own), 3), "0.088");
}

/* Next to the choice of a head, or above it in Graph, whose corner is too narrow for both. */
TEST(each_view_of_one_layer_chooses_it) {
    static const char *const views[] = {"heads", "graph", "wqk", "steps"};
    static const char *const sizes[] = {"1366x768", "1920x1080"};
    for (size_t i = 0; i < 2 * ARRAY_COUNT(views); i++) {
        const char *more = PRINT("&view=%s&size=%s", views[i / 2], sizes[i % 2]);
        SCRIPT(s, begin_map, more);
        if (!script_says(&s, "1 of 3"))
            fail_msg("no choice of a layer: %s", more);
        script_play(&s, "<›> ~layer=2 {2 of 3}");
    }
}

TEST_IN(the_card_is_under_the_pointer, begin_map, "") {
    const DrawPart *chip = script_part(s, "window.weights");
    assert_false(script_says_first(s, "Predict the next token of English text. Trained on the"));
    script_move(s, (Vec2){chip->rect.x + 60, rect_centre(chip->rect).y});
    script_wait(s, 2);
    assert_non_null(strstr(app_session(s->app)->weights->card, "10000 steps. Loss: 3.10 nats"));
    assert_true(script_says_first(s, "Predict the next token"));
}

/* The columns after the heads are shown, and choose nothing. */
TEST_IN(mean_and_rollout_follow_the_heads, begin_map, "&summary=both") {
    assert_true(script_says(s, "mean") && script_says(s, "rollout"));
    Rect all = map_place(s);
    script_click(s, (Vec2){rect_right(all) - 20, rect_bottom(all) - 20});
    script_play(s, "{rollout, layers 1 to 3} ~wall=layers");
}

/* The lit matrix stays under the pointer while the map is zoomed and dragged; the click that ends a
 * drag chooses nothing. */
TEST_IN(the_map_zooms_and_pans, begin_map, "") {
    uint64_t whole = draw_hash(&s->list);
    Rect all = map_place(s);
    const LayerMap *map = &app_results(s->app)->map;
    const char *last = PRINT("layer %d, head %d: ", map->layers, map->heads);
    Vec2 at = {rect_right(all) - 20, rect_bottom(all) - 20}, to = {at.x + 12, at.y + 12};
    script_move(s, at);
    assert_true(script_says_first(s, last));
    script_wheel(s, at, 3, 0);
    assert_true(script_says_first(s, last));
    assert_true(rect_equal(map_place(s), all));
    script_drag(s, at, to);
    assert_true(script_state_has(s, "wall=layers"));
    script_move(s, to);
    assert_true(script_says_first(s, last));
    script_wheel(s, to, -3, 0);
    script_move(s, (Vec2){0, 0});
    assert_true(draw_hash(&s->list) == whole);
}

TEST(a_tour_presses_the_key_of_another_layer) {
    SCRIPT(s, begin_map, "");
    static const char tour[] = "title = Up\n== up: Up\nstate = weights=trained:english&layer=1\n"
                               "at 0.5 key }\n";
    must(tour_begin_bytes(s.app, "up", tour, sizeof tour - 1, &told));
    script_frame(&s);
    script_wait(&s, 1);
    script_wait(&s, 1);
    assert_int_equal(app_session(s.app)->weights->layer, 2);
    assert_false(s.app->tour.is_detour);
}
