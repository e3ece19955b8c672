/* The Fused page: the shape of the matrix to which Xavier is applied determines the standard
 * deviation and so the scores. Four cases with the same random numbers. */
#include <math.h>

#include "ui/layout.h"
#include "ui/text.h"
#include "views/compare/compare.h"

#define TITLE_H   34
#define NAME_W    30 /* px: width of the background of a matrix's name */
#define NAME_H    26
#define LINE_H    28
#define PICTURE_H 122
#define SECTION   14
#define BETWEEN   32
#define CASES     4
#define LEAST_W   260

typedef struct Case {
    const char *scheme, *name;
    int matrices; /* number of matrices sampled for one kind of weights; 0: one for each head */
    int columns;  /* number of kinds of weights (W_Q, W_K, W_V) that one sampled matrix contains */
} Case;

static const Case CASE_ROWS[CASES] = {
    {"xavier_per_head", "Per head", 0, 1},
    {"xavier_uniform", "Separate", 1, 1},
    {"xavier_fused", "Fused", 1, 3},
    {"xavier_fused_fixed", "Fused, gain √2", 1, 3},
};

void compare_fused_schemes(OptionList *out) {
    out->count = CASES;
    for (int i = 0; i < CASES; i++)
        out->rows[i] = compare_scheme(CASE_ROWS[i].scheme);
}

/* Return the fan-out: the number of columns of the matrix that is sampled as a whole. */
static int fan_out_of(const Case *one, const AttnShape *shape) {
    return one->matrices == 0  ? shape->K
           : one->columns == 1 ? shape->H * shape->K
                               : shape->H * (2 * shape->K + shape->V);
}

/* Draw the matrices to scale, with a ring around the one that is sampled as a whole, and its fan-in
 * and fan-out. */
static void picture_draw(const ViewContext *c, Rect place, int index) {
    const Case *one = &CASE_ROWS[index];
    const AttnShape *s = &compare_comparison(c)->plan.shape;
    static const char *const names[] = {"W_Q", "W_K", "W_V"};
    float gap = one->columns == 1 ? 10 : 0, left = 44, top = 26;
    float unit =
        fminf((place.w - left - 24) / (float)(3 * s->H * s->K), (place.h - top - 12) / (float)s->D);
    float each = unit * (float)(s->H * s->K), height = unit * (float)s->D;
    float width = one->matrices == 0 ? unit * (float)s->K : each * (float)one->columns;
    for (int kind = 0; kind < 3; kind++) {
        Rect m = {place.x + left + (each + gap) * (float)kind, place.y + top, each, height};
        draw_fill(c->ui->list, m, 3, c->ui->theme->raised);
        draw_ring(c->ui->list, m, 3, 1.2f, c->ui->theme->control);
        for (int h = 1; one->matrices == 0 && h < s->H; h++)
            draw_fill(c->ui->list, (Rect){m.x + unit * (float)(h * s->K), m.y, 1, m.h}, 0,
                      c->ui->theme->control);
        if (m.w <= 30)
            continue;
        if (one->matrices == 0) /* hide the lines between the heads behind the name */
            draw_fill(c->ui->list, rect_inset(m, (m.w - NAME_W) / 2, (m.h - NAME_H) / 2), 0,
                      c->ui->theme->raised);
        text_in(c->ui, m, TEXT_FORMULA | TEXT_CENTRE, "%s", names[kind]);
    }
    Rect lit = {place.x + left, place.y + top, width, height};
    draw_ring(c->ui->list, rect_inset(lit, -2, -2), 4, 2.5f, column_colour(c, index));
    text_in(c->ui, (Rect){place.x, lit.y, left - 10, lit.h}, TEXT_COUNT | TEXT_BRIGHT | TEXT_RIGHT,
            "%d", s->D);
    text_in(c->ui, (Rect){lit.x, place.y, fmaxf(lit.w, 60), top - 6}, TEXT_COUNT | TEXT_BRIGHT,
            "%d", fan_out_of(one, s));
}

/* In a lecture hall, draw only the name, the picture and the formula; the picture takes all
 * remaining height. */
static void case_draw(const ViewContext *c, Rect place, int index) {
    float rest_h = TITLE_H + LINE_H + SECTION;
    float picture_h = c->is_hall ? fmaxf(place.h - rest_h, LINE_H) : PICTURE_H;
    Rect line = rect_cut_top(&place, TITLE_H);
    Rect mark = rect_cut_left(&line, 26);
    mark_draw(c->ui, column_mark(index), rect_centre(mark), 13, column_colour(c, index));
    text_in(c->ui, line, TEXT_HEADING, "%s", CASE_ROWS[index].name);
    picture_draw(c, rect_cut_top(&place, picture_h), index);
    const Comparison *comparison = compare_comparison(c);
    const AttnShape *s = &comparison->plan.shape;
    text_in(c->ui, rect_cut_top(&place, LINE_H), TEXT_FORMULA | TEXT_DIM,
            "σ_W = %s√(2/(%d + %d)) = %s", index == CASES - 1 ? "√2·" : "", s->D,
            fan_out_of(&CASE_ROWS[index], s), FIXED(comparison->expected[index][STUDY_STD_W_Q], 3));
    if (c->is_hall)
        return;
    rect_cut_top(&place, 6);
    rect_cut_top(&place, compare_maps_draw(c, place, index));
    rect_cut_top(&place, SECTION);
    compare_spread_draw(c, rect_cut_top(&place, COMPARE_SPREAD_H), index);
    compare_table_draw(c, place, index);
}

void compare_fused_draw(const ViewContext *c, Rect area) {
    CompareMemory *m = c->memory->compare;
    int across = (int)fmaxf(fminf((area.w + BETWEEN) / (LEAST_W + BETWEEN), CASES), 1);
    across = c->is_hall ? 2 : across;
    int rows = (CASES + across - 1) / across;
    float width = (area.w - SCROLL_BAR - BETWEEN * (float)(across - 1)) / (float)across;
    float height = TITLE_H + PICTURE_H + LINE_H + 6 + compare_maps_height(c, width) + SECTION +
                   COMPARE_SPREAD_H + compare_table_height(c, width) + SECTION;
    height = c->is_hall ? area.h / (float)rows : height;
    ScrollArea scroll = scroll_begin(c->ui, ui_id("compare fused", 0), area, &m->scroll,
                                     (Vec2){area.w, fmaxf(height * (float)rows, area.h)});
    Rect content = scroll.content;
    content.w = area.w - SCROLL_BAR;
    for (int i = 0; i < CASES; i++)
        case_draw(c, layout_cell(content, BETWEEN, height, i, across), i);
    scroll_end(c->ui, &scroll);
}
