/* tween.h: motion. A tween is a value that moves to a target, as a function of ui->time_s; the Ui
 * stores its start by id. A running tween requests the next frame. A value that the previous frame
 * did not draw is at its target at once, so a picture without earlier frames shows the final state.
 * Every value is at its target with ui->reduced_motion, and with MOTION_NONE, which is for drags.
 */
#ifndef HEADLIGHT_UI_TWEEN_H
#define HEADLIGHT_UI_TWEEN_H

#include "draw/easing.h"
#include "ui/ui.h"

typedef enum Motion {
    MOTION_NONE,   /* no motion: the value is at its target at once */
    MOTION_HOVER,  /* the colour of a control that is hovered or focused */
    MOTION_PIN,    /* something that moves to another place, such as a ring */
    MOTION_VALUE,  /* cells that change their colours */
    MOTION_VIEW,   /* a larger change, such as a panel that opens or another chosen segment */
    MOTION_REROLL, /* cells that change to new colours from left to right */
    MOTION_STEP,   /* the animation of one step in a view that plays */
    MOTION_COUNT
} Motion;

typedef struct MotionRow {
    float duration_s;
    Easing easing;
} MotionRow;

extern const MotionRow MOTIONS[MOTION_COUNT];

/* Return the duration of a motion of this kind in seconds: ui->motion_s if it is set, otherwise the
 * kind's own duration. */
float ui_motion_s(const Ui *ui, Motion motion);

/* Return the current value of this id while it moves to target. */
float ui_tween(Ui *ui, UiId id, float target, Motion motion);
Colour ui_tween_colour(Ui *ui, UiId id, Colour target, Motion motion);
Rect ui_tween_rect(Ui *ui, UiId id, Rect target, Motion motion);

#endif
