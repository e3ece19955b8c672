#include "gfx/paint_ink.h"

#include <limits.h>
#include <string.h>

#include "draw/curve.h"

void paint_ink_release(InkPaint *paint) {
    ink_release(&paint->ink);
    *paint = (InkPaint){0};
}

static bool has_colour(Colour a, Colour b) {
    return a >> 8 == b >> 8;
}

static bool belongs(const DrawCommand *command, Colour colour) {
    const DrawCurve *c = &command->as.curve;
    const DrawTriangle *t = &command->as.triangle;
    if (command->kind == DRAW_CURVE)
        return c->dash_on <= 0 && c->colour_from == c->colour_to &&
               has_colour(c->colour_from, colour);
    return command->kind == DRAW_TRIANGLE && has_colour(t->colour_a, colour) &&
           has_colour(t->colour_b, colour) && has_colour(t->colour_c, colour);
}

size_t paint_ink_run(const DrawList *list, size_t index) {
    const DrawCommand *first = &list->commands[index];
    size_t at = index, curves = 0;
    if (first->kind != DRAW_CURVE)
        return 0;
    for (; at < list->command_count; at++) {
        const DrawCommand *command = &list->commands[at];
        bool same = command->layer == first->layer &&
                    memcmp(&command->clip, &first->clip, sizeof first->clip) == 0;
        if (!same || !belongs(command, first->as.curve.colour_from))
            break;
        curves += command->kind == DRAW_CURVE;
    }
    return curves >= PAINT_INK_CURVES_MIN ? at - index : 0;
}

static bool is_thin(const DrawCommand *command, float scale) {
    const DrawCurve *c = &command->as.curve;
    return command->kind == DRAW_CURVE && c->width_from == c->width_to &&
           c->width_from * scale <= INK_WIDTH_MAX;
}

/* All pixels that the thin curves of the run touch within the clip. */
static PixelRect reach_of(const Painter *painter, const DrawCommand *commands, size_t count) {
    float scale = painter->list->scale;
    PixelRect all = {INT_MAX, INT_MAX, INT_MIN, INT_MIN};
    for (size_t i = 0; i < count; i++) {
        if (!is_thin(&commands[i], scale))
            continue;
        DrawCurve curve = curve_scaled(&commands[i].as.curve, scale);
        PixelRect reach = ink_reach(&curve, &painter->clip);
        if (reach.right <= reach.left || reach.bottom <= reach.top)
            continue;
        all.left = reach.left < all.left ? reach.left : all.left;
        all.top = reach.top < all.top ? reach.top : all.top;
        all.right = reach.right > all.right ? reach.right : all.right;
        all.bottom = reach.bottom > all.bottom ? reach.bottom : all.bottom;
    }
    return all;
}

static bool cover_thin(const Painter *painter, InkPaint *paint, const DrawCommand *commands,
                       size_t count) {
    float scale = painter->list->scale;
    PixelRect area = reach_of(painter, commands, count);
    paint->key = 0;
    painter->flush(painter->context); /* the one before may wait to be drawn */
    if (area.right <= area.left) {
        paint->ink.area = (PixelRect){0};
        return true;
    }
    if (!ink_begin(&paint->ink, &area))
        return false;
    for (size_t i = 0; i < count; i++)
        if (is_thin(&commands[i], scale)) {
            DrawCurve curve = curve_scaled(&commands[i].as.curve, scale);
            ink_curve(&paint->ink, &curve);
        }
    ink_end(&paint->ink);
    return true;
}

bool paint_ink(Painter *painter, InkPaint *paint, size_t index, size_t count, uint64_t key) {
    const DrawCommand *commands = painter->list->commands + index;
    bool is_there = key != 0 && key == paint->key;
    if (!is_there && !cover_thin(painter, paint, commands, count))
        return false;
    paint->key = key;
    if (paint->ink.area.right > paint->ink.area.left)
        painter->stain(painter, commands[0].as.curve.colour_from, paint->ink.coverage,
                       &paint->ink.area);
    for (size_t i = 0; i < count; i++)
        if (commands[i].kind == DRAW_TRIANGLE)
            paint_triangle(painter, &commands[i].as.triangle, NULL, NULL);
        else if (!is_thin(&commands[i], painter->list->scale))
            paint_curve(painter, &commands[i].as.curve);
    return true;
}
