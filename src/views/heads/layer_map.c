#include "views/heads/layer_map.h"

#include <math.h>
#include <stdio.h>

#include "draw/part.h"
#include "results/layer_map.h"
#include "ui/text.h"

#define LABEL_W    64 /* px of the layers' names */
#define LABEL_H    26
#define GAP        4
#define SIDE_MOST  160
#define NAME_EVERY 18 /* px: least distance of two names */

/* Name the lines along one side: the layers down, or the heads across. */
static void names_draw(const ViewContext *c, Rect first, Vec2 step, int count, int chosen) {
    int every = (int)ceilf(NAME_EVERY / fmaxf(step.x, step.y));
    for (int i = 0; i < count; i++) {
        Rect place = {first.x + step.x * (float)i, first.y + step.y * (float)i, first.w, first.h};
        unsigned style = step.x > 0 ? TEXT_CENTRE : TEXT_RIGHT;
        if (i % every == 0 || i == chosen)
            text_in(c->ui, place, TEXT_COUNT | style | (i == chosen ? TEXT_BRIGHT : 0), "%d",
                    i + 1);
    }
}

/* Light the matrix under the pointer and name it; choose it by a click. */
static void pointer(const ViewContext *c, Rect all, float step) {
    const LayerMap *map = &c->run->map;
    UiState state = ui_control(c->ui, ui_id("layer map", 0), all, UI_NO_FOCUS);
    int head = (int)((c->ui->pointer.x - all.x) / step);
    int layer = (int)((c->ui->pointer.y - all.y) / step);
    if (!state.hovered || head < 0 || layer < 0 || head >= map->heads || layer >= map->layers)
        return;
    char name[48];
    Rect cell = {all.x + step * (float)head, all.y + step * (float)layer, step - GAP, step - GAP};
    draw_ring(c->ui->list, rect_inset(cell, -2, -2), 3, 2, c->ui->theme->ring);
    snprintf(name, sizeof name, "layer %d, head %d", layer + 1, head + 1);
    Vec2 size = view_pill_size(c, name);
    view_pill(c, (Vec2){rect_right(cell) + 12 + size.x / 2, cell.y + cell.h / 2}, c->ui->list->clip,
              name);
    if (!state.clicked)
        return;
    edit_push_state(c->edits, "layer", "%d", layer + 1);
    edit_push_state(c->edits, "head", "%d", head + 1);
    view_set(c, "wall", "all", 0);
}

static float maps_draw(const ViewContext *c, Rect area) {
    const LayerMap *map = &c->run->map;
    int layer = c->session->weights->layer - 1, head = c->session->options.head - 1;
    float step =
        fminf((area.w - LABEL_W) / (float)map->heads, (area.h - 2 * LABEL_H) / (float)map->layers);
    step = fmaxf(floorf(fminf(step, SIDE_MOST)), 2);
    float gap = step > 4 * GAP ? GAP : 1;
    Rect all = {area.x + LABEL_W, area.y + 2 * LABEL_H, step * (float)map->heads,
                step * (float)map->layers};
    Rect part = {area.x, area.y, LABEL_W + all.w, rect_bottom(all) - area.y};
    draw_part(c->ui->list, PART_RECT(part), "heads.layers");
    text_in(c->ui, (Rect){area.x, area.y, LABEL_W - 8, LABEL_H}, TEXT_NOTE | TEXT_RIGHT, "head →");
    text_in(c->ui, (Rect){area.x, area.y + LABEL_H, LABEL_W - 8, LABEL_H}, TEXT_NOTE | TEXT_RIGHT,
            "layer ↓");
    names_draw(c, (Rect){all.x, area.y + LABEL_H, step - gap, LABEL_H}, (Vec2){step, 0}, map->heads,
               head);
    names_draw(c, (Rect){area.x, all.y, LABEL_W - 8, step - gap}, (Vec2){0, step}, map->layers,
               layer);
    for (int l = 0; l < map->layers; l++)
        for (int h = 0; h < map->heads; h++) {
            Rect place = {all.x + step * (float)h, all.y + step * (float)l, step - gap, step - gap};
            Mat m = layer_map_head(map, l, h);
            DrawCells cells = view_cells_of(c, place, &m, 1, false);
            draw_cells(c->ui->list, &cells);
            if (l == layer && h == head)
                draw_ring(c->ui->list, rect_inset(place, -3, -3), 3, 2, view_head_colour(c, h));
        }
    pointer(c, all, step);
    return LABEL_W + all.w;
}

float layer_map_draw(const ViewContext *c, Rect area) {
    float width = area.w;
    if (!session_streams(c->session))
        text_wrap(c->ui, &area, TEXT_BODY,
                  "Other layers need the model's own tokens: choose the tokenizer Token ids and "
                  "type 5, 17, 2.");
    else if (c->run->map.layers > 0)
        width = maps_draw(c, area);
    else
        text_line(c->ui, &area, TEXT_BODY, "Computing all layers …");
    return width;
}
