/* The law of room: over every view with every choice, at every size and scale, no word is cut
 * (except typed ones), no words overlap, no word leaves its part of the window, and no number has a
 * hyphen instead of a minus. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app_state.h"
#include "base/utf8.h"
#include "base/util.h"
#include "document/options.h"
#include "model/analysis/head_product.h"
#include "support/advance.h"
#include "support/script.h"
#include "support/test.h"
#include "support/words.h"
#include "views/graph/graph.h"
#include "views/wqk/wqk.h"

static const float SIZES[][2] = {{1024, 768},  {1280, 720}, {1366, 768}, {1920, 1080},
                                 {3840, 2160}, {1280, 800}, {1440, 900}, {2560, 1440}};
static const float UI_SCALES[] = {0.75f, 1, 1.25f, 1.5f, 2, 3};
#define PAIRS      (ARRAY_COUNT(SIZES) * ARRAY_COUNT(UI_SCALES))
#define PAIRS_EACH 6

static long looked_at;
TEST_EACH(NULL, sight_check)

/* True if the word leaves its clip. Words in scrolling areas may. */
static bool is_cut_off(const Script *s, const Word *w) {
    const Layout *l = &s->app->layout;
    if (w->clip.y < l->text_row.h && w->around.y < l->text_row.h && w->layer == 0)
        return false;
    Rect seen = rect_intersect(w->around, w->clip), sheet = s->app->ui.cover[UI_LAYER_DRAWER];
    Rect on_sheet = rect_intersect(seen, sheet);
    if (w->layer == UI_LAYER_DRAWER && on_sheet.h < seen.h - WORDS_SLACK)
        return true;
    bool is_across = seen.w < w->around.w - WORDS_SLACK && seen.h > WORDS_SLACK && !w->is_rotated;
    Rect of_view = rect_intersect(w->clip, l->view);
    bool is_part = w->layer == 0 && of_view.w >= l->view.w - WORDS_SLACK &&
                   of_view.h >= l->view.h - WORDS_SLACK;
    bool is_along = seen.h < w->around.h - WORDS_SLACK && is_part;
    return is_across || is_along;
}

/* True for a node of the Graph view, or of its legend. */
static bool is_disc(const DrawCommand *c) {
    const DrawBox *box = &c->as.box;
    return c->kind == DRAW_BOX && c->layer == 0 && box->border == 1.5f && box->rect.w > 0 &&
           box->rect.w == box->rect.h && box->radius == box->rect.w / 2;
}

/* True if an upright word lies on a disc but not at its centre. */
static bool lies_on_disc(const Word *w, Rect disc) {
    Rect seen = rect_intersect(w->around, w->clip);
    Vec2 at = rect_centre(disc), word = rect_centre(w->around);
    float x = fmaxf(fmaxf(seen.x - at.x, at.x - rect_right(seen)), 0);
    float y = fmaxf(fmaxf(seen.y - at.y, at.y - rect_bottom(seen)), 0);
    bool is_its_own = fabsf(word.x - at.x) < 1 && fabsf(word.y - at.y) < 2;
    return !w->is_rotated && !is_its_own && seen.w > 0 && seen.h > 0 &&
           hypotf(x, y) < disc.w / 2 - WORDS_SLACK;
}

/* True if a word has its own background that hides what is under it: a focused name may cover a
 * node if there is no other room. */
static bool has_ground(const Script *s, const Word *w, size_t from) {
    for (size_t i = from; i < w->at; i++) {
        const DrawCommand *c = &s->list.commands[i];
        Rect both = rect_intersect(c->as.box.rect, w->around);
        bool is_fill = c->kind == DRAW_BOX && (c->as.box.fill & 255) == 255;
        if (is_fill && both.w > w->around.w - 1 && both.h > w->around.h - 1)
            return true;
    }
    return false;
}

static void check_discs(Sight *sight, const Word *words, int count) {
    const Script *s = sight->script;
    for (size_t i = 0; i < s->list.command_count; i++) {
        const DrawCommand *c = &s->list.commands[i];
        Rect seen = rect_intersect(c->as.box.rect, c->clip);
        for (int k = 0; is_disc(c) && seen.w > 0 && seen.h > 0 && k < count; k++)
            if (words[k].layer == 0 && lies_on_disc(&words[k], c->as.box.rect) &&
                !has_ground(s, &words[k], i + 1))
                sight_fault(sight, "lies on a node", &words[k], NULL);
    }
}

/* True if a number has a hyphen instead of a minus: before a digit, and not inside a word such as
 * "GPT-2". A state string contains options as typed and is excluded. */
static bool has_hyphen_for_minus(const Word *w) {
    size_t size = (size_t)w->bytes;
    bool is_state = memchr(w->text, '=', size) != NULL && memchr(w->text, ' ', size) == NULL;
    for (int i = 0; i + 1 < w->bytes; i++) {
        char before = i > 0 ? w->text[i - 1] : ' ';
        bool is_power = before == 'e' && i > 1 && isdigit((unsigned char)w->text[i - 2]);
        bool is_first = strchr(" (=/,\"", before) != NULL;
        if (w->text[i] == '-' && isdigit((unsigned char)w->text[i + 1]) && (is_power || is_first))
            return !is_state;
    }
    return false;
}

static void check_words(Sight *sight) {
    const Script *s = sight->script;
    int count;
    const Word *words = words_of(&s->list, &s->measure, &count);
    looked_at += count;
    for (int i = 0; i < count; i++) {
        if (is_cut_off(s, &words[i]))
            sight_fault(sight, "is cut off", &words[i], NULL);
        if (has_hyphen_for_minus(&words[i]))
            sight_fault(sight, "has a hyphen for a minus", &words[i], NULL);
    }
    words_check(&s->list, words, count, sight_fault, sight);
    check_discs(sight, words, count);
}

/* Check a state with what a key opens, at six of all pairs of a size and a scale. The next state
 * continues with other pairs, so that each is seen; 7 has no divisor in common with PAIRS. */
static void check_opened(const char *state, uint32_t key, unsigned mods, const char *name) {
    static size_t pair;
    LOCAL(script_end) Script s;
    static Advance advance;
    char where[320];
    Sight sight = {&s, where};
    snprintf(where, sizeof where, "%s%s%s", state, name[0] != '\0' ? ", " : "", name);
    script_begin(&s, state, SIZES[0][0], SIZES[0][1]);
    s.measure = advance_measure(&advance);
    if (key != 0)
        script_key(&s, key, mods);
    if (s.app->sheet == SHEET_PALETTE)
        script_type(&s, "he");
    for (int i = 0; i < PAIRS_EACH; i++, pair = (pair + 7) % PAIRS) {
        const float *size = SIZES[pair / ARRAY_COUNT(UI_SCALES)];
        s.app->settings.ui_scale = UI_SCALES[pair % ARRAY_COUNT(UI_SCALES)];
        advance.cut_count = 0;
        script_size(&s, size[0], size[1]);
        if (s.app->layout.too_small)
            sight_fault(&sight, "window", &(Word){.text = "", .bytes = 0}, NULL);
        sight_check_cuts(&sight, &advance);
        check_words(&sight);
    }
}

static void check_state(const char *state) {
    check_opened(state, 0, 0, "");
}

static const char *view_of(const char *option) {
    return strncmp(option, "graph-", 6) == 0    ? "graph"
           : strncmp(option, "wqk-", 4) == 0    ? "wqk"
           : strncmp(option, "compare", 7) == 0 ? "compare"
           : strncmp(option, "steps-", 6) == 0  ? "steps"
           : strncmp(option, "train-", 6) == 0  ? "train"
                                                : "heads";
}

static void check_choice(const char *view, const OptionRow *row, int choice) {
    check_state(PRINT("view=%s&%s=%s", view, row->entry.id, option_choice_text(row, choice)));
}

TEST(every_choice_of_a_view_has_room) {
    for (int i = 0; i < PICTURE_OPTIONS.count; i++) {
        const OptionRow *row = &PICTURE_OPTIONS.rows[i];
        const char *view = view_of(row->entry.id);
        bool is_own = row->kind == OPTION_CHOICE && row->choices != &VIEW_REGISTRY;
        for (int k = 0; is_own && k < row->choices->count; k++)
            check_choice(view, row, k);
    }
    assert_true(looked_at > 100000);
}

/* Most views only show a scheme's name; Heads shows more. */
TEST(every_choice_of_the_layer_has_room) {
    for (int view = 0; view < VIEW_REGISTRY.count; view++)
        for (int i = 0; i < STATE_OPTIONS.count; i++) {
            const OptionRow *row = &STATE_OPTIONS.rows[i];
            const char *id = VIEWS[view].entry.id;
            bool is_scheme = row->choices == &SCHEME_REGISTRY;
            bool is_own = row->kind == OPTION_CHOICE && strncmp(row->entry.id, "init-", 5) != 0;
            for (int k = 0; is_own && k < row->choices->count; k++)
                if (view == 0 || !is_scheme || k == 0)
                    check_choice(id, row, k);
        }
}

TEST(every_other_state_has_room) {
    static const char *const more[] = {"heads=1",
                                       "heads=2",
                                       "heads=8",
                                       "heads=16",
                                       "temperature=1e-30",
                                       "temperature=1.5e-7&pin=9,6",
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
                                       "init=normal&pin=7,5",
                                       "init=normal&d-model=512&scale=none&pin=7,5",
                                       "text="};
    for (int view = 0; view < VIEW_REGISTRY.count; view++)
        for (size_t i = 0; i < ARRAY_COUNT(more); i++)
            check_state(PRINT("view=%s&%s", VIEWS[view].entry.id, more[i]));
}

/* The pages of W_QK and W_OV, in layers that leave each the least room. */
TEST(every_page_of_a_product_has_room) {
    static const char *const layers[] = {"wqk-n=4096&wqk-m=4096&wqk-p=4096", "heads=1&d-model=256",
                                         "bias=all&positions=rope", "text=alone", "d-k=1&heads=64"};
    for (int page = 0; page < WQK_PAGES.count; page++)
        for (int product = 0; product < PRODUCTS.count; product++)
            for (size_t i = 0; i < ARRAY_COUNT(layers); i++) {
                check_state(PRINT("view=wqk&%s&wqk-page=%s&wqk-product=%s", layers[i],
                                  registry_entry(&WQK_PAGES, page)->id,
                                  registry_entry(&PRODUCTS, product)->id));
            }
}

/* A film of 1280×720 leaves the window 608 pixels above its captions. */
TEST(every_view_above_captions_has_room) {
    for (int view = 0; view < VIEW_REGISTRY.count; view++) {
        LOCAL(script_end) Script s;
        const char *text = PRINT("view=%s", registry_entry(&VIEW_REGISTRY, view)->id);
        script_begin(&s, text, 1280, 608);
        check_words(&(Sight){&s, text});
    }
}

/* Hard cases for the names and values of the Graph view. */
static const char *const GRAPHS[] = {
    "text=alone",
    "text=same%20same&graph-value=scores",
    "text=a%20b%20c&graph-flow=flow&pin=2,1",
    "graph-nodes=plain&graph-self=hidden&pin=12,1",
    "graph-filter=top&edges=16&graph-heads=all&mask=causal",
    "graph-value=carried&graph-first=hidden&graph-rest=renormalised&pin=3,3",
    "init=zeros&graph-nodes=pagerank&pin=1,1",
    "temperature=0.01&graph-filter=above&graph-above=0",
    "mask=window:1&depth=6&pin=6,6",
    "close=1..3-1..3&text=a%20b%20c",
    "text=Donaudampfschifffahrtsgesellschaftskapit%C3%A4n%20antidisestablishmentarianism%20in%"
    "20"
    "incomprehensibilities%20floccinaucinihilipilification&pin=2,1",
    "text=%E6%88%91%20%E4%B8%BA%E4%BB%80%E4%B9%88%20%E6%B3%A8%E6%84%8F%E5%8A%9B%20%E6%9C%BA%E5%"
    "88%"
    "B6%20%E5%9B%BE&pin=3,2",
    "text=%D8%A7%D9%84%D8%A7%D9%86%D8%AA%D8%A8%D8%A7%D9%87%20%D9%87%D9%88%20%D8%B1%D8%B3%D9%85%"
    "20%"
    "D8%A8%D9%8A%D8%A7%D9%86%D9%8A&graph-value=scores&pin=1,2",
    "text=the%20dog%20the%20cat%20the%20bird%20the%20fish%20the%20cow%20the%20fox%20the%20"
    "elephant&pin=14,4",
    "tokenizer=chars&heads=2&pin=40,2&text=attention%20is%20a%20graph%20whose%20nodes%20are%20"
    "tokens%20and%20whose%20edges",
    "tokenizer=chars&heads=2&d-model=16&text=attention%20is%20a%20graph%20whose%20nodes%20are%"
    "20"
    "tokens%20and%20whose%20edges%20are%20weights%20that%20softmax%20has%20made%20of%20scores%"
    "20"
    "and%20so%20on%20and%20so%20on"};

TEST(every_graph_has_room) {
    for (int layout = 0; layout < GRAPH_LAYOUTS.count; layout++)
        for (size_t i = 0; i < ARRAY_COUNT(GRAPHS); i++) {
            char text[700];
            snprintf(text, sizeof text, "view=graph&graph-layout=%s&%s",
                     registry_entry(&GRAPH_LAYOUTS, layout)->id, GRAPHS[i]);
            check_state(text);
        }
}

/* Hover the whole picture: nodes and edges with their tooltips. */
TEST(whatever_is_hovered_in_a_graph_has_room) {
    for (int i = 0; i < 3 * GRAPH_LAYOUTS.count; i++) {
        static const char *const more[] = {"", "&mask=causal&graph-value=scores",
                                           "&edges=2&graph-filter=top&pin=5,3"};
        LOCAL(script_end) Script s;
        const char *text = PRINT("view=graph&graph-layout=%s%s",
                                 registry_entry(&GRAPH_LAYOUTS, i / 3)->id, more[i % 3]);
        script_begin(&s, text, SIZES[i % 4][0], SIZES[i % 4][1]);
        Rect view = s.app->layout.view;
        for (int at = 0; at < 11 * 8; at++) {
            script_move(&s, (Vec2){view.x + view.w * (0.5f + (float)(at % 11)) / 11,
                                   view.y + view.h * (0.5f + (float)(at / 11)) / 8});
            check_words(&(Sight){&s, text});
        }
    }
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

TEST(whatever_opens_has_room) {
    for (int view = 0; view < VIEW_REGISTRY.count; view++)
        for (size_t i = 0; i < ARRAY_COUNT(OPENED); i++) {
            check_opened(PRINT("view=%s", VIEWS[view].entry.id), OPENED[i].key, OPENED[i].mods,
                         OPENED[i].name);
        }
}
