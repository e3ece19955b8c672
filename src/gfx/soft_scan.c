#include "gfx/soft_scan.h"

#include <math.h>

#include "gfx/soft_mix.h"

static int clamp_row(float at, const PixelRect *clip) {
    return (int)soft_most((float)clip->top, soft_least((float)clip->bottom, at));
}

static SoftEdge edge_of(Vec2 a, Vec2 b) {
    if (a.y > b.y || (a.y == b.y && a.x > b.x)) {
        Vec2 upper = b;
        b = a;
        a = upper;
    }
    return (SoftEdge){.from = a, .end_y = b.y, .slope = (b.x - a.x) / (b.y - a.y)};
}

SoftRows soft_rows(const Vec2 at[3], const PixelRect *clip) {
    float top = soft_least(at[0].y, soft_least(at[1].y, at[2].y));
    float bottom = soft_most(at[0].y, soft_most(at[1].y, at[2].y));
    return (SoftRows){
        .edges = {edge_of(at[0], at[1]), edge_of(at[1], at[2]), edge_of(at[2], at[0])},
        .clip = *clip,
        .y = clamp_row(ceilf(top - 0.5f), clip) - 1,
        .end = clamp_row(ceilf(bottom - 0.5f), clip)};
}

static int clamp_column(float at, const PixelRect *clip) {
    return (int)soft_most((float)clip->left, soft_least((float)clip->right, ceilf(at - 0.5f)));
}

bool soft_rows_next(SoftRows *rows) {
    while (++rows->y < rows->end) {
        float left = INFINITY, right = -INFINITY, y = (float)rows->y + 0.5f;
        for (int i = 0; i < 3; i++) {
            const SoftEdge *edge = &rows->edges[i];
            if (!(edge->from.y <= y && y < edge->end_y))
                continue;
            float x = edge->from.x + (y - edge->from.y) * edge->slope;
            left = soft_least(left, x);
            right = soft_most(right, x);
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
