/* warp.h: maps values to positions on a colour scale. Pure. */
#ifndef HEADLIGHT_DRAW_WARP_H
#define HEADLIGHT_DRAW_WARP_H

#include "base/registry.h"

/* Rows of the registry WARPS in this order. */
typedef enum Warp { WARP_LINEAR, WARP_ROOT, WARP_LOG, WARP_COUNT } Warp;
extern const Registry WARPS;

#define WARP_DECADES 4 /* decades of values that the logarithmic scale shows */

/* Return the position of value on a scale that ends at hi > 0: 0 for 0, ±1 at ±hi and beyond.
 * Linear v/hi, root √(v/hi), logarithmic max(0, 1 + log₁₀(v/hi)/WARP_DECADES); each keeps the sign
 * of v. Values that are not finite are returned unchanged. */
float warp_at(Warp warp, float value, float hi);

#endif
