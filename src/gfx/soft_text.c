#include "gfx/blend.h"
#include "gfx/soft_items.h"

/* Where a line's image is: quad is relative to the point that the text rotates about. */
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

/* True if every pixel is exactly one texel, from the image's start on. */
static bool is_aligned(const SoftQuad *q) {
    bool is_upright = q->cosine == 1 && q->sine == 0;
    bool is_sized = q->quad[2] - q->quad[0] == q->uv[2] - q->uv[0] &&
                    q->quad[3] - q->quad[1] == q->uv[3] - q->uv[1];
    float left = q->about.x + q->quad[0], top = q->about.y + q->quad[1];
    return is_upright && is_sized && left == floorf(left) && top == floorf(top) &&
           q->uv[0] == floorf(q->uv[0]) && q->uv[1] == floorf(q->uv[1]);
}

/* Return a texel of either sheet, premultiplied. In the plain sheet all four channels are its
 * coverage. */
static SoftColour texel(const AtlasSheet *sheet, int x, int y) {
    x = x < 0 ? 0 : x >= ATLAS_SIZE ? ATLAS_SIZE - 1 : x;
    y = y < 0 ? 0 : y >= ATLAS_SIZE ? ATLAS_SIZE - 1 : y;
    const uint8_t *at =
        sheet->pixels + ((size_t)y * ATLAS_SIZE + (size_t)x) * (size_t)sheet->channels;
    float first = (float)at[0] / 255;
    if (sheet->channels == 1)
        return (SoftColour){first, first, first, first};
    return (SoftColour){first, (float)at[1] / 255, (float)at[2] / 255, (float)at[3] / 255};
}

/* Blend a premultiplied texel, in the text's colour, onto a pixel. */
static uint32_t laid(uint32_t under, SoftColour t, SoftColour c) {
    float rest = 1 - t.a * c.a;
    float r = (float)(under >> 16 & 255) * rest + t.r * c.r * c.a * 255;
    float g = (float)(under >> 8 & 255) * rest + t.g * c.g * c.a * 255;
    float b = (float)(under & 255) * rest + t.b * c.b * c.a * 255;
    return 0xFF000000u | (uint32_t)(fminf(r, 255) + 0.5f) << 16 |
           (uint32_t)(fminf(g, 255) + 0.5f) << 8 | (uint32_t)(fminf(b, 255) + 0.5f);
}

static void lay_plain(uint32_t *pixels, const uint8_t *coverage, int count, Colour colour) {
    float alpha = soft_channel(colour & 255) / 255;
    for (int i = 0; i < count; i++)
        pixels[i] = soft_mixed(pixels[i], soft_pixel(colour), (float)coverage[i] * alpha);
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
        uint32_t *pixels = soft_row(picture, y);
        const uint8_t *row = q->sheet->pixels + (size_t)(v0 + y - y0) * ATLAS_SIZE;
        if (q->sheet->channels == 1 && right > left)
            lay_plain(pixels + left, row + (u0 + left - x0), right - left, q->colour);
        for (int x = left; q->sheet->channels != 1 && x < right; x++)
            pixels[x] = laid(pixels[x], texel(q->sheet, u0 + x - x0, v0 + y - y0), colour);
    }
}

/* Interpolate between the four texels around a point of the image, like OpenGL. The point is
 * relative to the image's corner, so that no bit depends on the image's place in the atlas. */
static SoftColour sample(const SoftQuad *q, float u, float v) {
    const AtlasSheet *sheet = q->sheet;
    float x = floorf(u - 0.5f), y = floorf(v - 0.5f), across = u - 0.5f - x, down = v - 0.5f - y;
    int column = (int)q->uv[0] + (int)x, row = (int)q->uv[1] + (int)y;
    SoftColour upper =
        soft_between(texel(sheet, column, row), texel(sheet, column + 1, row), across);
    SoftColour lower =
        soft_between(texel(sheet, column, row + 1), texel(sheet, column + 1, row + 1), across);
    return soft_between(upper, lower, down);
}

/* Draw rotated text: rotate each pixel's centre back to its place in the quad. */
static void draw_rotated(const SoftPicture *picture, const PixelRect *clip, const SoftQuad *q) {
    const float *quad = q->quad, *uv = q->uv;
    float texels_x = (uv[2] - uv[0]) / (quad[2] - quad[0]);
    float texels_y = (uv[3] - uv[1]) / (quad[3] - quad[1]);
    SoftColour colour = soft_colour(q->colour);
    for (int row = clip->top; row < clip->bottom; row++) {
        uint32_t *pixels = soft_row(picture, row);
        for (int column = clip->left; column < clip->right; column++) {
            float from_x = (float)column + 0.5f - q->about.x,
                  from_y = (float)row + 0.5f - q->about.y;
            float x = q->cosine * from_x + q->sine * from_y;
            float y = q->cosine * from_y - q->sine * from_x;
            if (x < quad[0] || x >= quad[2] || y < quad[1] || y >= quad[3])
                continue;
            SoftColour t = sample(q, (x - quad[0]) * texels_x, (y - quad[1]) * texels_y);
            if (t.a > 0)
                pixels[column] = laid(pixels[column], t, colour);
        }
    }
}

void soft_text(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    SoftQuad quad = read_quad(item);
    if (is_aligned(&quad))
        draw_aligned(picture, clip, &quad);
    else
        draw_rotated(picture, clip, &quad);
}
