#include "ui/tween.h"

#include <string.h>

/* Maximum slots searched for an id; if none is free, the least recently used one is replaced. */
#define PROBES 64

const MotionRow MOTIONS[MOTION_COUNT] = {
    [MOTION_NONE] = {0, EASE_LINEAR},        [MOTION_HOVER] = {0.080f, EASE_LINEAR},
    [MOTION_PIN] = {0.140f, EASE_STANDARD},  [MOTION_VALUE] = {0.180f, EASE_STANDARD},
    [MOTION_VIEW] = {0.220f, EASE_STANDARD}, [MOTION_REROLL] = {0.280f, EASE_REROLL},
    [MOTION_STEP] = {0.600f, EASE_FLIGHT},
};

float ui_motion_s(const Ui *ui, Motion motion) {
    return ui->motion_s > 0 && motion != MOTION_NONE ? ui->motion_s : MOTIONS[motion].duration_s;
}

static UiTween *slot_of(Ui *ui, UiId id) {
    UiTween *oldest = NULL;
    for (unsigned probe = 0; probe < PROBES; probe++) {
        UiTween *slot = &ui->tweens[(id + probe) % UI_TWEENS_MAX];
        if (slot->id == id)
            return slot;
        if (oldest == NULL || slot->seen_frame < oldest->seen_frame)
            oldest = slot;
    }
    *oldest = (UiTween){.id = id};
    return oldest;
}

static float progress(const Ui *ui, const UiTween *tween) {
    double passed_s = ui->time_s - tween->start_s;
    if (tween->duration_s <= 0 || passed_s >= (double)tween->duration_s)
        return 1;
    return easing_at((Easing)tween->easing, (float)(passed_s / (double)tween->duration_s));
}

static void value_at(float out[4], const UiTween *tween, float t) {
    for (int i = 0; i < 4; i++)
        out[i] = t >= 1 ? tween->to[i] : tween->from[i] + (tween->to[i] - tween->from[i]) * t;
}

/* Move four numbers. value is the target on entry and the current value on return. */
static void tween(Ui *ui, UiId id, float value[4], Motion motion) {
    UiTween *slot = slot_of(ui, id);
    bool fresh = slot->seen_frame + 1 < ui->frame || slot->born_frame == 0;
    if (fresh)
        slot->born_frame = ui->frame;
    slot->seen_frame = ui->frame;
    if (slot->born_frame == ui->frame || ui->reduced_motion) {
        memcpy(slot->to, value, sizeof slot->to);
        slot->duration_s = 0;
        return;
    }
    if (slot->to[0] != value[0] || slot->to[1] != value[1] || slot->to[2] != value[2] ||
        slot->to[3] != value[3]) {
        float now[4];
        value_at(now, slot, progress(ui, slot));
        memcpy(slot->from, now, sizeof now);
        memcpy(slot->to, value, sizeof now);
        slot->start_s = ui->time_s;
        slot->duration_s = ui_motion_s(ui, motion);
        slot->easing = (int)MOTIONS[motion].easing;
    }
    float t = progress(ui, slot);
    value_at(value, slot, t);
    if (t < 1)
        ui_wake(ui, ui->time_s);
}

float ui_tween(Ui *ui, UiId id, float target, Motion motion) {
    float value[4] = {target, 0, 0, 0};
    tween(ui, id, value, motion);
    return value[0];
}

Colour ui_tween_colour(Ui *ui, UiId id, Colour target, Motion motion) {
    float value[4];
    Colour colour = 0;
    for (int i = 0; i < 4; i++)
        value[i] = (float)(target >> (24 - 8 * i) & 255);
    tween(ui, id, value, motion);
    for (int i = 0; i < 4; i++)
        colour |= (Colour)(value[i] + 0.5f) << (24 - 8 * i);
    return colour;
}

Rect ui_tween_rect(Ui *ui, UiId id, Rect target, Motion motion) {
    float value[4] = {target.x, target.y, target.w, target.h};
    tween(ui, id, value, motion);
    return (Rect){value[0], value[1], value[2], value[3]};
}
