#include <math.h>

#include "gfx/soft_items.h"

/* added to the distance from a shared edge, so that it does not fade */
#define SHARED_BIAS 1e6f

/* An edge, stored from its upper end. So two triangles that share an edge compute equal numbers,
 * and a pixel on the edge belongs to exactly one of them. */
typedef struct Edge {
    Vec2 from;
    float end_y, slope;
} Edge;

/* Barycentric coordinate of a corner: 1 at the corner, 0 on the opposite edge. `there`: the
 * coordinate at the first corner of the triangle; by_x, by_y: the change per pixel. Measuring from
 * the first corner keeps precision far from the origin. */
typedef struct Share {
    float there, by_x, by_y;
    float height, bias; /* height: distance of the corner from the opposite edge; bias: added to a
                           pixel's distance from that edge */
} Share;

typedef struct Triangle {
    Vec2 corner;
    Share shares[3];
    SoftColour colours[3];
    bool is_even; /* the corners have the same colour */
} Triangle;

static Edge edge_of(Vec2 a, Vec2 b) {
    if (a.y > b.y || (a.y == b.y && a.x > b.x)) {
        Vec2 upper = b;
        b = a;
        a = upper;
    }
    return (Edge){.from = a, .end_y = b.y, .slope = (b.x - a.x) / (b.y - a.y)};
}

static void find_span(PixelRect *span, const Edge edges[3], int row, const PixelRect *clip) {
    float left = INFINITY, right = -INFINITY, y = (float)row + 0.5f;
    for (int i = 0; i < 3; i++) {
        if (!(edges[i].from.y <= y && y < edges[i].end_y))
            continue;
        float x = edges[i].from.x + (y - edges[i].from.y) * edges[i].slope;
        left = soft_least(left, x);
        right = soft_most(right, x);
    }
    span->left = soft_clamped(ceilf(left - 0.5f), clip->left, clip->right);
    span->right = soft_clamped(ceilf(right - 0.5f), clip->left, clip->right);
}

static Triangle read_triangle(const PaintTriangle *t) {
    Triangle out = {.corner = t->at[0],
                    .is_even = t->colour[0] == t->colour[1] && t->colour[0] == t->colour[2]};
    Vec2 b = vec2_minus(t->at[1], t->at[0]), c = vec2_minus(t->at[2], t->at[0]);
    float area = b.x * c.y - c.x * b.y;
    for (int i = 0; i < 3; i++) {
        float there = i == 0, to_b = (float)(i == 1) - there, to_c = (float)(i == 2) - there;
        Vec2 p = t->at[(i + 1) % 3], q = t->at[(i + 2) % 3];
        out.shares[i] = (Share){.there = there,
                                .by_x = (to_b * c.y - to_c * b.y) / area,
                                .by_y = (to_c * b.x - to_b * c.x) / area,
                                .height = fabsf(area) / hypotf(p.x - q.x, p.y - q.y),
                                .bias = (t->shared >> i & 1) != 0 ? SHARED_BIAS : 0};
        out.colours[i] = soft_colour(t->colour[i]);
    }
    return out;
}

/* Fill shares with the coordinates of a pixel's centre. Return its distance from the nearest edge
 * that is not shared. */
static float inside_at(const Triangle *t, int x, int y, float shares[3]) {
    float inside = INFINITY;
    for (int i = 0; i < 3; i++) {
        const Share *s = &t->shares[i];
        shares[i] = s->there + s->by_y * ((float)y + 0.5f - t->corner.y) +
                    s->by_x * ((float)x + 0.5f - t->corner.x);
        inside = soft_least(inside, shares[i] * s->height + s->bias);
    }
    return inside;
}

static SoftColour colour_at(const Triangle *t, const float shares[3]) {
    float sum = 0, part[3];
    for (int i = 0; i < 3; i++)
        sum += part[i] = soft_most(shares[i], 0);
    SoftColour mixed = {0};
    for (int i = 0; i < 3; i++) {
        SoftColour c = t->colours[i];
        float share = part[i] / sum;
        mixed.r += c.r * share, mixed.g += c.g * share;
        mixed.b += c.b * share, mixed.a += c.a * share;
    }
    return (SoftColour){soft_unit(mixed.r), soft_unit(mixed.g), soft_unit(mixed.b),
                        soft_unit(mixed.a)};
}

void soft_triangle(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    const Triangle t = read_triangle(&item->as.triangle);
    const Vec2 *at = item->as.triangle.drawn;
    Edge edges[3] = {edge_of(at[0], at[1]), edge_of(at[1], at[2]), edge_of(at[2], at[0])};
    for (int y = clip->top; y < clip->bottom; y++) {
        uint32_t *pixels = soft_row(picture, y);
        PixelRect span;
        find_span(&span, edges, y, clip);
        for (int x = span.left; x < span.right; x++) {
            float shares[3], cover = soft_coverage(inside_at(&t, x, y, shares));
            if (!(cover > 0))
                continue;
            SoftColour c = t.is_even ? t.colours[0] : colour_at(&t, shares);
            c.a *= cover;
            pixels[x] = soft_laid(pixels[x], c);
        }
    }
}
