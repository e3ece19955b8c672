/* polyline.h: a line through points, solid, or dashed along its whole length. */
#ifndef HEADLIGHT_UI_POLYLINE_H
#define HEADLIGHT_UI_POLYLINE_H

#include "ui/ui.h"

typedef struct LineStyle {
    float width;
    Colour colour;
    /* Lengths of a dash and a gap in logical pixels; dash_on == 0: a solid line. */
    float dash_on, dash_off;
} LineStyle;

/* Draw one piece of a line. *phase is the position in the dash pattern: 0 at the start of the line,
 * then kept from piece to piece. */
void polyline_piece(Ui *ui, float *phase, Vec2 from, Vec2 to, const LineStyle *style);

#endif
