#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/arc.h"
#include "ui/label.h"
#include "views/lecture/lecture_parts.h"

#define ROWS_MAX     96
#define PITCH_LEAST  34 /* px from name to name */
#define PITCH_MOST   60
#define NAME_MAX     128
#define NAME_PAD     18 /* px at each side of a name, inside its background */
#define NAME_SHARE   0.5f
#define NUMBER_GAP   18
#define ARC_GAP      4 /* px between arrows and names */
#define EDGE_LEAST   0.05f
#define REACH_OF_H   0.5f /* largest bulge as a share of the rows' height: arcs stay round */
#define REACH_LEAST  20   /* least bulge if there are few rows */
#define REACH_FEW    70
#define PINNED_LEAST 2.5f /* least width of the pinned arrow */
#define LOOP_BULGE   30
#define PLUS_AT                                                                                    \
    0.86f /* positions on the signed scale of the colours of positive and negative edges */
#define MINUS_AT 0.14f

/* The keys of the row that have room, in the order of the columns. */
typedef struct Rows {
    int key[ROWS_MAX];
    int count, left_out;    /* number of rows shown; open keys without room, */
    int closed_out;         /* number of closed keys without room */
    double left_out_sum;    /* sum of the values of open keys without room, */
    float left_out_most;    /* largest magnitude among them */
    int query_row, key_row; /* rows of the pinned query and key, or -1 */
    float pitch, first_y;
    float name_x, name_w, number_x, number_w, reach;
} Rows;

static bool is_open(float value) {
    return value != DRAW_CELL_MASKED;
}

/* Return the cell that a token's row shows: the focused query's weight for this token or, if no
 * query is focused, the token's own strongest key. */
static AttnCell cell_of(const Lecture *l, int token) {
    if (attn_cell_is_set(l->at))
        return (AttnCell){0, l->at.head, l->at.query, token};
    AttnCell best = {0, l->context->session->options.head - 1, token, token};
    float most = -1;
    for (int key = 0; key < l->layout.tokens; key++) {
        float value = lecture_value(l, (AttnCell){0, best.head, token, key});
        if (!isfinite(value) || !is_open(value) || fabsf(value) <= most)
            continue;
        most = fabsf(value);
        best.key = key;
    }
    return best;
}

static float value_of(const Lecture *l, int token) {
    return lecture_value(l, cell_of(l, token));
}

/* Return the priority for a place in the list: the focused key and query first, then by magnitude,
 * closed keys last. */
static float rank_of(const Lecture *l, int key) {
    float value = value_of(l, key);
    if (key == l->at.key || key == l->at.query)
        return INFINITY;
    return isfinite(value) ? fabsf(value) : is_open(value) ? 0 : -1;
}

/* Return the index of the key of highest priority that is not chosen yet. One must exist. */
static int next_kept(const Lecture *l, const bool *is_kept) {
    int best = 0;
    while (is_kept[best])
        best++;
    for (int at = best + 1; at < l->layout.tokens; at++)
        if (!is_kept[at] && rank_of(l, l->shown->key_at[at]) > rank_of(l, l->shown->key_at[best]))
            best = at;
    return best;
}

/* Choose as many rows as fit, by priority. */
static void choose(Rows *rows, const Lecture *l, int room) {
    bool is_kept[TOKENS_MAX] = {false};
    int T = l->layout.tokens;
    for (int n = 0; n < room && n < T; n++)
        is_kept[next_kept(l, is_kept)] = true;
    for (int at = 0; at < T; at++) {
        int key = l->shown->key_at[at];
        float value = value_of(l, key);
        if (is_kept[at]) {
            rows->key[rows->count++] = key;
        } else if (is_open(value)) {
            rows->left_out++;
            rows->left_out_sum += (double)value;
            rows->left_out_most = fmaxf(rows->left_out_most, fabsf(value));
        } else {
            rows->closed_out++;
        }
    }
}

static bool is_partial(const Rows *rows) {
    return rows->left_out + rows->closed_out > 0;
}

static float hi_of(const Lecture *l) {
    return l->shown->layer[0].tile[l->index].hi;
}

static void number_of(char out[32], const Lecture *l, float value) {
    if (is_open(value))
        lecture_number(out, l->context, value, hi_of(l), true);
    else
        snprintf(out, 32, "–");
}

static float widest_number(const Rows *rows, const Lecture *l) {
    float widest = 0;
    for (int i = 0; i < rows->count; i++) {
        char text[32];
        number_of(text, l, value_of(l, rows->key[i]));
        widest = fmaxf(widest, label_width(l->context->ui, FONT_MONO_BOLD, LECTURE_CONTROL, text,
                                           strlen(text)));
    }
    return widest;
}

/* Return a token's name. If rows are left out, a name that occurs more than once is followed by its
 * position. */
static const char *name_of(char room[NAME_MAX], const Rows *rows, const Lecture *l, int token,
                           size_t *bytes) {
    const char *text = view_token(l->context, token, bytes);
    if (!is_partial(rows) || !lecture_has_twin(l->context, token))
        return text;
    size_t kept = utf8_floor(text, *bytes, NAME_MAX - 16);
    *bytes = (size_t)snprintf(room, NAME_MAX, "%.*s (%d)", (int)kept, text, token + 1);
    return room;
}

static float widest_name(const Rows *rows, const Lecture *l) {
    float widest = 0;
    for (int i = 0; i < rows->count; i++) {
        char room[NAME_MAX];
        size_t bytes;
        const char *text = name_of(room, rows, l, rows->key[i], &bytes);
        widest =
            fmaxf(widest, label_width(l->context->ui, FONT_SANS_BOLD, LECTURE_LABEL, text, bytes));
    }
    return widest;
}

static int row_of(const Rows *rows, int token) {
    for (int i = 0; i < rows->count; i++)
        if (rows->key[i] == token)
            return i;
    return -1;
}

/* Divide the width: numbers and names first, the space at their left is for arrows. */
static void place(Rows *rows, const Lecture *l) {
    Rect list = l->layout.list;
    rows->number_w = widest_number(rows, l);
    rows->name_w = fminf(widest_name(rows, l) + 2 * NAME_PAD, list.w * NAME_SHARE);
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

/* Return an edge's width as a share of the widest. A weight is such a share. Higher scores get
 * wider arrows; scores below 0 get the thinnest. */
static float share_of(const Lecture *l, float value) {
    bool is_signed = l->shown->layer[0].tile[l->index].is_signed;
    Show show = (Show)l->context->settings->show;
    bool is_score = show == SHOW_SCORES || show == SHOW_MASKED;
    if (is_signed && is_score && hi_of(l) > 0)
        return fmaxf(value / hi_of(l), EDGE_LEAST);
    return is_signed && hi_of(l) > 0 ? fabsf(value) / hi_of(l) : value;
}

static Arc arc_of(const Rows *rows, int from, int to, float share, Colour colour) {
    int apart = to > from ? to - from : from - to;
    float far = rows->count > 1 ? (float)apart / (float)(rows->count - 1) : 0;
    float width = arc_width(share);
    float bulge = apart == 0 ? fminf(LOOP_BULGE + 2 * width, rows->reach)
                             : rows->reach * (0.2f + 0.8f * powf(far, 0.8f));
    return arc_between(rows->name_x - ARC_GAP, row_y(rows, from), row_y(rows, to), -bulge, width,
                       colour);
}

static Colour edge_colour(const Lecture *l, float value) {
    const Theme *theme = l->context->ui->theme;
    if (!l->shown->layer[0].tile[l->index].is_signed)
        return view_head_colour(l->context, l->context->session->options.head - 1);
    return palette_colour(theme->signed_palette, value < 0 ? MINUS_AT : PLUS_AT);
}

/* Draw an arrow, dashed for a negative value. */
static void arc_show(const Lecture *l, const Arc *arc, float value) {
    DrawCurve curve = arc->curve;
    if (value < 0)
        curve.dash_on = 10, curve.dash_off = 7;
    draw_curve(l->context->ui->list, &curve);
    draw_triangle(l->context->ui->list, &arc->head);
}

/* Draw the arrows. The pinned edge is drawn last, even if its weight is 0. */
static void arcs(const Rows *rows, const Lecture *l) {
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < rows->count; i++) {
            float value = value_of(l, rows->key[i]), share = share_of(l, value);
            AttnCell at = cell_of(l, rows->key[i]);
            int from = row_of(rows, at.query), to = row_of(rows, at.key);
            bool is_pinned = i == rows->key_row;
            if (from < 0 || to < 0 || is_pinned != (pass == 1) || !isfinite(value) ||
                share < (is_pinned ? 0 : EDGE_LEAST))
                continue;
            Colour colour = is_pinned ? l->context->ui->theme->ring : edge_colour(l, value);
            Arc arc = arc_of(rows, from, to, fabsf(share), colour);
            if (is_pinned)
                arc.curve.width_from = arc.curve.width_to =
                    fmaxf(arc.curve.width_from, PINNED_LEAST);
            arc_show(l, &arc, value);
        }
}

static void name_ground(const Rows *rows, const Lecture *l, int row, bool query, bool key) {
    const Theme *theme = l->context->ui->theme;
    DrawList *list = l->context->ui->list;
    float h = fminf(rows->pitch, 40) - 1;
    Rect pill = {rows->name_x, row_y(rows, row) - h / 2, rows->name_w, h};
    if (query)
        draw_fill(list, pill, h / 2, theme->ring);
    if (!key)
        return;
    float in = query ? 4 : 0;
    draw_box(list, &(DrawBox){.rect = rect_inset(pill, in, in),
                              .radius = h / 2 - in,
                              .border = 2.5f,
                              .dash_on = 6,
                              .dash_off = 5,
                              .fill = query ? COLOUR_CLEAR : theme->canvas,
                              .fill_right = query ? COLOUR_CLEAR : theme->canvas,
                              .stroke = query ? theme->casing : theme->ring});
}

static void name(const Rows *rows, const Lecture *l, int row) {
    const Theme *theme = l->context->ui->theme;
    bool query = row == rows->query_row, key = row == rows->key_row;
    if (query || key)
        name_ground(rows, l, row, query, key);
    char room[LABEL_CUT_MAX], own[NAME_MAX];
    size_t bytes;
    const char *text = name_of(own, rows, l, rows->key[row], &bytes);
    LabelStyle style = {query || key ? FONT_SANS_BOLD : FONT_SANS, LECTURE_LABEL,
                        query ? theme->casing
                        : key ? theme->text_1
                              : theme->text_2,
                        LABEL_CENTRE};
    Rect words = {rows->name_x + NAME_PAD - 6, row_y(rows, row) - 16,
                  rows->name_w - 2 * NAME_PAD + 12, 32};
    text = label_fit(l->context->ui, room, &style, text, &bytes, words.w);
    label_draw_bytes(l->context->ui, words, &style, text, bytes);
}

static void number(const Rows *rows, const Lecture *l, int row) {
    const Theme *theme = l->context->ui->theme;
    bool key = row == rows->key_row;
    char text[32];
    number_of(text, l, value_of(l, rows->key[row]));
    LabelStyle style = {key ? FONT_MONO_BOLD : FONT_MONO, LECTURE_CONTROL,
                        key ? theme->text_1 : theme->text_2, LABEL_RIGHT};
    Rect words = {rows->number_x - 1, row_y(rows, row) - 16, rows->number_w + 1, 32};
    label_draw(l->context->ui, words, &style, text);
}

/* Write how many keys have no room, and their sum or largest value. i chooses the wording, from
 * long to short. Closed keys are mentioned only if no open key is left out. */
static void rest_words(char *text, size_t size, const Rows *rows, const Lecture *l, int i) {
    static const char *const sums[] = {"%d more, together %s", "%d more: %s"};
    static const char *const bounds[] = {"%d more, none beyond ±%s", "%d more, ≤ %s"};
    char value[32];
    bool is_signed = l->shown->layer[0].tile[l->index].is_signed;
    lecture_number(value, l->context, is_signed ? rows->left_out_most : (float)rows->left_out_sum,
                   hi_of(l), true);
    if (rows->left_out == 0)
        snprintf(text, size, i < 2 ? "%d more, closed" : "%d more", rows->closed_out);
    else if (i < 2)
        snprintf(text, size, is_signed ? bounds[i] : sums[i], rows->left_out, value);
    else
        snprintf(text, size, "%d more", rows->left_out);
}

static void rest(const Rows *rows, const Lecture *l) {
    char text[96];
    LabelStyle style = {FONT_SANS, LECTURE_LABEL, l->context->ui->theme->text_2, LABEL_RIGHT};
    Rect list = l->layout.list;
    float y = row_y(rows, rows->count);
    Rect words = {list.x, y - 16, list.w, 32};
    for (int i = attn_cell_is_set(l->at) ? 0 : 2; i < 3; i++) {
        rest_words(text, sizeof text, rows, l, i);
        if (label_width(l->context->ui, style.font, style.size, text, strlen(text)) <= words.w)
            break;
    }
    label_draw(l->context->ui, words, &style, text);
}

/* Let a click on a name pin its cell. */
static void pointer(const Rows *rows, const Lecture *l) {
    const ViewContext *c = l->context;
    Rect names = {rows->name_x, rows->first_y - rows->pitch / 2,
                  rect_right(l->layout.list) - rows->name_x, rows->pitch * (float)rows->count};
    UiState state = ui_control(c->ui, ui_id("lecture row", 0), names, UI_NO_FOCUS);
    int row = (int)floorf((c->ui->pointer.y - names.y) / rows->pitch);
    if (!state.hovered || row < 0 || row >= rows->count)
        return;
    AttnCell at = cell_of(l, rows->key[row]);
    view_light(c, at);
    if (state.clicked)
        edit_push_state(c->edits, "pin", "%d,%d", at.query + 1, at.key + 1);
}

/* Draw what the focused query reads; without one, which key each token reads most. */
void lecture_row(const Lecture *l) {
    Rows rows = {.count = 0};
    int room = (int)(l->layout.list.h / PITCH_LEAST), T = l->layout.tokens;
    int head = l->context->session->options.head - 1;
    if (!attn_cell_is_set(l->at) && (T > ROWS_MAX || view_is_uniform(l->context, 0, head)))
        return;
    room = room > ROWS_MAX ? ROWS_MAX : room < 3 ? 3 : room;
    choose(&rows, l, T <= room ? T : room - 1);
    place(&rows, l);
    pointer(&rows, l);
    arcs(&rows, l);
    for (int i = 0; i < rows.count; i++) {
        name(&rows, l, i);
        number(&rows, l, i);
    }
    if (is_partial(&rows))
        rest(&rows, l);
}
