/* The columns of Compare, with the charts of a stack of layers below them; in a lecture hall, two
 * or three columns in large letters. */
#include <math.h>
#include <string.h>

#include "draw/part.h"
#include "ui/layout.h"
#include "ui/text.h"
#include "views/compare/compare.h"

#define COLUMN_LEAST  210
#define COLUMN_TWO    400 /* px: minimum width of a column in a window narrower than 1360 px */
#define BETWEEN       32
#define BETWEEN_TIGHT 20
#define CHARTS_H      236 /* height of the charts if the columns scroll */

/* In a lecture hall a view shows three columns if its ratio of width to height exceeds this,
 * otherwise two. */
#define WIDE         1.75f
#define HALL_BETWEEN 28
#define NAME_H       40
#define NAME         24
#define MARK         18
#define LABEL        16
#define NUMBER       30
#define LINE         20
#define LEGEND_H     40
#define GAUGE_H      14
#define GAUGE_W      44 /* px: width of the sample gauge in the legend */
#define TRACK_H      4
#define STAND        13  /* px: size of a mark on a gauge */
#define TOP_H        136 /* px: minimum height of the two numbers with their gauges */
#define LEGEND_W     240
#define MAP          0.54f /* width of a map as a share of its column's width */
#define MAP_MOST     0.42f /* largest width of a map as a share of the view's height */

/* Heights that grow if there is room: the space after the formula, the space after the maps, the
 * histogram, the space below a column, and the charts. */
enum { AFTER_FORMULA, AFTER_MAPS, SPREAD, BELOW, CHARTS, HEIGHTS };
static const float TIGHT[HEIGHTS] = {0, 8, 88, 8, 148}, EASY[HEIGHTS] = {10, 30, 148, 34, 208};
#define SCROLLED 0.4f /* if the columns scroll: heights from TIGHT (0) to EASY (1) */

typedef struct Grid {
    int count, across, rows;
    float between, parts; /* parts: height of a column's heading, heatmaps and measures */
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
    return g;
}

/* Set the heights, from TIGHT (share 0) to EASY (share 1). Return the height of all rows of columns
 * and the charts. */
static float set_heights(Grid *g, float share) {
    g->row_h = g->parts;
    for (int i = 0; i < HEIGHTS; i++)
        g->heights[i] = TIGHT[i] + (EASY[i] - TIGHT[i]) * share;
    for (int i = 0; i < CHARTS; i++)
        g->row_h += g->heights[i];
    return g->row_h * (float)g->rows + g->heights[CHARTS];
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

static const struct {
    StudyStat stat;
    const char *word, *of;
} NUMBERS[] = {{STUDY_STD_S, "std ", "S"}, {STUDY_ENTROPY_A, "Entropy", ""}};

/* Draw a gauge. Its middle half is the range mean ± 2 std over the seeds. */
static void gauge_draw(Ui *ui, Rect place) {
    Rect track = {place.x, rect_centre(place).y - TRACK_H / 2.0f, place.w, TRACK_H};
    Rect middle = rect_inset(place, place.w / 4, 0);
    draw_fill(ui->list, track, TRACK_H / 2.0f, ui->theme->control);
    draw_fill(ui->list, middle, 3, ui->theme->hover);
    draw_ring(ui->list, middle, 3, 1, ui->theme->control);
    draw_fill(ui->list, (Rect){rect_centre(place).x - 1, place.y, 2, place.h}, 0,
              ui->theme->text_1);
}

/* Mark the value of the shown seed on the gauge. If it is beyond an end, the mark is an arrow. */
static void value_draw(const ViewContext *c, Rect place, int column, StudyStat stat) {
    Ui *ui = c->ui;
    const Study *seeds = compare_seeds_gauge(c);
    StudySummary over = {0};
    if (seeds != NULL)
        over = study_summary(seeds, column, 0, stat);
    if (!(over.std > 0) || place.h < GAUGE_H)
        return;
    gauge_draw(ui, place);
    double way = (compare_value(c, column, stat) - over.mean) / (8 * over.std) + 0.5;
    float half = STAND / 2.0f, y = rect_centre(place).y;
    float x = place.x + place.w * (float)fmin(fmax(way, 0), 1);
    Colour colour = column_colour(c, column);
    if (way >= 0 && way <= 1) {
        mark_draw(ui, column_mark(column), (Vec2){x, y}, STAND + 4, ui->theme->canvas);
        mark_draw(ui, column_mark(column), (Vec2){x, y}, STAND, colour);
        return;
    }
    float back = way < 0 ? STAND : -STAND;
    draw_fill_triangle(ui->list, (Vec2){x, y}, (Vec2){x + back, y - half},
                       (Vec2){x + back, y + half}, colour);
}

static void numbers_draw(const ViewContext *c, Rect area, int column) {
    Ui *ui = c->ui;
    char text[32];
    draw_part(ui->list, PART_RECT(area), "compare.column.%d.measures", column + 1);
    for (size_t i = 0; i < sizeof NUMBERS / sizeof NUMBERS[0]; i++) {
        LabelStyle number = {FONT_MONO, NUMBER, ui->theme->text_1, LABEL_LEFT};
        Rect half = {area.x, area.y + area.h / 2 * (float)i, area.w, area.h / 2};
        Rect line = rect_cut_top(&half, LINE);
        rect_cut_left(&line, text_in(ui, line, TEXT_CAPTION, "%s", NUMBERS[i].word));
        text_in(ui, line, TEXT_FORMULA | TEXT_DIM | TEXT_PX(LABEL), "%s", NUMBERS[i].of);
        axis_value_brief(text, sizeof text, (float)compare_value(c, column, NUMBERS[i].stat));
        float width = label_width(ui, number.font, number.size, text, strlen(text));
        number.size = fmaxf(NUMBER * fminf(0.95f * half.w / width, 1), LABEL);
        label_draw(ui, rect_cut_top(&half, NUMBER * 1.05f), &number, text);
        value_draw(c, rect_cut_top(&half, fminf(GAUGE_H, half.h)), column, NUMBERS[i].stat);
    }
}

static void hall_column_draw(const ViewContext *c, Rect area, int column) {
    Ui *ui = c->ui;
    float side = fminf(area.w * MAP, area.h * MAP_MOST);
    Rect whole = area, line = rect_cut_top(&area, NAME_H);
    mark_draw(ui, column_mark(column), (Vec2){line.x + MARK / 2.0f, rect_centre(line).y}, MARK,
              column_colour(c, column));
    rect_cut_left(&line, MARK + 10);
    text_in(ui, line, TEXT_STRONG | TEXT_PX(NAME), "%s",
            column_short_name((char[64]){0}, c, column));
    Rect top = rect_cut_top(&area, fmaxf(side, TOP_H)), map = rect_cut_left(&top, side);
    map.h = side;
    compare_map_of_draw(c, map, column, c->session->options.head - 1);
    draw_part(ui->list, PART_RECT(map), "compare.column.%d.heads", column + 1);
    rect_cut_left(&top, 16);
    numbers_draw(c, top, column);
    rect_cut_top(&area, 12);
    draw_part(ui->list, PART_RECT(area), "compare.column.%d.histogram", column + 1);
    compare_spread_draw(c, area, column);
    draw_part(ui->list, PART_RECT(rect_inset(whole, -8, -4)), "compare.column.%d", column + 1);
}

/* Draw the first columns for a lecture hall: the chosen head, two numbers and the histogram. */
static void hall_draw(const ViewContext *c, Rect area) {
    int most = area.w > area.h * WIDE ? 3 : 2, count = compare_comparison(c)->plan.scheme_count;
    count = count < most ? count : most;
    Rect legend = rect_cut_bottom(&area, LEGEND_H);
    float width = (area.w - HALL_BETWEEN * (float)(count - 1)) / (float)count;
    for (int i = 0; i < count; i++) {
        hall_column_draw(c, rect_cut_left(&area, width), i);
        rect_cut_left(&area, HALL_BETWEEN);
    }
    bool is_difference = compare_maps_kind(c) == MAPS_DIFFERENCE;
    ScaleBar bar =
        view_scale_of(c, view_scale_end(compare_comparison(c)->largest_A), is_difference);
    bar.name = "A";
    Rect scale = rect_cut_right(&legend, LEGEND_W);
    rect_cut_right(&scale, 16); /* half of the last number extends beyond the scale */
    scale.y += 4;
    scale_bar(c->ui, scale, &bar);
    text_left(c->ui, &legend, TEXT_CAPTION, "Head %d, %s", c->session->options.head,
              is_difference ? "difference" : "attention");
    const Study *seeds = compare_seeds_gauge(c);
    if (seeds == NULL)
        return;
    rect_cut_left(&legend, 24);
    Rect sample = rect_cut_left(&legend, GAUGE_W);
    gauge_draw(c->ui, (Rect){sample.x, rect_centre(sample).y - GAUGE_H / 2.0f, GAUGE_W, GAUGE_H});
    rect_cut_left(&legend, 10);
    bool is_wide = text_width(c->ui, TEXT_CAPTION, "mean ± 2 std of 1,000 seeds") <= legend.w;
    text_in(c->ui, legend, TEXT_CAPTION, is_wide ? "mean ± 2 std of %s seeds" : "%s seeds",
            GROUPED(study_seeds_in(seeds)));
}

void compare_columns_draw(const ViewContext *c, Rect area) {
    if (c->is_hall) {
        hall_draw(c, area);
        return;
    }
    Grid g = grid_of(c, area.w);
    float least = set_heights(&g, 0), most = set_heights(&g, 1);
    bool fits = area.h >= least;
    if (!fits)
        g = grid_of(c, area.w - SCROLL_BAR);
    set_heights(&g, fits ? fminf((area.h - least) / (most - least), 1) : SCROLLED);
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
