#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/label.h"
#include "views/heads/wall_parts.h"

#define PILL        20.0f /* px: height of the background of a lit (focused) label */
#define PILL_END    6.0f  /* px by which the background extends beyond the label */
#define LABEL_CLEAR ((PILL + WALL_LABEL_SIZE) / 2 - 1)
#define CORNER_H    40 /* px: height of the words "key" and "query" in the corner */
#define FOOT_AWAY   8  /* px between a column label and the matrix */

static const float LABEL_ANGLE = -0.78539816f;

static LabelStyle label_style(const ViewContext *c, bool lit) {
    const Theme *theme = c->ui->theme;
    return (LabelStyle){lit ? FONT_SANS_BOLD : FONT_SANS, WALL_LABEL_SIZE,
                        lit ? theme->text_on_fill : theme->text_2, LABEL_LEFT};
}

/* Draw a token's name next to its row, on a pill if it is the lit query. */
static void row_label(const ViewContext *c, Rect place, int token, bool lit) {
    LabelStyle style = label_style(c, lit);
    ViewName name = view_name(c, &style, c->run->labels[token], WALL_LABEL_MAX);
    if (lit) {
        float width = name.width + 12;
        Rect pill = {rect_right(place) - width + 6, place.y + place.h / 2 - PILL / 2, width, PILL};
        draw_fill(c->ui->list, pill, 6, c->ui->theme->fill);
    }
    style.align = LABEL_RIGHT;
    label_draw(c->ui, place, &style, name.text);
}

/* The line along which a column's name is written: upwards to the right or, if it would leave the
 * picture, upwards to the left. from is where the text begins. */
typedef struct Lean {
    Vec2 from, to;
    float angle_rad;
} Lean;

static Lean lean_of(const ViewContext *c, Vec2 foot, float width) {
    float length = width * WALL_SLANT;
    bool leaves = foot.x + length + PILL > rect_right(c->ui->list->clip);
    if (!leaves)
        return (Lean){foot, {foot.x + length, foot.y - length}, LABEL_ANGLE};
    return (Lean){{foot.x - length - 2, foot.y - length}, {foot.x - 2, foot.y}, -LABEL_ANGLE};
}

/* Return the width of a column's name, which is bold if lit. */
static float column_width(const ViewContext *c, int token, bool lit) {
    LabelStyle style = label_style(c, lit);
    return view_name(c, &style, c->run->labels[token], WALL_LABEL_MAX).width;
}

static void column_label(const ViewContext *c, Vec2 foot, int token, bool lit) {
    LabelStyle style = label_style(c, lit);
    ViewName name = view_name(c, &style, c->run->labels[token], WALL_LABEL_MAX);
    Lean lean = lean_of(c, foot, name.width);
    if (!lit && lean.angle_rad > 0) /* draw no pill, because it would overlap the neighbours */
        return;
    if (lit) {
        float along = PILL_END * WALL_SLANT, up = WALL_LABEL_SIZE * 0.36f * WALL_SLANT;
        float rise = lean.angle_rad < 0 ? 1 : -1;
        Vec2 from = {lean.from.x - along - rise * up, lean.from.y + rise * along - up};
        Vec2 to = {lean.to.x + along - rise * up, lean.to.y - rise * along - up};
        draw_line(c->ui->list, from, to, PILL, c->ui->theme->fill);
    }
    label_turned(c->ui, lean.from, lean.angle_rad, &style, name.text);
}

/* Set *middle to the centre of a row or column, measured along the matrix's side. Return false if
 * the row or column is not visible. */
static bool is_seen(const WallLayout *l, float first, int place, float *middle) {
    *middle = ((float)place + 0.5f - first) * l->cell;
    return *middle > 0 && *middle < l->side;
}

/* The labels along one side: the tokens in order, the place of the lit token or -1, and the
 * distance between two neighbouring lines of text. Every step-th token has its label. */
typedef struct Side {
    const int *at;
    bool is_keys;
    int lit, step;
    float pitch;
} Side;

static bool is_marked(const Wall *w, const Side *side, int place) {
    const HeadsMemory *memory = &w->context->memory->heads;
    bool selects = memory->selects_keys == side->is_keys;
    return place == side->lit || (selects && memory->selected[side->at[place]]);
}

/* True if an unmarked label is shown. Labels are omitted evenly, and also if they would touch the
 * background of a marked label. */
static bool plain_shown(const Wall *w, const Side *side, int place) {
    bool shown = place % side->step == 0 && !is_marked(w, side, place);
    for (int d = 1; shown && (float)d * side->pitch < LABEL_CLEAR; d++)
        shown = !(place >= d && is_marked(w, side, place - d)) &&
                !(place + d < w->layout->tokens && is_marked(w, side, place + d));
    return shown;
}

/* True if a marked label is shown. The lit label is always shown. Of many selected labels, only
 * those are shown that do not overlap; before is the place of the last one shown, or -1. */
static bool marked_shown(const Wall *w, const Side *side, int place, int before) {
    if (place == side->lit || !is_marked(w, side, place))
        return place == side->lit;
    float away = (float)(place - before) * side->pitch;
    float from_lit = (float)abs(place - side->lit) * side->pitch;
    return (before < 0 || away >= LABEL_CLEAR) && (side->lit < 0 || from_lit >= LABEL_CLEAR);
}

static void row_labels(const Wall *w, int row, int lit) {
    const WallLayout *l = w->layout;
    Side side = {w->shown->query_at, false, lit, l->label_step, l->cell};
    Rect m = wall_matrix(l, l->first_tile + row * l->columns);
    int first = (int)l->first.y, end = first + (int)(l->side / l->cell) + 2, before = -1;
    for (int i = first; i < end && i < l->tokens; i++) {
        float middle;
        bool marked = marked_shown(w, &side, i, before);
        if (!is_seen(l, l->first.y, i, &middle) || (!marked && !plain_shown(w, &side, i)))
            continue;
        before = marked ? i : before;
        Rect place = {l->x, m.y + middle - l->cell / 2, l->label_w - WALL_LABEL_GAP, l->cell};
        row_label(w->context, place, side.at[i], marked);
    }
}

/* Draw the name of the focused column below the lowest tile in the column of tiles that has its
 * head. */
static void label_below(const Wall *w, int lit) {
    const WallLayout *l = w->layout;
    const ViewContext *c = w->context;
    int head = w->focus.head >= 0 ? w->focus.head : c->session->options.head - 1;
    int place = head - l->first_tile, tile = l->first_tile + l->tiles - 1;
    if (lit < 0 || place < 0 || place >= l->tiles)
        return;
    while ((tile - l->first_tile) % l->columns != place % l->columns)
        tile--;
    float middle;
    if (!is_seen(l, l->first.x, lit, &middle))
        return;
    Rect m = wall_matrix(l, tile);
    LabelStyle style = label_style(c, true);
    ViewName name = view_name(c, &style, c->run->labels[w->shown->key_at[lit]], WALL_LABEL_MAX);
    float width = name.width + 12;
    float right = fminf(wall_right(l), rect_right(c->ui->list->clip)) - width;
    float top = rect_bottom(m) + l->foot_h + 4;
    Rect pill = {fmaxf(fminf(m.x + middle - width / 2, right), l->x), top, width, PILL};
    draw_fill(c->ui->list, pill, 6, c->ui->theme->fill);
    style.align = LABEL_CENTRE;
    label_draw(c->ui, pill, &style, name.text);
}

/* Return the point at which the name of a column with this centre begins. */
static Vec2 column_foot(Rect matrix, float middle) {
    return (Vec2){matrix.x + middle + WALL_LABEL_SIZE * 0.25f, matrix.y - FOOT_AWAY};
}

/* True if a marked name that leans to the left crosses the name that begins at foot. */
static bool is_crossed(const Wall *w, const Side *side, Rect m, int place, Vec2 foot) {
    const WallLayout *l = w->layout;
    const ViewContext *c = w->context;
    float own = column_width(c, side->at[place], false) * WALL_SLANT, middle;
    for (int k = place + 1; k < l->tokens && is_seen(l, l->first.x, k, &middle); k++) {
        if (!is_marked(w, side, k))
            continue;
        Vec2 other = column_foot(m, middle);
        float width = column_width(c, side->at[k], true);
        bool leans_left = lean_of(c, other, width).angle_rad > 0;
        if (leans_left && (other.x - foot.x) / 2 < fminf(own, width * WALL_SLANT) + PILL)
            return true;
    }
    return false;
}

/* Draw the names of the columns. Marked names come last, because their backgrounds cover other
 * names. */
static void column_labels(const Wall *w, int column, int lit) {
    const WallLayout *l = w->layout;
    Side side = {w->shown->key_at, true, lit, l->column_step, l->cell * WALL_SLANT};
    Rect m = wall_matrix(l, l->first_tile + column);
    int first = (int)l->first.x, end = first + (int)(l->side / l->cell) + 2;
    for (int pass = 0; pass < 2; pass++)
        for (int j = first, before = -1; j < end && j < l->tokens; j++) {
            float middle;
            bool shown = pass == 1 ? marked_shown(w, &side, j, before) : plain_shown(w, &side, j);
            if (!shown || !is_seen(l, l->first.x, j, &middle))
                continue;
            Vec2 foot = column_foot(m, middle);
            if (pass == 0 && is_crossed(w, &side, m, j, foot))
                continue;
            before = pass == 1 ? j : before;
            column_label(w->context, foot, side.at[j], pass == 1);
        }
}

static void label_used(const Wall *w, UiState state, int token, bool as_key) {
    view_light(w->context, (AttnCell){w->layer, w->context->session->options.head - 1, token, -1});
    if (!state.clicked)
        return;
    if ((state.mods & KEY_MOD_SHIFT) != 0)
        wall_select(w->context, token, as_key);
    else
        view_pin_token(w->context, token, as_key);
}

/* Show a token's whole name under the pointer. */
static void name_tip(const Wall *w, UiId id, Rect place, int token) {
    LabelStyle style = label_style(w->context, false);
    view_token_tip(w->context, id, place, true, &style, WALL_LABEL_MAX, token);
}

static void row_labels_pointer(const Wall *w, int row) {
    const WallLayout *l = w->layout;
    Ui *ui = w->context->ui;
    Rect m = wall_matrix(l, l->first_tile + row * l->columns),
         strip = {l->x, m.y, l->label_w - 4, m.h};
    UiId id = ui_id("row labels", w->layer * TILES_MAX + row);
    UiState state = ui_control(ui, id, strip, UI_NO_FOCUS);
    int place = (int)floorf((ui->pointer.y - m.y) / l->cell + l->first.y);
    if (!state.hovered || place < 0 || place >= l->tokens)
        return;
    Rect cell = wall_cell(l, m, place, 0), name = {l->x, cell.y, l->label_w, cell.h};
    label_used(w, state, w->shown->query_at[place], false);
    name_tip(w, id, name, w->shown->query_at[place]);
}

/* Find the column whose name is under the pointer. Names rise to the right at 45°. */
static void column_labels_pointer(const Wall *w, int column) {
    const WallLayout *l = w->layout;
    Ui *ui = w->context->ui;
    Rect m = wall_matrix(l, l->first_tile + column),
         strip = {m.x, m.y - l->label_h, m.w + l->between_x, l->label_h};
    if (!ui_over(ui, strip))
        return;
    float lean = fmaxf(m.y - FOOT_AWAY - ui->pointer.y, 0);
    int place = (int)floorf((ui->pointer.x - lean - m.x) / l->cell + l->first.x);
    float middle;
    if (place < 0 || place >= l->tokens || !is_seen(l, l->first.x, place, &middle))
        return;
    UiId id = ui_id("column labels", w->layer * TILES_MAX + column);
    UiState state = ui_control(ui, id, strip, UI_NO_FOCUS);
    if (!state.hovered)
        return;
    label_used(w, state, w->shown->key_at[place], true);
    name_tip(w, id, strip, w->shown->key_at[place]);
}

/* Write "query" and "key" in the corner between the two sides, if there is room. */
static void side_names(const Wall *w) {
    static const char *const names[] = {"key →", "query ↓"};
    const WallLayout *l = w->layout;
    Ui *ui = w->context->ui;
    Rect m = wall_matrix(l, l->first_tile);
    float away = fmaxf(WALL_LABEL_SIZE + 4 - l->cell, 0) /
                 2; /* px by which the first row's name rises above its row */
    Rect corner = {l->x, m.y - CORNER_H - away, l->label_w - WALL_LABEL_GAP, CORNER_H};
    LabelStyle style = {FONT_SANS, WALL_LABEL_SIZE, ui->theme->text_3, LABEL_RIGHT};
    float width = label_width(ui, style.font, style.size, names[1], strlen(names[1]));
    if (l->label_h < CORNER_H + away || corner.w < width)
        return;
    for (int i = 0; i < 2; i++)
        label_draw(ui, rect_cut_top(&corner, CORNER_H / 2), &style, names[i]);
}

void wall_labels(const Wall *w) {
    const WallLayout *l = w->layout;
    if (l->label_w > 0)
        side_names(w);
    int token = view_lit_token(w->context);
    int query = token >= 0 ? token : w->focus.query, key = token >= 0 ? token : w->focus.key;
    for (int row = 0; row < l->rows && l->label_w > 0; row++) {
        row_labels(w, row, query >= 0 ? w->shown->query_place[query] : -1);
        row_labels_pointer(w, row);
    }
    int lit = key >= 0 ? w->shown->key_place[key] : -1;
    if (l->crowded)
        label_below(w, lit);
    for (int column = 0; column < l->columns && column < l->tiles && !l->crowded; column++) {
        column_labels(w, column, lit);
        column_labels_pointer(w, column);
    }
}
