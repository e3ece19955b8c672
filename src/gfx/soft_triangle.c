#include "gfx/blend.h"
#include "gfx/soft_items.h"

#define SHARED_BIAS 1e6f /* distance from a shared edge, which must not fade */

/* An edge, from its upper end. Two triangles that share an edge compute it from the same ends, so
 * that a pixel on it belongs to exactly one of them. */
typedef struct SoftEdge {
    Vec2 from;
    float end_y, slope;
} SoftEdge;

/* A linear function of the place, relative to a corner, because far from its origin it would lose
 * bits. */
typedef struct SoftPlane {
    Vec2 corner;
    float there, by_x, by_y;
} SoftPlane;

typedef struct SoftCorners {
    SoftPlane share[3]; /* barycentric coordinates */
    float height[3], bias[3];
    SoftColour colours[3];
    bool is_even; /* all corners have one colour */
} SoftCorners;

static Vec2 read_point(const uint32_t *words) {
    return (Vec2){soft_number(words[0]), soft_number(words[1])};
}

static SoftEdge edge_of(Vec2 a, Vec2 b) {
    if (a.y > b.y || (a.y == b.y && a.x > b.x)) {
        Vec2 upper = b;
        b = a;
        a = upper;
    }
    return (SoftEdge){.from = a, .end_y = b.y, .slope = (b.x - a.x) / (b.y - a.y)};
}

/* Reduce *span to the pixels of a row whose centres lie in the triangle. */
static void find_span(PixelRect *span, const SoftEdge edges[3], int row, const PixelRect *clip) {
    float left = INFINITY, right = -INFINITY, y = (float)row + 0.5f;
    for (int i = 0; i < 3; i++) {
        if (!(edges[i].from.y <= y && y < edges[i].end_y))
            continue;
        float x = edges[i].from.x + (y - edges[i].from.y) * edges[i].slope;
        left = soft_least(left, x);
        right = soft_most(right, x);
    }
    float first = (float)clip->left, end = (float)clip->right;
    span->left = (int)soft_most(first, soft_least(end, ceilf(left - 0.5f)));
    span->right = (int)soft_most(first, soft_least(end, ceilf(right - 0.5f)));
}

/* Return the plane that is 1 at corner i and 0 at the two others. */
static SoftPlane share_std_grid(const Vec2 at[3], int i) {
    float x1 = at[1].x - at[0].x, y1 = at[1].y - at[0].y;
    float x2 = at[2].x - at[0].x, y2 = at[2].y - at[0].y;
    float area = x1 * y2 - x2 * y1;
    float a = i == 0, to_b = (float)(i == 1) - a, to_c = (float)(i == 2) - a;
    return (SoftPlane){.corner = at[0],
                       .there = a,
                       .by_x = (to_b * y2 - to_c * y1) / area,
                       .by_y = (to_c * x1 - to_b * x2) / area};
}

static SoftCorners read_corners(const uint32_t *words) {
    Vec2 at[3] = {read_point(words), read_point(words + 2), read_point(words + 4)};
    SoftCorners corners = {.is_even = words[16] == words[17] && words[16] == words[18]};
    float area =
        (at[1].x - at[0].x) * (at[2].y - at[0].y) - (at[1].y - at[0].y) * (at[2].x - at[0].x);
    for (int i = 0; i < 3; i++) {
        Vec2 p = at[(i + 1) % 3], q = at[(i + 2) % 3];
        corners.share[i] = share_std_grid(at, i);
        corners.height[i] = fabsf(area) / hypotf(p.x - q.x, p.y - q.y);
        corners.bias[i] = (words[6] >> i & 1) != 0 ? SHARED_BIAS : 0;
        corners.colours[i] = soft_colour(words[16 + i]);
    }
    return corners;
}

/* Return the barycentric coordinates of a pixel, and its distance from the nearest edge. */
static float inside_at(const SoftCorners *corners, int x, int y, float shares[3]) {
    float inside = INFINITY;
    for (int i = 0; i < 3; i++) {
        const SoftPlane *plane = &corners->share[i];
        shares[i] = plane->there + plane->by_y * ((float)y + 0.5f - plane->corner.y) +
                    plane->by_x * ((float)x + 0.5f - plane->corner.x);
        inside = soft_least(inside, shares[i] * corners->height[i] + corners->bias[i]);
    }
    return inside;
}

static SoftColour colour_at(const SoftCorners *corners, const float shares[3]) {
    float sum = 0, part[3];
    for (int i = 0; i < 3; i++)
        sum += part[i] = soft_most(shares[i], 0);
    SoftColour mixed = {0};
    for (int i = 0; i < 3; i++) {
        SoftColour c = corners->colours[i];
        float share = part[i] / sum;
        mixed.r += c.r * share, mixed.g += c.g * share;
        mixed.b += c.b * share, mixed.a += c.a * share;
    }
    return (SoftColour){soft_unit(mixed.r), soft_unit(mixed.g), soft_unit(mixed.b),
                        soft_unit(mixed.a)};
}

void soft_triangle(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    SoftCorners corners = read_corners(item->words);
    const uint32_t *drawn = item->words + 8;
    Vec2 at[3] = {read_point(drawn), read_point(drawn + 2), read_point(drawn + 4)};
    SoftEdge edges[3] = {edge_of(at[0], at[1]), edge_of(at[1], at[2]), edge_of(at[2], at[0])};
    for (int y = clip->top; y < clip->bottom; y++) {
        uint32_t *pixels = soft_row(picture, y);
        PixelRect span;
        find_span(&span, edges, y, clip);
        for (int x = span.left; x < span.right; x++) {
            float shares[3], cover = soft_coverage(inside_at(&corners, x, y, shares));
            if (!(cover > 0))
                continue;
            SoftColour c = corners.is_even ? corners.colours[0] : colour_at(&corners, shares);
            c.a *= cover;
            pixels[x] = soft_laid(pixels[x], c);
        }
    }
}
