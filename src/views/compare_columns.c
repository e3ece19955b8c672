/* The columns side by side, with what a stack of layers does below them. */
#include <math.h>

#include "views/compare.h"

#define COLUMN_LEAST  210
#define COLUMN_TWO    400 /* in a window of less than 1360 */
#define BETWEEN       32
#define BETWEEN_TIGHT 20
#define SECTION       14
#define SPREAD_H      124
#define CHARTS_H      236
#define CHARTS_LEAST  172

typedef struct Grid {
    int count, across, rows;
    float width, gap, height; /* of a column */
} Grid;

static Grid grid_of(const ViewContext *c, float width) {
    Grid g = {.count = c->settings->compare.schemes.count};
    float least = c->window_width < 1360 ? COLUMN_TWO : COLUMN_LEAST;
    g.gap = g.count > 5 ? BETWEEN_TIGHT : BETWEEN;
    g.across = (int)fmaxf(floorf((width + g.gap) / (least + g.gap)), 1);
    g.across = g.across < g.count ? g.across : g.count;
    g.rows = (g.count + g.across - 1) / g.across;
    g.across = (g.count + g.rows - 1) / g.rows;
    g.width = (width - g.gap * (float)(g.across - 1)) / (float)g.across;
    g.height = compare_head_height(c) + compare_maps_height(c, g.width) + SECTION + SPREAD_H +
               compare_table_height(c, g.width);
    return g;
}

static void column_draw(const ViewContext *c, Rect place, int column) {
    c->memory->compare->places[column] = place;
    rect_cut_top(&place, compare_head_draw(c, place, column));
    rect_cut_top(&place, compare_maps_draw(c, place, column));
    rect_cut_top(&place, SECTION);
    rect_cut_top(&place, compare_spread_draw(c, place, column));
    compare_table_draw(c, place, column);
}

void compare_columns_draw(const ViewContext *c, Rect area) {
    Grid g = grid_of(c, area.w);
    float columns_h = (g.height + SECTION) * (float)g.rows;
    bool fits = columns_h + CHARTS_LEAST <= area.h;
    if (!fits)
        g = grid_of(c, area.w - SCROLL_BAR);
    columns_h = (g.height + SECTION) * (float)g.rows;
    float charts_h = fits ? area.h - columns_h : CHARTS_H;
    ScrollArea scroll =
        scroll_begin(c->ui, ui_id("compare columns", 0), area, &c->memory->compare->scroll,
                     (Vec2){area.w, fmaxf(columns_h + charts_h, area.h)});
    Rect content = scroll.content;
    for (int i = 0; i < g.count; i++) {
        Rect place = {content.x + (g.width + g.gap) * (float)(i % g.across),
                      content.y + (g.height + SECTION) * (float)(i / g.across), g.width, g.height};
        column_draw(c, place, i);
    }
    rect_cut_top(&content, columns_h);
    compare_stack_charts(c, content);
    scroll_end(c->ui, &scroll);
}
