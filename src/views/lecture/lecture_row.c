#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/curve.h"
#include "ui/text.h"
#include "views/lecture/lecture_parts.h"

#define ROWS_MAX    96
#define PITCH_LEAST 34 /* px: minimum distance from row to row */
#define PITCH_MOST  60
#define NAME_MAX    128
#define NAME_PAD    18 /* px left and right of a name, inside its background */
#define NAME_SHARE  0.5f
#define NUMBER_GAP  18
#define ARC_GAP     4 /* px between arrows and names */
#define EDGE_LEAST  0.05f
/* Largest bulge of an arrow as a share of the rows' height, so that arrows stay round. */
#define REACH_OF_H   0.5f
#define REACH_LEAST  20   /* px: minimum bulge if the list is narrow */
#define REACH_FEW    70   /* px: with few rows, the bulge may be this large */
#define PINNED_LEAST 2.5f /* px: minimum width of the arrow to the focused key */
#define LOOP_BULGE   30
/* Places on the signed colour scale that give the colours of positive and negative edges. */
#define PLUS_AT  0.86f
#define MINUS_AT 0.14f

/* The row of one token. Its value is what the focused query gives it as a key or, if no query is
 * focused, the largest value, by magnitude, of the token as a query. */
typedef struct Row {
    int token;
    AttnCell at;
    float value;
    char number[32];
} Row;

/* The rows for which there is room, in the order of the matrix's columns. */
typedef struct Rows {
    Row row[ROWS_MAX];
    int count, left_out;    /* number of rows shown; number of open keys without room */
    int closed_out;         /* number of closed keys without room */
    double left_out_sum;    /* sum of the values of the open keys without room */
    float left_out_most;    /* largest magnitude among these values */
    int query_row, key_row; /* rows of the focused query and key, or -1 */
    float pitch, first_y;
    float name_x, name_w, number_x, number_w, reach;
} Rows;

static bool is_open(float value) {
    return value != DRAW_CELL_MASKED;
}

static Row row_for(const Lecture *l, int token) {
    Row row = {.token = token, .at = {0, l->c->session->options.head - 1, token, token}};
    if (attn_cell_is_set(l->at)) {
        row.at = (AttnCell){0, l->at.head, l->at.query, token};
    } else {
        float most = -1;
        for (int key = 0; key < l->layout.tokens; key++) {
            float value = lecture_value(l, (AttnCell){0, 0, token, key});
            if (isfinite(value) && fabsf(value) > most) {
                most = fabsf(value);
                row.at.key = key;
            }
        }
    }
    row.value = lecture_value(l, row.at);
    return row;
}

static int row_of(const Rows *rows, int token) {
    for (int i = 0; i < rows->count; i++)
        if (rows->row[i].token == token)
            return i;
    return -1;
}

static bool is_partial(const Rows *rows) {
    return rows->left_out + rows->closed_out > 0;
}

/* Choose the rows for which there is room: first the focused key and query, then by magnitude,
 * closed keys last. */
static void choose(Rows *rows, const Lecture *l, int room) {
    int T = l->layout.tokens, kept[ROWS_MAX];
    Arena scratch = *l->c->scratch;
    float *rank = arena_push(&scratch, (size_t)T * sizeof *rank);
    bool *is_kept = arena_push_zero(&scratch, (size_t)T * sizeof *is_kept);
    for (int at = 0; at < T; at++) {
        Row row = row_for(l, l->shown->key_at[at]);
        bool is_focused = row.token == l->at.key || row.token == l->at.query;
        rank[at] = is_focused            ? FLT_MAX
                   : isfinite(row.value) ? fabsf(row.value)
                   : is_open(row.value)  ? 0
                                         : -1;
    }
    int count = mat_largest_first(kept, room, rank, T);
    for (int i = 0; i < count; i++)
        is_kept[kept[i]] = true;
    for (int at = 0; at < T; at++) {
        Row row = row_for(l, l->shown->key_at[at]);
        if (is_kept[at]) {
            snprintf(row.number, sizeof row.number, "–");
            if (is_open(row.value))
                lecture_number(row.number, l, row.value, true);
            rows->row[rows->count++] = row;
        } else if (is_open(row.value)) {
            rows->left_out++;
            rows->left_out_sum += (double)row.value;
            rows->left_out_most = fmaxf(rows->left_out_most, fabsf(row.value));
        } else {
            rows->closed_out++;
        }
    }
}

/* Return a token's name. If rows are left out, a name that occurs more than once is followed by the
 * token's position. */
static TokenLabel name_of(char room[NAME_MAX], const Rows *rows, const Lecture *l, int token) {
    TokenLabel name = l->c->run->labels[token];
    if (!is_partial(rows) || !lecture_has_twin(l->c, token))
        return name;
    size_t kept = utf8_floor(name.bytes, name.size, NAME_MAX - 16);
    int bytes = snprintf(room, NAME_MAX, "%.*s (%d)", (int)kept, name.bytes, token + 1);
    return (TokenLabel){room, (size_t)bytes};
}

/* Divide the width: first numbers and names; the space at their left is for arrows. */
static void place(Rows *rows, const Lecture *l) {
    Rect list = l->layout.list;
    for (int i = 0; i < rows->count; i++) {
        const char *number = rows->row[i].number;
        char room[NAME_MAX];
        TokenLabel name = name_of(room, rows, l, rows->row[i].token);
        rows->number_w = fmaxf(rows->number_w, label_width(l->ui, FONT_MONO_BOLD, LECTURE_CONTROL,
                                                           number, strlen(number)));
        rows->name_w = fmaxf(
            rows->name_w, label_width(l->ui, FONT_SANS_BOLD, LECTURE_LABEL, name.bytes, name.size));
    }
    rows->name_w = fminf(rows->name_w + 2 * NAME_PAD, list.w * NAME_SHARE);
    float lines = (float)(rows->count + is_partial(rows));
    rows->pitch = fminf(list.h / lines, PITCH_MOST);
    rows->reach = list.w - rows->name_w - NUMBER_GAP - rows->number_w - ARC_GAP;
    float round = fmaxf(rows->pitch * lines * REACH_OF_H, REACH_FEW);
    rows->reach = fmaxf(fminf(rows->reach, round), REACH_LEAST);
    rows->number_x = rect_right(list) - rows->number_w;
    rows->name_x = rows->number_x - NUMBER_GAP - rows->name_w;
    rows->first_y = list.y + (list.h - rows->pitch * lines) / 2 + rows->pitch / 2;
    rows->query_row = row_of(rows, l->at.query);
    rows->key_row = row_of(rows, l->at.key);
}

static float row_y(const Rows *rows, int row) {
    return rows->first_y + rows->pitch * (float)row;
}

/* Return the width of an edge as a share of the largest width. For a weight this is the weight; for
 * a score, the score's share of the largest, or EDGE_LEAST below 0; for other signed values, the
 * share of the magnitude. */
static float share_of(const Lecture *l, float value) {
    int show = l->made.maps.show;
    float hi = l->tile->hi;
    if (!l->tile->is_signed || !(hi > 0))
        return value;
    return show == SHOW_SCORES || show == SHOW_MASKED ? fmaxf(value / hi, EDGE_LEAST)
                                                      : fabsf(value) / hi;
}

/* Draw the arrow of a row, dashed for a negative value. A small value has no arrow, unless its key
 * is focused. */
static void arrow(const Rows *rows, const Lecture *l, int i) {
    const Theme *theme = l->ui->theme;
    float value = rows->row[i].value, share = share_of(l, value);
    int from = row_of(rows, rows->row[i].at.query), to = row_of(rows, rows->row[i].at.key);
    bool is_pinned = i == rows->key_row;
    if (from < 0 || to < 0 || !isfinite(value) || share < (is_pinned ? 0 : EDGE_LEAST))
        return;
    Colour colour = is_pinned ? theme->ring
                    : l->tile->is_signed
                        ? palette_colour(theme->signed_palette, value < 0 ? MINUS_AT : PLUS_AT)
                        : view_head_colour(l->c, l->c->session->options.head - 1);
    int apart = abs(to - from);
    float far = rows->count > 1 ? (float)apart / (float)(rows->count - 1) : 0;
    float width = arc_width(fabsf(share));
    float bulge = apart == 0 ? fminf(LOOP_BULGE + 2 * width, rows->reach)
                             : rows->reach * (0.2f + 0.8f * powf(far, 0.8f));
    Arc arc = arc_between(rows->name_x - ARC_GAP, row_y(rows, from), row_y(rows, to), -bulge, width,
                          colour);
    if (is_pinned)
        arc.curve.width_from = arc.curve.width_to = fmaxf(arc.curve.width_from, PINNED_LEAST);
    arc.curve.dash_on = value < 0 ? 10 : 0;
    arc.curve.dash_off = value < 0 ? 7 : 0;
    draw_curve(l->ui->list, &arc.curve);
    draw_triangle(l->ui->list, &arc.head);
}

static void row_draw(const Rows *rows, const Lecture *l, int row) {
    Ui *ui = l->ui;
    const Theme *theme = ui->theme;
    bool query = row == rows->query_row, key = row == rows->key_row;
    float y = row_y(rows, row), h = fminf(rows->pitch, 40) - 1, in = query ? 4 : 0;
    Rect pill = {rows->name_x, y - h / 2, rows->name_w, h};
    if (query)
        draw_fill(ui->list, pill, h / 2, theme->ring);
    if (key)
        draw_box(ui->list, &(DrawBox){.rect = rect_inset(pill, in, in),
                                      .radius = h / 2 - in,
                                      .border = 2.5f,
                                      .dash_on = 6,
                                      .dash_off = 5,
                                      .fill = query ? COLOUR_CLEAR : theme->canvas,
                                      .fill_right = query ? COLOUR_CLEAR : theme->canvas,
                                      .stroke = query ? theme->casing : theme->ring});
    char own[NAME_MAX];
    TokenLabel whole = name_of(own, rows, l, rows->row[row].token);
    LabelStyle style = {query || key ? FONT_SANS_BOLD : FONT_SANS, LECTURE_LABEL,
                        query ? theme->casing
                        : key ? theme->text_1
                              : theme->text_2,
                        LABEL_CENTRE};
    Rect name = {pill.x + NAME_PAD - 6, y - 16, pill.w - 2 * NAME_PAD + 12, 32};
    label_draw(ui, name, &style, view_name(l->c, &style, whole, name.w).text);
    text_in(ui, (Rect){rows->number_x - 1, y - 16, rows->number_w + 1, 32},
            TEXT_NUMBER | TEXT_RIGHT | TEXT_PX((int)LECTURE_CONTROL) | (key ? TEXT_BOLD : TEXT_DIM),
            "%s", rows->row[row].number);
}

/* Write the number of keys without room, and their sum or largest value if that fits. Closed keys
 * are mentioned only if all open keys have room. */
static void rest(const Rows *rows, const Lecture *l) {
    Rect words = {l->layout.list.x, row_y(rows, rows->count) - 16, l->layout.list.w, 32};
    const unsigned style = TEXT_BODY | TEXT_RIGHT | TEXT_PX((int)LECTURE_LABEL);
    char value[32];
    bool is_signed = l->tile->is_signed;
    int left = rows->left_out > 0 ? rows->left_out : rows->closed_out;
    lecture_number(value, l, is_signed ? rows->left_out_most : (float)rows->left_out_sum, true);
    if (!attn_cell_is_set(l->at))
        text_in(l->ui, words, style, "%d more", left);
    else if (rows->left_out == 0)
        text_in(l->ui, words, style, "%d more, closed\n%d more", left, left);
    else
        text_in(l->ui, words, style,
                is_signed ? "%d more, none beyond ±%s\n%d more, ≤ %s\n%d more"
                          : "%d more, together %s\n%d more: %s\n%d more",
                left, value, left, value, left);
}

static void pointer(const Rows *rows, const Lecture *l) {
    const ViewContext *c = l->c;
    Rect names = {rows->name_x, rows->first_y - rows->pitch / 2,
                  rect_right(l->layout.list) - rows->name_x, rows->pitch * (float)rows->count};
    UiState state = ui_control(c->ui, ui_id("lecture row", 0), names, UI_NO_FOCUS);
    int row = (int)floorf((c->ui->pointer.y - names.y) / rows->pitch);
    if (!state.hovered || row < 0 || row >= rows->count)
        return;
    AttnCell at = rows->row[row].at;
    view_light(c, at);
    if (state.clicked)
        edit_push_state(c->edits, "pin", "%d,%d", at.query + 1, at.key + 1);
}

/* Draw how much the focused query reads each key. If no query is focused, draw the key that each
 * token reads most, or nothing if weights are uniform or there are too many tokens. */
void lecture_row(const Lecture *l) {
    Rows rows = {.count = 0};
    int room = (int)(l->layout.list.h / PITCH_LEAST), T = l->layout.tokens;
    int head = l->c->session->options.head - 1;
    if (!attn_cell_is_set(l->at) && (T > ROWS_MAX || view_is_uniform(l->c, 0, head)))
        return;
    room = room > ROWS_MAX ? ROWS_MAX : room < 3 ? 3 : room;
    choose(&rows, l, T <= room ? T : room - 1);
    place(&rows, l);
    pointer(&rows, l);
    for (int i = 0; i < rows.count; i++)
        if (i != rows.key_row)
            arrow(&rows, l, i);
    if (rows.key_row >= 0)
        arrow(&rows, l, rows.key_row);
    for (int i = 0; i < rows.count; i++)
        row_draw(&rows, l, i);
    if (is_partial(&rows))
        rest(&rows, l);
}
