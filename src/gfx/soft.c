#include "gfx/soft.h"

#include <math.h>

#include "gfx/soft_mix.h"

typedef void (*SoftFn)(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);

static const SoftFn SOFT_PIPELINES[PIPELINE_COUNT] = {
    [PIPELINE_SOLID] = soft_solid, [PIPELINE_BOX] = soft_box,
    [PIPELINE_CURVE] = soft_curve, [PIPELINE_TRIANGLE] = soft_triangle,
    [PIPELINE_CELLS] = soft_cells, [PIPELINE_CELLS_FADE] = soft_cells,
    [PIPELINE_TEXT] = soft_text,
};

static void set_row(uint32_t *pixels, int count, uint32_t pixel) {
    for (int i = 0; i < count; i++)
        pixels[i] = pixel;
}

void soft_fill(const SoftPicture *picture, const PixelRect *rect, Colour ground) {
    for (int y = rect->top; y < rect->bottom; y++)
        set_row(picture->pixels + (size_t)y * (size_t)picture->width + rect->left,
                rect->right - rect->left, soft_pixel(ground));
}

void soft_draw(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    SOFT_PIPELINES[item->pipeline](picture, clip, item);
}

PixelRect soft_quad(const uint32_t words[4], const PixelRect *clip) {
    float left = soft_number(words[0]), top = soft_number(words[1]);
    float right = soft_number(words[2]), bottom = soft_number(words[3]);
    PixelRect quad = {(int)ceilf(fmaxf(left, (float)clip->left) - 0.5f),
                      (int)ceilf(fmaxf(top, (float)clip->top) - 0.5f),
                      (int)ceilf(fminf(right, (float)clip->right) - 0.5f),
                      (int)ceilf(fminf(bottom, (float)clip->bottom) - 0.5f)};
    return quad;
}

void soft_solid(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    PixelRect quad = soft_quad(item->words, clip);
    Colour colour = item->words[4];
    int32_t share = soft_share((float)(colour & 255) / 255);
    if (share == SOFT_WHOLE) {
        soft_fill(picture, &quad, colour);
        return;
    }
    for (int y = quad.top; y < quad.bottom; y++) {
        uint32_t *row = picture->pixels + (size_t)y * (size_t)picture->width;
        for (int x = quad.left; x < quad.right; x++)
            row[x] = soft_mixed(row[x], soft_pixel(colour), share);
    }
}
