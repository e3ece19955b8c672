/* changed_rect.h: finds where two pictures of one size differ. Pure. */
#ifndef HEADLIGHT_EXPORT_CHANGED_RECT_H
#define HEADLIGHT_EXPORT_CHANGED_RECT_H

#include <stdint.h>

typedef struct ChangedRect {
    int x, y, width, height; /* width is 0 if nothing differs */
} ChangedRect;

/* Return the smallest rectangle that contains every difference between before and now. */
ChangedRect changed_rect(const uint32_t *before, const uint32_t *now, int width, int height);

#endif
