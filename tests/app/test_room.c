/* The law of room: over every view and whatever it can be set to, at every size of the window and
 * every UI scale, no word is cut that nobody typed, none lies on another, and none leaves the part
 * of the window that it stands in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app_state.h"
#include "base/util.h"
#include "model/head_product.h"
#include "session/options.h"
#include "support/advance.h"
#include "support/script.h"
#include "support/words.h"
#include "views/wqk.h"

#define SAID_MAX 400 /* faults that are written out */

static const float SIZES[][2] = {{1024, 768}, {1280, 720}, {1366, 768}, {1920, 1080}, {3840, 2160}};
static const float UI_SCALES[] = {0.75f, 1, 1.25f, 1.5f, 2, 3};

static long looked_at, failures;

static void report(const Script *s, const char *state, const char *what, const Word *w,
                   const Word *on) {
    if (failures++ < SAID_MAX)
        print_error("%.0f × %.0f at %g, %s: “%.*s” %s%s%.*s\n", (double)s->width_px,
                    (double)s->height_px, (double)s->app->settings.ui_scale, state, w->bytes,
                    w->text, what, on != NULL ? " " : "", on != NULL ? on->bytes : 0,
                    on != NULL ? on->text : "");
}

/* A word may leave what scrolls: the chips, and areas that are no part of the frame. */
static bool is_cut_off(const Script *s, const Word *w) {
    const Layout *l = &s->app->layout;
    if (w->clip.y < l->text_row.h && w->around.y < l->text_row.h && w->layer == 0)
        return false;
    Rect seen = rect_intersect(w->around, w->clip), sheet = s->app->ui.cover[UI_LAYER_DRAWER];
    Rect on_sheet = rect_intersect(seen, sheet);
    if (w->layer == UI_LAYER_DRAWER && on_sheet.h < seen.h - WORDS_SLACK)
        return true;
    bool is_across = seen.w < w->around.w - WORDS_SLACK && seen.h > WORDS_SLACK && !w->is_turned;
    Rect of_view = rect_intersect(w->clip, l->view);
    bool is_part = w->layer == 0 && of_view.w >= l->view.w - WORDS_SLACK &&
                   of_view.h >= l->view.h - WORDS_SLACK;
    bool is_along = seen.h < w->around.h - WORDS_SLACK && is_part;
    return is_across || is_along;
}

/* A picture, and what it is of. */
typedef struct Sight {
    const Script *script;
    const char *state;
} Sight;

static void fault(void *data, const char *what, const Word *w, const Word *on) {
    const Sight *sight = data;
    report(sight->script, sight->state, what, w, on);
}

static void check_words(const Script *s, const char *state) {
    int count;
    const Word *words = words_of(&s->list, &s->measure, &count);
    looked_at += count;
    for (int i = 0; i < count; i++)
        if (is_cut_off(s, &words[i]))
            report(s, state, "is cut off", &words[i], NULL);
    words_check(&s->list, words, count, fault, &(Sight){s, state});
}

/* What a person typed may be any length and is cut where it must be. */
static bool is_typed(const Script *s, const char *text) {
    const char *typed = app_session(s->app)->text->bytes;
    return strstr(typed, text) != NULL || strstr(text, "text=") != NULL;
}

static void check_cuts(const Script *s, const Advance *a, const char *state) {
    for (int i = 0; i < a->cut_count; i++)
        if (!is_typed(s, a->cuts[i]))
            report(s, state, "is cut short",
                   &(Word){.text = a->cuts[i], .bytes = (int)strlen(a->cuts[i])}, NULL);
}

/* A state at every size and scale, with what a key opens. */
static void check_opened(const char *state, uint32_t key, unsigned mods, const char *name) {
    Script s;
    static Advance advance;
    char where[320];
    snprintf(where, sizeof where, "%s%s%s", state, name[0] != '\0' ? ", " : "", name);
    script_begin(&s, state, SIZES[0][0], SIZES[0][1]);
    s.measure = advance_measure(&advance);
    if (key != 0)
        script_key(&s, key, mods);
    if (s.app->sheet == SHEET_PALETTE)
        script_type(&s, "he");
    for (size_t i = 0; i < ARRAY_COUNT(SIZES); i++)
        for (size_t k = 0; k < ARRAY_COUNT(UI_SCALES); k++) {
            s.app->settings.ui_scale = UI_SCALES[k];
            advance.cut_count = 0;
            script_size(&s, SIZES[i][0], SIZES[i][1]);
            if (s.app->layout.too_small)
                report(&s, where, "window", &(Word){.text = "", .bytes = 0}, NULL);
            check_cuts(&s, &advance, where);
            check_words(&s, where);
        }
    script_end(&s);
}

static void check_state(const char *state) {
    check_opened(state, 0, 0, "");
}

/* The views that the law holds for: in the others a node's name or a handle may lie on a number. */
static const char *const HELD[] = {"heads", "compare", "wqk"};

static bool is_held(const char *view) {
    for (size_t i = 0; i < ARRAY_COUNT(HELD); i++)
        if (strcmp(HELD[i], view) == 0)
            return true;
    return false;
}

static const char *view_of(const char *option) {
    return strncmp(option, "graph-", 6) == 0    ? "graph"
           : strncmp(option, "wqk-", 4) == 0    ? "wqk"
           : strncmp(option, "compare", 7) == 0 ? "compare"
                                                : "heads";
}

/* An option set to one of its choices, in a view. */
static void check_choice(const char *view, const OptionRow *row, int choice) {
    char text[256];
    snprintf(text, sizeof text, "view=%s&%s=%s", view, row->entry.id,
             option_choice_text(row, choice));
    check_state(text);
}

static void every_choice_of_a_view_has_room(void **state) {
    (void)state;
    for (int i = 0; i < PICTURE_OPTIONS.count; i++) {
        const OptionRow *row = &PICTURE_OPTIONS.rows[i];
        const char *view = view_of(row->entry.id);
        bool is_own = row->kind == OPTION_CHOICE && row->choices != &VIEW_REGISTRY;
        for (int k = 0; is_own && is_held(view) && k < row->choices->count; k++)
            check_choice(view, row, k);
    }
    assert_true(looked_at > 100000);
    assert_int_equal(failures, 0);
}

/* Of the many schemes each view shows no more than the name, but for Heads. */
static void every_choice_of_the_layer_has_room(void **state) {
    (void)state;
    failures = 0;
    for (int view = 0; view < VIEW_REGISTRY.count; view++)
        for (int i = 0; i < STATE_OPTIONS.count; i++) {
            const OptionRow *row = &STATE_OPTIONS.rows[i];
            const char *id = VIEWS[view].entry.id;
            bool is_scheme = row->choices == &SCHEME_REGISTRY;
            bool is_own = row->kind == OPTION_CHOICE && strncmp(row->entry.id, "init-", 5) != 0;
            for (int k = 0; is_own && is_held(id) && k < row->choices->count; k++)
                if (view == 0 || !is_scheme || k == 0)
                    check_choice(id, row, k);
        }
    assert_int_equal(failures, 0);
}

static void every_other_state_has_room(void **state) {
    (void)state;
    static const char *const more[] = {"heads=1",
                                       "heads=2",
                                       "heads=8",
                                       "heads=16",
                                       "heads=64",
                                       "pin=1,1",
                                       "pin=7,5&theme=projector",
                                       "text=alone",
                                       "text=a%20b",
                                       "edges=16",
                                       "open=1-2&mask=causal",
                                       "seed=18446744073709551615",
                                       "temperature=0.001",
                                       "temperature=1e20",
                                       "d-model=512&d-k=64",
                                       "text="};
    failures = 0;
    for (int view = 0; view < VIEW_REGISTRY.count; view++)
        for (size_t i = 0; is_held(VIEWS[view].entry.id) && i < ARRAY_COUNT(more); i++) {
            char text[256];
            snprintf(text, sizeof text, "view=%s&%s", VIEWS[view].entry.id, more[i]);
            check_state(text);
        }
    assert_int_equal(failures, 0);
}

/* The pages below W_QK and W_OV, of layers that leave each the least room. */
static void every_page_of_a_product_has_room(void **state) {
    (void)state;
    static const char *const layers[] = {"wqk-n=4096&wqk-m=4096&wqk-p=4096", "heads=1&d-model=256",
                                         "bias=all&positions=rope", "text=alone", "d-k=1&heads=64"};
    failures = 0;
    for (int page = 0; page < WQK_PAGES.count; page++)
        for (int product = 0; product < PRODUCTS.count; product++)
            for (size_t i = 0; i < ARRAY_COUNT(layers); i++) {
                char text[256];
                snprintf(text, sizeof text, "view=wqk&%s&wqk-page=%s&wqk-product=%s", layers[i],
                         registry_entry(&WQK_PAGES, page)->id,
                         registry_entry(&PRODUCTS, product)->id);
                check_state(text);
            }
    assert_int_equal(failures, 0);
}

static const struct {
    uint32_t key;
    unsigned mods;
    const char *name;
} OPENED[] = {{'?', 0, "keys"},
              {'o', 0, "options"},
              {'k', KEY_MOD_COMMAND, "palette"},
              {'i', 0, "inspector"},
              {'s', KEY_MOD_COMMAND, "save"},
              {'o', KEY_MOD_COMMAND, "open"}};

static void whatever_opens_has_room(void **state) {
    (void)state;
    failures = 0;
    for (int view = 0; view < VIEW_REGISTRY.count; view++)
        for (size_t i = 0; is_held(VIEWS[view].entry.id) && i < ARRAY_COUNT(OPENED); i++) {
            char text[64];
            snprintf(text, sizeof text, "view=%s", VIEWS[view].entry.id);
            check_opened(text, OPENED[i].key, OPENED[i].mods, OPENED[i].name);
        }
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_choice_of_a_view_has_room),
                                       cmocka_unit_test(every_choice_of_the_layer_has_room),
                                       cmocka_unit_test(every_other_state_has_room),
                                       cmocka_unit_test(every_page_of_a_product_has_room),
                                       cmocka_unit_test(whatever_opens_has_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
