#include "draw/easing.h"

#define HALVINGS 24 /* bisections down to the precision of a float */

static const struct {
    float x1, y1, x2, y2;
} CURVES[EASE_COUNT] = {
    [EASE_LINEAR] = {0, 0, 1, 1},
    [EASE_STANDARD] = {0.2f, 0, 0, 1},
    [EASE_REROLL] = {0.3f, 0, 0.1f, 1},
    [EASE_FLIGHT] = {0.4f, 0, 0.2f, 1},
};

static float bezier(float control_1, float control_2, float s) {
    float r = 1 - s;
    return 3 * r * r * s * control_1 + 3 * r * s * s * control_2 + s * s * s;
}

float easing_at(Easing easing, float t) {
    if (!(t > 0))
        return 0;
    if (t >= 1)
        return 1;
    if (easing == EASE_LINEAR)
        return t;
    float low = 0, high = 1;
    for (int i = 0; i < HALVINGS; i++) {
        float middle = (low + high) / 2;
        if (bezier(CURVES[easing].x1, CURVES[easing].x2, middle) < t)
            low = middle;
        else
            high = middle;
    }
    return bezier(CURVES[easing].y1, CURVES[easing].y2, (low + high) / 2);
}
