#include "ui/mark.h"

#include <math.h>

#define DASHES_MAX 4096 /* maximum number of dashes of one piece, enough for the widest window */

void mark_draw(Ui *ui, Mark mark, Vec2 at, float size, Colour colour) {
    float half = size / 2, side = size * 0.89f, reach = size * 0.63f;
    switch (mark) {
    case MARK_NONE:
        break;
    case MARK_CIRCLE:
        draw_disc(ui->list, at, half, colour, 0, 0);
        break;
    case MARK_SQUARE:
        draw_fill(ui->list, (Rect){at.x - side / 2, at.y - side / 2, side, side}, 1, colour);
        break;
    case MARK_TRIANGLE:
        draw_fill_triangle(ui->list, (Vec2){at.x, at.y - reach}, (Vec2){at.x + reach, at.y + half},
                           (Vec2){at.x - reach, at.y + half}, colour);
        break;
    case MARK_DIAMOND:
        draw_fill_triangle(ui->list, (Vec2){at.x, at.y - reach}, (Vec2){at.x + reach, at.y},
                           (Vec2){at.x - reach, at.y}, colour);
        draw_fill_triangle(ui->list, (Vec2){at.x, at.y + reach}, (Vec2){at.x + reach, at.y},
                           (Vec2){at.x - reach, at.y}, colour);
        break;
    }
}

void polyline_piece(Ui *ui, float *phase, Vec2 from, Vec2 to, const LineStyle *style) {
    if (style->dash_on <= 0) {
        /* a dot that fills the corner between two pieces */
        draw_line(ui->list, from, to, style->width, style->colour);
        draw_disc(ui->list, to, style->width / 2, style->colour, 0, 0);
        return;
    }
    float length = hypotf(to.x - from.x, to.y - from.y), at = 0;
    float period = style->dash_on + style->dash_off;
    for (int i = 0; at < length && i < DASHES_MAX; i++) {
        float in = fmodf(*phase, period);
        bool on = in < style->dash_on;
        float piece = fminf((on ? style->dash_on : period) - in, length - at);
        if (on)
            draw_line(ui->list, vec2_between(from, to, at / length),
                      vec2_between(from, to, (at + piece) / length), style->width, style->colour);
        at += fmaxf(piece, 1e-3f);
        *phase = fmodf(in + piece, period);
    }
}
