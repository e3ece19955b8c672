#include "ui/slider.h"

#include <math.h>

#include "ui/skin.h"

#define KNOB      18
#define TRACK     4
#define KEY_STEPS 50 /* number of key presses over the whole track, if step is 0 */
#define FINE      0.1f

static float track_of(const SliderRange *r, float value) {
    float at = r->logarithmic ? logf(fmaxf(value, r->lo) / r->lo) / logf(r->hi / r->lo)
                              : (value - r->lo) / (r->hi - r->lo);
    return fminf(fmaxf(at, 0), 1);
}

static float value_of(const SliderRange *r, float at) {
    at = fminf(fmaxf(at, 0), 1);
    float value = r->logarithmic ? r->lo * powf(r->hi / r->lo, at) : r->lo + (r->hi - r->lo) * at;
    if (r->step > 0)
        value = r->lo + roundf((value - r->lo) / r->step) * r->step;
    return fminf(fmaxf(value, r->lo), r->hi);
}

/* Return the round value nearest to a position. On a logarithmic range, round values are 1, 2 or 5
 * times a power of ten, otherwise lo plus a multiple of a tenth of the range. */
static float snapped(const SliderRange *r, float at) {
    if (!r->logarithmic)
        return value_of(r, roundf(at * 10) / 10);
    static const float rounds[] = {1, 2, 5, 10};
    float value = value_of(r, at), power = powf(10, floorf(log10f(value))), best = value;
    float nearest = INFINITY;
    for (int i = 0; i < 4; i++) {
        float distance = fabsf(logf(rounds[i] * power / value));
        if (distance < nearest) {
            nearest = distance;
            best = rounds[i] * power;
        }
    }
    return fminf(fmaxf(best, r->lo), r->hi);
}

/* Handle the pointer. A press next to the knob moves the knob to the pointer; after a press on the
 * knob, its distance from the pointer stays. With Shift the knob moves more slowly. Only motion of
 * the pointer moves the knob, because the track itself may move during a drag. */
static void drag(Ui *ui, UiState state, Rect track, const SliderRange *r, float *value) {
    float pointer = (ui->pointer.x - track.x) / track.w, knob = track_of(r, *value);
    if (state.pressed) {
        bool on_knob = fabsf(knob - pointer) * track.w <= KNOB / 2;
        ui->drag_slip = on_knob ? knob - pointer : 0;
        ui->drag_from = ui->pointer.x;
    }
    float way = ui->pointer_moved ? ui->pointer.x - ui->drag_from : 0;
    if ((ui->input->mods & KEY_MOD_SHIFT) != 0)
        ui->drag_slip -= way / track.w * (1 - FINE);
    ui->drag_from = ui->pointer.x;
    if (!ui->pointer_moved && !(state.pressed && ui->drag_slip == 0))
        return;
    float at = pointer + ui->drag_slip;
    bool snaps = (ui->input->mods & KEY_MOD_COMMAND) != 0;
    *value = snaps ? snapped(r, fminf(fmaxf(at, 0), 1)) : value_of(r, at);
}

static float key_steps(Ui *ui) {
    float steps = 0;
    static const struct {
        uint32_t key;
        unsigned mods;
        float steps;
    } keys[] = {{KEY_RIGHT, 0, 1},
                {KEY_LEFT, 0, -1},
                {KEY_UP, 0, 1},
                {KEY_DOWN, 0, -1},
                {KEY_RIGHT, KEY_MOD_SHIFT, 10},
                {KEY_LEFT, KEY_MOD_SHIFT, -10},
                {KEY_UP, KEY_MOD_SHIFT, 10},
                {KEY_DOWN, KEY_MOD_SHIFT, -10},
                {KEY_PAGE_UP, 0, 10},
                {KEY_PAGE_DOWN, 0, -10}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        while (ui_key(ui, keys[i].key, keys[i].mods))
            steps += keys[i].steps;
    return steps;
}

/* Move *value by this number of steps. In a range with a step, the result is lo plus a multiple of
 * that step. */
static void step(const SliderRange *r, float *value, float steps) {
    if (steps == 0)
        return;
    if (r->step > 0)
        *value = value_of(r, track_of(r, fminf(fmaxf(*value + steps * r->step, r->lo), r->hi)));
    else
        *value = value_of(r, track_of(r, *value) + steps / KEY_STEPS);
}

static void draw(Ui *ui, UiId id, Rect track, UiState state, float at) {
    float x = track.x + track.w * at, grow = state.held || state.hovered ? 1 : 0;
    Rect done = {track.x, track.y, x - track.x, track.h};
    Rect knob = {x - KNOB / 2 - grow, track.y + TRACK / 2 - KNOB / 2 - grow, KNOB + 2 * grow,
                 KNOB + 2 * grow};
    draw_fill(ui->list, track, TRACK / 2, skin_ink(state, ui->theme->control));
    draw_fill(ui->list, done, fminf(TRACK / 2, done.w / 2), skin_ink(state, ui->theme->fill));
    draw_fill(ui->list, knob, knob.h / 2, state.disabled ? ui->theme->control : ui->theme->ring);
    ui_focus_ring(ui, id, knob, knob.h / 2);
}

bool slider(Ui *ui, UiId id, Rect rect, const SliderRange *range, float *value) {
    if (ui->is_plain)
        return false;
    Rect track = {rect.x + KNOB / 2, rect.y + rect.h / 2 - TRACK / 2, fmaxf(rect.w - KNOB, 1),
                  TRACK};
    float was = *value;
    UiState state = ui_control(ui, id, rect, UI_NO_KEYS);
    if (state.held)
        drag(ui, state, track, range, value);
    if (state.pressed && state.clicks == 2 && !isnan(range->standard))
        *value = range->standard;
    if (state.focused) {
        step(range, value, key_steps(ui));
        if (ui_key(ui, KEY_HOME, 0))
            *value = range->lo;
        if (ui_key(ui, KEY_END, 0))
            *value = range->hi;
    }
    unsigned mods = 0;
    Vec2 notches = ui_wheel(ui, id, rect, &mods);
    float steps = notches.y != 0 ? notches.y : notches.x;
    step(range, value, (mods & KEY_MOD_SHIFT) != 0 ? steps * 10 : steps);
    draw(ui, id, track, state, track_of(range, *value));
    return *value != was;
}
