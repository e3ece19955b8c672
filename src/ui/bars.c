#include "ui/bars.h"

#include <math.h>

#define BAR_LEAST   1.5f /* px: bars thinner than this are merged */
#define BAR_GAP_MAX 3
#define ABOVE_ZERO  0.92f /* position in the palette of the colour for bars above zero */
#define BELOW_ZERO  0.08f

void bars_extent(float *up, float *down, const float *values, int count) {
    for (int i = 0; i < count; i++) {
        *up = isfinite(values[i]) ? fmaxf(*up, values[i]) : *up;
        *down = isfinite(values[i]) ? fmaxf(*down, -values[i]) : *down;
    }
}

/* Return the distance between two bars. Set *share to the number of values that share a bar. */
static float bar_step(Rect rect, const Bars *b, int *share) {
    float step = rect.w / (float)b->count;
    float most = (float)b->count;
    *share = step >= BAR_LEAST ? 1 : (int)fminf(ceilf(BAR_LEAST / fmaxf(step, 0)), fmaxf(most, 1));
    step *= (float)*share;
    return b->bar_most > 0 ? fminf(step, b->bar_most) : step;
}

float bars_middle(Rect rect, const Bars *b, int bar) {
    int share;
    float step = bar_step(rect, b, &share);
    return rect.x + step * ((float)(bar / share) + 0.5f);
}

int bars_draw(Ui *ui, Rect rect, const Bars *b) {
    float up = b->up, down = b->down, lo = b->lo, hi = b->hi, own_up = 0, own_down = 0;
    int share, under = -1, marked = b->marked - 1;
    if (b->count == 0)
        return -1;
    bars_extent(&own_up, &own_down, b->values, b->count);
    if (b->before != NULL)
        bars_extent(&own_up, &own_down, b->before, b->count);
    if (lo == 0 && hi == 0) {
        hi = fmaxf(own_up, own_down);
        lo = -hi;
    }
    if (up + down <= 0) {
        up = own_up + own_down > 0 ? own_up : 1;
        down = own_down;
    }
    float step = bar_step(rect, b, &share), gap = fminf(step * 0.15f, BAR_GAP_MAX);
    float unit = rect.h / (up + down), zero = draw_snap(ui->list, rect.y + up * unit);
    for (int from = 0; from < b->count; from += share) {
        int i = from;
        float most = -1;
        for (int k = from; k < from + share && k < b->count; k++) {
            float size = isfinite(b->values[k]) ? fabsf(b->values[k]) : -1;
            size = k == marked ? INFINITY : size;
            i = size > most ? k : i;
            most = fmaxf(most, size);
        }
        float value = b->values[i];
        Rect slot = {rect.x + step * (float)(from / share), rect.y, step, rect.h};
        if (ui_over(ui, slot))
            under = i;
        if (!isfinite(value))
            continue;
        float height = fmaxf(fabsf(value) * unit, value != 0 ? 1 : 0);
        Rect bar = {slot.x + gap / 2, value < 0 ? zero : zero - height, step - gap, height};
        float at = hi > lo ? (value - lo) / (hi - lo) : 0;
        if (b->by_sign)
            at = value < 0 ? BELOW_ZERO : ABOVE_ZERO;
        draw_fill(ui->list, bar, fminf(2, bar.h / 2), palette_colour(b->palette, at));
        if (i == marked)
            draw_ring(ui->list, rect_inset(bar, -2, -2), 4, 2, ui->theme->ring);
        if (b->before != NULL && isfinite(b->before[i])) {
            float was = fmaxf(fabsf(b->before[i]) * unit, 2);
            Rect outline = {bar.x, b->before[i] < 0 ? zero : zero - was, bar.w, was};
            draw_ring(ui->list, outline, fminf(2, was / 2), 1.5f, ui->theme->text_3);
        }
    }
    if (b->bar_most > 0)
        rect.w = fminf(step * ceilf((float)b->count / (float)share), rect.w);
    draw_fill(ui->list, (Rect){rect.x, zero, rect.w, 1}, 0, ui->theme->control);
    return under;
}
