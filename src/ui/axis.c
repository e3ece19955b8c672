#include "ui/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/scale_bar.h"

#define TICK_SIZE   15
#define NUMBERS_GAP 8  /* px: smallest distance between two numbers of an x axis */
#define HANDLE_GAP  4  /* px: smallest distance between a number and the handle */
#define X_SPACING   64 /* px: width of an x axis for each number on it */
#define Y_SPACING   34
#define SHORT_RATIO 6     /* an axis is short if the ratio of its two ends is at most this */
#define PLAIN_FROM  1e-3f /* smallest magnitude that is written without an exponent */
#define PLAIN_UP_TO 1e6f

static bool is_plain(float value) {
    float size = fabsf(value);
    return size == 0 || !isfinite(value) || (size >= PLAIN_FROM && size < PLAIN_UP_TO);
}

static float round_down(float value, bool logarithmic, float step) {
    return logarithmic ? powf(10, floorf(log10f(value) + 1e-4f)) : floorf(value / step) * step;
}

static float round_up(float value, bool logarithmic, float step) {
    return logarithmic ? powf(10, ceilf(log10f(value) - 1e-4f)) : ceilf(value / step) * step;
}

/* True for a logarithmic axis that is too short for powers of ten, and so needs round numbers. */
static bool is_short(const Axis *axis) {
    return axis->logarithmic && axis->hi <= SHORT_RATIO * axis->lo * 1.001f && is_plain(axis->lo) &&
           is_plain(axis->hi);
}

/* Set *axis to a short axis that contains lo and hi. Return false if they are too far apart, or too
 * small or large to be written without an exponent. */
static bool short_axis(Axis *axis, float lo, float hi) {
    float widen = fmaxf(1, sqrtf(2 * lo / hi));
    lo /= widen;
    hi *= widen;
    float step = scale_tick(hi - lo, 4);
    *axis = (Axis){round_down(lo, false, step), round_up(hi, false, step), true, false};
    return axis->lo > 0 && is_short(axis);
}

Axis axis_of(const float *values, int count, bool logarithmic) {
    float lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i]) || (logarithmic && values[i] <= 0))
            continue;
        lo = fminf(lo, values[i]);
        hi = fmaxf(hi, values[i]);
    }
    if (lo > hi)
        return (Axis){.lo = logarithmic ? 1 : 0, .hi = logarithmic ? 10 : 1, logarithmic};
    Axis axis;
    if (logarithmic && short_axis(&axis, lo, hi))
        return axis;
    float range = hi > lo ? hi - lo : fmaxf(fabsf(hi), 1);
    float step = scale_tick(range, 4);
    axis = (Axis){round_down(lo, logarithmic, step), round_up(hi, logarithmic, step), logarithmic,
                  false};
    if (axis.hi <= axis.lo)
        axis.hi = logarithmic ? axis.lo * 10 : axis.lo + step;
    return axis;
}

float axis_at(const Axis *axis, float value) {
    if (!axis->logarithmic)
        return (value - axis->lo) / (axis->hi - axis->lo);
    if (value <= 0)
        return -INFINITY;
    return (log10f(value) - log10f(axis->lo)) / (log10f(axis->hi) - log10f(axis->lo));
}

float axis_value(const Axis *axis, float at) {
    return axis->logarithmic ? axis->lo * powf(axis->hi / axis->lo, at)
                             : axis->lo + (axis->hi - axis->lo) * at;
}

static int log_ticks(float out[AXIS_TICKS_MAX], const Axis *axis, int most) {
    int first = (int)ceilf(log10f(axis->lo) - 1e-3f), last = (int)floorf(log10f(axis->hi) + 1e-3f);
    int every = 1, count = 0;
    while ((last - first) / every + 1 > most)
        every++;
    for (int power = first; power <= last; power += every)
        out[count++] = powf(10, (float)power);
    return count;
}

int axis_ticks(float out[AXIS_TICKS_MAX], const Axis *axis, int most) {
    most = most < 2 ? 2 : most > AXIS_TICKS_MAX ? AXIS_TICKS_MAX : most;
    if (axis->logarithmic && !is_short(axis))
        return log_ticks(out, axis, most);
    float step = scale_tick(axis->hi - axis->lo, most - 1);
    step = axis->whole ? fmaxf(ceilf(step), 1) : step;
    float first = axis->whole ? axis->lo : ceilf(axis->lo / step - 1e-3f) * step;
    int count = 0;
    while (count < most && first + step * (float)count <= axis->hi + step * 1e-3f) {
        float value = first + step * (float)count;
        out[count++] = fabsf(value) < step * 1e-3f ? 0 : value;
    }
    return count;
}

static int decimals_of(float value) {
    for (int decimals = 0; decimals < 4; decimals++) {
        float scaled = value * powf(10, (float)decimals);
        if (fabsf(scaled - roundf(scaled)) < 1e-3f * fmaxf(fabsf(scaled), 1))
            return decimals;
    }
    return 4;
}

/* Write a power of ten as formula markup: 1.5·10^{−7}, or 10^{4} for a whole power. */
static void power_markup(char *out, size_t capacity, float value) {
    int power = (int)floorf(log10f(fabsf(value)) + 1e-4f);
    float digits = value / powf(10, (float)power);
    const char *raised = FIXED(power, 0);
    if (fabsf(digits - 1) < 1e-3f)
        snprintf(out, capacity, "10^{%s}", raised);
    else
        snprintf(out, capacity, "%s·10^{%s}", FIXED((double)digits, decimals_of(digits)), raised);
}

void axis_tick_markup(char *out, size_t capacity, const Axis *axis, float value) {
    bool power = axis->logarithmic && !is_short(axis) && (value > 11 || value < 0.9f);
    if (power || !is_plain(value))
        power_markup(out, capacity, value);
    else if (value == roundf(value))
        number_format_grouped(out, capacity, (long long)value);
    else
        number_format_fixed(out, capacity, (double)value, decimals_of(value));
}

/* Return the power of ten of a value rounded to three digits, because 0.9996 is written as 1.00. */
static int power_of(float value) {
    double size = fabs((double)value);
    int power = (int)floor(log10(size));
    return power + (size / pow(10, power) >= 9.995);
}

const char *axis_value_text(char *out, size_t capacity, float value) {
    if (!is_plain(value)) {
        int power = power_of(value);
        snprintf(out, capacity, "%se%s", FIXED((double)value / pow(10, power), 2), FIXED(power, 0));
    } else if (isfinite(value) && fabsf(value) >= 1000) {
        number_format_grouped(out, capacity, llroundf(value));
    } else {
        int figures = value == 0 || !isfinite(value) ? 0 : power_of(value);
        number_format_fixed(out, capacity, (double)value, figures < 0 ? 2 - figures : 2);
    }
    return out;
}

void axis_value_brief(char *out, size_t capacity, float value) {
    int power = value != 0 && isfinite(value) ? power_of(value) : 0;
    double unit = pow(10, power - 1);
    double shown = isfinite(value) ? round((double)value / unit) * unit : (double)value;
    number_format_fixed(out, capacity, shown, power >= 1 ? 0 : 1 - power);
}

static bool is_plain_tick(const Axis *axis, float value) {
    return (!axis->logarithmic || is_short(axis)) && is_plain(value);
}

/* Return the letter size of a number that is drawn as a formula. Its exponent is drawn at 0.7 of
 * this size. While a tour is presented (is_plain), the exponent is as large as other numbers. */
static float power_size(const Ui *ui) {
    return ui->is_plain ? TICK_SIZE / 0.7f : TICK_SIZE + 2;
}

static float number_width(const Ui *ui, const Axis *axis, float value) {
    char markup[48];
    axis_tick_markup(markup, sizeof markup, axis, value);
    return is_plain_tick(axis, value)
               ? label_width(ui, FONT_MONO, TICK_SIZE, markup, strlen(markup))
               : formula_width(ui, power_size(ui), markup);
}

static void number_draw(Ui *ui, const Axis *axis, Vec2 at, float value) {
    char markup[48];
    LabelStyle style = {FONT_MONO, TICK_SIZE, ui->theme->text_2, LABEL_LEFT};
    axis_tick_markup(markup, sizeof markup, axis, value);
    if (is_plain_tick(axis, value))
        label_at(ui, at, &style, markup);
    else
        formula_draw(ui, at, power_size(ui), ui->theme->text_2, markup);
}

/* Return the left end of a number that is centred at x, but moved into the visible area. */
static float number_from(const Ui *ui, float x, float width) {
    Rect seen = ui->list->clip;
    return fmaxf(fminf(x - width / 2, rect_right(seen) - width), seen.x);
}

static bool have_room(const Ui *ui, Rect plot, const Axis *axis, const float *ticks, int count) {
    float end = -INFINITY;
    for (int i = 0; i < count; i++) {
        float width = number_width(ui, axis, ticks[i]);
        float from = number_from(ui, plot.x + plot.w * axis_at(axis, ticks[i]), width);
        if (from < end + NUMBERS_GAP)
            return false;
        end = from + width;
    }
    return true;
}

void axis_draw_x(Ui *ui, Rect plot, const Axis *axis) {
    axis_draw_x_beside(ui, plot, axis, (Rect){0});
}

void axis_draw_x_beside(Ui *ui, Rect plot, const Axis *axis, Rect other) {
    float ticks[AXIS_TICKS_MAX];
    int most = (int)(plot.w / X_SPACING) + 1, count = axis_ticks(ticks, axis, most);
    while (most > 2 && !have_room(ui, plot, axis, ticks, count))
        count = axis_ticks(ticks, axis, --most);
    float y = draw_snap(ui->list, rect_bottom(plot));
    draw_fill(ui->list, (Rect){plot.x, y, plot.w, 1}, 0, ui->theme->control);
    for (int i = 0; i < count; i++) {
        float x = draw_snap(ui->list, plot.x + plot.w * axis_at(axis, ticks[i]));
        draw_fill(ui->list, (Rect){x, y, 1, 5}, 0, ui->theme->control);
        float width = number_width(ui, axis, ticks[i]), from = number_from(ui, x, width);
        if (other.w == 0 || from + width + HANDLE_GAP <= other.x ||
            from - HANDLE_GAP >= rect_right(other))
            number_draw(ui, axis, (Vec2){from, y + 22}, ticks[i]);
    }
}

void axis_draw_y(Ui *ui, Rect plot, const Axis *axis) {
    float ticks[AXIS_TICKS_MAX];
    int count = axis_ticks(ticks, axis, (int)(plot.h / Y_SPACING) + 1);
    for (int i = 0; i < count; i++) {
        float y = draw_snap(ui->list, rect_bottom(plot) - plot.h * axis_at(axis, ticks[i]));
        draw_fill(ui->list, (Rect){plot.x, y, plot.w, 1}, 0, ui->theme->hair);
        float width = number_width(ui, axis, ticks[i]);
        number_draw(ui, axis, (Vec2){plot.x - 10 - width, y + 5}, ticks[i]);
    }
}
