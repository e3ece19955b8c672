#include "ui/scale_bar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "ui/formula.h"
#include "ui/label.h"

#define BAR_HEIGHT     12
#define WARPED_SPACING 40 /* px: smallest distance of ticks that are not evenly spaced */
#define TICK_SPACING   44
#define NUMBER_SIZE    15
#define NUMBER_GAP     8  /* px: smallest gap between the marked number and the number of a tick */
#define NUMBERS_H      24 /* px: height of the numbers below the bar */
#define DECIMALS_MAX   6
#define DECIMALS_PLAIN 4
#define END_SLACK      0.002f /* largest error of the number at an end, as a share of the range */
#define START_BEYOND   9      /* px by which a number may extend beyond the bar's start */
#define END_BEYOND     18     /* px by which a number may extend beyond the bar's end */
/* Px: additional gap between the number at an end and the number of a tick. */
#define END_AWAY 6
/* Number of texts that are written first: both ends and the marked number. */
#define NUMBERS_FIRST 3

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

/* Write ".10" for a tenth, without the leading zero, like the cells of the matrix. Numbers that
 * need many decimals get an exponent, as in 3e−7. */
static void number_text(char *out, size_t capacity, float value, int decimals) {
    char rounded[32];
    snprintf(rounded, sizeof rounded, "%.3g", (double)value);
    if (decimals > DECIMALS_PLAIN)
        number_format_digits(out, capacity, strtof(rounded, NULL));
    else
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

static float along(const ScaleBar *scale, float value) {
    float t = (value - scale->lo) / (scale->hi - scale->lo);
    if (scale->warp != WARP_LINEAR) {
        t = warp_at(scale->warp, value, scale->hi);
        t = scale->lo < 0 ? (t + 1) / 2 : t;
    }
    return fminf(fmaxf(t, 0), 1);
}

/* A bar while it is drawn. used_x and used_w are the centres and widths of the numbers that are
 * written first, which the numbers of ticks must not touch. */
typedef struct Bar {
    Rect rect;
    float scale_factor;
    float used_x[NUMBERS_FIRST], used_w[NUMBERS_FIRST];
    int used;
} Bar;

static float number_width(const Ui *ui, const Bar *bar, const char *text) {
    return label_width(ui, FONT_MONO, NUMBER_SIZE * bar->scale_factor, text, strlen(text));
}

static void reserve(Bar *bar, float x, float width) {
    bar->used_x[bar->used] = x;
    bar->used_w[bar->used++] = width;
}

static bool is_free(const Bar *bar, float x, float width) {
    for (int i = 0; i < bar->used; i++)
        if (fabsf(x - bar->used_x[i]) <
            (bar->used_w[i] + width) / 2 + NUMBER_GAP * bar->scale_factor)
            return false;
    return true;
}

static float tick_line(Ui *ui, const Bar *bar, float at) {
    float x = draw_snap(ui->list, bar->rect.x + bar->rect.w * at);
    Rect line = {x, rect_bottom(bar->rect), fmaxf(roundf(bar->scale_factor), 1),
                 5 * bar->scale_factor};
    draw_fill(ui->list, line, 0, ui->theme->control);
    return x;
}

/* Write a number centred at x if there is room. Return true if there was. */
static bool number_at(Ui *ui, const Bar *bar, float x, const char *text) {
    LabelStyle style = {FONT_MONO, NUMBER_SIZE * bar->scale_factor, ui->theme->text_2,
                        LABEL_CENTRE};
    bool fits = is_free(bar, x, number_width(ui, bar, text));
    if (fits)
        label_at(ui, (Vec2){x, rect_bottom(bar->rect) + 20 * bar->scale_factor}, &style, text);
    return fits;
}

static void tick(Ui *ui, const Bar *bar, float at, const char *text) {
    number_at(ui, bar, tick_line(ui, bar, at), text);
}

/* Draw the tick and number at an end of the scale, with enough decimals to identify the value. */
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
    float beyond = scale->is_inside ? 0 : bar->scale_factor;
    float first = bar->rect.x + width / 2 - START_BEYOND * beyond;
    float last = rect_right(bar->rect) - width / 2 + END_BEYOND * beyond;
    x = fmaxf(fminf(x, last), first);
    if (number_at(ui, bar, x, text))
        reserve(bar, x, width + 2 * END_AWAY * bar->scale_factor);
}

/* Write the marked number with an error of at most a hundredth of the range. On a warped scale,
 * write a small number with two digits. */
static void marked_text(char *out, size_t capacity, const ScaleBar *scale) {
    float size = fabsf(scale->marked), step = powf(10, floorf(log10f(scale->hi - scale->lo)) - 2);
    if (scale->warp != WARP_LINEAR && size > 0)
        step = fminf(step, powf(10, floorf(log10f(size)) - 1));
    tick_text(out, capacity, scale->marked, fmaxf(step, powf(10, -DECIMALS_MAX)));
}

/* Write the marked number below its mark. Move it so that it stays within the bar and keeps a gap
 * from the numbers already written. */
static void mark_number(Ui *ui, Bar *bar, const ScaleBar *scale) {
    char text[64];
    if (isnan(scale->marked))
        return;
    LabelStyle style = {FONT_MONO, NUMBER_SIZE * bar->scale_factor, ui->theme->text_1,
                        LABEL_CENTRE};
    marked_text(text, sizeof text, scale);
    float half = number_width(ui, bar, text) / 2,
          x = bar->rect.x + bar->rect.w * along(scale, scale->marked);
    x = fmaxf(fminf(x, rect_right(bar->rect) - half), bar->rect.x + half);
    for (int i = 0; i < bar->used; i++) {
        float away = bar->used_w[i] / 2 + half + NUMBER_GAP * bar->scale_factor;
        float inwards = bar->used_x[i] < bar->rect.x + bar->rect.w / 2 ? away : -away;
        x = fabsf(x - bar->used_x[i]) < away ? bar->used_x[i] + inwards : x;
    }
    label_at(ui, (Vec2){x, rect_bottom(bar->rect) + 20 * bar->scale_factor}, &style, text);
    reserve(bar, x, 2 * half);
}

/* Draw ticks that are not evenly spaced: at 5, 2 and 1 times each power of ten, starting at the end
 * of the bar, until there is no more room. A logarithmic bar has only the powers. */
static void warped_ticks(Ui *ui, Bar *bar, const ScaleBar *scale) {
    static const float firsts[] = {5, 2, 1};
    float last = bar->rect.w, zero = bar->rect.w * along(scale, 0);
    float power = powf(10, floorf(log10f(scale->hi))), apart = WARPED_SPACING * bar->scale_factor;
    end_tick(ui, bar, scale, scale->hi, 0);
    if (scale->lo < 0)
        end_tick(ui, bar, scale, scale->lo, 0);
    mark_number(ui, bar, scale);
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

/* Return a small, round distance of ticks at which their numbers don't touch. */
static float linear_step(const Ui *ui, const Bar *bar, const ScaleBar *scale) {
    float range = scale->hi - scale->lo, step;
    int most = (int)(bar->rect.w / (TICK_SPACING * bar->scale_factor)) + 1;
    bool has_room;
    do {
        char text[32];
        step = scale_tick(range, --most);
        tick_text(text, sizeof text, scale->lo < 0 ? -step : step, step);
        has_room = number_width(ui, bar, text) + NUMBER_GAP * bar->scale_factor <=
                   bar->rect.w * step / range;
    } while (!has_room && most > 1);
    /* Choose a round step that divides the range, so that the last tick before the end also has
     * room for a number. */
    for (int parts = (int)(range / step); scale->lo == 0 && parts >= 2; parts--) {
        float even = range / (float)parts, unit = powf(10, floorf(log10f(even) + 0.001f));
        if (fabsf(even / unit - roundf(even / unit)) < 0.001f)
            return even;
    }
    return step;
}

static void bar_ticks(Ui *ui, Bar *bar, const ScaleBar *scale) {
    float range = scale->hi - scale->lo;
    if (scale->words[0] != NULL)
        mark_number(ui, bar, scale);
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
    mark_number(ui, bar, scale);
    for (int i = first; i <= last; i++) {
        float v = step * (float)i;
        char text[32];
        tick_text(text, sizeof text, v, step);
        tick(ui, bar, (v - scale->lo) / range, text);
    }
}

/* Mark an even share: the weight of each key in a query that prefers none. */
static void even_mark(Ui *ui, const Bar *bar, const ScaleBar *scale) {
    char number[32], text[64];
    LabelStyle style = {FONT_SANS, NUMBER_SIZE, ui->theme->text_2, LABEL_LEFT};
    float x = draw_snap(ui->list, bar->rect.x + bar->rect.w * along(scale, scale->even));
    number_text(number, sizeof number, scale->even, 3);
    snprintf(text, sizeof text, "even share %s", number);
    float width = label_text_width(ui, &style, text);
    if (width > bar->rect.w)
        return;
    draw_fill(ui->list, (Rect){x, bar->rect.y - 4, fmaxf(bar->scale_factor, 1), bar->rect.h + 4}, 0,
              ui->theme->ring);
    label_at(ui, (Vec2){fminf(x, rect_right(bar->rect) - width), bar->rect.y - 7}, &style, text);
}

void scale_bar(Ui *ui, Rect rect, const ScaleBar *scale) {
    float name = formula_width(ui, 20, scale->name);
    formula_draw(ui, (Vec2){rect.x, rect.y + BAR_HEIGHT}, 20, ui->theme->text_2, scale->name);
    rect_cut_left(&rect, name > 0 ? name + 14 : 0);
    float scale_factor = scale->size > 0 ? scale->size / NUMBER_SIZE : 1;
    Bar bar = {.rect = {draw_snap(ui->list, rect.x), draw_snap(ui->list, rect.y), rect.w,
                        BAR_HEIGHT * scale_factor},
               .scale_factor = scale_factor};
    bar_gradient(ui, bar.rect, scale->palette);
    if (scale->hi > scale->lo)
        bar_ticks(ui, &bar, scale);
    Rect whole = {bar.rect.x - START_BEYOND, bar.rect.y, bar.rect.w + START_BEYOND + END_BEYOND,
                  bar.rect.h + NUMBERS_H * scale_factor};
    ui_point(ui, whole, "colour scale", strlen("colour scale"));
    if (scale->even > 0)
        even_mark(ui, &bar, scale);
    if (isnan(scale->marked))
        return;
    float x = bar.rect.x + bar.rect.w * along(scale, scale->marked);
    Rect mark = {x - 3, bar.rect.y - 4, 6, BAR_HEIGHT + 8};
    draw_ring(ui->list, rect_inset(mark, -1.5f, -1.5f), 4, 1.5f, ui->theme->casing);
    draw_ring(ui->list, mark, 3, 2, ui->theme->ring);
}
