/* warp.h: how values are spread over a colour scale. Pure. */
#ifndef HEADLIGHT_DRAW_WARP_H
#define HEADLIGHT_DRAW_WARP_H

#include "base/registry.h"

/* Rows of the registry WARPS in this order. */
typedef enum Warp { WARP_LINEAR, WARP_ROOT, WARP_LOG, WARP_COUNT } Warp;
extern const Registry WARPS;

#define WARP_DECADES 4 /* that the logarithmic scale shows below its end */

/* Where a value stands on a scale that ends at hi > 0: 0 for 0, 1 at hi and above, and the same
 * below 0 with a minus. Linear v/hi, root √(v/hi), logarithmic 1 + log₁₀(v/hi)/WARP_DECADES and 0
 * where that is less. Values that are not finite stay as they are. */
float warp_at(Warp warp, float value, float hi);

#endif
