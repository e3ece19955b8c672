#include <math.h>

#include "ui/text.h"
#include "views/heads/heads_parts.h"
#include "views/shared/side_labels.h"

#define CORNER_H 40 /* px: height of the words "key" and "query" in the corner */

static void pointer(const Wall *w, const SideLabels *labels, UiId id, Rect strip) {
    const ViewContext *c = w->context;
    bool as_key = labels->angle_rad > 0;
    UiState state;
    int token = side_labels_pointer(labels, id, strip, &state);
    if (token < 0)
        return;
    LabelStyle style = text_style(c->ui, TEXT_NOTE);
    if (!as_key) {
        Rect cell = wall_cell(w->layout, labels->matrix, w->shown->query_place[token], 0);
        strip = (Rect){strip.x, cell.y, strip.w, cell.h};
    }
    view_token_tip(c, id, strip, true, &style, WALL_LABEL_MAX, token);
    view_light(c, (AttnCell){w->layer, c->session->options.head - 1, token, -1});
    if (state.clicked && (state.mods & KEY_MOD_SHIFT) != 0)
        wall_select(c, token, as_key);
    else if (state.clicked)
        view_pin_token(c, token, as_key);
}

/* Write "query" and "key" in the corner between the two sides, if there is room. */
static void side_names(const Wall *w) {
    const unsigned style = TEXT_NOTE | TEXT_FAINT | TEXT_RIGHT;
    const WallLayout *l = w->layout;
    Ui *ui = w->context->ui;
    Rect m = wall_matrix(l, l->first_tile);
    /* px by which the first row's name rises above its row */
    float away = fmaxf(WALL_LABEL_SIZE + 4 - l->cell, 0) / 2;
    Rect corner = {l->x, m.y - CORNER_H - away, l->label_w - WALL_LABEL_GAP, CORNER_H};
    if (l->label_h < CORNER_H + away || corner.w < text_width(ui, style, "query ↓"))
        return;
    text_in(ui, rect_cut_top(&corner, CORNER_H / 2), style, "key →");
    text_in(ui, corner, style, "query ↓");
}

void wall_labels(const Wall *w) {
    const WallLayout *l = w->layout;
    const ViewContext *c = w->context;
    const HeadsMemory *memory = &c->memory->heads;
    int token = view_lit_token(c);
    int query = token >= 0 ? token : w->focus.query, key = token >= 0 ? token : w->focus.key;
    SideLabels rows = {.context = c,
                       .names = c->run->labels,
                       .at = w->shown->query_at,
                       .count = l->tokens,
                       .cell = l->cell,
                       .first = l->first.y,
                       .size = WALL_LABEL_SIZE,
                       .most = WALL_LABEL_MAX,
                       .gap = WALL_LABEL_GAP,
                       .pill = WALL_LABEL_PILL,
                       .left = l->x,
                       .lit = query >= 0 ? w->shown->query_place[query] : -1,
                       .bold = -1,
                       .selected = memory->selects_keys ? NULL : memory->selected};
    SideLabels columns = rows;
    columns.at = w->shown->key_at;
    columns.first = l->first.x;
    columns.angle_rad = WALL_LABEL_ANGLE;
    columns.gap = WALL_LABEL_FOOT;
    columns.lit = key >= 0 ? w->shown->key_place[key] : -1;
    columns.selected = memory->selects_keys ? memory->selected : NULL;
    if (l->label_w > 0)
        side_names(w);
    for (int row = 0; row < l->rows && l->label_w > 0; row++) {
        rows.matrix = wall_matrix(l, l->first_tile + row * l->columns);
        side_labels_draw(&rows);
        pointer(w, &rows, ui_id("row labels", w->layer * TILES_MAX + row),
                (Rect){l->x, rows.matrix.y, l->label_w - 4, rows.matrix.h});
    }
    for (int column = 0; column < l->columns && column < l->tiles && !l->crowded; column++) {
        Rect m = columns.matrix = wall_matrix(l, l->first_tile + column);
        side_labels_draw(&columns);
        pointer(w, &columns, ui_id("column labels", w->layer * TILES_MAX + column),
                (Rect){m.x, m.y - l->label_h, m.w + l->between_x, l->label_h});
    }
    /* In a crowded wall, find the column of tiles that contains the focused head. Draw the name of
     * the focused key below the lowest tile of that column. */
    int head = w->focus.head >= 0 ? w->focus.head : c->session->options.head - 1;
    int place = head - l->first_tile, tile = l->first_tile + l->tiles - 1;
    if (!l->crowded || place < 0 || place >= l->tiles)
        return;
    while ((tile - l->first_tile) % l->columns != place % l->columns)
        tile--;
    columns.matrix = wall_matrix(l, tile);
    side_labels_upright(&columns, rect_bottom(columns.matrix) + l->foot_h + 4);
}
