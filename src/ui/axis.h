/* axis.h: a linear or logarithmic scale from a value to a place, with round ticks and their
 * numbers. Pure, but for the drawing. */
#ifndef HEADLIGHT_UI_AXIS_H
#define HEADLIGHT_UI_AXIS_H

#include "ui/ui.h"

#define AXIS_TICKS_MAX 24
#define AXIS_X_HEIGHT  28 /* room for the numbers under a plot */
#define AXIS_Y_WIDTH   56 /* and left of it */

/* lo < hi; logarithmic: 0 < lo. */
typedef struct Axis {
    float lo, hi;
    bool logarithmic;
    bool whole; /* ticks only at whole numbers: layers, steps, ranks */
} Axis;

/* The axis that holds all finite values[0..count), its ends moved out to round numbers; values
 * that a logarithmic one cannot hold are passed over. Without any it is 0 to 1, or 1 to 10. The
 * ends of a logarithmic one are powers of ten; where the values are nearly alike, numbers that are
 * round on a linear one, at least a factor of 2 apart, so that little differences stay little. */
Axis axis_of(const float *values, int count, bool logarithmic);

/* Where a value stands, 0 at lo and 1 at hi, not clamped: an infinite value, and on a logarithmic
 * axis what is not above 0, gives ±INFINITY; NaN gives NaN. */
float axis_at(const Axis *axis, float value);

/* The value at a place. */
float axis_value(const Axis *axis, float at);

/* Round values between the ends, at most `most` and AXIS_TICKS_MAX of them; returns how many. */
int axis_ticks(float out[AXIS_TICKS_MAX], const Axis *axis, int most);

/* A tick's number as formula markup, which differs from a plain one for powers of ten: 10^{−2}. */
void axis_tick_markup(char *out, size_t capacity, const Axis *axis, float value);

/* Ticks and numbers under plot, and left of it with grid lines across. */
void axis_draw_x(Ui *ui, Rect plot, const Axis *axis);
/* The same without the numbers that would touch what else stands among them, a handle. */
void axis_draw_x_beside(Ui *ui, Rect plot, const Axis *axis, Rect other);
void axis_draw_y(Ui *ui, Rect plot, const Axis *axis);

/* A value as a person reads it: three figures, powers of ten where it is very large or small, "×"
 * for not a number and "∞" for infinity. */
void axis_value_text(char *out, size_t capacity, float value);

#endif
