/* head_chips.h: chips (small buttons) in the heads' colours to choose a head, and the layer of a
 * checkpoint. */
#ifndef HEADLIGHT_VIEWS_SHARED_HEAD_CHIPS_H
#define HEADLIGHT_VIEWS_SHARED_HEAD_CHIPS_H

#include "views/view.h"

/* Draw the chips at the right end of line. Return the part of the line that remains.
 *
 * If all is not NULL, draw another chip for all heads, on if *all is true. Set *changed_all to true
 * if a click switches between one head and all heads; the caller then changes the setting. */
Rect head_chips(const ViewContext *context, Rect line, const bool *all, bool *changed_all);

/* Draw the chips in large letters, for a lecture hall, with this height. */
void head_chips_large(const ViewContext *context, Rect line, float height);

/* Return the width of the chips in a line of this width, with the word Head. */
float head_chips_width(const ViewContext *context, float room, bool has_all);

/* Draw the choice of a checkpoint's layer at the right end of line, if there is room. has_map: a
 * button that opens or closes the map of all layers replaces the word Layer. */
void layer_chips(const ViewContext *context, Rect line, bool has_map);

/* Return the width that layer_chips needs; 0 if there are no layers to choose from. */
float layer_chips_width(const ViewContext *context);

#endif
