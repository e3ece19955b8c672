#include "ui/ui.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "ui/tween.h"

/* Seconds after the last notch during which the wheel cannot turn another control. */
#define WHEEL_REST_S 0.3
#define FOCUS_TAG    0x9D5C31F2u

UiId ui_id(const char *name, int number) {
    uint64_t hash = 0xCBF29CE484222325u ^ (uint64_t)(uint32_t)number * 0x9E3779B97F4A7C15u;
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001B3u;
    return hash != 0 ? hash : 1;
}

void ui_fail(Ui *ui, const char *what, const char *why) {
    if (ui->failure.kind == ERR_NONE)
        err_fail(&ui->failure, what, "%s", why);
}

void ui_begin(Ui *ui) {
    ui->pointer = (Vec2){ui->input->pointer_px.x / ui->list->scale,
                         ui->input->pointer_px.y / ui->list->scale};
    ui->pointer_inside = ui->input->pointer_inside;
    if (ui->first_pass) {
        ui->frame++;
        memset(ui->used, 0, sizeof ui->used);
        Vec2 at = ui->input->pointer_px;
        ui->pointer_moved = at.x != ui->pointer_was_px.x || at.y != ui->pointer_was_px.y;
        ui->pointer_was_px = at;
        ui->pointer_rests &= !ui->pointer_moved;
        for (int i = 0; i < ui->input->event_count; i++)
            ui->pointer_rests |= ui->input->events[i].kind == INPUT_BUTTON_DOWN;
    } else {
        ui->pointer_moved = false;
    }
    /* Convert the drag's position to the new logical pixels if the scale has changed. */
    float ratio = ui->scale_was > 0 ? ui->scale_was / ui->list->scale : 1;
    ui->press_at = (Vec2){ui->press_at.x * ratio, ui->press_at.y * ratio};
    ui->drag_from *= ratio;
    ui->scale_was = ui->list->scale;
    if (ui->active == 0)
        ui->drag_from = ui->drag_slip = 0, ui->press_clicks = 0;
    if (ui->pointer_moved || ui->time_s > ui->wheel_until_s)
        ui->wheel_owner = 0;
    ui->disabled = ui->unlisted = false;
    if (ui->tip.seen_frame + 1 < ui->frame)
        ui->tip = (UiTip){.quiet = ui->tip.quiet};
    memset(ui->covering, 0, sizeof ui->covering);
    ui->order_count = 0;
    ui->again = false;
    ui->failure = (Err){0};
    ui->hot = 0;
    ui->has_tip = false;
    ui->pointed.text[0] = '\0';
    ui->next_time_s = INFINITY;
    ui->cursor = 0;
    ui->wants_text = ui->wants_paste = ui->wants_selection = false;
    ui->copied = ui->first_pass ? NULL : ui->copied;
    ui->selected = ui->first_pass ? NULL : ui->selected;
}

static int event_count(const Ui *ui) {
    if (!ui->first_pass)
        return 0;
    return ui->input->event_count < UI_EVENTS_MAX ? ui->input->event_count : UI_EVENTS_MAX;
}

static bool is_seen(const Ui *ui, int event) {
    return !ui->used[event] && (ui->narrowed == 0 || ui->narrowed == event + 1);
}

bool ui_narrow(Ui *ui, int event) {
    ui->narrowed = event <= event_count(ui) ? event : 0;
    return ui->narrowed != 0;
}

static const InputEvent *peek(const Ui *ui, InputKind kind) {
    for (int i = 0; i < event_count(ui); i++)
        if (is_seen(ui, i) && ui->input->events[i].kind == kind)
            return &ui->input->events[i];
    return NULL;
}

static void take(Ui *ui, const InputEvent *event) {
    ui->used[event - ui->input->events] = true;
}

const InputEvent *ui_take(Ui *ui, InputKind kind) {
    const InputEvent *event = peek(ui, kind);
    if (event != NULL)
        take(ui, event);
    return event;
}

bool ui_key(Ui *ui, uint32_t key, unsigned mods) {
    for (int i = 0; i < event_count(ui); i++) {
        const InputEvent *event = &ui->input->events[i];
        if (is_seen(ui, i) && event->kind == INPUT_KEY && event->key == key &&
            event->mods == mods) {
            ui->used[i] = true;
            return true;
        }
    }
    return false;
}

int ui_keys(Ui *ui, uint32_t key, unsigned mods) {
    int pressed = 0;
    while (ui_key(ui, key, mods))
        pressed++;
    return pressed;
}

bool ui_pointer_is_used(const Ui *ui) {
    bool is_used = ui->pointer_moved || ui->active != 0;
    for (int i = 0; i < ui->input->event_count; i++)
        is_used |= ui->input->events[i].kind == INPUT_BUTTON_DOWN ||
                   ui->input->events[i].kind == INPUT_WHEEL;
    return is_used;
}

/* True if the pointer is on rect, and no layer above the current one and below `end` covers that
 * place. */
static bool is_over(const Ui *ui, Rect rect, int end) {
    if (!ui->pointer_inside || !rect_contains(rect_intersect(rect, ui->list->clip), ui->pointer))
        return false;
    for (int layer = ui->list->layer + 1; layer < end; layer++)
        if (rect_contains(ui->cover[layer], ui->pointer))
            return false;
    return true;
}

bool ui_over(const Ui *ui, Rect rect) {
    return is_over(ui, rect, UI_LAYERS);
}

bool ui_disable(Ui *ui, bool disabled) {
    bool was = ui->disabled;
    ui->disabled = disabled;
    return was;
}

Vec2 ui_wheel(Ui *ui, UiId id, Rect rect, unsigned *mods) {
    Vec2 sum = {0, 0};
    const InputEvent *event;
    bool others = ui->wheel_owner != 0 && ui->wheel_owner != id;
    bool scrolls = ui->wheel_scrolls != 0 && ui->wheel_scrolls != id && ui->focus != id;
    if (ui->disabled || others || scrolls ||
        !is_over(ui, rect, UI_LAYER_TIP)) /* a tip does not block the wheel */
        return sum;
    while ((event = ui_take(ui, INPUT_WHEEL)) != NULL) {
        ui->wheel_owner = id;
        ui->wheel_until_s = ui->time_s + WHEEL_REST_S;
        sum.x += event->wheel.x;
        sum.y += event->wheel.y;
        *mods = event->mods;
    }
    return sum;
}

int ui_wheel_choice(Ui *ui, UiId id, Rect rect) {
    unsigned mods = 0;
    bool begins = ui->wheel_owner != id;
    Vec2 wheel = ui_wheel(ui, id, rect, &mods);
    if (begins && ui->wheel_owner == id)
        ui->drag_serial++;
    return (int)lrintf(wheel.y != 0 ? -wheel.y : wheel.x);
}

uint64_t ui_wheel_serial(const Ui *ui, UiId id) {
    return ui->wheel_owner == id ? ui->drag_serial : 0;
}

bool ui_pressed_outside(Ui *ui, Rect rect) {
    bool pressed = false;
    for (int i = 0; i < event_count(ui); i++)
        if (ui->input->events[i].kind == INPUT_BUTTON_DOWN && !rect_contains(rect, ui->pointer))
            pressed = ui->used[i] = true;
    return pressed;
}

UiPlace ui_raise(Ui *ui, UiLayer layer) {
    UiPlace below = {ui->list->layer, ui->list->clip};
    ui_lower(ui, (UiPlace){(int)layer, {0, 0, ui->list->width, ui->list->height}});
    return below;
}

void ui_lower(Ui *ui, UiPlace place) {
    ui->list->layer = place.layer;
    ui->list->clip = place.clip;
}

void ui_cover(Ui *ui, Rect rect) {
    ui->covering[ui->list->layer] = rect;
}

static void take_focus(Ui *ui, UiId id) {
    ui->again |= ui->focus != id;
    ui->focus = id;
    ui->focus_visible = false;
}

static void press(Ui *ui, UiId id, UiState *state, unsigned flags) {
    const InputEvent *down = peek(ui, INPUT_BUTTON_DOWN);
    bool pastes = down != NULL && down->button == POINTER_MIDDLE && (flags & UI_TEXT) != 0;
    if (down == NULL || (down->button != POINTER_LEFT && !pastes))
        return;
    take(ui, down);
    take_focus(ui, (flags & UI_NO_FOCUS) == 0 ? id : 0);
    state->pasted = pastes;
    if (pastes)
        return;
    state->pressed = true;
    state->clicks = down->clicks;
    state->mods = down->mods;
    ui->active = id;
    /* request another pass, because this one does not show the press everywhere */
    ui->again = true;
    ui->press_at = ui->pointer;
    ui->press_mods = down->mods;
    ui->drag_serial++;
}

static void release(Ui *ui, UiState *state) {
    const InputEvent *up = peek(ui, INPUT_BUTTON_UP);
    if (up == NULL || up->button != POINTER_LEFT)
        return;
    take(ui, up);
    state->clicked = state->hovered;
    state->mods = up->mods;
    ui->active = 0;
    ui->again = true; /* request another pass, because the pointer may now hover something */
}

/* True if Tab skips a control because a drawer hides it. Only a drawer is checked, because other
 * covers close by themselves. */
static bool is_under_drawer(const Ui *ui, Rect rect) {
    return ui->list->layer < UI_LAYER_DRAWER &&
           rect_contains(ui->cover[UI_LAYER_DRAWER], rect_centre(rect));
}

UiState ui_control(Ui *ui, UiId id, Rect rect, unsigned flags) {
    UiState state = {.disabled = ui->disabled};
    if (ui->disabled)
        return state;
    bool focusable = (flags & UI_NO_FOCUS) == 0;
    if (focusable && !ui->unlisted && !is_under_drawer(ui, rect) &&
        ui->order_count < UI_FOCUS_MAX) {
        ui->order[ui->order_count].id = id;
        ui->order[ui->order_count].name[0] = '\0';
        ui->order[ui->order_count++].rect = rect;
    }
    state.hovered =
        (flags & UI_NO_POINTER) == 0 && ui_over(ui, rect) && (ui->active == 0 || ui->active == id);
    if (state.hovered) {
        ui->hot = id;
        if ((flags & UI_NO_HAND) == 0)
            ui->cursor = 2;
        press(ui, id, &state, flags);
    }
    if (ui->active == id)
        release(ui, &state);
    state.held = ui->active == id;
    state.focused = focusable && ui->focus == id;
    if (state.focused && (flags & UI_NO_KEYS) == 0 &&
        (ui_key(ui, KEY_ENTER, 0) || (ui->focus_visible && ui_key(ui, ' ', 0))))
        state.clicked = true;
    return state;
}

bool ui_pressed_right(Ui *ui, UiState state) {
    const InputEvent *down = state.hovered ? peek(ui, INPUT_BUTTON_DOWN) : NULL;
    if (down == NULL || down->button != POINTER_RIGHT)
        return false;
    take(ui, down);
    ui->again = true;
    return true;
}

void ui_focus(Ui *ui, UiId id) {
    ui->focus = id;
    ui->focus_visible = true;
    ui->again = true;
}

static int place_of(const Ui *ui, UiId id) {
    for (int i = 0; i < ui->order_count; i++)
        if (ui->order[i].id == id)
            return i;
    return -1;
}

void ui_name(Ui *ui, UiId id, const char *name) {
    int at = place_of(ui, id);
    if (at >= 0)
        snprintf(ui->order[at].name, UI_NAME_MAX, "%s", name);
}

static void remember_focus(Ui *ui) {
    int at = place_of(ui, ui->focus);
    if (at < 0)
        return;
    ui->focus_at = at;
    ui->focus_was = ui->focus;
}

void ui_focus_forget(Ui *ui) {
    ui->again |= ui->focus != 0;
    ui->focus = ui->focus_was = 0;
    ui->focus_at = 0;
}

void ui_focus_back(Ui *ui, UiId id, bool visible) {
    if (place_of(ui, ui->focus) >= 0)
        return;
    ui->again |= ui->focus != id;
    ui->focus = ui->focus_was = id;
    ui->focus_visible = visible;
}

/* Move the focus by step, 1 or -1, in tab order. Start from the focused control, or from the last
 * one that had the focus; if that control is gone, from its index. */
static void move_focus(Ui *ui, int step) {
    int at = place_of(ui, ui->focus != 0 ? ui->focus : ui->focus_was);
    if (at < 0)
        at = ui->focus_at - (step > 0);
    if (ui->order_count > 0)
        ui_focus(ui, ui->order[(at + step + ui->order_count) % ui->order_count].id);
}

/* True if the button was released while the dragged control was not drawn. */
static bool drag_ended_unseen(const Ui *ui) {
    for (int i = 0; i < event_count(ui); i++) {
        const InputEvent *event = &ui->input->events[i];
        if (is_seen(ui, i) && event->kind == INPUT_BUTTON_UP && event->button == POINTER_LEFT)
            return true;
    }
    return false;
}

void ui_end(Ui *ui) {
    remember_focus(ui);
    while (ui_key(ui, KEY_TAB, 0))
        move_focus(ui, 1);
    while (ui_key(ui, KEY_TAB, KEY_MOD_SHIFT))
        move_focus(ui, -1);
    if (peek(ui, INPUT_BUTTON_DOWN) != NULL)
        ui_focus_forget(ui);
    if (drag_ended_unseen(ui)) {
        ui->again |= ui->active != 0;
        ui->active = 0;
    }
    for (int layer = 0; layer < UI_LAYERS; layer++)
        ui->again |= !rect_equal(ui->cover[layer], ui->covering[layer]);
    memcpy(ui->cover, ui->covering, sizeof ui->cover);
}

int ui_choice_keys(Ui *ui, UiState state, int count, int chosen) {
    if (!state.focused)
        return -1;
    int steps = ui_keys(ui, KEY_RIGHT, 0) - ui_keys(ui, KEY_LEFT, 0), wanted = chosen + steps;
    wanted = steps == 0 ? chosen : wanted < 0 ? 0 : wanted >= count ? count - 1 : wanted;
    if (ui_keys(ui, KEY_HOME, 0) > 0)
        wanted = 0;
    if (ui_keys(ui, KEY_END, 0) > 0)
        wanted = count - 1;
    return wanted == chosen ? -1 : wanted;
}

void ui_focus_ring(Ui *ui, UiId id, Rect rect, float radius) {
    bool shown = ui->focus == id && ui->focus_visible && !ui->disabled;
    float lit = ui_tween(ui, id ^ FOCUS_TAG, shown ? 1 : 0, MOTION_HOVER);
    if (lit <= 0)
        return;
    Rect outer = {rect.x - 4, rect.y - 4, rect.w + 8, rect.h + 8};
    outer = rect_intersect(outer, ui->list->clip);
    if (outer.w > 4 && outer.h > 4)
        draw_ring(ui->list, outer, radius + 4, 2, colour_fade(ui->theme->ring, lit));
}

void ui_wake(Ui *ui, double time_s) {
    if (time_s < ui->next_time_s)
        ui->next_time_s = time_s;
}

void ui_point(Ui *ui, Rect rect, const char *text, size_t bytes) {
    if (ui->list->layer != UI_LAYER_BASE || !ui_over(ui, rect))
        return;
    bytes = bytes < UI_WORDS_MAX ? bytes : 0;
    memcpy(ui->pointed.text, text, bytes);
    ui->pointed.text[bytes] = '\0';
    ui->pointed.rect = rect;
}
