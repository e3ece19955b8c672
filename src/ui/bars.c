#include "ui/bars.h"

#include <math.h>
#include <stdio.h>

#include "ui/axis.h"
#include "ui/mark.h"
#include "ui/tooltip.h"

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

#define DOT_ON  2
#define DOT_OFF 4

int histogram_add(float *counts, int bins, float lo, float hi, const float *values, int count) {
    int outside = 0;
    for (int i = 0; i < count; i++) {
        float at = (values[i] - lo) / (hi - lo) * (float)bins;
        if (!(at >= 0 && at <= (float)bins)) {
            outside++;
            continue;
        }
        int bin = (int)at;
        counts[bin < bins ? bin : bins - 1]++;
    }
    return outside;
}

static float most(const float *values, int count, float so_far) {
    for (int i = 0; i < count; i++)
        so_far = isfinite(values[i]) ? fmaxf(so_far, values[i]) : so_far;
    return so_far;
}

static int bins_draw(Ui *ui, Rect plot, const Histogram *h, float top) {
    int under = -1;
    for (int i = 0; i < h->bins; i++) {
        float left = draw_snap(ui->list, plot.x + plot.w * (float)i / (float)h->bins);
        float right = draw_snap(ui->list, plot.x + plot.w * (float)(i + 1) / (float)h->bins);
        float height = plot.h * h->counts[i] / top, gap = right - left > 4 ? 1 : 0;
        if (ui_over(ui, (Rect){left, plot.y, right - left, plot.h}))
            under = i;
        if (height <= 0)
            continue;
        Rect bar = {left, rect_bottom(plot) - height, right - left - gap, height};
        draw_fill(ui->list, bar, 0, h->colour);
        if (i == under)
            draw_ring(ui->list, rect_inset(bar, -1, -1), 1, 1.5f, ui->theme->ring);
    }
    return under;
}

static void expected_draw(Ui *ui, Rect plot, const Histogram *h, float top) {
    float phase = 0;
    Vec2 from = {0, 0};
    for (int i = 0; i < h->expected_count; i++) {
        Vec2 to = {plot.x + plot.w * (float)i / (float)(h->expected_count - 1),
                   rect_bottom(plot) - plot.h * h->expected[i] / top};
        if (i > 0)
            polyline_piece(ui, &phase, from, to,
                           &(LineStyle){1.8f, ui->theme->text_1, DOT_ON, DOT_OFF});
        from = to;
    }
}

static float value_at(const Histogram *h, float share) {
    return h->logarithmic ? h->lo * powf(h->hi / h->lo, share) : h->lo + (h->hi - h->lo) * share;
}

static void explain(Ui *ui, UiId id, Rect plot, const Histogram *h, int bin) {
    char text[400] = "";
    if (bin >= 0) {
        int used = snprintf(text, sizeof text, "%s to %s: %.0f of %ld values.",
                            AXIS_VALUE(value_at(h, (float)bin / (float)h->bins)),
                            AXIS_VALUE(value_at(h, (float)(bin + 1) / (float)h->bins)),
                            (double)h->counts[bin], h->all);
        if (h->expected != NULL) {
            float place = ((float)bin + 0.5f) / (float)h->bins * (float)(h->expected_count - 1);
            snprintf(text + used, sizeof text - (size_t)used, " Expected: %s. %s",
                     AXIS_VALUE(h->expected[(int)(place + 0.5f)]),
                     h->meaning != NULL ? h->meaning : "");
        }
    }
    tooltip_on(ui, id, plot, bin >= 0, &(Tooltip){.text = text});
}

void histogram_draw(Ui *ui, UiId id, Rect rect, const Histogram *h) {
    Rect whole = rect;
    Rect below = rect_cut_bottom(&rect, AXIS_X_HEIGHT);
    float top = most(h->counts, h->bins, 0);
    Axis axis = {h->lo, h->hi, h->logarithmic, false};
    if (h->expected != NULL)
        top = most(h->expected, h->expected_count, top);
    top = top > 0 ? top * 1.04f : 1;
    float from = fmaxf((h->band_lo - h->lo) / (h->hi - h->lo), 0);
    float to = fminf((h->band_hi - h->lo) / (h->hi - h->lo), 1);
    if (to > from)
        draw_fill(ui->list, (Rect){rect.x + rect.w * from, rect.y, rect.w * (to - from), rect.h}, 0,
                  ui->theme->raised);
    int under = bins_draw(ui, rect, h, top);
    if (h->expected != NULL && h->expected_count > 1)
        expected_draw(ui, rect, h, top);
    axis_draw_x(ui, (Rect){below.x, rect.y, below.w, rect.h}, &axis);
    explain(ui, id, whole, h, under);
}
