#include "gfx/paint.h"

#include <assert.h>
#include <math.h>

#include "base/heap.h"

const int PAINT_WORD_COUNTS[] = {
    [DRAW_BOX] = sizeof(PaintBox) / 4,           [DRAW_CURVE] = sizeof(PaintCurve) / 4,
    [DRAW_TRIANGLE] = sizeof(PaintTriangle) / 4, [DRAW_CELLS] = sizeof(PaintCells) / 4,
    [DRAW_TEXT] = sizeof(PaintText) / 4,
};
static_assert(sizeof((PaintItem *)0)->as == PAINT_WORDS * 4, "no item has more words");

Colour *paint_palettes(void) {
    Colour *palettes = heap_get((size_t)PALETTE_COUNT * PAINT_TEXELS * sizeof *palettes);
    for (int i = 0; palettes != NULL && i < PALETTE_COUNT * PAINT_TEXELS; i++)
        palettes[i] =
            palette_colour(i / PAINT_TEXELS, (float)(i % PAINT_TEXELS) / (PAINT_TEXELS - 1));
    return palettes;
}

void paint_add(Painter *painter, PaintItem *item, Rect bounds) {
    const PixelRect *clip = &painter->clip;
    Rect cut = rect_intersect(bounds, (Rect){(float)clip->left, (float)clip->top,
                                             (float)(clip->right - clip->left),
                                             (float)(clip->bottom - clip->top)});
    if (!isfinite(bounds.x + bounds.y + bounds.w + bounds.h) || !(cut.w > 0 && cut.h > 0))
        return;
    item->clip = (PixelRect){(int)floorf(cut.x), (int)floorf(cut.y), (int)ceilf(rect_right(cut)),
                             (int)ceilf(rect_bottom(cut))};
    painter->add(painter->context, item);
}

static int clamp_pixel(float at, int limit) {
    return (int)fmaxf(0, fminf((float)limit, roundf(at)));
}

static const DrawTriangle *triangle_at(const DrawList *list, size_t index) {
    bool is_triangle = index < list->command_count && list->commands[index].kind == DRAW_TRIANGLE;
    return is_triangle ? &list->commands[index].as.triangle : NULL;
}

static void paint_command(Painter *painter, size_t index) {
    const DrawList *list = painter->list;
    const DrawCommand *command = &list->commands[index];
    switch (command->kind) {
    case DRAW_BOX:
        paint_box(painter, &command->as.box);
        break;
    case DRAW_CURVE:
        paint_curve(painter, &command->as.curve);
        break;
    case DRAW_TRIANGLE:
        paint_triangle(painter, &command->as.triangle,
                       index > 0 ? triangle_at(list, index - 1) : NULL,
                       triangle_at(list, index + 1));
        break;
    case DRAW_CELLS:
        paint_cells(painter, &command->as.cells);
        break;
    case DRAW_TEXT:
        paint_text(painter, &command->as.text);
        break;
    }
}

void paint_list(Painter *painter) {
    const DrawList *list = painter->list;
    int right = painter->frame.right, bottom = painter->frame.bottom;
    painter->lacks_memory = list->dropped > 0;
    for (size_t i = 0; i < list->command_count; i++) {
        const Rect *clip = &list->commands[i].clip;
        painter->clip = (PixelRect){clamp_pixel(clip->x * list->scale, right),
                                    clamp_pixel(clip->y * list->scale, bottom),
                                    clamp_pixel(rect_right(*clip) * list->scale, right),
                                    clamp_pixel(rect_bottom(*clip) * list->scale, bottom)};
        if (!pixel_rect_is_empty(&painter->clip))
            paint_command(painter, i);
    }
}
