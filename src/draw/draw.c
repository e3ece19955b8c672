#include "draw/draw.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

#define DRAW_LAYERS 5

void draw_begin(DrawList *list, float width, float height, float scale, Colour ground) {
    list->command_count = 0;
    list->text_used = 0;
    list->part_count = 0;
    list->width = width;
    list->height = height;
    list->scale = scale;
    list->ground = ground;
    list->dropped = 0;
    list->layer = 0;
    list->clip = (Rect){0, 0, width, height};
    list->reveal = NULL;
}

void draw_release(DrawList *list) {
    free(list->commands);
    free(list->text);
    free(list->parts);
    free(list->values);
    *list = (DrawList){0};
}

/* Usually only a few late commands are in a higher layer, so only those are copied. */
void draw_end(DrawList *list) {
    size_t count = list->command_count;
    DrawCommand *later = NULL;
    size_t moved = 0, kept = 0;
    for (size_t i = 0; i < count; i++)
        moved += list->commands[i].layer > 0;
    if (moved == 0)
        return;
    later = heap_get(moved * sizeof *later);
    if (later == NULL) {
        /* Count this as a dropped command: without the sort, a higher layer may be covered. */
        list->dropped++;
        return;
    }
    moved = 0;
    for (size_t i = 0; i < count; i++) {
        if (list->commands[i].layer > 0)
            later[moved++] = list->commands[i];
        else
            list->commands[kept++] = list->commands[i];
    }
    for (int layer = 1; layer < DRAW_LAYERS; layer++)
        for (size_t i = 0; i < moved; i++)
            if (later[i].layer == layer)
                list->commands[kept++] = later[i];
    free(later);
}

Rect draw_clip(DrawList *list, Rect rect) {
    Rect previous = list->clip;
    list->clip = rect_intersect(previous, rect);
    return previous;
}

void draw_clip_restore(DrawList *list, Rect previous) {
    list->clip = previous;
}

/* Return NULL if memory runs out or the clip is empty. */
static DrawCommand *draw_push(DrawList *list, DrawKind kind) {
    assert(list->layer >= 0 && list->layer < DRAW_LAYERS);
    if (list->clip.w <= 0 || list->clip.h <= 0)
        return NULL;
    DrawCommand *commands = heap_grow(list->commands, &list->command_capacity,
                                      list->command_count + 1, sizeof *commands);
    if (commands == NULL) {
        list->dropped++;
        return NULL;
    }
    list->commands = commands;
    DrawCommand *command = &list->commands[list->command_count++];
    memset(command, 0, sizeof *command);
    command->kind = kind;
    command->layer = list->layer;
    command->clip = list->clip;
    return command;
}

void draw_box(DrawList *list, const DrawBox *box) {
    DrawCommand *command = draw_push(list, DRAW_BOX);
    if (command != NULL)
        command->as.box = *box;
}

void draw_curve(DrawList *list, const DrawCurve *curve) {
    DrawCommand *command = draw_push(list, DRAW_CURVE);
    if (command != NULL)
        command->as.curve = *curve;
}

void draw_triangle(DrawList *list, const DrawTriangle *triangle) {
    DrawCommand *command = draw_push(list, DRAW_TRIANGLE);
    if (command != NULL)
        command->as.triangle = *triangle;
}

/* The four sums are independent, so the function is as fast as memory. */
static uint64_t hash_floats(uint64_t hash, const float *at, size_t count) {
    static const uint64_t step = 0x9E3779B97F4A7C15u;
    uint64_t lane[4] = {hash, hash ^ step, hash + step, ~hash};
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        uint64_t word[4];
        memcpy(word, at + i, sizeof word);
        for (int k = 0; k < 4; k++)
            lane[k] = ((lane[k] ^ word[k]) * step) ^ (lane[k] >> 29);
    }
    for (; i < count; i++) {
        uint32_t word;
        memcpy(&word, at + i, sizeof word);
        lane[i % 4] = ((lane[i % 4] ^ word) * step) ^ (lane[i % 4] >> 29);
    }
    return lane[0] ^ (lane[1] * step) ^ (lane[2] >> 7) ^ (lane[3] * 31);
}

static uint64_t hash_matrix(const float *values, int rows, int cols, int stride) {
    uint64_t hash = (uint64_t)rows << 32 | (uint64_t)cols;
    for (int i = 0; i < rows; i++)
        hash = hash_floats(hash, values + (size_t)i * (size_t)stride, (size_t)cols);
    return hash;
}

void draw_cells(DrawList *list, const DrawCells *cells) {
    DrawCommand *command = draw_push(list, DRAW_CELLS);
    if (command == NULL)
        return;
    DrawCells *to = &command->as.cells;
    *to = *cells;
    to->hash = hash_matrix(to->values, to->rows, to->cols, to->stride);
    to->before_hash = 0;
    if (to->before != NULL && to->way < 1) {
        to->before_hash = hash_matrix(to->before, to->rows, to->cols, to->cols);
    } else {
        to->before = NULL;
        to->before_lo = to->before_hi = to->way = to->sweep = 0;
    }
}

void draw_text_run(DrawList *list, const DrawText *style, const char *text, size_t bytes) {
    if (bytes == 0 || bytes > UINT32_MAX)
        return;
    char *all = heap_grow(list->text, &list->text_capacity, list->text_used + bytes, 1);
    if (all == NULL) {
        list->dropped++;
        return;
    }
    list->text = all;
    DrawCommand *command = draw_push(list, DRAW_TEXT);
    if (command == NULL)
        return;
    memcpy(list->text + list->text_used, text, bytes);
    command->as.text = *style;
    command->as.text.text_at = (uint32_t)list->text_used;
    command->as.text.text_bytes = (uint32_t)bytes;
    list->text_used += bytes;
}

void draw_append(DrawList *list, const DrawList *from, size_t count) {
    for (size_t i = 0; i < count && i < from->command_count; i++) {
        const DrawCommand *c = &from->commands[i];
        const DrawText *text = &c->as.text;
        size_t before = list->command_count;
        if (c->kind == DRAW_TEXT) {
            draw_text_run(list, text, from->text + text->text_at, text->text_bytes);
        } else {
            DrawCommand *copy = draw_push(list, c->kind);
            if (copy != NULL)
                memcpy(&copy->as, &c->as, sizeof copy->as);
        }
        if (list->command_count > before)
            list->commands[before].clip = c->clip;
    }
}

bool draw_own_cells(DrawList *list) {
    size_t all = 0;
    for (size_t i = 0; i < list->command_count; i++)
        if (list->commands[i].kind == DRAW_CELLS)
            all +=
                (size_t)list->commands[i].as.cells.rows * (size_t)list->commands[i].as.cells.cols;
    float *at = heap_get((all + 1) * sizeof *at);
    if (at == NULL)
        return false;
    free(list->values);
    list->values = at;
    for (size_t i = 0; i < list->command_count; i++) {
        DrawCells *cells = &list->commands[i].as.cells;
        if (list->commands[i].kind != DRAW_CELLS)
            continue;
        const float *from = cells->values;
        cells->values = at;
        for (int row = 0; row < cells->rows; row++, at += cells->cols, from += cells->stride)
            memcpy(at, from, (size_t)cells->cols * sizeof *at);
        cells->stride = cells->cols;
        cells->before = NULL;
    }
    return true;
}

void draw_fill(DrawList *list, Rect rect, float radius, Colour fill) {
    if ((fill & 255) == 0)
        return;
    draw_box(list, &(DrawBox){.rect = rect, .radius = radius, .fill = fill, .fill_right = fill});
}

void draw_ring(DrawList *list, Rect rect, float radius, float border, Colour stroke) {
    draw_box(list, &(DrawBox){.rect = rect, .radius = radius, .border = border, .stroke = stroke});
}

void draw_disc(DrawList *list, Vec2 centre, float radius, Colour fill, float border,
               Colour stroke) {
    Rect rect = {centre.x - radius, centre.y - radius, 2 * radius, 2 * radius};
    draw_box(list, &(DrawBox){.rect = rect,
                              .radius = radius,
                              .border = border,
                              .fill = fill,
                              .fill_right = fill,
                              .stroke = stroke});
}

void draw_fill_triangle(DrawList *list, Vec2 a, Vec2 b, Vec2 c, Colour fill) {
    draw_triangle(list, &(DrawTriangle){a, b, c, fill, fill, fill});
}

void draw_line(DrawList *list, Vec2 from, Vec2 to, float width, Colour colour) {
    Vec2 third = {(to.x - from.x) / 3, (to.y - from.y) / 3};
    draw_curve(list, &(DrawCurve){.from = from,
                                  .control_1 = {from.x + third.x, from.y + third.y},
                                  .control_2 = {to.x - third.x, to.y - third.y},
                                  .to = to,
                                  .width_from = width,
                                  .width_to = width,
                                  .colour_from = colour,
                                  .colour_to = colour});
}

float draw_snap(const DrawList *list, float coordinate) {
    return roundf(coordinate * list->scale) / list->scale;
}

/* Move both ends of an extent to whole pixels, at least one pixel apart. */
static void snap_extent(float *start, float *extent) {
    if (*extent < 0.5f)
        return;
    float end = roundf(*start + *extent);
    *start = roundf(*start);
    *extent = fmaxf(1, end - *start);
}

Rect draw_box_rect(const DrawBox *box, float scale) {
    Rect r = {box->rect.x * scale, box->rect.y * scale, box->rect.w * scale, box->rect.h * scale};
    bool is_circle = box->rect.w == box->rect.h && box->radius >= 0.5f * box->rect.w;
    if (!is_circle) {
        snap_extent(&r.x, &r.w);
        snap_extent(&r.y, &r.h);
    }
    return r;
}

Rect draw_cells_rect(float *gap, const DrawCells *cells, float scale) {
    const Rect *r = &cells->rect;
    float left = roundf(r->x * scale), top = roundf(r->y * scale);
    Rect rect = {left, top, fmaxf(1, roundf(rect_right(*r) * scale) - left),
                 fmaxf(1, roundf(rect_bottom(*r) * scale) - top)};
    float cell = fminf(rect.w / (float)cells->cols, rect.h / (float)cells->rows);
    *gap = 0;
    if (cells->gap > 0)
        *gap = fminf(fmaxf(1, roundf(cells->gap * scale)), floorf(cell / 2));
    return rect;
}

uint64_t draw_hash(const DrawList *list) {
    float frame[4] = {list->width, list->height, list->scale};
    memcpy(&frame[3], &list->ground, sizeof frame[3]);
    uint64_t hash = hash_floats(1, frame, 4);
    for (size_t i = 0; i < list->command_count; i++) {
        DrawCommand seen;
        memcpy(&seen, &list->commands[i], sizeof seen);
        if (seen.kind == DRAW_CELLS)
            seen.as.cells.values = seen.as.cells.before = NULL;
        float words[sizeof seen / sizeof(float)];
        memcpy(words, &seen, sizeof words);
        hash = hash_floats(hash + i, words, sizeof words / sizeof *words);
    }
    size_t whole = list->text_used / sizeof(float);
    float rest = 0;
    if (list->text_used > whole * sizeof rest)
        memcpy(&rest, list->text + whole * sizeof rest, list->text_used - whole * sizeof rest);
    hash = hash_floats(hash, (const float *)(const void *)list->text, whole);
    return hash_floats(hash, &rest, 1);
}
