/* head_chips.h: chips in the heads' colours to choose a head, and the layer of a checkpoint. */
#ifndef HEADLIGHT_VIEWS_SHARED_HEAD_CHIPS_H
#define HEADLIGHT_VIEWS_SHARED_HEAD_CHIPS_H

#include "views/view.h"

/* Draw the chips at the right end of line. If all is not NULL, one more chip stands for all heads,
 * and is on if *all. A click on it sets *changed_all to true; the caller then switches *all. Return
 * the rest of the line. */
Rect head_chips(const ViewContext *context, Rect line, const bool *all, bool *changed_all);

/* Draw the chips in large letters, for a hall, with this height. */
void head_chips_large(const ViewContext *context, Rect line, float height);

/* Return the width that the chips take in a line of this width, next to the head's name. */
float head_chips_width(const ViewContext *context, float room, bool has_all);

/* Draw the choice of a checkpoint's layer at the right end of line, if there is room. has_map: the
 * name Layer opens the map of all layers. */
void layer_chips(const ViewContext *context, Rect line, bool has_map);

/* Return the width that layer_chips needs; 0 if there are no layers to choose from. */
float layer_chips_width(const ViewContext *context);

#endif
