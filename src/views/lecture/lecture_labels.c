#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/label.h"
#include "views/lecture/lecture_parts.h"

#define ANGLE    1.0471976f /* 60°, up to the right */
#define UP       0.8660254f
#define ALONG    0.5f
#define GROUND   32 /* height of a lit label's background */
#define PAD      8  /* px that the background extends beyond the label */
#define RADIUS   6
#define CLEAR    ((GROUND + LECTURE_LABEL) / 2) /* px between a lit label's line and the next */
#define FOOT     14                             /* between a column label and the matrix */
#define GAP      13                             /* between a row label and the matrix, */
#define GAP_LIT  16    /* px between a row label with a background and the matrix */
#define CAP_HALF 0.36f /* half a capital's height as a share of the letter size */

/* The labels of one side. */
typedef struct Side {
    int lit, step; /* the lit place or -1; every step-th place has its label */
    float pitch;   /* px between two neighbours' lines */
} Side;

/* True if a label is shown. They thin out evenly and leave room for the lit one. */
static bool is_shown(const Side *side, int place) {
    if (place == side->lit)
        return false; /* the lit label is drawn last */
    bool is_clear = side->lit < 0 || (float)abs(place - side->lit) * side->pitch >= CLEAR;
    return place % side->step == 0 && is_clear;
}

/* Return the name, shortened to the labels' room. */
static const char *name_of(const Lecture *l, char room[LABEL_CUT_MAX], const LabelStyle *style,
                           int token, size_t *bytes) {
    const char *text = view_token(l->context, token, bytes);
    return label_fit(l->context->ui, room, style, text, bytes, l->layout.label_most);
}

static LabelStyle label_style(const Lecture *l, bool lit) {
    const Theme *theme = l->context->ui->theme;
    return (LabelStyle){lit ? FONT_SANS_BOLD : FONT_SANS, LECTURE_LABEL,
                        lit ? theme->text_on_fill : theme->text_2, LABEL_RIGHT};
}

static void row_label(const Lecture *l, int place, bool lit) {
    Ui *ui = l->context->ui;
    const LectureLayout *p = &l->layout;
    char room[LABEL_CUT_MAX];
    size_t bytes;
    LabelStyle style = label_style(l, lit);
    const char *text = name_of(l, room, &style, l->shown->query_at[place], &bytes);
    float y = p->matrix.y + p->cell * ((float)place + 0.5f);
    float width = label_width(ui, style.font, style.size, text, bytes);
    float right = p->matrix.x - (lit ? GAP_LIT : GAP);
    if (lit)
        draw_fill(ui->list, (Rect){right - width - PAD, y - GROUND / 2.0f, width + 2 * PAD, GROUND},
                  RADIUS, ui->theme->fill);
    Rect words = {right - width - 1, y - 15, width + 1, 30};
    label_draw_bytes(ui, words, &style, text, bytes);
}

static Vec2 on(Vec2 from, float along, float across) {
    return (Vec2){from.x + ALONG * along + UP * across, from.y - UP * along + ALONG * across};
}

/* Draw a rounded background rotated with its label: two bars and four discs. */
static void rotated_ground(const Lecture *l, Vec2 from, float length) {
    DrawList *list = l->context->ui->list;
    Colour fill = l->context->ui->theme->fill;
    float side = GROUND / 2.0f - RADIUS;
    draw_line(list, on(from, -PAD, 0), on(from, length + PAD, 0), GROUND - 2 * RADIUS, fill);
    draw_line(list, on(from, RADIUS - PAD, 0), on(from, length + PAD - RADIUS, 0), GROUND, fill);
    for (int i = 0; i < 4; i++) {
        float along = i % 2 == 0 ? RADIUS - PAD : length + PAD - RADIUS;
        Vec2 at = on(from, along, i < 2 ? side : -side);
        draw_fill(list, (Rect){at.x - RADIUS, at.y - RADIUS, 2 * RADIUS, 2 * RADIUS}, RADIUS, fill);
    }
}

static void column_label(const Lecture *l, int place, bool lit) {
    Ui *ui = l->context->ui;
    const LectureLayout *p = &l->layout;
    char room[LABEL_CUT_MAX];
    size_t bytes;
    LabelStyle style = label_style(l, lit);
    const char *text = name_of(l, room, &style, l->shown->key_at[place], &bytes);
    Vec2 middle = {p->matrix.x + p->cell * ((float)place + 0.5f), p->matrix.y - FOOT};
    if (lit)
        rotated_ground(l, middle, label_width(ui, style.font, style.size, text, bytes));
    DrawText run = {.at = on(middle, 0, LECTURE_LABEL * CAP_HALF),
                    .size = LECTURE_LABEL,
                    .angle_rad = -ANGLE,
                    .font = style.font,
                    .colour = style.colour};
    draw_text_run(ui->list, &run, text, bytes);
}

static void side_labels(const Lecture *l, const Side *side,
                        void (*label)(const Lecture *, int, bool)) {
    for (int i = 0; i < l->layout.tokens; i++)
        if (is_shown(side, i))
            label(l, i, false);
    if (side->lit >= 0)
        label(l, side->lit, true);
}

static void used(const Lecture *l, UiState state, int place, bool as_key) {
    if (place < 0 || place >= l->layout.tokens || !state.clicked)
        return;
    view_pin_token(l->context, as_key ? l->shown->key_at[place] : l->shown->query_at[place],
                   as_key);
}

static void rows_pointer(const Lecture *l) {
    const LectureLayout *p = &l->layout;
    Ui *ui = l->context->ui;
    Rect strip = {p->matrix.x - p->label_w, p->matrix.y, p->label_w - 6, p->matrix.h};
    UiState state = ui_control(ui, ui_id("lecture rows", 0), strip, UI_NO_FOCUS);
    used(l, state, (int)floorf((ui->pointer.y - p->matrix.y) / p->cell), false);
}

/* Find the column label under the pointer; labels lean to the right. */
static void columns_pointer(const Lecture *l) {
    const LectureLayout *p = &l->layout;
    Ui *ui = l->context->ui;
    float rise = l->layout.label_most * UP + FOOT;
    Rect strip = {p->matrix.x, p->matrix.y - rise, p->matrix.w + rise * ALONG / UP, rise - 6};
    float lean = fmaxf(p->matrix.y - FOOT - ui->pointer.y, 0) * ALONG / UP;
    int place = (int)floorf((ui->pointer.x - lean - p->matrix.x) / p->cell);
    if (!ui_over(ui, strip) || place < 0 || place >= p->tokens)
        return;
    UiState state = ui_control(ui, ui_id("lecture columns", 0), strip, UI_NO_FOCUS);
    used(l, state, place, true);
}

void lecture_labels(const Lecture *l) {
    const LectureLayout *p = &l->layout;
    bool has_light = attn_cell_is_set(l->at);
    Side rows = {has_light ? l->shown->query_place[l->at.query] : -1, p->row_step, p->cell};
    Side columns = {has_light ? l->shown->key_place[l->at.key] : -1, p->column_step, p->cell * UP};
    rows_pointer(l);
    columns_pointer(l);
    side_labels(l, &rows, row_label);
    side_labels(l, &columns, column_label);
}
