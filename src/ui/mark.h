/* mark.h: the marks and lines of chart series: small shapes that distinguish series without colour,
 * and solid or dashed lines through points. Dashes continue across the points. */
#ifndef HEADLIGHT_UI_MARK_H
#define HEADLIGHT_UI_MARK_H

#include "ui/ui.h"

typedef enum Mark { MARK_NONE, MARK_CIRCLE, MARK_SQUARE, MARK_TRIANGLE, MARK_DIAMOND } Mark;

/* Draw a mark around a centre. size is the diameter of the circle; the sizes of the other shapes
 * look equal to it. */
void mark_draw(Ui *ui, Mark mark, Vec2 at, float size, Colour colour);

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
