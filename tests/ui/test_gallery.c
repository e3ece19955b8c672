/* Laws of every widget in the gallery. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "support/drawn.h"
#include "support/panel.h"
#include "support/test.h"
#include "support/words.h"
#include "ui/gallery.h"

#define HIT_LEAST 28
#define X         40
#define Y         250

typedef struct Stand {
    Panel panel;
    const GalleryItem *item;
    bool wrong, disabled;
} Stand;

static UiId id_of(const GalleryItem *item) {
    return ui_id(item->name, 0);
}

/* Draw the widget between two controls. */
static void build(Panel *panel) {
    Stand *s = panel->data;
    ui_control(&panel->ui, 1, (Rect){0, 0, 40, 40}, 0);
    bool was = ui_disable(&panel->ui, s->disabled);
    s->item->build(&panel->ui, id_of(s->item), (Rect){X, Y, s->item->w, s->item->h}, s->wrong);
    ui_disable(&panel->ui, was);
    ui_control(&panel->ui, 2, (Rect){0, 560, 40, 40}, 0);
}

static void stand_open(Stand *s, const GalleryItem *item, bool wrong, bool disabled) {
    memset(s, 0, sizeof *s);
    s->item = item;
    s->wrong = wrong;
    s->disabled = disabled;
    gallery_reset();
    panel_open(&s->panel, build, s);
}

static bool is_reached(Stand *s) {
    bool reached = false;
    for (int i = 0; i < s->panel.ui.order_count + 1; i++) {
        panel_key(&s->panel, KEY_TAB, 0);
        reached |= s->panel.ui.focus == id_of(s->item);
    }
    return reached;
}

TEST(every_widget_is_reached_by_tab_unless_disabled) {
    for (int i = 0; i < GALLERY_COUNT; i++) {
        Stand s;
        stand_open(&s, &GALLERY[i], false, false);
        if (is_reached(&s) != GALLERY[i].takes_focus)
            fail_msg("%s: Tab", GALLERY[i].name);
        panel_end(&s);
        stand_open(&s, &GALLERY[i], false, true);
        if (is_reached(&s))
            fail_msg("%s: Tab reaches it while it is disabled", GALLERY[i].name);
        assert_int_equal(s.panel.ui.order_count, 2);
        panel_end(&s);
    }
}

static void focus_on(Stand *s) {
    for (int k = 0; k < 8 && s->panel.ui.focus != id_of(s->item); k++)
        panel_key(&s->panel, KEY_TAB, 0);
}

/* Arrows move through a widget with several parts, there and back. */
TEST(arrows_go_through_what_a_widget_holds) {
    static const uint32_t there[] = {KEY_RIGHT, KEY_DOWN}, back[] = {KEY_LEFT, KEY_UP};
    for (int i = 0; i < GALLERY_COUNT; i++) {
        bool moved = false;
        for (int way = 0; way < 2; way++) {
            PANEL_IN(Stand, s, stand_open, &GALLERY[i], false, false);
            focus_on(&s);
            for (int k = 0; k < 2; k++) /* away from the end if it starts there */
                panel_key(&s.panel, there[way], 0);
            uint64_t before = draw_hash(&s.panel.list);
            panel_key(&s.panel, back[way], 0);
            moved |= draw_hash(&s.panel.list) != before;
        }
        if (moved != GALLERY[i].takes_arrows)
            fail_msg("%s: arrows", GALLERY[i].name);
    }
}

TEST(a_disabled_widget_does_nothing) {
    for (int i = 0; i < GALLERY_COUNT; i++) {
        PANEL_IN(Stand, s, stand_open, &GALLERY[i], false, true);
        uint64_t hash = draw_hash(&s.panel.list);
        Vec2 middle = {X + GALLERY[i].w / 2, Y + GALLERY[i].h / 2};
        if (!GALLERY[i].takes_focus)
            continue;
        panel_wheel(&s.panel, middle.x, middle.y, -2, 0);
        panel_click(&s.panel, middle.x, middle.y);
        panel_move(&s.panel, 780, 20);
        if (draw_hash(&s.panel.list) != hash || s.panel.ui.focus != 0)
            fail_msg("%s: reacts while it is disabled", GALLERY[i].name);
    }
}

/* Every control is large enough for the pointer. */
TEST(every_hit_target_is_large_enough) {
    for (int i = 0; i < GALLERY_COUNT; i++) {
        PANEL_IN(Stand, s, stand_open, &GALLERY[i], false, false);
        for (int k = 0; k < s.panel.ui.order_count; k++) {
            Rect rect = s.panel.ui.order[k].rect;
            if (rect.w < HIT_LEAST || rect.h < HIT_LEAST)
                fail_msg("%s: %g × %g", GALLERY[i].name, (double)rect.w, (double)rect.h);
        }
    }
}

/* Return the place to hover and press: some widgets don't take the pointer at their centre. */
static Vec2 hand_on(const GalleryItem *item) {
    bool at_end = strcmp(item->name, "progress") == 0 || strcmp(item->name, "toast") == 0;
    float part = strcmp(item->name, "handle") == 0 ? 0.75f : 0.5f;
    return (Vec2){at_end ? X + item->w - 30 : X + item->w * part, Y + item->h / 2};
}

/* Hover, focus and press each change the drawing. */
TEST(every_state_is_seen) {
    for (int i = 0; i < GALLERY_COUNT; i++) {
        if (!GALLERY[i].takes_focus || strcmp(GALLERY[i].name, "scroll") == 0)
            continue;
        Stand s;
        stand_open(&s, &GALLERY[i], false, false);
        Vec2 on = hand_on(&GALLERY[i]);
        uint64_t rest = draw_hash(&s.panel.list);
        panel_move(&s.panel, on.x, on.y);
        uint64_t hovered = draw_hash(&s.panel.list);
        if (hovered == rest && strcmp(GALLERY[i].name, "segments") != 0 &&
            strcmp(GALLERY[i].name, "text field") != 0)
            fail_msg("%s: no hover", GALLERY[i].name);
        panel_move(&s.panel, 780, 20);
        assert_true(draw_hash(&s.panel.list) == rest);
        focus_on(&s);
        if (draw_hash(&s.panel.list) == rest)
            fail_msg("%s: no ring", GALLERY[i].name);
        panel_end(&s);
        stand_open(&s, &GALLERY[i], false, true);
        if (draw_hash(&s.panel.list) == rest)
            fail_msg("%s: not seen to be disabled", GALLERY[i].name);
        panel_end(&s);
    }
}

/* A value that is not valid is marked by a sign, not by colour alone. */
TEST(what_is_wrong_has_its_sign) {
    for (int i = 0; i < GALLERY_COUNT; i++) {
        Stand plain, wrong;
        stand_open(&plain, &GALLERY[i], false, false);
        stand_open(&wrong, &GALLERY[i], true, false);
        if (draw_hash(&plain.panel.list) != draw_hash(&wrong.panel.list))
            assert_non_null(drawn_text(&wrong.panel.list, "!", 0));
        panel_end(&plain);
        panel_end(&wrong);
    }
}

typedef enum Look { AT_REST, HOVERED, FOCUSED, PRESSED, DISABLED, WRONG, LOOK_COUNT } Look;

static const char *const LOOKS[LOOK_COUNT] = {"at rest", "hovered",  "focused",
                                              "pressed", "disabled", "wrong"};

static void stand_look(Stand *s, const GalleryItem *item, Look look, float scale) {
    stand_open(s, item, look == WRONG, look == DISABLED);
    Vec2 on = hand_on(item);
    s->panel.scale = scale;
    panel_events(&s->panel, NULL, 0);
    if (look == HOVERED || look == PRESSED)
        panel_move(&s->panel, on.x, on.y);
    if (look == PRESSED)
        panel_press(&s->panel, on.x, on.y, 0, 1);
    if (look == FOCUSED)
        focus_on(s);
}

/* In every state at every scale, no word lies on another or is half covered. */
TEST(words_have_room_in_every_state) {
    static const int scales[] = {100, 75, 150, 200, 300};
    for (int i = 0; i < GALLERY_COUNT; i++)
        for (size_t k = 0; k < ARRAY_COUNT(scales); k++)
            for (int look = 0; look < LOOK_COUNT; look++) {
                LOCAL(panel_end) Stand s;
                char title[96];
                int count;
                stand_look(&s, &GALLERY[i], (Look)look, (float)scales[k] / 100);
                snprintf(title, sizeof title, "%s, %s at %d %%", GALLERY[i].name, LOOKS[look],
                         scales[k]);
                assert_null(drawn_fault(&s.panel.list));
                const Word *words = words_of(&s.panel.list, &s.panel.measure, &count);
                words_check(&s.panel.list, words, count, words_fail, title);
            }
}
