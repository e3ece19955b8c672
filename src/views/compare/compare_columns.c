/* The columns of Compare, with the charts of a stack of layers below them. */
#include <math.h>
#include <string.h>

#include "draw/part.h"
#include "ui/layout.h"
#include "views/compare/compare.h"

#define COLUMN_LEAST  210
#define COLUMN_TWO    400 /* px: least width of a column in a window narrower than 1360 px */
#define BETWEEN       32
#define BETWEEN_TIGHT 20
#define CHARTS_H      236 /* height of the charts if the columns scroll */

/* Heights that grow if there is room, and shrink a little to avoid scrolling: the space after the
 * formula, the space after the maps, the histogram, the space below a column, and the charts. */
enum { AFTER_FORMULA, AFTER_MAPS, SPREAD, BELOW, CHARTS, HEIGHTS };
static const float TIGHT_TO_EASY[3][HEIGHTS] = {
    {0, 8, 88, 8, 148}, {0, 14, COMPARE_SPREAD_H, 14, 172}, {10, 30, 148, 34, 208}};

typedef struct Grid {
    int count, across, rows;
    float between, parts; /* parts: height of a column without the heights above */
    float heights[HEIGHTS], row_h;
} Grid;

static Grid grid_of(const ViewContext *c, float width) {
    Grid g = {.count = c->settings->compare.schemes.count};
    float least = c->window_width < 1360 ? COLUMN_TWO : COLUMN_LEAST;
    g.between = g.count > 5 ? BETWEEN_TIGHT : BETWEEN;
    g.across = (int)fmaxf(floorf((width + g.between) / (least + g.between)), 1);
    g.across = g.across < g.count ? g.across : g.count;
    g.rows = (g.count + g.across - 1) / g.across;
    g.across = (g.count + g.rows - 1) / g.rows;
    float each = (width - g.between * (float)(g.across - 1)) / (float)g.across;
    g.parts =
        compare_head_height(c, each) + compare_maps_height(c, each) + compare_table_height(c, each);
    memcpy(g.heights, TIGHT_TO_EASY[1], sizeof g.heights);
    g.row_h = g.parts;
    for (int i = 0; i < CHARTS; i++)
        g.row_h += g.heights[i];
    return g;
}

/* Choose the heights. Return true if everything fits without scrolling. */
static bool fit(Grid *g, float height) {
    float needs[3];
    for (int k = 0; k < 3; k++) {
        float row_h = g->parts;
        for (int i = 0; i < CHARTS; i++)
            row_h += TIGHT_TO_EASY[k][i];
        needs[k] = row_h * (float)g->rows + TIGHT_TO_EASY[k][CHARTS];
    }
    if (height < needs[0])
        return false;
    int k = height >= needs[1];
    const float *from = TIGHT_TO_EASY[k], *to = TIGHT_TO_EASY[k + 1];
    float share = fminf((height - needs[k]) / (needs[k + 1] - needs[k]), 1);
    g->row_h = g->parts;
    for (int i = 0; i < CHARTS; i++)
        g->row_h += g->heights[i] = from[i] + (to[i] - from[i]) * share;
    return true;
}

static void column_draw(const ViewContext *c, const Grid *g, Rect place, int column) {
    DrawList *list = c->ui->list;
    c->memory->compare->places[column] = place;
    draw_part(list, PART_RECT(place), "compare.column.%d", column + 1);
    rect_cut_top(&place, compare_head_draw(c, place, column) + g->heights[AFTER_FORMULA]);
    Rect maps = rect_cut_top(&place, compare_maps_draw(c, place, column));
    draw_part(list, PART_RECT(maps), "compare.column.%d.heads", column + 1);
    rect_cut_top(&place, g->heights[AFTER_MAPS]);
    Rect spread = rect_cut_top(&place, g->heights[SPREAD]);
    draw_part(list, PART_RECT(spread), "compare.column.%d.histogram", column + 1);
    compare_spread_draw(c, spread, column);
    draw_part(list, PART_RECT(place), "compare.column.%d.measures", column + 1);
    compare_table_draw(c, place, column);
}

void compare_columns_draw(const ViewContext *c, Rect area) {
    Grid g = grid_of(c, area.w);
    bool fits = fit(&g, area.h);
    if (!fits)
        g = grid_of(c, area.w - SCROLL_BAR);
    float columns_h = g.row_h * (float)g.rows;
    float charts_h = fits ? area.h - columns_h : CHARTS_H;
    ScrollArea scroll =
        scroll_begin(c->ui, ui_id("compare columns", 0), area, &c->memory->compare->scroll,
                     (Vec2){area.w, fmaxf(columns_h + charts_h, area.h)});
    Rect content = scroll.content;
    for (int i = 0; i < g.count; i++) {
        Rect place = layout_cell(content, g.between, g.row_h, i, g.across);
        place.h -= g.heights[BELOW];
        column_draw(c, &g, place, i);
    }
    rect_cut_top(&content, columns_h);
    compare_stack_charts(c, content);
    scroll_end(c->ui, &scroll);
}
