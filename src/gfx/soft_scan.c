#include "gfx/soft_scan.h"

#include <math.h>

static int clamp_row(float at, const PixelRect *clip) {
    return (int)fmaxf((float)clip->top, fminf((float)clip->bottom, at));
}

SoftRows soft_rows(const Vec2 at[3], const PixelRect *clip) {
    float top = fminf(at[0].y, fminf(at[1].y, at[2].y));
    float bottom = fmaxf(at[0].y, fmaxf(at[1].y, at[2].y));
    return (SoftRows){.at = {at[0], at[1], at[2]},
                      .clip = *clip,
                      .y = clamp_row(ceilf(top - 0.5f), clip) - 1,
                      .end = clamp_row(ceilf(bottom - 0.5f), clip)};
}

/* Where an edge crosses the row's middle: the same from whichever end, so that neighbours agree. */
static bool crosses(float *x, Vec2 a, Vec2 b, float y) {
    if (a.y > b.y || (a.y == b.y && a.x > b.x)) {
        Vec2 upper = b;
        b = a;
        a = upper;
    }
    if (!(a.y <= y && y < b.y))
        return false;
    *x = a.x + (y - a.y) * ((b.x - a.x) / (b.y - a.y));
    return true;
}

static int clamp_column(float at, const PixelRect *clip) {
    return (int)fmaxf((float)clip->left, fminf((float)clip->right, ceilf(at - 0.5f)));
}

bool soft_rows_next(SoftRows *rows) {
    while (++rows->y < rows->end) {
        float left = INFINITY, right = -INFINITY, x;
        for (int i = 0; i < 3; i++)
            if (crosses(&x, rows->at[i], rows->at[(i + 1) % 3], (float)rows->y + 0.5f)) {
                left = fminf(left, x);
                right = fmaxf(right, x);
            }
        if (!(left < right))
            continue;
        rows->left = clamp_column(left, &rows->clip);
        rows->right = clamp_column(right, &rows->clip);
        if (rows->left < rows->right)
            return true;
    }
    return false;
}

SoftPlane soft_plane(const Vec2 at[3], float a, float b, float c) {
    float x1 = at[1].x - at[0].x, y1 = at[1].y - at[0].y;
    float x2 = at[2].x - at[0].x, y2 = at[2].y - at[0].y;
    float area = x1 * y2 - x2 * y1;
    return (SoftPlane){.corner = at[0],
                       .there = a,
                       .by_x = ((b - a) * y2 - (c - a) * y1) / area,
                       .by_y = ((c - a) * x1 - (b - a) * x2) / area};
}
