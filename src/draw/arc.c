#include "draw/arc.h"

#include <math.h>

#define HEAD_LENGTH 7.0f  /* px of the head's length, plus the curve's width */
#define HEAD_WIDTH  0.84f /* half the head's width as a share of its length */
#define LOOP_HALF   8.0f  /* half the height of a self-loop, before the curve's width is added */

float arc_width(float weight) {
    return 0.8f + 13 * fminf(fmaxf(weight, 0), 1);
}

float arc_head_length(float width) {
    return HEAD_LENGTH + width;
}

Colour arc_faint(Colour colour, Colour ground, float share, bool is_beside_lit) {
    float contrast = is_beside_lit ? 2 : 3, alpha = 0;
    while (alpha < 1 && colour_contrast(colour_mix(ground, colour, alpha), ground) < contrast)
        alpha = fminf(alpha + 0.02f, 1);
    return colour_fade(colour, is_beside_lit ? alpha : alpha + (1 - alpha) * share);
}

DrawTriangle arc_head(Vec2 tip, Vec2 back, float length, Colour colour) {
    float half = length * HEAD_WIDTH / 2;
    Vec2 base = {tip.x + back.x * length, tip.y + back.y * length};
    return (DrawTriangle){tip,
                          {base.x - back.y * half, base.y + back.x * half},
                          {base.x + back.y * half, base.y - back.x * half},
                          colour,
                          colour,
                          colour};
}

Arc arc_between(float x, float from_y, float to_y, float bulge, float width, Colour colour) {
    float side = bulge < 0 ? -1 : 1, reach = bulge * 4 / 3;
    bool loop = from_y == to_y;
    float spread = loop ? LOOP_HALF + width * 0.8f : 0;
    float start_y = from_y - spread, end_y = to_y + spread;
    Arc arc;
    /* The head points sideways at the column of tokens, against the bulge. */
    arc.head = arc_head((Vec2){x, end_y}, (Vec2){side, 0}, arc_head_length(width), colour);
    arc.curve = (DrawCurve){.from = {x, start_y},
                            .control_1 = {x + reach, start_y - spread},
                            .control_2 = {x + reach, end_y + spread},
                            .to = {x + side * (arc_head_length(width) - 1), end_y},
                            .width_from = width,
                            .width_to = width,
                            .colour_from = colour,
                            .colour_to = colour};
    arc.middle = curve_point(&arc.curve, 0.5f);
    return arc;
}
