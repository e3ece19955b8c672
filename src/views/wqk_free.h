/* wqk_free.h: the singular values of a W_QK drawn whole, beside those of the head. They depend on
 * nothing but scheme, seed and shape: long ones are computed by one of the hands from the moment
 * that a session asks for them, while the Run itself is being made, and go on whatever else is
 * dragged. Every function belongs to the owner's thread. */
#ifndef HEADLIGHT_VIEWS_WQK_FREE_H
#define HEADLIGHT_VIEWS_WQK_FREE_H

#include "views/view.h"

/* See to it that they are made of today's session, unless the page shows none. */
void wqk_free_update(const ViewContext *context);

/* Those of the session that is shown, largest first, as many as *count; NULL and 0 where they are
 * not there. Valid until the next update. */
const double *wqk_free_sigma(int *count, const ViewContext *context);

/* Whether they have been missing for long enough to be said. */
bool wqk_free_is_late(const ViewContext *context);

/* For view.c. wqk_free_end stops, and waits if not for long: false where a hand works on, and then
 * the memory must stay. NULL is none. */
bool wqk_free_is_computing(WqkFree *spectrum);
bool wqk_free_end(WqkFree *spectrum);
void wqk_free_release(WqkFree *spectrum);

#endif
