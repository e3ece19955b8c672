#include "gfx/soft.h"
#include "gfx/soft_mix.h"
#include "gfx/soft_scan.h"

#define SHARED_BIAS 1e6f /* keeps an edge that a neighbour shares from fading */

typedef struct SoftCorners {
    SoftPlane share[3]; /* of each corner at a pixel */
    float height[3], bias[3];
    SoftColour colours[3];
    bool is_even; /* of one colour */
} SoftCorners;

static Vec2 read_point(const uint32_t *words) {
    return (Vec2){soft_number(words[0]), soft_number(words[1])};
}

static SoftCorners read_corners(const uint32_t *words) {
    Vec2 at[3] = {read_point(words), read_point(words + 2), read_point(words + 4)};
    SoftCorners corners = {.is_even = words[16] == words[17] && words[16] == words[18]};
    float area =
        (at[1].x - at[0].x) * (at[2].y - at[0].y) - (at[1].y - at[0].y) * (at[2].x - at[0].x);
    for (int i = 0; i < 3; i++) {
        Vec2 p = at[(i + 1) % 3], q = at[(i + 2) % 3];
        corners.share[i] = soft_plane(at, i == 0, i == 1, i == 2);
        corners.height[i] = fabsf(area) / hypotf(p.x - q.x, p.y - q.y);
        corners.bias[i] = (words[6] >> i & 1) != 0 ? SHARED_BIAS : 0;
        corners.colours[i] = soft_colour(words[16 + i]);
    }
    return corners;
}

/* The shares of the corners at a pixel, and how far inside the nearest edge it lies. */
static inline float inside_at(const SoftCorners *corners, int x, int y, float shares[3]) {
    float inside = INFINITY;
    for (int i = 0; i < 3; i++) {
        shares[i] = soft_plane_at(&corners->share[i], x, y);
        inside = fminf(inside, shares[i] * corners->height[i] + corners->bias[i]);
    }
    return inside;
}

static SoftColour colour_at(const SoftCorners *corners, const float shares[3]) {
    float sum = 0, part[3];
    for (int i = 0; i < 3; i++)
        sum += part[i] = fmaxf(shares[i], 0);
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
    SoftRows rows = soft_rows(at, clip);
    while (soft_rows_next(&rows)) {
        uint32_t *pixels = picture->pixels + (size_t)rows.y * (size_t)picture->width;
        for (int x = rows.left; x < rows.right; x++) {
            float shares[3], cover = soft_coverage(inside_at(&corners, x, rows.y, shares));
            if (!(cover > 0))
                continue;
            SoftColour c = corners.is_even ? corners.colours[0] : colour_at(&corners, shares);
            c.a *= cover;
            pixels[x] = soft_laid(pixels[x], c);
        }
    }
}
