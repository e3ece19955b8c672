#include "base/geom.h"

Rect rect_inset(Rect r, float dx, float dy) {
    dx = fminf(dx, r.w / 2);
    dy = fminf(dy, r.h / 2);
    return (Rect){r.x + dx, r.y + dy, r.w - 2 * dx, r.h - 2 * dy};
}

Rect rect_intersect(Rect a, Rect b) {
    float x = fmaxf(a.x, b.x), y = fmaxf(a.y, b.y);
    float right = fminf(rect_right(a), rect_right(b));
    float bottom = fminf(rect_bottom(a), rect_bottom(b));
    return (Rect){x, y, fmaxf(right - x, 0), fmaxf(bottom - y, 0)};
}

Rect rect_union(Rect a, Rect b) {
    float x = fminf(a.x, b.x), y = fminf(a.y, b.y);
    float right = fmaxf(rect_right(a), rect_right(b));
    float bottom = fmaxf(rect_bottom(a), rect_bottom(b));
    return (Rect){x, y, right - x, bottom - y};
}

Rect rect_within(Rect r, Rect area) {
    r.x = fmaxf(fminf(r.x, rect_right(area) - r.w), area.x);
    r.y = fmaxf(fminf(r.y, rect_bottom(area) - r.h), area.y);
    return r;
}

Rect rect_cut_left(Rect *r, float width) {
    Rect piece = {r->x, r->y, fminf(fmaxf(width, 0), r->w), r->h};
    r->x += piece.w;
    r->w -= piece.w;
    return piece;
}

Rect rect_cut_right(Rect *r, float width) {
    float w = fminf(fmaxf(width, 0), r->w);
    r->w -= w;
    return (Rect){r->x + r->w, r->y, w, r->h};
}

Rect rect_cut_top(Rect *r, float height) {
    Rect piece = {r->x, r->y, r->w, fminf(fmaxf(height, 0), r->h)};
    r->y += piece.h;
    r->h -= piece.h;
    return piece;
}

Rect rect_cut_bottom(Rect *r, float height) {
    float h = fminf(fmaxf(height, 0), r->h);
    r->h -= h;
    return (Rect){r->x, r->y + r->h, r->w, h};
}
