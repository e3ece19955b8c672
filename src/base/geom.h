/* geom.h: points and rectangles in logical pixels, y downwards. Pure. */
#ifndef HEADLIGHT_BASE_GEOM_H
#define HEADLIGHT_BASE_GEOM_H

#include <math.h>
#include <stdbool.h>

typedef struct Vec2 {
    float x, y;
} Vec2;

typedef struct Rect {
    float x, y, w, h;
} Rect;

static inline Vec2 vec2_minus(Vec2 a, Vec2 b) {
    return (Vec2){a.x - b.x, a.y - b.y};
}

static inline float vec2_length(Vec2 v) {
    return sqrtf(v.x * v.x + v.y * v.y);
}

static inline Vec2 vec2_along(Vec2 from, Vec2 way, float distance) {
    return (Vec2){from.x + way.x * distance, from.y + way.y * distance};
}

/* Return the point between a (t = 0) and b (t = 1). */
static inline Vec2 vec2_between(Vec2 a, Vec2 b, float t) {
    return (Vec2){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

static inline float rect_right(Rect r) {
    return r.x + r.w;
}
static inline float rect_bottom(Rect r) {
    return r.y + r.h;
}
static inline Vec2 rect_centre(Rect r) {
    return (Vec2){r.x + r.w / 2, r.y + r.h / 2};
}

static inline bool rect_contains(Rect r, Vec2 p) {
    return p.x >= r.x && p.y >= r.y && p.x < r.x + r.w && p.y < r.y + r.h;
}

static inline bool rect_equal(Rect a, Rect b) {
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

/* Return r shrunk by dx at left and right, dy at top and bottom; w and h are at least 0. */
Rect rect_inset(Rect r, float dx, float dy);

/* Return the overlap of a and b; w or h is 0 if there is none. */
Rect rect_intersect(Rect a, Rect b);

/* Return the smallest rectangle that holds a and b. */
Rect rect_union(Rect a, Rect b);

/* Return r moved into area. If r is larger than area, the top left corners align. */
Rect rect_within(Rect r, Rect area);

/* Cut a piece off one side of *r, at most all of it, and return the piece; *r keeps the remainder.
 * Layouts are written with these four functions. */
Rect rect_cut_left(Rect *r, float width);
Rect rect_cut_right(Rect *r, float width);
Rect rect_cut_top(Rect *r, float height);
Rect rect_cut_bottom(Rect *r, float height);

/* In device pixels; right and bottom are exclusive. */
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
