#include "views/shared/arrows.h"

#include <math.h>

#define NEAR_PX 5.0f /* px: the pointer is on an arrow if it is at most this far away */

void arrow_draw(const ViewContext *c, const Arrow *arrow, Colour colour) {
    DrawCurve curve = arrow->arc.curve;
    DrawTriangle head = arrow->arc.head;
    if (arrow->edge.weight < 0)
        curve.dash_on = 5, curve.dash_off = 4;
    curve.colour_from = curve.colour_to = colour;
    head.colour_a = head.colour_b = head.colour_c = colour;
    draw_curve(c->ui->list, &curve);
    draw_triangle(c->ui->list, &head);
}

void arrows_draw(const ViewContext *c, const Arrow *arrows, int count, const ArrowsStyle *style) {
    /* Order of drawing: lit arrows last, so that they are on top. */
    enum { OTHERS, TO_TOKEN, FROM_TOKEN, PASSES };
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 0; i < count; i++) {
            const Edge *edge = &arrows[i].edge;
            Colour colour = arrows[i].arc.curve.colour_from;
            int turn = edge->at.query == style->token ? FROM_TOKEN
                       : edge->at.key == style->token ? TO_TOKEN
                                                      : OTHERS;
            if (turn != pass || attn_cell_equal(edge->at, style->apart))
                continue;
            if (turn == FROM_TOKEN && style->reads != 0)
                colour = style->reads;
            float share = style->largest > 0 ? fminf(fabsf(edge->weight) / style->largest, 1) : 0;
            if (turn == OTHERS)
                colour = colour_fade(
                    arc_faint(colour, c->ui->theme->canvas, share, style->token >= 0), style->fade);
            arrow_draw(c, &arrows[i], colour);
        }
}

int arrow_at_pointer(const ViewContext *c, const Arrow *arrows, int count) {
    int nearest = -1;
    float best = NEAR_PX;
    for (int i = 0; i < count; i++) {
        const DrawCurve *curve = &arrows[i].arc.curve;
        float half = curve->width_from / 2;
        float away = curve_distance(curve, c->ui->pointer, best + half) - half;
        if (away < best) {
            best = away;
            nearest = i;
        }
    }
    return nearest;
}
