/* mark.h: small shapes that tell series apart without their colour. */
#ifndef HEADLIGHT_UI_MARK_H
#define HEADLIGHT_UI_MARK_H

#include "ui/ui.h"

typedef enum Mark { MARK_NONE, MARK_CIRCLE, MARK_SQUARE, MARK_TRIANGLE, MARK_DIAMOND } Mark;

/* Draw about a centre; size is the circle's diameter, and the others weigh as much. */
void mark_draw(Ui *ui, Mark mark, Vec2 at, float size, Colour colour);

#endif
