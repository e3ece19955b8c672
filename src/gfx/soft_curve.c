#include "gfx/soft.h"
#include "gfx/soft_mix.h"
#include "gfx/soft_scan.h"

/* One end of a piece. */
typedef struct PieceEnd {
    Vec2 at, normal;
    float half, along; /* half of the width that is drawn */
    SoftColour colour;
    Colour word;
} PieceEnd;

typedef struct CurvePiece {
    PieceEnd ends[2];
    float length, dash_on, dash_period;
} CurvePiece;

/* What changes over one of a piece's two triangles. */
typedef struct PiecePlanes {
    SoftPlane side, half, along, share; /* share: 0 at the first end, 1 at the last */
} PiecePlanes;

static PieceEnd read_end(const uint32_t *words, int i) {
    float half = soft_number(words[8 + i]);
    PieceEnd end = {.at = {soft_number(words[2 * i]), soft_number(words[2 * i + 1])},
                    .normal = {soft_number(words[4 + 2 * i]), soft_number(words[5 + 2 * i])},
                    .half = soft_most(half, 0.5f), /* a thinner line is a fainter one */
                    .along = soft_number(words[12 + i]),
                    .colour = soft_colour(words[10 + i]),
                    .word = words[10 + i]};
    end.colour.a *= half / end.half;
    return end;
}

static CurvePiece read_piece(const uint32_t *words) {
    CurvePiece piece = {.ends = {read_end(words, 0), read_end(words, 1)},
                        .length = soft_number(words[14]),
                        .dash_on = (float)(words[15] & 0xFFFFu) / 32};
    piece.dash_period = piece.dash_on + (float)(words[15] >> 16) / 32;
    return piece;
}

/* Within the whole curve, with soft ends. */
static inline float covered(float side, float half, float along, float length) {
    return soft_coverage(half - fabsf(side)) * soft_coverage(soft_least(along, length - along));
}

static void lay_changing(uint32_t *pixels, const CurvePiece *piece, const PiecePlanes *planes,
                         const SoftRows *rows) {
    for (int x = rows->left; x < rows->right; x++) {
        float along = soft_plane_at(&planes->along, x, rows->y);
        float share = soft_plane_at(&planes->share, x, rows->y);
        SoftColour c = soft_between(piece->ends[0].colour, piece->ends[1].colour, share);
        c.a *= covered(soft_plane_at(&planes->side, x, rows->y),
                       soft_plane_at(&planes->half, x, rows->y), along, piece->length);
        if (piece->dash_on > 0)
            c.a *= soft_dash(along, piece->dash_on, piece->dash_period);
        c = (SoftColour){soft_unit(c.r), soft_unit(c.g), soft_unit(c.b), soft_unit(c.a)};
        pixels[x] = soft_laid(pixels[x], c);
    }
}

static void draw_half(const SoftPicture *picture, const PixelRect *clip, const CurvePiece *piece,
                      const int corners[3]) {
    Vec2 at[3];
    float side[3], half[3], along[3], share[3];
    for (int i = 0; i < 3; i++) {
        const PieceEnd *end = &piece->ends[corners[i] & 1];
        share[i] = (float)(corners[i] & 1);
        half[i] = end->half;
        along[i] = end->along;
        side[i] = (corners[i] >> 1 == 1 ? 1.0f : -1.0f) * (end->half + 1);
        at[i] = (Vec2){end->at.x + side[i] * end->normal.x, end->at.y + side[i] * end->normal.y};
    }
    PiecePlanes planes = {
        soft_plane(at, side[0], side[1], side[2]), soft_plane(at, half[0], half[1], half[2]),
        soft_plane(at, along[0], along[1], along[2]), soft_plane(at, share[0], share[1], share[2])};
    SoftRows rows = soft_rows(at, clip);
    while (soft_rows_next(&rows)) {
        uint32_t *pixels = picture->pixels + (size_t)rows.y * (size_t)picture->width;
        lay_changing(pixels, piece, &planes, &rows);
    }
}

void soft_curve(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    static const int halves[2][3] = {{0, 1, 2}, {2, 1, 3}}; /* as the shaders number corners */
    if (item->is_whole) {
        soft_whole_curve(picture, clip, item);
        return;
    }
    CurvePiece piece = read_piece(item->words);
    for (int i = 0; i < 2; i++)
        draw_half(picture, clip, &piece, halves[i]);
}
