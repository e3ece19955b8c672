/* The Heads view for a lecture hall: at most four heads' matrices, without tokens, numbers or
 * arcs. */
#include <math.h>

#include "draw/part.h"
#include "ui/text.h"
#include "views/heads/heads_plan.h"

#define MOST    4
#define MARGIN  24
#define GAP     14
#define NAME    22
#define NAME_H  38
#define SCALE_H 44
#define SCALE_W 300
#define DOT     12

/* Return the side of `count` matrices that are drawn `across` in a row. */
static float side_of(Rect area, int count, int across) {
    int rows = (count + across - 1) / across;
    float width = (area.w - GAP * (float)(across - 1)) / (float)across;
    return fminf(width, area.h / (float)rows - NAME_H);
}

static void tile_draw(const ViewContext *c, const Heatmap *shown, Rect area, int index) {
    const HeatmapTile *tile = &shown->layer[0].tile[index];
    int T = c->run->T;
    float scale = c->ui->list->scale, side = area.w;
    int pool = (int)fmaxf(ceilf((float)T / (side * scale) - 1e-3f), 1);
    int seen = (T + pool - 1) / pool;
    Rect name = rect_cut_top(&area, NAME_H);
    Rect cells = {draw_snap(c->ui->list, area.x), draw_snap(c->ui->list, area.y), side, side};
    HeatmapWindow window = {pool, 0, 0, seen, seen};
    if (!heatmap_begin(c, 0, &window))
        return;
    HeatmapPart part = heatmap_part(c, 0, index, &window);
    DrawCells drawn = view_cells_of(c, cells, &part.values, part.hi, tile->is_signed);
    drawn.gap = side / (float)seen >= 8 ? 1 / scale : 0;
    view_cells(c, ui_id("heads hall", index), &drawn);
    draw_fill(c->ui->list, (Rect){name.x, rect_centre(name).y - DOT / 2.0f, DOT, DOT}, DOT / 2.0f,
              view_head_colour(c, tile->id));
    rect_cut_left(&name, DOT + 8);
    text_in(c->ui, name, TEXT_STRONG | TEXT_PX(NAME), "Head %d", tile->id + 1);
    draw_part(c->ui->list,
              &(DrawPart){.rect = {cells.x, name.y, side, side + NAME_H},
                          .cells = cells,
                          .rows = pool == 1 ? T : 0,
                          .cols = T,
                          .numbers = heatmap_numbers(shown, tile)},
              "heads.matrix.%d", tile->id + 1);
}

void heads_hall(const ViewContext *c, const Heatmap *shown, Rect area) {
    area = rect_inset(area, MARGIN, 8);
    Rect scale = rect_cut_bottom(&area, SCALE_H);
    int heads = c->session->options.heads, first = (c->session->options.head - 1) / MOST * MOST;
    int tiles[MOST], count = 0;
    for (int i = 0; i < shown->layer[0].count && count < MOST; i++)
        if (shown->layer[0].tile[i].id >= first && shown->layer[0].tile[i].id < heads)
            tiles[count++] = i;
    if (count == 0)
        return;
    bool in_row = side_of(area, count, count) >= side_of(area, count, (count + 1) / 2);
    int across = in_row ? count : (count + 1) / 2, rows = (count + across - 1) / across;
    float side = side_of(area, count, across);
    float left = area.x + (area.w - side * (float)across - GAP * (float)(across - 1)) / 2;
    float top = area.y + fmaxf(area.h - (side + NAME_H) * (float)rows, 0) / 2;
    for (int i = 0; i < count; i++)
        tile_draw(c, shown,
                  (Rect){left + (side + GAP) * (float)(i % across),
                         top + (side + NAME_H) * (float)(i / across), side, side + NAME_H},
                  tiles[i]);
    scale = (Rect){left, scale.y + 8, fminf(SCALE_W, scale.w - 40), scale.h};
    heatmap_scale(c, scale, &shown->layer[0].tile[tiles[0]], NAN, 0);
}
