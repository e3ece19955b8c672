#include "ui/scale_bar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "ui/formula.h"
#include "ui/label.h"

#define BAR_HEIGHT 12

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

static void bar_ticks(Ui *ui, Rect bar, const ScaleBar *scale) {
    float range = scale->hi - scale->lo;
    float step = scale_tick(range, (int)(bar.w / 44));
    LabelStyle style = {FONT_MONO, 15, ui->theme->text_2, LABEL_CENTRE};
    int first = (int)ceilf(scale->lo / step), last = (int)floorf(scale->hi / step + 0.01f);
    for (int i = first; i <= last; i++) {
        float v = step * (float)i;
        float x = draw_snap(ui->list, bar.x + bar.w * (v - scale->lo) / range);
        char text[32];
        tick_text(text, sizeof text, v, step);
        draw_fill(ui->list, (Rect){x, rect_bottom(bar), 1, 5}, 0, ui->theme->control);
        label_at(ui, (Vec2){x, rect_bottom(bar) + 20}, &style, text);
    }
}

void scale_bar(Ui *ui, Rect rect, const ScaleBar *scale) {
    float name = formula_width(ui, 20, scale->name);
    formula_draw(ui, (Vec2){rect.x, rect.y + BAR_HEIGHT}, 20, ui->theme->text_2, scale->name);
    rect_cut_left(&rect, name + 14);
    Rect bar = {draw_snap(ui->list, rect.x), draw_snap(ui->list, rect.y), rect.w, BAR_HEIGHT};
    bar_gradient(ui, bar, scale->palette);
    if (scale->hi > scale->lo)
        bar_ticks(ui, bar, scale);
    if (isnan(scale->marked))
        return;
    float t = fminf(fmaxf((scale->marked - scale->lo) / (scale->hi - scale->lo), 0), 1);
    Rect mark = {bar.x + bar.w * t - 3, bar.y - 4, 6, BAR_HEIGHT + 8};
    draw_ring(ui->list, rect_inset(mark, -1.5f, -1.5f), 4, 1.5f, ui->theme->casing);
    draw_ring(ui->list, mark, 3, 2, ui->theme->ring);
}
