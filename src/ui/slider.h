/* slider.h: a value in a range, shown as a knob on a track. */
#ifndef HEADLIGHT_UI_SLIDER_H
#define HEADLIGHT_UI_SLIDER_H

#include "ui/ui.h"

/* The range of a slider. step > 0: values are lo plus multiples of step. step 0: any value; a key
 * moves by a fiftieth of the track. standard is the value that a double click restores, NaN for
 * none. A logarithmic range has lo > 0. */
typedef struct SliderRange {
    float lo, hi, step, standard;
    bool logarithmic;
} SliderRange;

#define SLIDER_HEIGHT 36

/* Show *value on a track across rect. These change it: a press or drag on the track (Shift: a tenth
 * as fast; Ctrl: to round values), a double click, the wheel, arrows (Shift: ten steps), Page keys,
 * Home and End. Return true if *value changed. ui->drag_serial stays the same during a drag, which
 * is one undo step. A value outside the range is drawn at the end of the track and kept until the
 * user changes it. */
bool slider(Ui *ui, UiId id, Rect rect, const SliderRange *range, float *value);

#endif
