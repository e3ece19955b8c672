/* hand_list.h: the numbers set by hand, above the inspector: what each is, what they changed, and
 * the way back. */
#ifndef HEADLIGHT_APP_HAND_LIST_H
#define HEADLIGHT_APP_HAND_LIST_H

#include "app/app_state.h"

/* Draw the list and cut it off the top of *rest. Nothing if no number is set. */
void hand_list_draw(App *app, Rect *rest);

/* Commands: edit the score of the pinned or lit cell; compute every number again. */
void hand_edit(App *app, int argument);
void hand_reset(App *app, int argument);

#endif
