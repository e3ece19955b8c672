/* head_chips.h: chips (small buttons) in the heads' colours to choose a head, and the layer of a
 * checkpoint. */
#ifndef HEADLIGHT_VIEWS_SHARED_HEAD_CHIPS_H
#define HEADLIGHT_VIEWS_SHARED_HEAD_CHIPS_H

#include "views/view.h"

/* Draw the chips at the right end of line. If all is not NULL, another chip stands for all heads,
 * and is on if *all. If a click on this chip or on a head's chip switches between one head and all,
 * set *changed_all to true; the caller then changes the setting. Return the rest of the line. */
Rect head_chips(const ViewContext *context, Rect line, const bool *all, bool *changed_all);

/* Draw the chips in large letters, for a lecture hall, with this height. */
void head_chips_large(const ViewContext *context, Rect line, float height);

/* Return the width that the chips take in a line of this width, with the word Head. */
float head_chips_width(const ViewContext *context, float room, bool has_all);

/* Draw the choice of a checkpoint's layer at the right end of line, if there is room. has_map: a
 * button that opens or closes the map of all layers replaces the word Layer. */
void layer_chips(const ViewContext *context, Rect line, bool has_map);

/* Return the width that layer_chips needs; 0 if there are no layers to choose from. */
float layer_chips_width(const ViewContext *context);

#endif
