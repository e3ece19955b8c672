/* mark.h: small shapes that distinguish series without colour. */
#ifndef HEADLIGHT_UI_MARK_H
#define HEADLIGHT_UI_MARK_H

#include "ui/ui.h"

typedef enum Mark { MARK_NONE, MARK_CIRCLE, MARK_SQUARE, MARK_TRIANGLE, MARK_DIAMOND } Mark;

/* Draw a mark around a centre. size is the diameter of the circle; the sizes of the other shapes
 * look equal to it. */
void mark_draw(Ui *ui, Mark mark, Vec2 at, float size, Colour colour);

#endif
