#include "ui/polyline.h"

#include <math.h>

#define DASHES_MAX 4096 /* most dashes of one piece, enough for the widest window */

static Vec2 along(Vec2 from, Vec2 to, float t) {
    return (Vec2){from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
}

void polyline_piece(Ui *ui, float *phase, Vec2 from, Vec2 to, const LineStyle *style) {
    if (style->dash_on <= 0) {
        /* a dot that fills the corner between two pieces */
        float half = style->width / 2;
        draw_line(ui->list, from, to, style->width, style->colour);
        draw_fill(ui->list, (Rect){to.x - half, to.y - half, style->width, style->width}, half,
                  style->colour);
        return;
    }
    float length = hypotf(to.x - from.x, to.y - from.y), at = 0;
    float period = style->dash_on + style->dash_off;
    for (int i = 0; at < length && i < DASHES_MAX; i++) {
        float in = fmodf(*phase, period);
        bool on = in < style->dash_on;
        float piece = fminf((on ? style->dash_on : period) - in, length - at);
        if (on)
            draw_line(ui->list, along(from, to, at / length),
                      along(from, to, (at + piece) / length), style->width, style->colour);
        at += fmaxf(piece, 1e-3f);
        *phase = fmodf(in + piece, period);
    }
}
