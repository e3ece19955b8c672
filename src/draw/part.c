#include "draw/part.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

static bool has_word(const char *words, const char *id) {
    size_t bytes = strlen(id);
    for (const char *at = words; (at = strstr(at, id)) != NULL; at += bytes)
        if ((at == words || at[-1] == ' ') && (at[bytes] == ' ' || at[bytes] == '\0'))
            return true;
    return false;
}

void draw_part(DrawList *list, const DrawPart *part, const char *format, ...) {
    char id[PART_ID_MAX];
    va_list values;
    va_start(values, format);
    vsnprintf(id, sizeof id, format, values);
    va_end(values);
    if (list->reveal != NULL && has_word(list->reveal, id))
        list->revealed = list->revealed.w > 0 ? rect_union(list->revealed, part->rect) : part->rect;
    Rect seen = rect_intersect(part->rect, list->clip);
    if (seen.w <= 0 || seen.h <= 0)
        return;
    DrawPart *parts =
        heap_grow(list->parts, &list->part_capacity, list->part_count + 1, sizeof *parts);
    if (parts == NULL)
        return;
    list->parts = parts;
    DrawPart *added = &list->parts[list->part_count++];
    *added = *part;
    added->rect = seen;
    added->is_cut = seen.w < part->rect.w - 1 || seen.h < part->rect.h - 1;
    memcpy(added->id, id, sizeof id);
}

const DrawPart *part_find(const DrawList *list, const char *id, size_t bytes) {
    for (size_t i = 0; i < list->part_count; i++)
        if (strncmp(list->parts[i].id, id, bytes) == 0 && list->parts[i].id[bytes] == '\0')
            return &list->parts[i];
    return NULL;
}

const DrawPart *part_at(const DrawList *list, Vec2 at) {
    const DrawPart *best = NULL;
    for (size_t i = 0; i < list->part_count; i++) {
        const DrawPart *part = &list->parts[i];
        if (rect_contains(part->rect, at) &&
            (best == NULL || part->rect.w * part->rect.h <= best->rect.w * best->rect.h))
            best = part;
    }
    return best;
}

/* Set *out to the visible part of `rows` × `cols` cells from (row, col) on. */
static bool cells_at(Rect *out, const DrawPart *part, int row, int col, int rows, int cols) {
    if (row < 1 || col < 1 || row - 1 + rows > part->rows || col - 1 + cols > part->cols)
        return false;
    float w = part->cells.w / (float)part->cols, h = part->cells.h / (float)part->rows;
    Rect all = {part->cells.x + w * (float)(col - 1), part->cells.y + h * (float)(row - 1),
                w * (float)cols, h * (float)rows};
    *out = rect_intersect(all, part->rect);
    return out->w > 0 && out->h > 0;
}

/* Set *out to the visible part of a row or column with its name, between the cells and the part's
 * left or upper edge. */
static bool line_at(Rect *out, const DrawPart *part, int row, int col, int rows, int cols) {
    if (!cells_at(out, part, row, col, rows, cols))
        return false;
    Rect name = *out;
    if (rows == 1 && part->cols > 1)
        name.x = part->rect.x;
    else if (cols == 1 && part->rows > 1)
        name.y = part->rect.y;
    *out = rect_union(*out, name);
    return true;
}

static bool token_at(Rect *out, const DrawList *list, const DrawPart *part, int token) {
    char id[PART_ID_MAX + 20];
    int bytes = snprintf(id, sizeof id, "%s.token.%d", part->id, token);
    const DrawPart *own = part_find(list, id, (size_t)bytes);
    if (own != NULL)
        *out = own->rect;
    return own != NULL || cells_at(out, part, token, 1, 1, part->cols);
}

static bool edge_at(Rect *out, const DrawList *list, const DrawPart *part, int query, int key) {
    Rect a, b;
    if (part->cols > 1)
        return cells_at(out, part, query, key, 1, 1);
    if (!token_at(&a, list, part, query) || !token_at(&b, list, part, key))
        return false;
    *out = rect_union(a, b);
    return true;
}

bool part_address(Rect *out, const DrawList *list, const DrawPart *part, const char *address,
                  size_t bytes) {
    char text[64], name[8];
    int i, j, used = 0;
    if (bytes >= sizeof text)
        return false;
    memcpy(text, address, bytes);
    text[bytes] = '\0';
    if (sscanf(text, "%7[a-z](%6d,%6d)%n", name, &i, &j, &used) == 3 && used == (int)bytes) {
        if (strcmp(name, "cell") == 0)
            return cells_at(out, part, i, j, 1, 1);
        return strcmp(name, "edge") == 0 && edge_at(out, list, part, i, j);
    }
    if (sscanf(text, "%7[a-z](%6d)%n", name, &i, &used) != 2 || used != (int)bytes)
        return false;
    if (strcmp(name, "row") == 0)
        return line_at(out, part, i, 1, 1, part->cols);
    if (strcmp(name, "column") == 0)
        return line_at(out, part, 1, i, part->rows, 1);
    if (strcmp(name, "step") == 0)
        return cells_at(out, part, 1, i + 1, part->rows, 1);
    return strcmp(name, "token") == 0 && token_at(out, list, part, i);
}
