#include <math.h>
#include <stdlib.h>

#include "ui/label.h"
#include "views/heads/heads_parts.h"

/* The layout of a wall: the heatmaps (tiles) of one layer's heads, followed by summaries. A crowded
 * wall has no column labels. */
#define BETWEEN_X     40
#define BETWEEN_X_TWO 26 /* px between matrices if two walls are shown */
#define BETWEEN_Y     14
#define FOOT_H        24 /* px: height of the first line of statistics */
#define FOOT_LINE_H   18 /* px: height of each additional line of statistics */
/* Factor by which matrices may shrink to make room for one more line of statistics. */
#define FIGURES_COST 1.12f
#define UNDER_H      26  /* px: room for the label of the focused column in a crowded wall */
#define SIDE_WHOLE   130 /* px: a single matrix smaller than this has no title */
/* A wall of at least this many tiles is always crowded. */
#define CROWDED_FROM 17
#define SIDE_SMALL   120 /* px */
/* A wall of fewer tiles is crowded if its matrices are smaller than SIDE_SMALL and crowding makes
 * them larger by at least this factor. */
#define CROWDED_GAIN  1.25f
#define NAMES_FROM    0.75f /* share of a transition after which the moving matrix shows names */
#define CELL_MIN      1e-3f /* px: size of a cell if a wall has no room at all */
#define CELL_WITH_GAP 12    /* px: a cell at least this large has a gap */

typedef struct WallRequest {
    int tiles;
    bool row_labels, crowded;
} WallRequest;

/* Return the side of a cell rounded down to whole device pixels, or unchanged if it is below one
 * pixel. */
static float snap_cell(const ViewContext *c, float cell) {
    float scale = c->ui->list->scale, px = floorf(fminf(cell, WALL_CELL_MAX) * scale + 0.001f);
    return px < 1 ? fmaxf(cell, CELL_MIN) : px / scale;
}

static float room_across(const WallLayout *l, Rect area, int columns) {
    return area.w - l->label_w - l->between_x * (float)(columns - 1);
}

static float cell_for(const WallLayout *l, Rect area, int columns) {
    int rows = (l->tiles + columns - 1) / columns;
    float w = room_across(l, area, columns);
    float h = area.h - l->label_h - l->under_h - (l->title_h + l->foot_h) * (float)rows -
              l->between_y * (float)(rows - 1);
    float cell = fminf(w / (float)(columns * l->tokens), h / (float)(rows * l->tokens));
    return fmaxf(cell, CELL_MIN);
}

/* Choose the number of columns that gives the largest cells. Among sizes within 2 % of the largest,
 * prefer the grid nearest to a square. If nothing fits, the wall is cut off at the bottom, not at
 * the side. */
static void choose_columns(WallLayout *l, Rect area) {
    float best = 0;
    int square = (int)ceilf(sqrtf((float)l->tiles) - 0.001f);
    for (int columns = 1; columns <= l->tiles; columns++) {
        float cell = cell_for(l, area, columns);
        if (columns > 1 && room_across(l, area, columns) < cell * (float)(columns * l->tokens) - 1)
            break;
        bool nearer = abs(columns - square) < abs(l->columns - square);
        if (cell > best * 1.02f || (cell > best * 0.98f && nearer)) {
            best = fmaxf(cell, best);
            l->columns = columns;
        }
    }
    l->rows = (l->tiles + l->columns - 1) / l->columns;
}

static float within(float at, float most) {
    return fminf(fmaxf(at, 0), fmaxf(most, 0));
}

/* Return the limits of the zoom. Zoomed cells are whole device pixels, like unzoomed ones, unless
 * these are smaller than a pixel. */
PanZoomLimits wall_zoom(const ViewContext *c, const WallLayout *l) {
    float px = l->fit * c->ui->list->scale;
    return (PanZoomLimits){
        .least = 1, .most = WALL_CELL_MAX / l->fit, .grain = px >= 1 ? 1 / px : 0};
}

static void set_detail(WallLayout *l, const ViewContext *c) {
    float px = l->cell * c->ui->list->scale;
    l->pool = px >= 0.999f ? 1 : (int)ceilf(1 / px - 1e-3f);
    l->pool = l->pool > l->tokens ? l->tokens : l->pool;
    l->gap = l->cell >= CELL_WITH_GAP ? 1 / c->ui->list->scale : 0;
}

static WallLayout layout_with(const ViewContext *c, Rect area, const WallRequest *request,
                              int foot_lines) {
    bool crowded = request->crowded;
    int tiles = request->tiles;
    WallLayout l = {.tiles = tiles,
                    .tokens = c->run->T,
                    .columns = 1,
                    .crowded = crowded,
                    .foot_lines = foot_lines};
    float widest = view_names_width(c, FONT_SANS, WALL_LABEL_SIZE, WALL_LABEL_MAX);
    l.label_w = request->row_labels ? widest + WALL_LABEL_GAP + 6 : 0;
    l.label_h = crowded ? 0 : widest * WALL_SLANT + WALL_LABEL_SIZE + 2;
    l.title_h = crowded ? 22 : WALL_TITLE_H;
    l.foot_h = foot_lines > 0 ? FOOT_H + FOOT_LINE_H * (float)(foot_lines - 1) : 0;
    l.under_h = crowded ? UNDER_H : 0;
    l.between_x = crowded ? 12 : c->run->layer_count > 1 ? BETWEEN_X_TWO : BETWEEN_X;
    l.between_y = crowded ? 8 : BETWEEN_Y;
    choose_columns(&l, area);
    if (tiles == 1 && cell_for(&l, area, 1) * (float)l.tokens < SIDE_WHOLE)
        l.title_h = l.foot_h = 0;
    l.fit = snap_cell(c, cell_for(&l, area, l.columns));
    const PanZoom *view = &c->memory->heads.view;
    PanZoomLimits limits = wall_zoom(c, &l);
    float zoom = pan_zoom_drawn(view, &limits), seen = (float)l.tokens / zoom;
    l.side = l.fit * (float)l.tokens;
    l.cell = l.fit * zoom;
    l.first = (Vec2){within(-view->at.x * seen, (float)l.tokens - seen),
                     within(-view->at.y * seen, (float)l.tokens - seen)};
    set_detail(&l, c);
    l.x = draw_snap(c->ui->list, area.x);
    l.y = draw_snap(c->ui->list, area.y);
    return l;
}

/* Return the layout with the statistics below the matrices. Leave out lines that would make the
 * matrices much smaller. A single head has no statistics there, because they serve to compare
 * heads; the inspector and the title's tooltip show them. */
static WallLayout layout_with_figures(const ViewContext *c, Rect area, const WallRequest *request) {
    bool is_alone = request->tiles == 1;
    int least = request->crowded || is_alone ? 0 : 1;
    WallLayout bare = layout_with(c, area, request, least), l = bare;
    for (int lines = least + 1; lines <= 2 && !is_alone; lines++) {
        WallLayout more = layout_with(c, area, request, lines);
        if (more.side >= SIDE_SMALL && more.side * FIGURES_COST >= bare.side && more.title_h > 0 &&
            wall_foot_lines(c, more.side) >= lines)
            l = more;
    }
    return l;
}

WallLayout wall_layout(const ViewContext *c, Rect area, bool row_labels, int tiles) {
    WallRequest request = {tiles, row_labels, tiles >= CROWDED_FROM};
    WallLayout l = layout_with_figures(c, area, &request);
    if (l.crowded || tiles == 1 || l.side >= SIDE_SMALL)
        return l;
    request.crowded = true;
    WallLayout closer = layout_with_figures(c, area, &request);
    return closer.side >= l.side * CROWDED_GAIN ? closer : l;
}

static float between(float from, float to, float t) {
    return from + (to - from) * t;
}

WallLayout wall_between(const ViewContext *c, const WallLayout *from, const WallLayout *to,
                        float t) {
    WallLayout l = *to;
    Rect a = wall_matrix(from, to->first_tile), b = wall_matrix(to, to->first_tile);
    l.fit = between(from->fit, to->fit, t);
    l.cell = between(from->cell, to->cell, t);
    l.side = between(from->side, to->side, t);
    l.first.x = between(from->first.x, to->first.x, t);
    l.first.y = between(from->first.y, to->first.y, t);
    l.x = between(a.x, b.x, t) - l.label_w;
    l.y = between(a.y, b.y, t) - l.label_h - l.title_h;
    l.moves = t < NAMES_FROM;
    set_detail(&l, c);
    l.pool = from->pool;
    return l;
}

Rect wall_matrix(const WallLayout *l, int tile) {
    int place = tile - l->first_tile;
    float column = (float)(place % l->columns), row = (float)(place / l->columns);
    float pitch = l->side + l->foot_h + l->between_y + l->title_h;
    return (Rect){l->x + l->label_w + column * (l->side + l->between_x),
                  l->y + l->title_h + l->label_h + row * pitch, l->side, l->side};
}

float wall_right(const WallLayout *l) {
    return rect_right(wall_matrix(l, l->first_tile + l->columns - 1));
}

float wall_bottom(const WallLayout *l) {
    return rect_bottom(wall_matrix(l, l->first_tile + l->tiles - 1)) + l->foot_h + l->under_h;
}

Rect wall_cell(const WallLayout *l, Rect m, int row, int column) {
    return (Rect){m.x + ((float)column - l->first.x) * l->cell,
                  m.y + ((float)row - l->first.y) * l->cell, l->cell, l->cell};
}

HeatmapWindow wall_window(const WallLayout *l) {
    int side = (l->tokens + l->pool - 1) / l->pool;
    float seen = l->side / l->cell, pool = (float)l->pool;
    int row = (int)floorf(l->first.y / pool), col = (int)floorf(l->first.x / pool);
    int row_end = (int)ceilf((l->first.y + seen) / pool - 1e-3f);
    int col_end = (int)ceilf((l->first.x + seen) / pool - 1e-3f);
    row_end = row_end > side ? side : row_end;
    col_end = col_end > side ? side : col_end;
    return (HeatmapWindow){l->pool, row, col, row_end - row > 0 ? row_end - row : 1,
                           col_end - col > 0 ? col_end - col : 1};
}
