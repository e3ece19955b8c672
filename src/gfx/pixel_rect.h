/* pixel_rect.h: rectangles of whole device pixels, y downwards. Pure. */
#ifndef HEADLIGHT_GFX_PIXEL_RECT_H
#define HEADLIGHT_GFX_PIXEL_RECT_H

#include <stdbool.h>

/* A rectangle of pixels. right and bottom are exclusive. */
typedef struct PixelRect {
    int left, top, right, bottom;
} PixelRect;

static inline bool pixel_rect_is_empty(const PixelRect *r) {
    return r->right <= r->left || r->bottom <= r->top;
}

static inline PixelRect pixel_rect_within(const PixelRect *a, const PixelRect *b) {
    return (PixelRect){a->left > b->left ? a->left : b->left, a->top > b->top ? a->top : b->top,
                       a->right < b->right ? a->right : b->right,
                       a->bottom < b->bottom ? a->bottom : b->bottom};
}

#endif
