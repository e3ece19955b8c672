/* soft_scan.h: which pixels a triangle has, and what is linear over it, for the parts of soft.h. A
 * pixel belongs to the triangle its middle lies in; of two that share an edge it is never both and
 * never neither. Pure. */
#ifndef HEADLIGHT_GFX_SOFT_SCAN_H
#define HEADLIGHT_GFX_SOFT_SCAN_H

#include "base/geom.h"
#include "gfx/batch.h"

/* The pixels within clip whose middles lie in a quad: left, top, right, bottom as words. */
PixelRect soft_quad(const uint32_t words[4], const PixelRect *clip);

/* From its upper end, which is the same from whichever corner it is seen, so that neighbours agree
 * on the pixels. */
typedef struct SoftEdge {
    Vec2 from;
    float end_y, slope;
} SoftEdge;

/* The rows of a triangle within clip, top to bottom. */
typedef struct SoftRows {
    SoftEdge edges[3];
    PixelRect clip;
    int y, end; /* the row in hand, and where they end */
    int left, right;
} SoftRows;

SoftRows soft_rows(const Vec2 at[3], const PixelRect *clip);

/* Whether there is another row with a pixel, which is in hand then. */
bool soft_rows_next(SoftRows *rows);

/* A value that is linear over a triangle, by its first corner: far from there the bits would be
 * lost. */
typedef struct SoftPlane {
    Vec2 corner;
    float there, by_x, by_y;
} SoftPlane;

/* From the values at three corners; those of a triangle without an area are of no use. */
SoftPlane soft_plane(const Vec2 at[3], float a, float b, float c);

/* At a pixel's middle. */
static inline float soft_plane_at(const SoftPlane *plane, int x, int y) {
    float dx = (float)x + 0.5f - plane->corner.x, dy = (float)y + 0.5f - plane->corner.y;
    return plane->there + plane->by_y * dy + plane->by_x * dx;
}

#endif
