/* Laws of every widget, over the table of them, and each drawn in every state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/panel.h"
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

/* The widget between two controls. */
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

static void close(Stand *s) {
    panel_close(&s->panel);
}

static bool is_reached(Stand *s) {
    bool reached = false;
    for (int i = 0; i < s->panel.ui.order_count + 1; i++) {
        panel_key(&s->panel, KEY_TAB, 0);
        reached |= s->panel.ui.focus == id_of(s->item);
    }
    return reached;
}

static void every_widget_is_reached_by_tab_unless_disabled(void **state) {
    (void)state;
    for (int i = 0; i < GALLERY_COUNT; i++) {
        Stand s;
        stand_open(&s, &GALLERY[i], false, false);
        if (is_reached(&s) != GALLERY[i].takes_focus)
            fail_msg("%s: Tab", GALLERY[i].name);
        close(&s);
        stand_open(&s, &GALLERY[i], false, true);
        if (is_reached(&s))
            fail_msg("%s: Tab reaches it while it is disabled", GALLERY[i].name);
        assert_int_equal(s.panel.ui.order_count, 2);
        close(&s);
    }
}

static void a_disabled_widget_does_nothing(void **state) {
    (void)state;
    for (int i = 0; i < GALLERY_COUNT; i++) {
        Stand s;
        stand_open(&s, &GALLERY[i], false, true);
        uint64_t hash = draw_hash(&s.panel.list);
        Vec2 middle = {X + GALLERY[i].w / 2, Y + GALLERY[i].h / 2};
        if (!GALLERY[i].takes_focus)
            continue;
        panel_wheel(&s.panel, middle.x, middle.y, -2, 0);
        panel_click(&s.panel, middle.x, middle.y);
        panel_move(&s.panel, 780, 20);
        if (draw_hash(&s.panel.list) != hash || s.panel.ui.focus != 0)
            fail_msg("%s: reacts while it is disabled", GALLERY[i].name);
        close(&s);
    }
}

/* What takes the pointer is large enough for it. */
static void every_hit_target_is_large_enough(void **state) {
    (void)state;
    for (int i = 0; i < GALLERY_COUNT; i++) {
        Stand s;
        stand_open(&s, &GALLERY[i], false, false);
        for (int k = 0; k < s.panel.ui.order_count; k++) {
            Rect rect = s.panel.ui.order[k].rect;
            if (rect.w < HIT_LEAST || rect.h < HIT_LEAST)
                fail_msg("%s: %g × %g", GALLERY[i].name, (double)rect.w, (double)rect.h);
        }
        close(&s);
    }
}

/* The pointer or the focus on it, the button held: each is seen. */
static void every_state_is_seen(void **state) {
    (void)state;
    for (int i = 0; i < GALLERY_COUNT; i++) {
        if (!GALLERY[i].takes_focus || strcmp(GALLERY[i].name, "scroll") == 0)
            continue;
        Stand s;
        stand_open(&s, &GALLERY[i], false, false);
        float part = strcmp(GALLERY[i].name, "handle") == 0 ? 0.75f : 0.5f;
        Vec2 on = {X + GALLERY[i].w * part, Y + GALLERY[i].h / 2};
        if (strcmp(GALLERY[i].name, "progress") == 0 || strcmp(GALLERY[i].name, "toast") == 0)
            on.x = X + GALLERY[i].w - 30;
        uint64_t rest = draw_hash(&s.panel.list);
        panel_move(&s.panel, on.x, on.y);
        uint64_t hovered = draw_hash(&s.panel.list);
        if (hovered == rest && strcmp(GALLERY[i].name, "tabs") != 0 &&
            strcmp(GALLERY[i].name, "segments") != 0 && strcmp(GALLERY[i].name, "text field") != 0)
            fail_msg("%s: no hover", GALLERY[i].name);
        panel_move(&s.panel, 780, 20);
        assert_true(draw_hash(&s.panel.list) == rest);
        for (int k = 0; k < 8 && s.panel.ui.focus != id_of(s.item); k++)
            panel_key(&s.panel, KEY_TAB, 0);
        if (draw_hash(&s.panel.list) == rest)
            fail_msg("%s: no ring", GALLERY[i].name);
        close(&s);
        stand_open(&s, &GALLERY[i], false, true);
        if (draw_hash(&s.panel.list) == rest)
            fail_msg("%s: not seen to be disabled", GALLERY[i].name);
        close(&s);
    }
}

/* A value that cannot hold is told by a sign, not by colour alone. */
static void what_is_wrong_has_its_sign(void **state) {
    (void)state;
    for (int i = 0; i < GALLERY_COUNT; i++) {
        Stand plain, wrong;
        stand_open(&plain, &GALLERY[i], false, false);
        stand_open(&wrong, &GALLERY[i], true, false);
        if (draw_hash(&plain.panel.list) != draw_hash(&wrong.panel.list))
            assert_non_null(drawn_text(&wrong.panel.list, "!", 0));
        close(&plain);
        close(&wrong);
    }
}

/* What is drawn, as files to be reviewed: at rest, hovered, focused, disabled and wrong. */
static void widgets_are_the_reviewed_ones(void **state) {
    (void)state;
    for (int i = 0; i < GALLERY_COUNT; i++) {
        Stand s;
        char name[64];
        stand_open(&s, &GALLERY[i], false, false);
        snprintf(name, sizeof name, "widget_%s", GALLERY[i].name);
        for (char *c = name; *c != '\0'; c++)
            *c = *c == ' ' ? '_' : *c;
        drawn_golden(&s.panel.list, name);
        close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_widget_is_reached_by_tab_unless_disabled),
        cmocka_unit_test(a_disabled_widget_does_nothing),
        cmocka_unit_test(every_hit_target_is_large_enough),
        cmocka_unit_test(every_state_is_seen),
        cmocka_unit_test(what_is_wrong_has_its_sign),
        cmocka_unit_test(widgets_are_the_reviewed_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
