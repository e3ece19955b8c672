#include "ui/scale_bar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "ui/formula.h"
#include "ui/label.h"

#define BAR_HEIGHT     12
#define WARPED_SPACING 40 /* px between ticks that are not evenly spaced */

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

/* ".10" for a tenth: in a legend the leading zero is left off, as in the cells. */
static void tick_text(char *out, size_t capacity, float value, float step) {
    int decimals = step >= 1 ? 0 : (int)ceilf(-log10f(step) - 0.001f);
    if (fabsf(step * powf(10, (float)decimals) - roundf(step * powf(10, (float)decimals))) > 0.01f)
        decimals++;
    number_format_fixed(out, capacity, (double)value, decimals);
    bool fraction = fabsf(value) < 1 && decimals > 0 && value != 0;
    if (value == 0)
        snprintf(out, capacity, "0");
    char *zero = fraction ? strstr(out, "0.") : NULL;
    if (zero != NULL)
        memmove(zero, zero + 1, strlen(zero));
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

static void tick(Ui *ui, Rect bar, float at, const char *text) {
    LabelStyle style = {FONT_MONO, 15, ui->theme->text_2, LABEL_CENTRE};
    float x = draw_snap(ui->list, bar.x + bar.w * at);
    draw_fill(ui->list, (Rect){x, rect_bottom(bar), 1, 5}, 0, ui->theme->control);
    label_at(ui, (Vec2){x, rect_bottom(bar) + 20}, &style, text);
}

/* Where ticks are not evenly spaced: 5, 2 and 1 of each power of ten, from the end inwards, as many
 * as there is room for; on a logarithmic bar the powers alone. */
static void warped_ticks(Ui *ui, Rect bar, const ScaleBar *scale) {
    static const float firsts[] = {5, 2, 1};
    float last = bar.w * 2, zero = bar.w * along(scale, 0);
    float power = powf(10, floorf(log10f(scale->hi)));
    tick(ui, bar, along(scale, 0), "0");
    for (int decade = 0; decade <= WARP_DECADES; decade++, power /= 10)
        for (int i = scale->warp == WARP_LOG ? 2 : 0; i < 3; i++) {
            char text[32];
            float value = firsts[i] * power, at = along(scale, value);
            if (value > scale->hi * 1.001f || last - bar.w * at < WARPED_SPACING ||
                bar.w * at - zero < WARPED_SPACING)
                continue;
            last = bar.w * at;
            tick_text(text, sizeof text, value, value);
            tick(ui, bar, at, text);
            tick_text(text, sizeof text, -value, value);
            if (scale->lo < 0)
                tick(ui, bar, along(scale, -value), text);
        }
}

static void bar_ticks(Ui *ui, Rect bar, const ScaleBar *scale) {
    float range = scale->hi - scale->lo;
    if (scale->warp != WARP_LINEAR) {
        warped_ticks(ui, bar, scale);
        return;
    }
    float step = scale_tick(range, (int)(bar.w / 44));
    int first = (int)ceilf(scale->lo / step), last = (int)floorf(scale->hi / step + 0.01f);
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
    Rect bar = {draw_snap(ui->list, rect.x), draw_snap(ui->list, rect.y), rect.w, BAR_HEIGHT};
    bar_gradient(ui, bar, scale->palette);
    if (scale->hi > scale->lo)
        bar_ticks(ui, bar, scale);
    if (isnan(scale->marked))
        return;
    float t = along(scale, scale->marked);
    Rect mark = {bar.x + bar.w * t - 3, bar.y - 4, 6, BAR_HEIGHT + 8};
    draw_ring(ui->list, rect_inset(mark, -1.5f, -1.5f), 4, 1.5f, ui->theme->casing);
    draw_ring(ui->list, mark, 3, 2, ui->theme->ring);
}
