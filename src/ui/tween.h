/* tween.h: motion. A tween says where a value has got to on its way to a target: a closed form of
 * ui->time_s, whose start the Ui remembers by id.
 * What is first seen, or was not drawn in the frame before, stands at its target: a picture
 * without a past is the settled one. With ui->reduced_motion everything does. While a tween runs
 * the frame asks for another; once it has arrived nothing does.
 * A drag is never animated: MOTION_NONE takes the target at once. */
#ifndef HEADLIGHT_UI_TWEEN_H
#define HEADLIGHT_UI_TWEEN_H

#include "draw/easing.h"
#include "ui/ui.h"

typedef enum Motion {
    MOTION_NONE,   /* at once */
    MOTION_HOVER,  /* a hovered or focused thing lights up */
    MOTION_PIN,    /* a ring moves to a new cell */
    MOTION_VALUE,  /* a number or a cell changes its colour */
    MOTION_VIEW,   /* a view, a panel or a chosen segment changes */
    MOTION_REROLL, /* cells pass to their new colours, left to right */
    MOTION_STEP,   /* one step's flight */
    MOTION_COUNT
} Motion;

typedef struct MotionRow {
    float duration_s;
    Easing easing;
} MotionRow;

extern const MotionRow MOTIONS[MOTION_COUNT];

/* Where the value of that id stands on its way to target. */
float ui_tween(Ui *ui, UiId id, float target, Motion motion);
Colour ui_tween_colour(Ui *ui, UiId id, Colour target, Motion motion);
Rect ui_tween_rect(Ui *ui, UiId id, Rect target, Motion motion);

#endif
