/* The columns, with the charts of a stack of layers below them. */
#include <math.h>

#include "draw/part.h"
#include "views/compare/compare.h"

#define COLUMN_LEAST  210
#define COLUMN_TWO    400 /* least width of a column in a window narrower than 1360 px */
#define BETWEEN       32
#define BETWEEN_TIGHT 20
#define CHARTS_H      236 /* height of the charts if the columns scroll */
#define CHARTS_EASY   208 /* height of the charts if there is room to spare */
#define CHARTS_LEAST  172
#define CHARTS_TIGHT  148 /* least height of the charts before the columns scroll */

/* Heights that grow if there is room, and shrink a little to avoid scrolling. */
typedef struct Gaps {
    float formula, maps, spread,
        below; /* space after each part; spread: the height of the histogram */
} Gaps;
static const Gaps TIGHT = {0, 8, 88, 8}, NORMAL = {0, 14, COMPARE_SPREAD_H, 14},
                  EASY = {10, 30, 148, 34};

static Gaps between(const Gaps *a, const Gaps *b, float share) {
    return (Gaps){
        a->formula + (b->formula - a->formula) * share, a->maps + (b->maps - a->maps) * share,
        a->spread + (b->spread - a->spread) * share, a->below + (b->below - a->below) * share};
}

static float sum_of(const Gaps *g) {
    return g->formula + g->maps + g->spread + g->below;
}

typedef struct Grid {
    int count, across, rows;
    float width, between, parts; /* parts: height of a column's parts without gaps */
    Gaps gaps;
} Grid;

static Grid grid_of(const ViewContext *c, float width) {
    Grid g = {.count = c->settings->compare.schemes.count, .gaps = NORMAL};
    float least = c->window_width < 1360 ? COLUMN_TWO : COLUMN_LEAST;
    g.between = g.count > 5 ? BETWEEN_TIGHT : BETWEEN;
    g.across = (int)fmaxf(floorf((width + g.between) / (least + g.between)), 1);
    g.across = g.across < g.count ? g.across : g.count;
    g.rows = (g.count + g.across - 1) / g.across;
    g.across = (g.count + g.rows - 1) / g.rows;
    g.width = (width - g.between * (float)(g.across - 1)) / (float)g.across;
    g.parts = compare_head_height(c, g.width) + compare_maps_height(c, g.width) +
              compare_table_height(c, g.width);
    return g;
}

/* Choose the gaps. True if everything fits without scrolling. */
static bool fit(Grid *g, float height) {
    float rows = (float)g->rows;
    float tight = (g->parts + sum_of(&TIGHT)) * rows + CHARTS_TIGHT;
    float normal = (g->parts + sum_of(&NORMAL)) * rows + CHARTS_LEAST;
    float easy = (g->parts + sum_of(&EASY)) * rows + CHARTS_EASY;
    if (height < tight)
        return false;
    g->gaps = height < normal
                  ? between(&TIGHT, &NORMAL, (height - tight) / (normal - tight))
                  : between(&NORMAL, &EASY, fminf((height - normal) / (easy - normal), 1));
    return true;
}

static void column_draw(const ViewContext *c, const Grid *g, Rect place, int column) {
    DrawList *list = c->ui->list;
    c->memory->compare->places[column] = place;
    draw_part(list, PART_RECT(place), "compare.column.%d", column + 1);
    rect_cut_top(&place, compare_head_draw(c, place, column) + g->gaps.formula);
    Rect maps = rect_cut_top(&place, compare_maps_draw(c, place, column));
    draw_part(list, PART_RECT(maps), "compare.column.%d.heads", column + 1);
    rect_cut_top(&place, g->gaps.maps);
    Rect spread = rect_cut_top(&place, g->gaps.spread);
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
    float row_h = g.parts + sum_of(&g.gaps), columns_h = row_h * (float)g.rows;
    float charts_h = fits ? area.h - columns_h : CHARTS_H;
    ScrollArea scroll =
        scroll_begin(c->ui, ui_id("compare columns", 0), area, &c->memory->compare->scroll,
                     (Vec2){area.w, fmaxf(columns_h + charts_h, area.h)});
    Rect content = scroll.content;
    for (int i = 0; i < g.count; i++) {
        Rect place = {content.x + (g.width + g.between) * (float)(i % g.across),
                      content.y + row_h * (float)(i / g.across), g.width, row_h - g.gaps.below};
        column_draw(c, &g, place, i);
    }
    rect_cut_top(&content, columns_h);
    compare_stack_charts(c, content);
    scroll_end(c->ui, &scroll);
}
