#include "gfx/paint.h"

#include <math.h>
#include <string.h>

const int PAINT_WORD_COUNTS[PIPELINE_COUNT] = {
    [PIPELINE_SOLID] = 8,     [PIPELINE_BOX] = 16,   [PIPELINE_CURVE] = 16,
    [PIPELINE_TRIANGLE] = 20, [PIPELINE_CELLS] = 20, [PIPELINE_CELLS_FADE] = 24,
    [PIPELINE_TEXT] = 16,
};

uint32_t paint_word(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

bool paint_cut(const Painter *painter, Rect *quad) {
    const PixelRect *clip = &painter->clip;
    *quad = rect_intersect(*quad, (Rect){(float)clip->left, (float)clip->top,
                                         (float)(clip->right - clip->left),
                                         (float)(clip->bottom - clip->top)});
    return quad->w > 0 && quad->h > 0;
}

void paint_add(Painter *painter, PaintItem *item) {
    const Rect *r = &item->bounds;
    Rect cut = *r;
    if (!isfinite(r->x + r->y + r->w + r->h) || !paint_cut(painter, &cut))
        return;
    item->is_clipped = cut.x != r->x || cut.y != r->y || rect_right(cut) != rect_right(*r) ||
                       rect_bottom(cut) != rect_bottom(*r);
    item->clip = (PixelRect){(int)floorf(cut.x), (int)floorf(cut.y), (int)ceilf(rect_right(cut)),
                             (int)ceilf(rect_bottom(cut))};
    painter->add(painter, item);
}

static int clamp_pixel(float at, int limit) {
    return (int)fmaxf(0, fminf((float)limit, roundf(at)));
}

static PixelRect clip_of(const DrawCommand *command, float scale, const PixelRect *frame) {
    const Rect *clip = &command->clip;
    return (PixelRect){clamp_pixel(clip->x * scale, frame->right),
                       clamp_pixel(clip->y * scale, frame->bottom),
                       clamp_pixel(rect_right(*clip) * scale, frame->right),
                       clamp_pixel(rect_bottom(*clip) * scale, frame->bottom)};
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
    painter->lacks_memory = list->dropped > 0;
    for (size_t i = 0; i < list->command_count; i++) {
        painter->clip = clip_of(&list->commands[i], list->scale, &painter->frame);
        if (!pixel_rect_is_empty(&painter->clip))
            paint_command(painter, i);
    }
}
