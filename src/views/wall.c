#include "views/wall.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "ui/label.h"

#define LABEL_SIZE    15
#define PILL          20.0f /* height of a lit label's ground */
#define LABEL_CLEAR   ((PILL + LABEL_SIZE) / 2 - 1)
#define LABEL_MAX     108 /* px: a longer token is cut with an ellipsis */
#define LABEL_GAP     10  /* between label and matrix */
#define TITLE_H       34
#define BETWEEN_X     40
#define BETWEEN_X_TWO 26 /* where two walls share the view */
#define BETWEEN_Y     30
#define VALUE_AWAY_X  84
#define VALUE_AWAY_Y  26
#define CELL_MAX      96
#define CELL_MIN      1e-3f /* of a wall that has no room at all */
#define CELL_WITH_GAP 12    /* from this size up cells are drawn apart */
#define NUMBER_CELL   44    /* from this size up they hold their value */
#define SLANT         0.70710678f

static const float LABEL_ANGLE = -0.78539816f;

/* Cells are whole device pixels; where not even one fits, they share. */
static float snap_cell(const ViewContext *c, float cell) {
    float scale = c->ui->list->scale, px = floorf(fminf(cell, CELL_MAX) * scale + 0.001f);
    return px < 1 ? fmaxf(cell, CELL_MIN) : px / scale;
}

static float widest_label(const ViewContext *c) {
    float widest = 0;
    int T = c->run->T < 128 ? c->run->T : 128;
    for (int i = 0; i < T; i++) {
        size_t bytes;
        const char *text = view_token(c, i, &bytes);
        widest = fmaxf(widest, label_width(c->ui, FONT_SANS, LABEL_SIZE, text, bytes));
    }
    return fminf(widest, LABEL_MAX);
}

static float room_across(const WallLayout *l, Rect area, int columns) {
    return area.w - l->label_w - l->between_x * (float)(columns - 1);
}

static float cell_for(const WallLayout *l, Rect area, int columns) {
    int rows = (l->heads + columns - 1) / columns;
    float w = room_across(l, area, columns);
    float h = area.h - l->label_h - l->title_h * (float)rows - l->between_y * (float)(rows - 1);
    float cell = fminf(w / (float)(columns * l->tokens), h / (float)(rows * l->tokens));
    return fmaxf(cell, CELL_MIN);
}

/* The number of columns with the largest cells; of equals the one nearest to a square. Where
 * nothing fits, the wall may be cut off below but not at the side. */
static void choose_columns(WallLayout *l, Rect area) {
    float best = 0;
    int square = (int)ceilf(sqrtf((float)l->heads) - 0.001f);
    for (int columns = 1; columns <= l->heads; columns++) {
        float cell = cell_for(l, area, columns);
        if (columns > 1 && room_across(l, area, columns) < cell * (float)(columns * l->tokens) - 1)
            break;
        bool nearer = abs(columns - square) < abs(l->columns - square);
        if (cell > best * 1.02f || (cell > best * 0.98f && nearer)) {
            best = fmaxf(cell, best);
            l->columns = columns;
        }
    }
    l->rows = (l->heads + l->columns - 1) / l->columns;
}

WallLayout wall_layout(const ViewContext *c, Rect area, bool row_labels) {
    WallLayout l = {.heads = c->session->options.heads, .tokens = c->run->T, .columns = 1};
    bool crowded = l.heads > 16;
    l.crowded = crowded;
    float widest = widest_label(c);
    l.label_w = row_labels ? widest + LABEL_GAP + 6 : 0;
    l.label_h = widest * SLANT + LABEL_SIZE + 2;
    l.title_h = crowded ? 22 : TITLE_H;
    l.between_x = crowded ? 12 : c->run->layer_count > 1 ? BETWEEN_X_TWO : BETWEEN_X;
    l.between_y = crowded ? 8 : BETWEEN_Y;
    choose_columns(&l, area);
    l.cell = snap_cell(c, cell_for(&l, area, l.columns));
    l.gap = l.cell >= CELL_WITH_GAP ? 1 / c->ui->list->scale : 0;
    l.label_step = (int)ceilf((LABEL_SIZE + 3) / l.cell);
    l.column_step = (int)ceilf((LABEL_SIZE + 1) / SLANT / l.cell);
    l.x = draw_snap(c->ui->list, area.x);
    l.y = draw_snap(c->ui->list, area.y);
    return l;
}

Rect wall_matrix(const WallLayout *l, int head) {
    float side = l->cell * (float)l->tokens;
    float column = (float)(head % l->columns), row = (float)(head / l->columns);
    return (Rect){l->x + l->label_w + column * (side + l->between_x),
                  l->y + l->title_h + l->label_h + row * (side + l->between_y + l->title_h), side,
                  side};
}

float wall_right(const WallLayout *l) {
    return rect_right(wall_matrix(l, l->columns - 1));
}

float wall_bottom(const WallLayout *l) {
    return rect_bottom(wall_matrix(l, l->heads - 1));
}

/* A token's name beside its row, as a fill where it is the lit query. */
static void row_label(const ViewContext *c, Rect place, int token, bool lit) {
    char room[LABEL_CUT_MAX];
    size_t bytes;
    const char *text = view_token(c, token, &bytes);
    const Theme *theme = c->ui->theme;
    LabelStyle style = {lit ? FONT_SANS_BOLD : FONT_SANS, LABEL_SIZE,
                        lit ? theme->text_on_fill : theme->text_2, LABEL_RIGHT};
    text = label_fit(c->ui, room, &style, text, &bytes, LABEL_MAX);
    if (lit) {
        float width = label_width(c->ui, style.font, LABEL_SIZE, text, bytes) + 12;
        Rect pill = {rect_right(place) - width + 6, place.y + place.h / 2 - PILL / 2, width, PILL};
        draw_fill(c->ui->list, pill, 6, theme->fill);
    }
    label_draw_bytes(c->ui, place, &style, text, bytes);
}

static void column_label(const ViewContext *c, Vec2 foot, int token, bool lit) {
    char room[LABEL_CUT_MAX];
    size_t bytes;
    const char *text = view_token(c, token, &bytes);
    const Theme *theme = c->ui->theme;
    LabelStyle style = {lit ? FONT_SANS_BOLD : FONT_SANS, LABEL_SIZE,
                        lit ? theme->text_on_fill : theme->text_2, LABEL_LEFT};
    text = label_fit(c->ui, room, &style, text, &bytes, LABEL_MAX);
    if (lit) {
        float length = label_width(c->ui, style.font, LABEL_SIZE, text, bytes) * SLANT;
        Vec2 from = {foot.x - 8, foot.y}, to = {foot.x + length, foot.y - length - 8};
        draw_line(c->ui->list, from, to, PILL, theme->fill);
    }
    DrawText run = {.at = foot,
                    .size = LABEL_SIZE,
                    .angle_rad = LABEL_ANGLE,
                    .font = style.font,
                    .colour = style.colour};
    draw_text_run(c->ui->list, &run, text, bytes);
}

/* Labels thin out evenly, but the lit one is always there and takes the room of those its ground
 * would cover. pitch is the distance between the lines of two neighbours. */
static bool label_shown(int token, int step, int lit, float pitch) {
    if (token == lit)
        return true;
    bool is_clear = lit < 0 || (float)abs(token - lit) * pitch >= LABEL_CLEAR;
    return token % step == 0 && is_clear;
}

static void row_labels(const ViewContext *c, const WallLayout *l, int row, int lit) {
    Rect m = wall_matrix(l, row * l->columns);
    for (int i = 0; i < l->tokens; i++) {
        Rect place = {l->x, m.y + (float)i * l->cell, l->label_w - LABEL_GAP, l->cell};
        if (label_shown(i, l->label_step, lit, l->cell))
            row_label(c, place, i, i == lit);
    }
}

static Vec2 column_foot(const WallLayout *l, Rect m, int key) {
    return (Vec2){m.x + ((float)key + 0.5f) * l->cell + LABEL_SIZE * 0.25f, m.y - 8};
}

/* The lit label comes last: its ground covers what it leans over. */
static void column_labels(const ViewContext *c, const WallLayout *l, int column, int lit) {
    Rect m = wall_matrix(l, column);
    for (int j = 0; j < l->tokens; j++)
        if (j != lit && !l->crowded && label_shown(j, l->column_step, lit, l->cell * SLANT))
            column_label(c, column_foot(l, m, j), j, false);
    if (lit >= 0 && lit < l->tokens)
        column_label(c, column_foot(l, m, lit), lit, true);
}

static void wall_labels(const ViewContext *c, const WallLayout *l, Spot focus) {
    int token = view_lit_token(c);
    for (int row = 0; row < l->rows && l->label_w > 0; row++)
        row_labels(c, l, row, token >= 0 ? token : focus.query);
    for (int column = 0; column < l->columns && column < l->heads; column++)
        column_labels(c, l, column, token >= 0 ? token : focus.key);
}

/* Whether every head's title has room for its entropy: asked of the widest digits, so that all of
 * them show it or none does. */
static bool entropies_fit(const ViewContext *c, const WallLayout *l, float dot, float size) {
    const char *name = l->heads > 9 ? "Head 44" : "Head 4", *entropy = "entropy 4.44";
    float used = dot + 12 + label_width(c->ui, FONT_SANS_BOLD, size, name, strlen(name)) + 12;
    float wanted = label_width(c->ui, FONT_SANS, size, entropy, strlen(entropy));
    return used + wanted <= wall_matrix(l, 0).w;
}

static void wall_title(const ViewContext *c, const WallLayout *l, int layer, int head) {
    Rect m = wall_matrix(l, head);
    bool top = head < l->columns;
    Rect title = {m.x, m.y - (top ? l->label_h : 0) - l->title_h, m.w, l->title_h};
    const Theme *theme = c->ui->theme;
    UiState state =
        ui_control(c->ui, ui_id("head title", layer * OPTION_HEADS_MAX + head), title, 0);
    if (state.clicked)
        edit_push_state(c->edits, "head", "%d", head + 1);
    bool small = l->title_h < TITLE_H;
    float size = small ? 15 : 18, dot = small ? 8 : 10;
    draw_fill(c->ui->list, (Rect){m.x + 2, title.y + (title.h - dot) / 2, dot, dot}, dot / 2,
              view_head_colour(c, head));
    char name[32], entropy[48];
    snprintf(name, sizeof name, small && m.w < 70 ? "%d" : "Head %d", head + 1);
    LabelStyle style = {FONT_SANS_BOLD, size, theme->text_1, LABEL_LEFT};
    Rect rest = title;
    rect_cut_left(&rest, dot + 12);
    float used = label_draw(c->ui, rest, &style, name);
    rect_cut_left(&rest, used + 12);
    char number[32];
    number_format_fixed(number, sizeof number, c->run->layers[layer].stats[head].entropy, 2);
    snprintf(entropy, sizeof entropy, "entropy %s", number);
    style = (LabelStyle){FONT_SANS, size, theme->text_3, LABEL_RIGHT};
    if (entropies_fit(c, l, dot, size))
        label_draw(c->ui, rest, &style, entropy);
    ui_focus_ring(c->ui, ui_id("head title", layer * OPTION_HEADS_MAX + head), title, 6);
}

static void cell_ring(const ViewContext *c, Rect cell, float border) {
    float half = border / 2 + 0.5f;
    Rect ring = {cell.x - half, cell.y - half, cell.w + 2 * half, cell.h + 2 * half};
    Rect casing = {ring.x - 1.5f, ring.y - 1.5f, ring.w + 3, ring.h + 3};
    draw_ring(c->ui->list, casing, 4, border + 3, c->ui->theme->casing);
    draw_ring(c->ui->list, ring, 3, border, c->ui->theme->ring);
}

/* The outline of a row or a column, readable on dark and on bright cells. */
static void band(const ViewContext *c, Rect rect) {
    Rect casing = {rect.x - 1, rect.y - 1, rect.w + 2, rect.h + 2};
    draw_ring(c->ui->list, casing, 3, 3.4f, colour_fade(c->ui->theme->casing, 0.75f));
    draw_ring(c->ui->list, rect, 2, 1.4f, c->ui->theme->ring);
}

/* Row, column and cell of what is looked at: whole in its own head, the cell alone in the rest. */
static void wall_marks(const ViewContext *c, const WallLayout *l, int layer, int head, Spot at) {
    Rect m = wall_matrix(l, head);
    int token = view_lit_token(c);
    if (token >= 0) {
        float along = (float)token * l->cell - 1;
        band(c, (Rect){m.x - 1, m.y + along, m.w + 2, l->cell + 2});
        band(c, (Rect){m.x + along, m.y - 1, l->cell + 2, m.h + 2});
    }
    if (!spot_is_cell(at))
        return;
    Rect cell = {m.x + (float)at.key * l->cell, m.y + (float)at.query * l->cell, l->cell, l->cell};
    if (head == at.head && layer == at.layer) {
        band(c, (Rect){m.x - 1, cell.y - 1, m.w + 2, l->cell + 2});
        band(c, (Rect){cell.x - 1, m.y - 1, l->cell + 2, m.h + 2});
        cell_ring(c, cell, 2.5f);
    } else {
        cell_ring(c, cell, 1.6f);
    }
}

static void cell_numbers(const ViewContext *c, const WallLayout *l, Rect m, const Mat *weights,
                         float top) {
    for (int i = 0; i < l->tokens; i++) {
        for (int j = 0; j < l->tokens; j++) {
            float value = mat_row(weights, i)[j];
            if (!isfinite(value))
                continue;
            char text[32];
            number_format_fixed(text, sizeof text, (double)value, 2);
            Colour ground = palette_colour(c->settings->palette, value / top);
            bool dark = colour_contrast(ground, 0x000000FFu) < 7;
            LabelStyle style = {FONT_MONO, 14, dark ? 0xFFFFFFFFu : 0x000000FFu, LABEL_CENTRE};
            Rect cell = {m.x + (float)j * l->cell, m.y + (float)i * l->cell, l->cell, l->cell};
            label_draw(c->ui, cell, &style, text);
        }
    }
}

/* Ctrl and a click turn an edge of the mask; dragged on, every edge that is passed goes the way of
 * the first. */
static void paint_edges(const ViewContext *c, const WallLayout *l, Rect m, UiState state,
                        Spot spot) {
    const uint8_t *open = mask_row(&c->run->mask, spot.query);
    Vec2 from = c->ui->press_at;
    int query = (int)((from.y - m.y) / l->cell), key = (int)((from.x - m.x) / l->cell);
    if (query < 0 || key < 0 || query >= l->tokens || key >= l->tokens)
        return;
    bool now_open = mask_row(&c->run->mask, query)[key] != 0;
    bool wanted = state.pressed ? !now_open : now_open;
    if (wanted == (open[spot.key] != 0))
        return;
    EdgePaint paint = {
        {spot.query, spot.query}, {spot.key, spot.key}, wanted ? EDGE_OPEN : EDGE_CLOSED};
    edit_push_edges(c->edits, &paint, c->ui->drag_serial);
}

static void wall_pointer(const ViewContext *c, const WallLayout *l, int layer, int head) {
    Rect m = wall_matrix(l, head);
    UiState state = ui_control(c->ui, ui_id("matrix", layer * OPTION_HEADS_MAX + head), m,
                               UI_NO_FOCUS | UI_NO_HAND);
    if (!state.hovered)
        return;
    int query = (int)((c->ui->pointer.y - m.y) / l->cell);
    int key = (int)((c->ui->pointer.x - m.x) / l->cell);
    if (query < 0 || key < 0 || query >= l->tokens || key >= l->tokens)
        return;
    Spot spot = {layer, head, query, key};
    view_light(c, spot);
    bool paints = (c->ui->press_mods & KEY_MOD_COMMAND) != 0;
    if (paints && state.held)
        paint_edges(c, l, m, state, spot);
    if (state.clicked && !paints)
        view_toggle_pin(c, spot);
}

static void wall_head(const ViewContext *c, const WallLayout *l, int layer, int head) {
    const Theme *theme = c->ui->theme;
    Rect m = wall_matrix(l, head);
    Mat weights = view_weights(c, layer, head);
    float top = view_scale_top(c);
    wall_title(c, l, layer, head);
    wall_pointer(c, l, layer, head);
    view_cells(c, ui_id("cells", layer * OPTION_HEADS_MAX + head),
               &(DrawCells){.rect = m,
                            .rows = weights.rows,
                            .cols = weights.cols,
                            .stride = weights.stride,
                            .values = weights.at,
                            .lo = 0,
                            .hi = top,
                            .gap = l->gap,
                            .palette = c->settings->palette,
                            .ground = theme->canvas,
                            .masked = theme->masked,
                            .masked_stroke = theme->control,
                            .wrong = theme->warn});
    if (l->cell >= NUMBER_CELL)
        cell_numbers(c, l, m, &weights, top);
    if (head == c->session->options.head - 1)
        draw_ring(c->ui->list, (Rect){m.x - 5, m.y - 5, m.w + 10, m.h + 10}, 4, 2,
                  view_head_colour(c, head));
}

/* The exact value beside the cell under the pointer, never over the cell itself. */
static void wall_value(const ViewContext *c, const WallLayout *l, int layer) {
    Spot lit = c->hover->lit;
    if (!spot_is_cell(lit) || lit.layer != layer || view_focus(c).query != lit.query)
        return;
    Rect m = wall_matrix(l, lit.head);
    Mat weights = view_weights(c, layer, lit.head);
    float value = mat_row(&weights, lit.query)[lit.key];
    float x = m.x + ((float)lit.key + 1) * l->cell + VALUE_AWAY_X;
    float y = m.y + (float)lit.query * l->cell - VALUE_AWAY_Y;
    if (x > c->ui->list->clip.x + c->ui->list->clip.w - 2 * VALUE_AWAY_X)
        x = m.x + (float)lit.key * l->cell - VALUE_AWAY_X;
    if (isfinite(value))
        view_value_pill(c, (Vec2){x, y}, c->ui->list->clip, value, true);
}

void wall_draw(const ViewContext *c, const WallLayout *l, int layer) {
    Spot focus = view_focus(c), pin = view_pin(c);
    for (int head = 0; head < l->heads; head++)
        wall_head(c, l, layer, head);
    wall_labels(c, l, focus);
    for (int head = 0; head < l->heads; head++) {
        if (spot_is_cell(pin) && (pin.query != focus.query || pin.key != focus.key) &&
            head == pin.head && layer == pin.layer) {
            Rect m = wall_matrix(l, head);
            cell_ring(c,
                      (Rect){m.x + (float)pin.key * l->cell, m.y + (float)pin.query * l->cell,
                             l->cell, l->cell},
                      1.6f);
        }
        wall_marks(c, l, layer, head, focus);
    }
    wall_value(c, l, layer);
}
