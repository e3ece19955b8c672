
#include "views/heads/wall_parts.h"

#define GRID_FROM 8 /* px: cells at least this large have grid lines between them */

/* True if the mask leaves this pair open. row and column are places on screen. */
static bool open_at(const Wall *w, int row, int column) {
    return mask_row(&w->context->run->mask, w->shown->query_at[row])[w->shown->key_at[column]] != 0;
}

static bool same_rows(const Wall *w, int a, int b) {
    for (int j = 0; j < w->layout->tokens; j++)
        if (open_at(w, a, j) != open_at(w, b, j))
            return false;
    return true;
}

/* Draw the open pairs of the rows first to end − 1, in which the mask is the same, as boxes. */
static void open_rows(const Wall *w, Rect m, int first, int end) {
    int T = w->layout->tokens;
    for (int j = 0, from; j < T; j++) {
        if (!open_at(w, first, j))
            continue;
        for (from = j; j < T && open_at(w, first, j); j++)
            ;
        Rect a = wall_cell(w->layout, m, first, from), b = wall_cell(w->layout, m, end - 1, j - 1);
        draw_fill(w->context->ui->list, (Rect){a.x, a.y, rect_right(b) - a.x, rect_bottom(b) - a.y},
                  0, w->context->ui->theme->control);
    }
}

static void grid(const Wall *w, Rect m) {
    DrawList *list = w->context->ui->list;
    float line = 1 / list->scale;
    HeatmapWindow seen = wall_window(w->layout);
    for (int i = 1; i <= seen.rows || i <= seen.cols; i++) {
        Rect cell = wall_cell(w->layout, m, seen.first_row + i, seen.first_col + i);
        draw_fill(list, (Rect){m.x, cell.y - line, m.w, line}, 0, w->context->ui->theme->canvas);
        draw_fill(list, (Rect){cell.x - line, m.y, line, m.h}, 0, w->context->ui->theme->canvas);
    }
}

/* Frame each pair that was opened or closed by hand. */
static void edited(const Wall *w, Rect m) {
    const EdgeSet *edges = w->context->session->edges;
    int T = w->layout->tokens;
    for (int i = 0; edges != NULL && i < edges->count; i++)
        for (int key = edges->runs[i].first; key <= edges->runs[i].last && key < T; key++) {
            if (edges->runs[i].query >= T)
                break;
            Rect cell = wall_cell(w->layout, m, w->shown->query_place[edges->runs[i].query],
                                  w->shown->key_place[key]);
            if (cell.w >= GRID_FROM && rect_intersect(cell, m).w > 0)
                draw_ring(w->context->ui->list, rect_inset(cell, 1, 1), 2, 1.6f,
                          w->context->ui->theme->ring);
        }
}

void wall_mask_draw(const Wall *w, Rect m) {
    const ViewContext *c = w->context;
    Rect clip = draw_clip(c->ui->list, m);
    int T = w->layout->tokens;
    draw_fill(c->ui->list, m, 0, c->ui->theme->masked);
    for (int first = 0, end; first < T; first = end) {
        for (end = first + 1; end < T && same_rows(w, first, end); end++)
            ;
        open_rows(w, m, first, end);
    }
    if (w->layout->cell >= GRID_FROM)
        grid(w, m);
    edited(w, m);
    draw_clip_restore(c->ui->list, clip);
}
