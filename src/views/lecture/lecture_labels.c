#include <math.h>
#include <stdlib.h>

#include "ui/label.h"
#include "views/lecture/lecture_parts.h"

#define ANGLE  1.0471976f /* 60°, up to the right */
#define UP     0.8660254f
#define ALONG  0.5f
#define GROUND 32 /* px: height of the background of a lit (focused) label */
#define PAD    8  /* px by which the background extends beyond the label */
#define RADIUS 6
/* Px between the line of a lit label and that of the next label. */
#define CLEAR    ((GROUND + LECTURE_LABEL) / 2)
#define FOOT     14    /* px between a column label and the matrix */
#define GAP      13    /* px between a row label and the matrix */
#define GAP_LIT  16    /* px between a row label with a background and the matrix */
#define CAP_HALF 0.36f /* half a capital's height as a share of the letter size */

/* Return a token's name, shortened to the room for labels, and set its style. */
static ViewName name_of(const Lecture *l, LabelStyle *style, bool lit, int token) {
    const Theme *theme = l->ui->theme;
    *style = (LabelStyle){lit ? FONT_SANS_BOLD : FONT_SANS, LECTURE_LABEL,
                          lit ? theme->text_on_fill : theme->text_2, LABEL_RIGHT};
    return view_name(l->c, style, l->c->run->labels[token], l->layout.label_most);
}

static void row_label(const Lecture *l, int place, bool lit) {
    const LectureLayout *p = &l->layout;
    LabelStyle style;
    ViewName name = name_of(l, &style, lit, l->shown->query_at[place]);
    float y = p->matrix.y + p->cell * ((float)place + 0.5f), width = name.width;
    float right = p->matrix.x - (lit ? GAP_LIT : GAP);
    if (lit)
        draw_fill(l->ui->list,
                  (Rect){right - width - PAD, y - GROUND / 2.0f, width + 2 * PAD, GROUND}, RADIUS,
                  l->ui->theme->fill);
    Rect words = {right - width - 1, y - 15, width + 1, 30};
    label_draw(l->ui, words, &style, name.text);
}

static Vec2 on(Vec2 from, float along, float across) {
    return (Vec2){from.x + ALONG * along + UP * across, from.y - UP * along + ALONG * across};
}

/* Draw a column's label. A lit label has a rounded background, rotated like the label, made of two
 * bars and four discs. */
static void column_label(const Lecture *l, int place, bool lit) {
    const LectureLayout *p = &l->layout;
    DrawList *list = l->ui->list;
    Colour fill = l->ui->theme->fill;
    LabelStyle style;
    ViewName name = name_of(l, &style, lit, l->shown->key_at[place]);
    Vec2 foot = {p->matrix.x + p->cell * ((float)place + 0.5f), p->matrix.y - FOOT};
    if (lit) {
        float end = name.width + PAD, side = GROUND / 2.0f - RADIUS;
        draw_line(list, on(foot, -PAD, 0), on(foot, end, 0), GROUND - 2 * RADIUS, fill);
        draw_line(list, on(foot, RADIUS - PAD, 0), on(foot, end - RADIUS, 0), GROUND, fill);
        for (int i = 0; i < 4; i++) {
            Vec2 at = on(foot, i % 2 == 0 ? RADIUS - PAD : end - RADIUS, i < 2 ? side : -side);
            draw_fill(list, (Rect){at.x - RADIUS, at.y - RADIUS, 2 * RADIUS, 2 * RADIUS}, RADIUS,
                      fill);
        }
    }
    label_turned(l->ui, on(foot, 0, LECTURE_LABEL * CAP_HALF), -ANGLE, &style, name.text);
}

/* Draw the labels of one side. Only every step-th label is drawn, and none that would touch the lit
 * one, which is drawn last. lit: its place or -1. pitch: px between the lines of two neighbours. */
static void side_labels(const Lecture *l, int lit, int step, float pitch,
                        void (*label)(const Lecture *, int, bool)) {
    for (int i = 0; i < l->layout.tokens; i += step)
        if (lit < 0 || (float)abs(i - lit) * pitch >= CLEAR)
            label(l, i, false);
    if (lit >= 0)
        label(l, lit, true);
}

/* Let a click on a label pin its token. Labels of columns lean to the right. */
static void pointer(const Lecture *l) {
    const LectureLayout *p = &l->layout;
    Ui *ui = l->ui;
    float rise = p->label_most * UP + FOOT;
    float lean = fmaxf(p->matrix.y - FOOT - ui->pointer.y, 0) * ALONG / UP;
    Rect rows = {p->matrix.x - p->label_w, p->matrix.y, p->label_w - 6, p->matrix.h};
    Rect columns = {p->matrix.x, p->matrix.y - rise, p->matrix.w + rise * ALONG / UP, rise - 6};
    int row = (int)floorf((ui->pointer.y - p->matrix.y) / p->cell);
    int column = (int)floorf((ui->pointer.x - lean - p->matrix.x) / p->cell);
    UiState state = ui_control(ui, ui_id("lecture rows", 0), rows, UI_NO_FOCUS);
    if (state.clicked && row >= 0 && row < p->tokens)
        view_pin_token(l->c, l->shown->query_at[row], false);
    if (!ui_over(ui, columns) || column < 0 || column >= p->tokens)
        return;
    state = ui_control(ui, ui_id("lecture columns", 0), columns, UI_NO_FOCUS);
    if (state.clicked)
        view_pin_token(l->c, l->shown->key_at[column], true);
}

void lecture_labels(const Lecture *l) {
    const LectureLayout *p = &l->layout;
    bool has_light = attn_cell_is_set(l->at);
    pointer(l);
    side_labels(l, has_light ? l->shown->query_place[l->at.query] : -1, p->row_step, p->cell,
                row_label);
    side_labels(l, has_light ? l->shown->key_place[l->at.key] : -1, p->column_step, p->cell * UP,
                column_label);
}
