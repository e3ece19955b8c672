/* Compare for a room: two or three columns with the chosen head, two numbers and the histogram. */
#include <math.h>
#include <string.h>

#include "draw/part.h"
#include "ui/formula.h"
#include "ui/scale_bar.h"
#include "ui/text.h"
#include "views/compare/compare.h"

#define WIDE     1.75f /* width as a multiple of the height; a narrower stage has two columns */
#define BETWEEN  28
#define NAME_H   40
#define NAME     24
#define MARK     18
#define LABEL    16
#define NUMBER   30
#define LINE     25
#define LEGEND_H 40
#define LEGEND_W 240
#define MAP      0.52f /* a map's width as a share of its column's width, */
#define MAP_MOST 0.37f /* the most, as a share of the stage's height */

static const struct {
    StudyStat stat;
    const char *word, *of;
} NUMBERS[] = {{STUDY_STD_S, "std ", "S"}, {STUDY_ENTROPY_A, "Entropy", ""}};

static void numbers_draw(const ViewContext *c, Rect area, int column) {
    Ui *ui = c->ui;
    char text[32];
    draw_part(ui->list, PART_RECT(area), "compare.column.%d.measures", column + 1);
    for (size_t i = 0; i < sizeof NUMBERS / sizeof NUMBERS[0]; i++) {
        LabelStyle word = {FONT_SANS, LABEL, ui->theme->text_2, LABEL_LEFT};
        FormulaStyle of = {LABEL, ui->theme->text_2, LABEL_LEFT, false};
        LabelStyle number = {FONT_MONO, NUMBER, ui->theme->text_1, LABEL_LEFT};
        Rect half = {area.x, area.y + area.h / 2 * (float)i, area.w, area.h / 2};
        Rect line = rect_cut_top(&half, LINE);
        rect_cut_left(&line, label_draw(ui, line, &word, NUMBERS[i].word));
        formula_label(ui, line, &of, NUMBERS[i].of);
        axis_value_brief(text, sizeof text, (float)compare_value(c, column, NUMBERS[i].stat));
        float width = label_width(ui, number.font, number.size, text, strlen(text));
        number.size = fmaxf(NUMBER * fminf(half.w / width, 1), LABEL);
        label_draw(ui, rect_cut_top(&half, NUMBER * 1.2f), &number, text);
    }
}

static void column_draw(const ViewContext *c, Rect area, int column) {
    Ui *ui = c->ui;
    char name[64];
    LabelStyle style = {FONT_SANS_BOLD, NAME, ui->theme->text_1, LABEL_LEFT};
    float side = fminf(area.w * MAP, area.h * MAP_MOST);
    Rect whole = area, line = rect_cut_top(&area, NAME_H);
    column_short_name(name, c, column);
    mark_draw(ui, column_mark(column), (Vec2){line.x + MARK / 2.0f, rect_centre(line).y}, MARK,
              column_colour(c, column));
    rect_cut_left(&line, MARK + 10);
    label_draw(ui, line, &style, name);
    Rect top = rect_cut_top(&area, side), map = rect_cut_left(&top, side);
    compare_map_of_draw(c, map, column, c->session->options.head - 1);
    draw_part(ui->list, PART_RECT(map), "compare.column.%d.heads", column + 1);
    rect_cut_left(&top, 16);
    numbers_draw(c, top, column);
    rect_cut_top(&area, 12);
    draw_part(ui->list, PART_RECT(area), "compare.column.%d.histogram", column + 1);
    compare_spread_draw(c, area, column);
    draw_part(ui->list, PART_RECT(rect_inset(whole, -8, -4)), "compare.column.%d", column + 1);
}

void compare_hall_draw(const ViewContext *c, Rect area) {
    int most = area.w > area.h * WIDE ? 3 : 2, count = compare_comparison(c)->plan.scheme_count;
    count = count < most ? count : most;
    Rect legend = rect_cut_bottom(&area, LEGEND_H);
    float width = (area.w - BETWEEN * (float)(count - 1)) / (float)count;
    for (int i = 0; i < count; i++) {
        column_draw(c, rect_cut_left(&area, width), i);
        rect_cut_left(&area, BETWEEN);
    }
    ScaleBar bar = {.palette = c->settings->palette,
                    .hi = view_scale_end(compare_comparison(c)->largest_A),
                    .name = "A",
                    .marked = NAN};
    bool is_difference = compare_maps_kind(c) == MAPS_DIFFERENCE;
    if (is_difference) {
        bar.palette = c->ui->theme->signed_palette;
        bar.lo = -bar.hi;
    }
    Rect scale = rect_cut_right(&legend, LEGEND_W);
    rect_cut_right(&scale, 16); /* half the width of the last number */
    scale.y += 4;
    scale_bar(c->ui, scale, &bar);
    text_in(c->ui, legend, TEXT_CAPTION, "Head %d, %s", c->session->options.head,
            is_difference ? "difference" : "attention");
}
