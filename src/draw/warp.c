#include "draw/warp.h"

#include <math.h>

static const Entry ROWS[] = {
    [WARP_LINEAR] = {"linear", "Linear", "", "Colour is proportional to the value."},
    [WARP_ROOT] = {"root", "Root", "", "Colour is proportional to the square root of the value."},
    [WARP_LOG] = {"log", "Log", "",
                  "Colour is proportional to the logarithm of the value, over four powers of ten."},
};
const Registry WARPS = REGISTRY("scales", "scale", ROWS);

float warp_at(Warp warp, float value, float hi) {
    if (!isfinite(value))
        return value;
    float share = fminf(fabsf(value) / hi, 1), at = share;
    if (warp == WARP_ROOT)
        at = sqrtf(share);
    if (warp == WARP_LOG)
        at = share > 0 ? fmaxf(1 + log10f(share) / WARP_DECADES, 0) : 0;
    return copysignf(at, value);
}
