#include "gfx/blend.h"
#include "gfx/soft_items.h"

/* One end of a straight piece of a curve. */
typedef struct PieceEnd {
    Vec2 at, along_way; /* along_way: the unit vector along the curve */
    float half, along;  /* half the drawn width; length of the curve up to here */
    SoftColour colour;
} PieceEnd;

/* A straight piece between two lines across the curve, which the neighbouring pieces share. */
typedef struct CurvePiece {
    PieceEnd a, b;
    Vec2 normal;  /* unit vector across its middle line */
    float length; /* length of the whole curve */
    float dash_on, dash_period;
    bool is_even;   /* it has one width and one colour */
    uint32_t pixel; /* its colour, if it is even */
} CurvePiece;

static PieceEnd read_end(const uint32_t *words, int i) {
    float half = soft_number(words[8 + i]);
    PieceEnd end = {.at = {soft_number(words[2 * i]), soft_number(words[2 * i + 1])},
                    .along_way = {soft_number(words[5 + 2 * i]), -soft_number(words[4 + 2 * i])},
                    .half = soft_most(half, 0.5f), /* a thinner line is drawn fainter */
                    .along = soft_number(words[12 + i]),
                    .colour = soft_colour(words[10 + i])};
    end.colour.a *= half / end.half;
    return end;
}

static CurvePiece read_piece(const uint32_t *words) {
    CurvePiece piece = {.a = read_end(words, 0),
                        .b = read_end(words, 1),
                        .length = soft_number(words[14]),
                        .dash_on = (float)(words[15] & 0xFFFFu) / 32,
                        .is_even = words[8] == words[9] && words[10] == words[11],
                        .pixel = soft_pixel(words[10])};
    float x = piece.b.at.x - piece.a.at.x, y = piece.b.at.y - piece.a.at.y;
    float scale = 1 / sqrtf(x * x + y * y);
    piece.normal = (Vec2){-y * scale, x * scale};
    piece.dash_period = piece.dash_on + (float)(words[15] >> 16) / 32;
    return piece;
}

/* Return how far a point lies beyond an end of the piece, along the curve. Two neighbouring pieces
 * compute it for their common line with the same numbers, so a point belongs to exactly one. */
static inline float beyond(const PieceEnd *end, float x, float y) {
    return (x - end->at.x) * end->along_way.x + (y - end->at.y) * end->along_way.y;
}

static inline float mixed_at(float a, float b, float t) {
    return a + (b - a) * t;
}

/* Return the share of a pixel inside the piece, whose half width there is `half`, and inside the
 * soft ends of the curve. It has no branches, so loops vectorise. */
static inline float cover_at(const CurvePiece *p, float x, float y, float half) {
    float from_a = beyond(&p->a, x, y), from_b = beyond(&p->b, x, y);
    float side = fabsf((x - p->a.at.x) * p->normal.x + (y - p->a.at.y) * p->normal.y);
    float to_ends = soft_least(p->a.along + from_a, p->length - p->b.along - from_b);
    float cover = soft_coverage(half - side) * soft_coverage(to_ends);
    cover = from_a >= 0 ? cover : 0;
    return from_b < 0 ? cover : 0;
}

/* Compute the shares for a row of pixels, in a piece whose width or colour changes or that has
 * dashes; also the place of each pixel between its ends, 0 to 1. */
static inline void find_changing(float cover[SOFT_LANES], float between[SOFT_LANES],
                                 const CurvePiece *p, int left, int row) {
    for (int k = 0; k < SOFT_LANES; k++) {
        float x = (float)(left + k) + 0.5f, y = (float)row + 0.5f;
        float from_a = beyond(&p->a, x, y), to_b = -beyond(&p->b, x, y);
        float t = from_a / (from_a + to_b);
        cover[k] = cover_at(p, x, y, mixed_at(p->a.half, p->b.half, t));
        if (p->dash_on > 0)
            cover[k] *= soft_dash(mixed_at(p->a.along, p->b.along, t), p->dash_on, p->dash_period);
        between[k] = t;
    }
}

static inline void mix_even(uint32_t pixels[SOFT_LANES], const float cover[SOFT_LANES],
                            const CurvePiece *p) {
    for (int k = 0; k < SOFT_LANES; k++)
        pixels[k] = soft_mixed(pixels[k], p->pixel, p->a.colour.a * cover[k]);
}

static inline void lay_even(uint32_t *pixels, const float cover[SOFT_LANES], const CurvePiece *p,
                            int count) {
    uint32_t mixed[SOFT_LANES] = {0};
    if (count == SOFT_LANES) {
        memcpy(mixed, pixels, sizeof mixed);
        mix_even(mixed, cover, p);
        memcpy(pixels, mixed, sizeof mixed);
        return;
    }
    for (int k = 0; k < count; k++)
        mixed[k] = pixels[k];
    mix_even(mixed, cover, p);
    for (int k = 0; k < count; k++)
        pixels[k] = mixed[k];
}

static void lay_changing(uint32_t *pixels, const float cover[SOFT_LANES],
                         const float between[SOFT_LANES], const CurvePiece *p, int count) {
    for (int k = 0; k < count; k++) {
        if (!(cover[k] > 0))
            continue;
        SoftColour c = soft_between(p->a.colour, p->b.colour, soft_unit(between[k]));
        c.a *= cover[k];
        pixels[k] = soft_laid(pixels[k], c);
    }
}

static int clamped(float at, int least, int most) {
    return at > (float)least ? at < (float)most ? (int)at : most : least;
}

void soft_curve(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    const CurvePiece p = read_piece(item->words);
    float cover[SOFT_LANES], between[SOFT_LANES];
    float full = soft_most(p.a.half, p.b.half) + 0.5f; /* half the extent across the middle line */
    bool is_plain = p.is_even && !(p.dash_on > 0);
    bool is_level = fabsf(p.normal.x) < 1e-3f;
    float slope = is_level ? 0 : -p.normal.y / p.normal.x;
    float reach = is_level ? INFINITY : full / fabsf(p.normal.x);
    for (int y = clip->top; y < clip->bottom; y++) {
        uint32_t *row = soft_row(picture, y);
        float middle = p.a.at.x + ((float)y + 0.5f - p.a.at.y) * slope;
        int left = clamped(middle - reach, clip->left, clip->right);
        int right = clamped(middle + reach + 1, clip->left, clip->right);
        for (int x = left; x < right; x += SOFT_LANES) {
            int count = clip->right - x < SOFT_LANES ? clip->right - x : SOFT_LANES;
            if (is_plain)
                for (int k = 0; k < SOFT_LANES; k++)
                    cover[k] = cover_at(&p, (float)(x + k) + 0.5f, (float)y + 0.5f, p.a.half);
            else
                find_changing(cover, between, &p, x, y);
            if (p.is_even)
                lay_even(row + x, cover, &p, count);
            else
                lay_changing(row + x, cover, between, &p, count);
        }
    }
}
