#include "base/geom.h"

static float smaller(float a, float b) {
    return a < b ? a : b;
}

static float larger(float a, float b) {
    return a > b ? a : b;
}

Rect rect_inset(Rect r, float dx, float dy) {
    dx = smaller(dx, r.w / 2);
    dy = smaller(dy, r.h / 2);
    return (Rect){r.x + dx, r.y + dy, r.w - 2 * dx, r.h - 2 * dy};
}

Rect rect_intersect(Rect a, Rect b) {
    float x = larger(a.x, b.x), y = larger(a.y, b.y);
    float right = smaller(rect_right(a), rect_right(b));
    float bottom = smaller(rect_bottom(a), rect_bottom(b));
    return (Rect){x, y, larger(right - x, 0), larger(bottom - y, 0)};
}

Rect rect_union(Rect a, Rect b) {
    float x = smaller(a.x, b.x), y = smaller(a.y, b.y);
    float right = larger(rect_right(a), rect_right(b));
    float bottom = larger(rect_bottom(a), rect_bottom(b));
    return (Rect){x, y, right - x, bottom - y};
}

Rect rect_within(Rect r, Rect area) {
    r.x = larger(smaller(r.x, rect_right(area) - r.w), area.x);
    r.y = larger(smaller(r.y, rect_bottom(area) - r.h), area.y);
    return r;
}

Rect rect_cut_left(Rect *r, float width) {
    Rect piece = {r->x, r->y, smaller(larger(width, 0), r->w), r->h};
    r->x += piece.w;
    r->w -= piece.w;
    return piece;
}

Rect rect_cut_right(Rect *r, float width) {
    float w = smaller(larger(width, 0), r->w);
    r->w -= w;
    return (Rect){r->x + r->w, r->y, w, r->h};
}

Rect rect_cut_top(Rect *r, float height) {
    Rect piece = {r->x, r->y, r->w, smaller(larger(height, 0), r->h)};
    r->y += piece.h;
    r->h -= piece.h;
    return piece;
}

Rect rect_cut_bottom(Rect *r, float height) {
    float h = smaller(larger(height, 0), r->h);
    r->h -= h;
    return (Rect){r->x, r->y + r->h, r->w, h};
}
