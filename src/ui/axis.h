/* axis.h: a linear or logarithmic scale from values to positions, with round ticks and their
 * numbers. Pure, except for the drawing functions. */
#ifndef HEADLIGHT_UI_AXIS_H
#define HEADLIGHT_UI_AXIS_H

#include "base/number.h"
#include "ui/ui.h"

#define AXIS_TICKS_MAX 24
#define AXIS_X_HEIGHT  28 /* px below a plot for the numbers of its x axis */
#define AXIS_Y_WIDTH   56 /* px left of a plot for the numbers of its y axis */

/* An axis from lo to hi. lo < hi; if logarithmic, 0 < lo. */
typedef struct Axis {
    float lo, hi;
    bool logarithmic;
    bool whole; /* ticks only at whole numbers, for layers, steps and ranks */
} Axis;

/* Return an axis that contains all finite values[0..count) and ends at round numbers. A logarithmic
 * axis ignores values that are not above 0, and ends at powers of ten. If its values are close
 * together, it ends at round numbers that differ by a factor of 2 or more. Without values the axis
 * is 0 to 1, or 1 to 10 if logarithmic. */
Axis axis_of(const float *values, int count, bool logarithmic);

/* Return the position of value: 0 at lo, 1 at hi, not clamped. An infinite value, and a value that
 * is not above 0 on a logarithmic axis, gives ±INFINITY; NaN gives NaN. */
float axis_at(const Axis *axis, float value);

float axis_value(const Axis *axis, float at);

/* Fill out with round values from one end to the other, at most `most` of them; a `most` below 2
 * counts as 2. Return their number. */
int axis_ticks(float out[AXIS_TICKS_MAX], const Axis *axis, int most);

/* Write the number of a tick as formula markup, a power of ten as 10^{−2}. */
void axis_tick_markup(char *out, size_t capacity, const Axis *axis, float value);

/* Draw ticks and numbers below the plot. */
void axis_draw_x(Ui *ui, Rect plot, const Axis *axis);
/* Like axis_draw_x, but leave out the numbers that would touch a rectangle, `other`. */
void axis_draw_x_beside(Ui *ui, Rect plot, const Axis *axis, Rect other);
/* Draw grid lines across the plot, and their numbers left of it. */
void axis_draw_y(Ui *ui, Rect plot, const Axis *axis);

/* Write a value with at least three significant digits, and with an exponent if it is very large or
 * small. NaN gives "×", infinity "∞". */
const char *axis_value_text(char *out, size_t capacity, float value);
#define AXIS_VALUE(value) axis_value_text((char[NUMBER_TEXT]){0}, NUMBER_TEXT, value)

/* Write a value with two significant digits and without an exponent. */
void axis_value_brief(char *out, size_t capacity, float value);

#endif
