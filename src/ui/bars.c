#include "ui/bars.h"

#include <math.h>

#define BAR_GAP_MAX 3

/* Set *up to the largest value above zero, *down to the size of the lowest below zero. */
static void extent(const Bars *b, float *up, float *down) {
    *up = *down = 0;
    for (int i = 0; i < b->count; i++) {
        if (!isfinite(b->values[i]))
            continue;
        *up = fmaxf(*up, b->values[i]);
        *down = fmaxf(*down, -b->values[i]);
    }
    if (*up + *down <= 0)
        *up = 1;
}

int bars_draw(Ui *ui, Rect rect, const Bars *b) {
    float up, down, step = rect.w / (float)b->count;
    float gap = fminf(step * 0.15f, BAR_GAP_MAX);
    int under = -1;
    extent(b, &up, &down);
    float unit = rect.h / (up + down), zero = draw_snap(ui->list, rect.y + up * unit);
    for (int i = 0; i < b->count; i++) {
        float value = b->values[i];
        Rect slot = {rect.x + step * (float)i, rect.y, step, rect.h};
        if (ui_over(ui, slot))
            under = i;
        if (!isfinite(value))
            continue;
        float height = fmaxf(fabsf(value) * unit, value != 0 ? 1 : 0);
        Rect bar = {slot.x + gap / 2, value < 0 ? zero : zero - height, step - gap, height};
        float t = b->hi > b->lo ? (value - b->lo) / (b->hi - b->lo) : 0;
        draw_fill(ui->list, bar, fminf(2, bar.h / 2), palette_colour(b->palette, t));
        if (i == b->marked)
            draw_ring(ui->list, (Rect){bar.x - 2, bar.y - 2, bar.w + 4, bar.h + 4}, 4, 2,
                      ui->theme->ring);
    }
    draw_fill(ui->list, (Rect){rect.x, zero, rect.w, 1}, 0, ui->theme->control);
    return under;
}
