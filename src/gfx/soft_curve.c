#include <math.h>
#include <string.h>

#include "gfx/soft_items.h"

#define LANES 8 /* pixels computed together: compilers vectorise loops of this length */

typedef struct PieceEnd {
    Vec2 at, way;      /* way: the unit vector along the curve */
    float half, along; /* half the width; length of the curve up to here */
    SoftColour colour;
} PieceEnd;

/* A straight piece between two lines across the curve, which neighbouring pieces share. */
typedef struct Piece {
    PieceEnd a, b;
    Vec2 normal; /* unit vector across the piece */
    float length, dash_on, dash_period;
} Piece;

static PieceEnd read_end(const PaintCurve *c, int i) {
    PieceEnd end = {.at = c->at[i],
                    .way = {c->normal[i].y, -c->normal[i].x},
                    /* A line thinner than a pixel is drawn fainter instead. */
                    .half = soft_most(c->half_width[i], 0.5f),
                    .along = c->along[i],
                    .colour = soft_colour(c->colour[i])};
    end.colour.a *= c->half_width[i] / end.half;
    return end;
}

static Piece read_piece(const PaintCurve *c) {
    Vec2 way = vec2_minus(c->at[1], c->at[0]);
    float scale = 1 / vec2_length(way);
    return (Piece){.a = read_end(c, 0),
                   .b = read_end(c, 1),
                   .normal = {-way.y * scale, way.x * scale},
                   .length = c->length,
                   .dash_on = c->dash_on,
                   .dash_period = c->dash_period};
}

/* Return how far a point lies beyond an end, along the curve. Neighbouring pieces compute this from
 * the same numbers, so that a point belongs to exactly one of them. */
static inline float beyond(const PieceEnd *end, float x, float y) {
    return (x - end->at.x) * end->way.x + (y - end->at.y) * end->way.y;
}

static inline float mixed_at(float a, float b, float t) {
    return a + (b - a) * t;
}

/* No branch depends on a pixel, so compilers vectorise the loops. */
static inline void lay_lanes(uint32_t pixels[LANES], const Piece *p, int left, float y) {
    for (int k = 0; k < LANES; k++) {
        float x = (float)(left + k) + 0.5f;
        float from_a = beyond(&p->a, x, y), from_b = beyond(&p->b, x, y);
        float t = soft_unit(from_a / (from_a - from_b));
        float side = fabsf((x - p->a.at.x) * p->normal.x + (y - p->a.at.y) * p->normal.y);
        float to_ends = soft_least(p->a.along + from_a, p->length - p->b.along - from_b);
        float cover =
            soft_coverage(mixed_at(p->a.half, p->b.half, t) - side) * soft_coverage(to_ends);
        if (p->dash_on > 0)
            cover *= soft_dash(mixed_at(p->a.along, p->b.along, t), p->dash_on, p->dash_period);
        cover = from_a >= 0 ? cover : 0;
        cover = from_b < 0 ? cover : 0;
        SoftColour colour = soft_between(p->a.colour, p->b.colour, t);
        colour.a *= cover;
        pixels[k] = soft_laid(pixels[k], colour);
    }
}

void soft_curve(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    const Piece p = read_piece(&item->as.curve);
    /* largest distance of a drawn pixel from the middle line */
    float full = soft_most(p.a.half, p.b.half) + 0.5f;
    bool is_level = fabsf(p.normal.x) < 1e-3f;
    float slope = is_level ? 0 : -p.normal.y / p.normal.x;
    float reach = is_level ? INFINITY : full / fabsf(p.normal.x);
    for (int row = clip->top; row < clip->bottom; row++) {
        uint32_t *pixels = soft_row(picture, row), last[LANES] = {0};
        float y = (float)row + 0.5f, middle = p.a.at.x + (y - p.a.at.y) * slope;
        int x = soft_clamped(middle - reach, clip->left, clip->right);
        int right = soft_clamped(middle + reach + 1, clip->left, clip->right);
        for (; x < right && x + LANES <= clip->right; x += LANES)
            lay_lanes(pixels + x, &p, x, y);
        if (x >= right)
            continue;
        size_t rest = (size_t)(clip->right - x) * sizeof *pixels;
        memcpy(last, pixels + x, rest);
        lay_lanes(last, &p, x, y);
        memcpy(pixels + x, last, rest);
    }
}
