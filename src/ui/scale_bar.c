#include "ui/scale_bar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "ui/formula.h"
#include "ui/label.h"

#define BAR_HEIGHT     12
#define WARPED_SPACING 40 /* px between ticks that are not evenly spaced */
#define TICK_SPACING   44
#define NUMBER_SIZE    15
#define NUMBER_GAP     8 /* px between the marked number and a tick's */
#define DECIMALS_MAX   6
#define END_SLACK      0.002f /* of the range, by which an end's number may differ from it */
#define START_BEYOND   9      /* px that a number reaches over the bar's start at most, */
#define END_BEYOND     18     /* and over its end */
#define END_AWAY       6      /* px more between an end's number and a tick's */
#define NUMBERS_FIRST  3      /* the marked one and those of both ends */

float scale_tick(float range, int most) {
    if (!(range > 0) || most < 1)
        return 1;
    float rough = range / (float)most, power = powf(10, floorf(log10f(rough)));
    static const float steps[] = {1, 2, 2.5f, 5, 10};
    for (int i = 0; i < 5; i++)
        if (steps[i] * power >= rough * 0.9999f)
            return steps[i] * power;
    return 10 * power;
}

/* The scale is drawn as pieces, each a gradient between two stops of the palette. */
static void bar_gradient(Ui *ui, Rect bar, int palette) {
    int pieces = PALETTES[palette].stop_count - 1;
    for (int i = 0; i < pieces; i++) {
        float left = draw_snap(ui->list, bar.x + bar.w * (float)i / (float)pieces);
        float right = draw_snap(ui->list, bar.x + bar.w * (float)(i + 1) / (float)pieces);
        draw_box(ui->list, &(DrawBox){.rect = {left, bar.y, right - left, bar.h},
                                      .fill = PALETTES[palette].stops[i],
                                      .fill_right = PALETTES[palette].stops[i + 1]});
    }
}

static int decimals_of(float step) {
    int decimals = step >= 1 ? 0 : (int)ceilf(-log10f(step) - 0.001f);
    float whole = step * powf(10, (float)decimals);
    return fabsf(whole - roundf(whole)) > 0.01f ? decimals + 1 : decimals;
}

/* ".10" for a tenth: in a legend the leading zero is left off, as in the cells. */
static void number_text(char *out, size_t capacity, float value, int decimals) {
    number_format_fixed(out, capacity, (double)value, decimals);
    bool fraction = fabsf(value) < 1 && decimals > 0 && value != 0;
    if (value == 0)
        snprintf(out, capacity, "0");
    char *zero = fraction ? strstr(out, "0.") : NULL;
    if (zero != NULL)
        memmove(zero, zero + 1, strlen(zero));
}

static void tick_text(char *out, size_t capacity, float value, float step) {
    number_text(out, capacity, value, decimals_of(step));
}

/* Where a value stands along the bar, 0 to 1, clamped. */
static float along(const ScaleBar *scale, float value) {
    float t = (value - scale->lo) / (scale->hi - scale->lo);
    if (scale->warp != WARP_LINEAR) {
        t = warp_at(scale->warp, value, scale->hi);
        t = scale->lo < 0 ? (t + 1) / 2 : t;
    }
    return fminf(fmaxf(t, 0), 1);
}

/* The bar, how many times the usual size it is, and the middles and widths of the numbers below it
 * that others give way to. */
typedef struct Bar {
    Rect rect;
    float grown;
    float taken_x[NUMBERS_FIRST], taken_w[NUMBERS_FIRST];
    int taken;
} Bar;

static float number_width(const Ui *ui, const Bar *bar, const char *text) {
    return label_width(ui, FONT_MONO, NUMBER_SIZE * bar->grown, text, strlen(text));
}

static void take(Bar *bar, float x, float width) {
    bar->taken_x[bar->taken] = x;
    bar->taken_w[bar->taken++] = width;
}

static bool is_free(const Bar *bar, float x, float width) {
    for (int i = 0; i < bar->taken; i++)
        if (fabsf(x - bar->taken_x[i]) < (bar->taken_w[i] + width) / 2 + NUMBER_GAP * bar->grown)
            return false;
    return true;
}

/* Returns its x. */
static float tick_line(Ui *ui, const Bar *bar, float at) {
    float x = draw_snap(ui->list, bar->rect.x + bar->rect.w * at);
    Rect line = {x, rect_bottom(bar->rect), fmaxf(roundf(bar->grown), 1), 5 * bar->grown};
    draw_fill(ui->list, line, 0, ui->theme->control);
    return x;
}

/* Write a number about x if it has room there, and return whether it has. */
static bool number_at(Ui *ui, const Bar *bar, float x, const char *text) {
    LabelStyle style = {FONT_MONO, NUMBER_SIZE * bar->grown, ui->theme->text_2, LABEL_CENTRE};
    bool fits = is_free(bar, x, number_width(ui, bar, text));
    if (fits)
        label_at(ui, (Vec2){x, rect_bottom(bar->rect) + 20 * bar->grown}, &style, text);
    return fits;
}

static void tick(Ui *ui, const Bar *bar, float at, const char *text) {
    number_at(ui, bar, tick_line(ui, bar, at), text);
}

/* At an end of the scale, with as many decimals as tell it, and at least so many. */
static void end_tick(Ui *ui, Bar *bar, const ScaleBar *scale, float value, int decimals) {
    char text[32];
    float slack = END_SLACK * (scale->hi - scale->lo);
    for (; decimals < DECIMALS_MAX; decimals++) {
        float power = powf(10, (float)decimals);
        if (fabsf(roundf(value * power) / power - value) <= slack)
            break;
    }
    number_text(text, sizeof text, value, decimals);
    float x = tick_line(ui, bar, along(scale, value)), width = number_width(ui, bar, text);
    float first = bar->rect.x + width / 2 - START_BEYOND * bar->grown;
    float last = rect_right(bar->rect) - width / 2 + END_BEYOND * bar->grown;
    x = fmaxf(fminf(x, last), first);
    if (number_at(ui, bar, x, text))
        take(bar, x, width + 2 * END_AWAY * bar->grown);
}

/* The marked number: a hundredth of the range, and of a small one its first two digits. */
static void marked_text(char *out, size_t capacity, const ScaleBar *scale) {
    float size = fabsf(scale->marked), step = powf(10, floorf(log10f(scale->hi - scale->lo)) - 2);
    if (scale->warp != WARP_LINEAR && size > 0)
        step = fminf(step, powf(10, floorf(log10f(size)) - 1));
    tick_text(out, capacity, scale->marked, fmaxf(step, powf(10, -DECIMALS_MAX)));
}

/* Write the marked number under its mark, inside the bar's ends. */
static void mark_number(Ui *ui, Bar *bar, const ScaleBar *scale) {
    char text[64];
    LabelStyle style = {FONT_MONO, NUMBER_SIZE * bar->grown, ui->theme->text_1, LABEL_CENTRE};
    marked_text(text, sizeof text, scale);
    float half = number_width(ui, bar, text) / 2,
          x = bar->rect.x + bar->rect.w * along(scale, scale->marked);
    x = fmaxf(fminf(x, rect_right(bar->rect) - half), bar->rect.x + half);
    label_at(ui, (Vec2){x, rect_bottom(bar->rect) + 20 * bar->grown}, &style, text);
    take(bar, x, 2 * half);
}

/* Where ticks are not evenly spaced: 5, 2 and 1 of each power of ten, from the end inwards, as many
 * as there is room for; on a logarithmic bar the powers alone. */
static void warped_ticks(Ui *ui, Bar *bar, const ScaleBar *scale) {
    static const float firsts[] = {5, 2, 1};
    float last = bar->rect.w, zero = bar->rect.w * along(scale, 0);
    float power = powf(10, floorf(log10f(scale->hi))), apart = WARPED_SPACING * bar->grown;
    end_tick(ui, bar, scale, scale->hi, 0);
    if (scale->lo < 0)
        end_tick(ui, bar, scale, scale->lo, 0);
    tick(ui, bar, along(scale, 0), "0");
    for (int decade = 0; decade <= WARP_DECADES; decade++, power /= 10)
        for (int i = scale->warp == WARP_LOG ? 2 : 0; i < 3; i++) {
            char text[32];
            float value = firsts[i] * power, at = along(scale, value);
            if (value > scale->hi * 1.001f || last - bar->rect.w * at < apart ||
                bar->rect.w * at - zero < apart)
                continue;
            last = bar->rect.w * at;
            tick_text(text, sizeof text, value, value);
            tick(ui, bar, at, text);
            tick_text(text, sizeof text, -value, value);
            if (scale->lo < 0)
                tick(ui, bar, along(scale, -value), text);
        }
}

/* Between ticks whose numbers keep clear of each other. */
static float linear_step(const Ui *ui, const Bar *bar, const ScaleBar *scale) {
    float range = scale->hi - scale->lo, step;
    int most = (int)(bar->rect.w / (TICK_SPACING * bar->grown)) + 1;
    bool has_room;
    do {
        char text[32];
        step = scale_tick(range, --most);
        tick_text(text, sizeof text, scale->lo < 0 ? -step : step, step);
        has_room =
            number_width(ui, bar, text) + NUMBER_GAP * bar->grown <= bar->rect.w * step / range;
    } while (!has_room && most > 1);
    return step;
}

static void bar_ticks(Ui *ui, Bar *bar, const ScaleBar *scale) {
    float range = scale->hi - scale->lo;
    for (int i = 0; scale->words[0] != NULL && i < 3; i++)
        tick(ui, bar, (float)i / 2, scale->words[i]);
    if (scale->words[0] != NULL)
        return;
    if (scale->warp != WARP_LINEAR) {
        warped_ticks(ui, bar, scale);
        return;
    }
    float step = linear_step(ui, bar, scale);
    int first = (int)floorf(scale->lo / step + 0.01f) + 1;
    int last = (int)ceilf(scale->hi / step - 0.01f) - 1;
    end_tick(ui, bar, scale, scale->hi, decimals_of(step));
    end_tick(ui, bar, scale, scale->lo, decimals_of(step));
    for (int i = first; i <= last; i++) {
        float v = step * (float)i;
        char text[32];
        tick_text(text, sizeof text, v, step);
        tick(ui, bar, (v - scale->lo) / range, text);
    }
}

void scale_bar(Ui *ui, Rect rect, const ScaleBar *scale) {
    float name = formula_width(ui, 20, scale->name);
    formula_draw(ui, (Vec2){rect.x, rect.y + BAR_HEIGHT}, 20, ui->theme->text_2, scale->name);
    rect_cut_left(&rect, name > 0 ? name + 14 : 0);
    float grown = scale->size > 0 ? scale->size / NUMBER_SIZE : 1;
    Bar bar = {.rect = {draw_snap(ui->list, rect.x), draw_snap(ui->list, rect.y), rect.w,
                        BAR_HEIGHT * grown},
               .grown = grown};
    bar_gradient(ui, bar.rect, scale->palette);
    if (!isnan(scale->marked) && scale->hi > scale->lo)
        mark_number(ui, &bar, scale);
    if (scale->hi > scale->lo)
        bar_ticks(ui, &bar, scale);
    if (isnan(scale->marked))
        return;
    float x = bar.rect.x + bar.rect.w * along(scale, scale->marked);
    Rect mark = {x - 3, bar.rect.y - 4, 6, BAR_HEIGHT + 8};
    draw_ring(ui->list, rect_inset(mark, -1.5f, -1.5f), 4, 1.5f, ui->theme->casing);
    draw_ring(ui->list, mark, 3, 2, ui->theme->ring);
}
