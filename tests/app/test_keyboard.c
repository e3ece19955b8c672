/* Every control can be reached and left by keyboard in reading order, with a visible focus: in
 * every view, at several sizes, on every sheet. */
#include <stdio.h>

#include "app/app_state.h"
#include "app/chrome.h"
#include "base/utf8.h"
#include "base/util.h"
#include "support/script.h"
#include "support/test.h"

static const float SIZES[][2] = {{1728, 1080}, {800, 600}};

/* Covers of a view: none, a sheet, the inspector's drawer. */
static const struct {
    const char *name;
    uint32_t key;
    unsigned mods;
} OPENED[] = {{"", 0, 0}, {" with all settings", 'o', 0}, {" with the inspector", 'i', 0}};

static const char *const STATES[] = {"view=heads",
                                     "view=graph",
                                     "view=wqk",
                                     "view=compare",
                                     "view=compare&compare=depth",
                                     "view=wqk&form=rank:4",
                                     "view=steps",
                                     "view=train&train-steps=20&train-step=0"};

static Rect rect_of(const Ui *ui, UiId id) {
    for (int i = 0; i < ui->order_count; i++)
        if (ui->order[i].id == id)
            return ui->order[i].rect;
    return (Rect){0, 0, 0, 0};
}

static bool is_covered(const Ui *ui, int layer, Rect rect) {
    for (int above = layer + 1; above < UI_LAYERS; above++)
        if (rect_contains(ui->cover[above], rect_centre(rect)))
            return true;
    return false;
}

/* True if a visible ring is drawn around the focus. */
static bool is_ring_seen(const Script *s, Rect rect) {
    Rect window = {0, 0, s->list.width, s->list.height};
    for (size_t i = 0; i < s->list.command_count; i++) {
        const DrawCommand *c = &s->list.commands[i];
        if (c->kind != DRAW_BOX || c->as.box.stroke != s->app->theme.ring)
            continue;
        Rect seen = rect_intersect(rect_intersect(c->as.box.rect, c->clip), window);
        Rect both = rect_intersect(seen, rect);
        bool is_whole = seen.w * seen.h > 0.9f * c->as.box.rect.w * c->as.box.rect.h;
        if (both.w > 0 && both.h > 0 && is_whole && !is_covered(&s->app->ui, c->layer, seen))
            return true;
    }
    return false;
}

static void check_stop(const Script *s, const char *where) {
    const Ui *ui = &s->app->ui;
    Rect rect = rect_of(ui, ui->focus);
    if (rect.w <= 0)
        fail_msg("%s: the focus is on nothing", where);
    if (!is_ring_seen(s, rect))
        fail_msg("%s: no ring is seen about the control at %.0f, %.0f of %.0f × %.0f", where,
                 (double)rect.x, (double)rect.y, (double)rect.w, (double)rect.h);
}

/* Within a line, Tab goes from left to right. */
static void check_line(Rect before, Rect now, const char *where) {
    float apart = rect_centre(now).y - rect_centre(before).y;
    if (apart > -4 && apart < 4 && now.x < before.x)
        fail_msg("%s: in the line at %.0f Tab goes from %.0f back to %.0f", where, (double)now.y,
                 (double)before.x, (double)now.x);
}

/* Tab visits every control, and the first again after the last. */
static int go_round(Script *s, const char *where) {
    Ui *ui = &s->app->ui;
    static UiId seen[UI_FOCUS_MAX];
    int count = 0;
    script_keys(s, "Tab");
    UiId first = ui->focus;
    do {
        check_stop(s, where);
        for (int i = 0; i < count; i++)
            if (seen[i] == ui->focus)
                fail_msg("%s: Tab is caught in a circle of %d", where, count - i);
        assert_true(count < UI_FOCUS_MAX);
        seen[count++] = ui->focus;
        script_keys(s, "Tab");
        if (ui->focus != first)
            check_line(rect_of(ui, seen[count - 1]), rect_of(ui, ui->focus), where);
    } while (ui->focus != first);
    bool is_hidden = s->app->drawer_open; /* controls scrolled out of sight are skipped */
    if (count < ui->order_count && !is_hidden)
        fail_msg("%s: Tab visits %d of %d controls", where, count, ui->order_count);
    script_keys(s, "Shift+Tab");
    if (ui->focus != seen[count - 1])
        fail_msg("%s: Shift Tab does not go back", where);
    return count;
}

TEST(tab_goes_round_everything) {
    for (size_t i = 0; i < ARRAY_COUNT(STATES); i++)
        for (size_t k = 0; k < ARRAY_COUNT(SIZES); k++)
            for (size_t n = 0; n < ARRAY_COUNT(OPENED); n++) {
                SCRIPT(s, script_begin, STATES[i], SIZES[k][0], SIZES[k][1]);
                if (OPENED[n].key != 0)
                    script_key(&s, OPENED[n].key, OPENED[n].mods);
                assert_true(
                    go_round(&s, PRINT("%s at %.0f × %.0f%s", STATES[i], (double)SIZES[k][0],
                                       (double)SIZES[k][1], OPENED[n].name)) > 3);
            }
}

/* Escape closes whatever Enter opens, and Tab continues. */
TEST(no_control_is_a_trap) {
    for (size_t i = 0; i < ARRAY_COUNT(STATES); i++) {
        char where[128];
        SCRIPT(s, script_open, STATES[i]);
        Ui *ui = &s.app->ui;
        for (int stop = 0, count = ui->order_count; stop < count; stop++) {
            script_keys(&s, "Tab");
            UiId focus = ui->focus;
            script_keys(&s, "Enter");
            for (int k = 0; k < 3; k++)
                script_keys(&s, "Escape");
            snprintf(where, sizeof where, "%s, stop %d", STATES[i], stop + 1);
            if (s.app->sheet != SHEET_NONE || ui->popup != 0 || ui->typing != 0)
                fail_msg("%s: Escape leaves something open", where);
            script_keys(&s, "Tab");
            if (ui->focus == focus || ui->focus == 0)
                fail_msg("%s: Tab does not go on", where);
            check_stop(&s, where);
            script_keys(&s, "Shift+Tab");
        }
    }
}

TEST_IN(a_sheet_gives_the_focus_back, script_open, "") {
    Ui *ui = &s->app->ui;
    for (int i = 0; i < 40 && ui->focus != ui_id("options", 0); i++)
        script_keys(s, "Tab");
    script_keys(s, "Enter");
    assert_int_equal(s->app->sheet, SHEET_OPTIONS);
    assert_true(ui->focus == 0);
    script_keys(s, "Tab");
    assert_true(ui->focus == ui_id("close sheet", 0)); /* Tab stays on it */
    script_keys(s, "Enter");
    assert_int_equal(s->app->sheet, SHEET_NONE);
    assert_true(ui->focus == ui_id("options", 0) && ui->focus_visible);
    script_keys(s, "Ctrl+L Ctrl+K Escape");
    assert_true(token_field_editing(s->app));
    script_keys(s, "Escape ? Escape");
    assert_true(ui->focus == 0);
}
