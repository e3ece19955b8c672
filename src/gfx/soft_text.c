#include "gfx/soft.h"
#include "gfx/soft_mix.h"
#include "gfx/soft_scan.h"

/* Where a line's image lies: the quad is counted from the point that the text turns about. */
typedef struct SoftQuad {
    Vec2 about;
    float cosine, sine;
    float quad[4], uv[4]; /* left, top, right, bottom */
    const AtlasSheet *sheet;
    Colour colour;
} SoftQuad;

static SoftQuad read_quad(const PaintItem *item) {
    const uint32_t *words = item->words;
    SoftQuad q = {.about = {soft_number(words[0]), soft_number(words[1])},
                  .cosine = soft_number(words[2]),
                  .sine = soft_number(words[3]),
                  .sheet = item->sheet,
                  .colour = words[12]};
    for (int i = 0; i < 4; i++) {
        q.quad[i] = soft_number(words[4 + i]);
        q.uv[i] = soft_number(words[8 + i]);
    }
    return q;
}

/* Whether each pixel is one texel, which begin where the image does. */
static bool is_aligned(const SoftQuad *q) {
    bool is_upright = q->cosine == 1 && q->sine == 0;
    bool is_sized = q->quad[2] - q->quad[0] == q->uv[2] - q->uv[0] &&
                    q->quad[3] - q->quad[1] == q->uv[3] - q->uv[1];
    float left = q->about.x + q->quad[0], top = q->about.y + q->quad[1];
    return is_upright && is_sized && left == floorf(left) && top == floorf(top) &&
           q->uv[0] == floorf(q->uv[0]) && q->uv[1] == floorf(q->uv[1]);
}

/* A texel of either sheet, premultiplied: of the plain one all four are its coverage. */
static SoftColour texel(const AtlasSheet *sheet, int x, int y) {
    x = x < 0 ? 0 : x >= ATLAS_SIZE ? ATLAS_SIZE - 1 : x;
    y = y < 0 ? 0 : y >= sheet->height ? sheet->height - 1 : y;
    const uint8_t *at =
        sheet->pixels + ((size_t)y * ATLAS_SIZE + (size_t)x) * (size_t)sheet->channels;
    float first = (float)at[0] / 255;
    if (sheet->channels == 1)
        return (SoftColour){first, first, first, first};
    return (SoftColour){first, (float)at[1] / 255, (float)at[2] / 255, (float)at[3] / 255};
}

/* A premultiplied texel in the text's colour, laid on a pixel. */
static uint32_t laid(uint32_t under, SoftColour t, SoftColour c) {
    float rest = 1 - t.a * c.a;
    float r = (float)(under >> 16 & 255) * rest + t.r * c.r * c.a * 255;
    float g = (float)(under >> 8 & 255) * rest + t.g * c.g * c.a * 255;
    float b = (float)(under & 255) * rest + t.b * c.b * c.a * 255;
    return 0xFF000000u | (uint32_t)(fminf(r, 255) + 0.5f) << 16 |
           (uint32_t)(fminf(g, 255) + 0.5f) << 8 | (uint32_t)(fminf(b, 255) + 0.5f);
}

static void lay_plain(uint32_t *pixels, const uint8_t *coverage, int count, Colour colour) {
    int32_t alpha = (int32_t)(colour & 255);
    for (int i = 0; i < count; i++) /* 129 / 256 of 255 · 255 is all but 2 of SOFT_WHOLE */
        pixels[i] =
            soft_mixed(pixels[i], soft_pixel(colour), (coverage[i] * alpha * 129 + 128) >> 8);
}

static void draw_aligned(const SoftPicture *picture, const PixelRect *clip, const SoftQuad *q) {
    int x0 = (int)(q->about.x + q->quad[0]), y0 = (int)(q->about.y + q->quad[1]);
    int u0 = (int)q->uv[0], v0 = (int)q->uv[1];
    int left = x0 > clip->left ? x0 : clip->left, top = y0 > clip->top ? y0 : clip->top;
    int right = x0 + (int)(q->quad[2] - q->quad[0]), bottom = y0 + (int)(q->quad[3] - q->quad[1]);
    right = right < clip->right ? right : clip->right;
    bottom = bottom < clip->bottom ? bottom : clip->bottom;
    SoftColour colour = soft_colour(q->colour);
    for (int y = top; y < bottom; y++) {
        uint32_t *pixels = picture->pixels + (size_t)y * (size_t)picture->width;
        const uint8_t *row = q->sheet->pixels + (size_t)(v0 + y - y0) * ATLAS_SIZE;
        if (q->sheet->channels == 1 && right > left)
            lay_plain(pixels + left, row + (u0 + left - x0), right - left, q->colour);
        for (int x = left; q->sheet->channels != 1 && x < right; x++)
            pixels[x] = laid(pixels[x], texel(q->sheet, u0 + x - x0, v0 + y - y0), colour);
    }
}

/* Between the four texels around a point, as OpenGL does. */
static SoftColour sample(const AtlasSheet *sheet, float u, float v) {
    float x = floorf(u - 0.5f), y = floorf(v - 0.5f), across = u - 0.5f - x, down = v - 0.5f - y;
    int column = (int)x, row = (int)y;
    SoftColour upper =
        soft_between(texel(sheet, column, row), texel(sheet, column + 1, row), across);
    SoftColour lower =
        soft_between(texel(sheet, column, row + 1), texel(sheet, column + 1, row + 1), across);
    return soft_between(upper, lower, down);
}

static void draw_half(const SoftPicture *picture, const PixelRect *clip, const SoftQuad *q,
                      const int corners[3]) {
    Vec2 at[3];
    float u[3], v[3];
    for (int i = 0; i < 3; i++) {
        int column = corners[i] & 1, row = corners[i] >> 1;
        float x = q->quad[2 * column], y = q->quad[1 + 2 * row];
        u[i] = q->uv[2 * column];
        v[i] = q->uv[1 + 2 * row];
        at[i] = (Vec2){q->about.x + q->cosine * x - q->sine * y,
                       q->about.y + q->sine * x + q->cosine * y};
    }
    SoftPlane plane_u = soft_plane(at, u[0], u[1], u[2]);
    SoftPlane plane_v = soft_plane(at, v[0], v[1], v[2]);
    SoftColour colour = soft_colour(q->colour);
    SoftRows rows = soft_rows(at, clip);
    while (soft_rows_next(&rows)) {
        uint32_t *pixels = picture->pixels + (size_t)rows.y * (size_t)picture->width;
        for (int x = rows.left; x < rows.right; x++) {
            SoftColour t = sample(q->sheet, soft_plane_at(&plane_u, x, rows.y),
                                  soft_plane_at(&plane_v, x, rows.y));
            if (t.a > 0)
                pixels[x] = laid(pixels[x], t, colour);
        }
    }
}

void soft_text(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    static const int halves[2][3] = {{0, 1, 2}, {2, 1, 3}}; /* as the shaders number corners */
    SoftQuad quad = read_quad(item);
    if (is_aligned(&quad)) {
        draw_aligned(picture, clip, &quad);
        return;
    }
    for (int i = 0; i < 2; i++)
        draw_half(picture, clip, &quad, halves[i]);
}
