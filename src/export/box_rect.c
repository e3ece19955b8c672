#include "export/box_rect.h"

#include <math.h>

Rect box_rect(const DrawBox *box, float scale) {
    Rect r = {box->rect.x * scale, box->rect.y * scale, box->rect.w * scale, box->rect.h * scale};
    float shorter = fminf(box->rect.w, box->rect.h);
    if (box->rect.w == box->rect.h && box->radius >= 0.5f * shorter)
        return r;
    float right = roundf(rect_right(r)), bottom = roundf(rect_bottom(r));
    if (r.w >= 0.5f)
        r.x = roundf(r.x), r.w = fmaxf(1, right - r.x);
    if (r.h >= 0.5f)
        r.y = roundf(r.y), r.h = fmaxf(1, bottom - r.y);
    return r;
}
