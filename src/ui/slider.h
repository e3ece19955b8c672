/* slider.h: a value in a range, by a knob on a track. */
#ifndef HEADLIGHT_UI_SLIDER_H
#define HEADLIGHT_UI_SLIDER_H

#include "ui/ui.h"

/* step > 0: the value is a multiple of it; 0: it is any in the range, and a key moves it by a
 * fiftieth of the track. standard is what a double click goes back to, NaN for none.
 * A logarithmic range has lo > 0. */
typedef struct SliderRange {
    float lo, hi, step, standard;
    bool logarithmic;
} SliderRange;

#define SLIDER_HEIGHT 36

/* Show *value on a track across rect and change it while the knob is dragged (Shift: a tenth as
 * fast; Ctrl: to round values), by the wheel, the arrows (Shift: ten steps), Page Up and Page
 * Down, Home and End. True where it changed; one drag is one ui->drag_serial. A value outside the
 * range stands at its end and stays as it is until it is moved. */
bool slider(Ui *ui, UiId id, Rect rect, const SliderRange *range, float *value);

#endif
