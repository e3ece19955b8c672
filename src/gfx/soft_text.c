#include <math.h>

#include "gfx/soft_items.h"

/* Return a texel, premultiplied. In the sheet with one channel, all four are the coverage. */
static SoftColour texel(const AtlasSheet *sheet, int x, int y) {
    x = soft_within(x, 0, ATLAS_SIZE - 1);
    y = soft_within(y, 0, ATLAS_SIZE - 1);
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

/* The text is neither rotated nor scaled, so each pixel shows exactly one texel. */
static void draw_aligned(const SoftPicture *picture, const PixelRect *clip, const PaintText *t) {
    const AtlasSheet *sheet = &picture->sheets[t->sheet];
    /* distance from a pixel to its texel */
    int u = (int)(t->texels.left - (t->about.x + t->edges.left));
    int v = (int)(t->texels.top - (t->about.y + t->edges.top));
    SoftColour colour = soft_colour(t->colour);
    uint32_t pixel = soft_pixel(colour);
    float alpha = colour.a / 255;
    for (int y = clip->top; y < clip->bottom; y++) {
        uint32_t *pixels = soft_row(picture, y);
        const uint8_t *coverage = sheet->pixels + (size_t)(v + y) * ATLAS_SIZE;
        if (sheet->channels == 1)
            for (int x = clip->left; x < clip->right; x++)
                pixels[x] = soft_mixed(pixels[x], pixel, (float)coverage[u + x] * alpha);
        else
            for (int x = clip->left; x < clip->right; x++)
                pixels[x] = laid(pixels[x], texel(sheet, u + x, v + y), colour);
    }
}

/* Interpolate between four texels, like OpenGL. (u, v) is relative to the image's corner, so that
 * no bit depends on the image's place in the atlas. */
static SoftColour sample(const AtlasSheet *sheet, const PaintText *t, float u, float v) {
    float x = floorf(u - 0.5f), y = floorf(v - 0.5f), across = u - 0.5f - x, down = v - 0.5f - y;
    int column = (int)t->texels.left + (int)x, row = (int)t->texels.top + (int)y;
    SoftColour upper =
        soft_between(texel(sheet, column, row), texel(sheet, column + 1, row), across);
    SoftColour lower =
        soft_between(texel(sheet, column, row + 1), texel(sheet, column + 1, row + 1), across);
    return soft_between(upper, lower, down);
}

/* Rotate the centre of each pixel back to its place in the image. */
static void draw_rotated(const SoftPicture *picture, const PixelRect *clip, const PaintText *t) {
    const AtlasSheet *sheet = &picture->sheets[t->sheet];
    const PaintEdges *e = &t->edges;
    float texels_x = (t->texels.right - t->texels.left) / (e->right - e->left);
    float texels_y = (t->texels.bottom - t->texels.top) / (e->bottom - e->top);
    SoftColour colour = soft_colour(t->colour);
    for (int row = clip->top; row < clip->bottom; row++) {
        uint32_t *pixels = soft_row(picture, row);
        for (int column = clip->left; column < clip->right; column++) {
            float from_x = (float)column + 0.5f - t->about.x;
            float from_y = (float)row + 0.5f - t->about.y;
            float x = t->cosine * from_x + t->sine * from_y;
            float y = t->cosine * from_y - t->sine * from_x;
            if (x < e->left || x >= e->right || y < e->top || y >= e->bottom)
                continue;
            SoftColour here = sample(sheet, t, (x - e->left) * texels_x, (y - e->top) * texels_y);
            if (here.a > 0)
                pixels[column] = laid(pixels[column], here, colour);
        }
    }
}

void soft_text(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    const PaintText *t = &item->as.text;
    float left = t->about.x + t->edges.left, top = t->about.y + t->edges.top;
    bool is_upright = t->cosine == 1 && t->sine == 0;
    bool is_sized = t->edges.right - t->edges.left == t->texels.right - t->texels.left &&
                    t->edges.bottom - t->edges.top == t->texels.bottom - t->texels.top;
    if (is_upright && is_sized && left == floorf(left) && top == floorf(top))
        draw_aligned(picture, clip, t);
    else
        draw_rotated(picture, clip, t);
}
