/* head_chips.h: the choice of a head, as chips in the heads' colours. */
#ifndef HEADLIGHT_VIEWS_SHARED_HEAD_CHIPS_H
#define HEADLIGHT_VIEWS_SHARED_HEAD_CHIPS_H

#include "views/view.h"

/* Draw at the right end of line. Where all is not NULL a last chip stands for all heads, chosen
 * where *all; *changed_all becomes true where a click asks for the opposite. */
void head_chips(const ViewContext *context, Rect line, const bool *all, bool *changed_all);

/* The width that it would take of a line so wide, the name at its left included. */
float head_chips_width(const ViewContext *context, float room, bool has_all);

#endif
