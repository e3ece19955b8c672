/* easing.h: motion curves. Pure. */
#ifndef HEADLIGHT_DRAW_EASING_H
#define HEADLIGHT_DRAW_EASING_H

/* Cubic Béziers from (0, 0) to (1, 1), as in CSS Easing Functions Level 1, section 2.2. */
typedef enum Easing {
    EASE_LINEAR,
    EASE_STANDARD, /* (0.2, 0, 0, 1): starts fast, settles slowly */
    EASE_REROLL,   /* (0.3, 0, 0.1, 1) */
    EASE_FLIGHT,   /* (0.4, 0, 0.2, 1) */
    EASE_COUNT
} Easing;

/* Return the share of the distance covered at share t of the time, both 0 to 1; t is clamped. */
float easing_at(Easing easing, float t);

#endif
