/* tween.h: motion. A tween is the value on its way to a target: a closed form of ui->time_s whose
 * start the Ui remembers by id.
 * A value that is new, or was not drawn in the frame before, is at its target, so a picture without
 * a past shows the final state. With ui->reduced_motion every value is at
 * its target. A running tween requests
 * the next frame.
 * A drag is never animated: MOTION_NONE takes the target at once. */
#ifndef HEADLIGHT_UI_TWEEN_H
#define HEADLIGHT_UI_TWEEN_H

#include "draw/easing.h"
#include "ui/ui.h"

typedef enum Motion {
    MOTION_NONE,   /* at once */
    MOTION_HOVER,  /* a hovered or focused control lights up */
    MOTION_PIN,    /* a ring moves to another cell */
    MOTION_VALUE,  /* a number or a cell changes its colour */
    MOTION_VIEW,   /* a view, a panel or a chosen segment changes */
    MOTION_REROLL, /* cells change to new colours, left to right */
    MOTION_STEP,   /* the flight of one step */
    MOTION_COUNT
} Motion;

typedef struct MotionRow {
    float duration_s;
    Easing easing;
} MotionRow;

extern const MotionRow MOTIONS[MOTION_COUNT];

/* Return the seconds that a motion of this kind takes: ui->motion_s if it is set, else its own
 * duration. */
float ui_motion_s(const Ui *ui, Motion motion);

/* Return the current value of this id on its way to target. */
float ui_tween(Ui *ui, UiId id, float target, Motion motion);
Colour ui_tween_colour(Ui *ui, UiId id, Colour target, Motion motion);
Rect ui_tween_rect(Ui *ui, UiId id, Rect target, Motion motion);

#endif
