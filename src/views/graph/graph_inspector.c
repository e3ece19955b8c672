/* The inspector of the Graph view: what a token reads, who reads it, and the numbers of each step
 * of its walk. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "ui/bars.h"
#include "ui/label.h"
#include "ui/prose.h"
#include "views/graph/graph.h"
#include "views/inspector/inspector.h"
#include "views/inspector/inspector_parts.h"
#include "views/inspector/provenance.h"

#define ROW      30
#define NAME_W   116 /* width of a name with its position */
#define POSITION 15  /* size of a position's letters */
#define VALUE_W  84  /* least width of a value */
#define ROWS_MAX 9
#define BODY     18

typedef struct TokenRow {
    int token;
    float value;
    bool drawn;
} TokenRow;

static int heavier(const void *left, const void *right) {
    const TokenRow *a = left, *b = right;
    float x = fabsf(a->value), y = fabsf(b->value);
    return x != y ? (x < y ? 1 : -1) : a->token - b->token;
}

/* Mark the tokens that share a drawn edge of the lowest layer with this token. Return their number.
 */
static int mark_drawn(bool *is_drawn, const ViewContext *c, int token, bool column) {
    const GraphData *d = graph_data(c);
    int head = c->session->options.head - 1, count = 0;
    for (int i = 0; i < d->count; i++) {
        const Edge *edge = &d->edges[i];
        if ((column ? edge->key : edge->query) != token || d->head_of[i] != head ||
            d->layer_of[i] != 0)
            continue;
        is_drawn[column ? edge->query : edge->key] = true;
        count++;
    }
    return count;
}

/* Collect the open tokens of a row or column of values, largest first. */
static int gather(TokenRow *rows, const ViewContext *c, const HeadValues *values, int token,
                  bool column) {
    int count = 0;
    for (int i = 0; i < c->run->T; i++) {
        int query = column ? i : token, key = column ? token : i;
        float value = head_value(values, query, key);
        if (mask_row(&c->run->mask, query)[key] && isfinite(value))
            rows[count++] = (TokenRow){i, value, false};
    }
    qsort(rows, (size_t)count, sizeof *rows, heavier);
    return count;
}

static void row_bar(const ViewContext *c, Rect bar, const TokenRow *row, float most) {
    Colour colour =
        row->drawn ? view_head_colour(c, c->session->options.head - 1) : c->ui->theme->control;
    if (row->value < 0)
        colour = palette_colour(c->ui->theme->signed_palette, 0);
    float length = most > 0 ? bar.w * fabsf(row->value) / most : 0;
    draw_fill(c->ui->list, (Rect){bar.x, bar.y + bar.h / 2 - 4, fmaxf(length, 1), 8}, 2, colour);
}

/* The layout that all rows of a list share. */
typedef struct RowStyle {
    float most, value_w; /* value of the longest bar; px of the widest number */
    int decimals;
} RowStyle;

static RowStyle row_style(const ViewContext *c, const TokenRow *rows, int count, int decimals) {
    RowStyle style = {count > 0 ? fabsf(rows[0].value) : 0, VALUE_W, decimals};
    for (int i = 0; i < count; i++) {
        char value[32];
        number_format_fixed(value, sizeof value, (double)rows[i].value, decimals);
        style.value_w =
            fmaxf(style.value_w, label_width(c->ui, FONT_MONO, BODY, value, strlen(value)));
    }
    return style;
}

static void token_row(const ViewContext *c, Rect *rest, const TokenRow *row, AttnCell cell,
                      const RowStyle *set) {
    const Theme *theme = c->ui->theme;
    Rect line = rect_cut_top(rest, ROW);
    UiId id = ui_id("graph row", cell.query * TOKENS_MAX + cell.key);
    UiState state = ui_control(c->ui, id, line, UI_NO_FOCUS);
    if (state.hovered) {
        draw_fill(c->ui->list, rect_inset(line, -6, 0), 6, theme->hover);
        view_light_row(c, cell);
    }
    if (state.clicked)
        view_toggle_pin(c, cell);
    Colour ink = row->drawn ? theme->text_1 : theme->text_2;
    char value[32];
    number_format_fixed(value, sizeof value, (double)row->value, set->decimals);
    LabelStyle style = {FONT_SANS, BODY, ink, LABEL_LEFT},
               number = {FONT_MONO, BODY, ink, LABEL_RIGHT};
    Rect name = rect_cut_left(&line, NAME_W);
    LabelStyle position = {FONT_MONO, POSITION, c->ui->theme->text_2, LABEL_LEFT};
    char index[12];
    snprintf(index, sizeof index, "%d", row->token + 1);
    label_draw(c->ui, rect_cut_left(&name, label_width(c->ui, FONT_MONO, POSITION, "00", 2) + 6),
               &position, index);
    inspector_token(c, name, &style, row->token);
    rect_cut_left(&line, 6);
    label_draw(c->ui, rect_cut_right(&line, set->value_w), &number, value);
    rect_cut_right(&line, 8);
    row_bar(c, line, row, set->most);
}

static void heading(const ViewContext *c, Rect *rest, const char *name, const char *note) {
    rect_cut_top(rest, 14);
    Rect line = rect_cut_top(rest, 34);
    LabelStyle style = {FONT_SANS, BODY, c->ui->theme->text_3, LABEL_RIGHT};
    line.w -= label_draw(c->ui, line, &style, note) + 10;
    style = (LabelStyle){FONT_SANS_BOLD, 20, c->ui->theme->text_1, LABEL_LEFT};
    label_draw(c->ui, line, &style, name);
}

/* List a token's keys or readers. In a walk every open edge is drawn. */
static void token_list(const ViewContext *c, Rect *rest, int token, bool column, int rows_max,
                       const HeadValues *values, const char *name) {
    bool walks = graph_walks(c), scores = c->settings->graph_value == GRAPH_SCORES;
    Arena scratch = *c->scratch;
    TokenRow *rows = arena_push(c->scratch, sizeof *rows * (size_t)c->run->T);
    bool *is_drawn = arena_push_zero(c->scratch, sizeof *is_drawn * (size_t)c->run->T);
    int count = gather(rows, c, values, token, column);
    int drawn = mark_drawn(is_drawn, c, token, column);
    char note[64];
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += (double)rows[i].value;
        rows[i].drawn = walks || is_drawn[rows[i].token];
    }
    if (count == 0)
        note[0] = '\0';
    else if (walks)
        snprintf(note, sizeof note, "%d open key%s", count, count == 1 ? "" : "s");
    else if (column)
        snprintf(note, sizeof note, scores ? "sum %s" : "received %s", FIXED(sum, 2));
    else
        snprintf(note, sizeof note, "%d of %d drawn", drawn, count);
    heading(c, rest, name, note);
    int listed = count < rows_max ? count : rows_max;
    RowStyle set = row_style(c, rows, listed, scores ? 2 : 3);
    for (int i = 0; i < listed && rest->h > ROW; i++) {
        AttnCell cell = {0, c->session->options.head - 1, column ? rows[i].token : token,
                         column ? token : rows[i].token};
        token_row(c, rest, &rows[i], cell, &set);
    }
    if (count == 0) {
        LabelStyle style = {FONT_SANS, BODY, c->ui->theme->text_2, LABEL_LEFT};
        label_draw(c->ui, rect_cut_top(rest, ROW), &style,
                   column ? "nobody may read it" : "nothing to read");
    }
    *c->scratch = scratch;
}

/* Return the reason why this token is explained. */
static const char *state_word(const ViewContext *c) {
    bool is_pinned = view_pin(c).query >= 0;
    return view_lit_token(c) >= 0 ? "Hovered" : is_pinned ? "Pinned" : "Strongest";
}

static void token_title(const ViewContext *c, Rect *rest, int token) {
    const Theme *theme = c->ui->theme;
    int head = c->session->options.head - 1;
    Rect line = rect_cut_top(rest, 40);
    LabelStyle state = {FONT_SANS, BODY, theme->text_3, LABEL_RIGHT};
    line.w -= label_draw(c->ui, line, &state, state_word(c)) + 12;
    LabelStyle style = {FONT_SANS_BOLD, 26, theme->text_1, LABEL_LEFT};
    inspector_token(c, line, &style, token);
    char place[64];
    snprintf(place, sizeof place, "Head %d · token %d", head + 1, token + 1);
    line = rect_cut_top(rest, 30);
    draw_fill(c->ui->list, (Rect){line.x, line.y + 9, 12, 12}, 6, view_head_colour(c, head));
    rect_cut_left(&line, 22);
    style = (LabelStyle){FONT_SANS, BODY, theme->text_2, LABEL_LEFT};
    label_draw(c->ui, line, &style, place);
}

/* Show the query's z, computed here from a and v, next to the z of the layer's pass. */
static void sum_section(const ViewContext *c, Rect *rest, int query) {
    const AttnShape *shape = &c->run->layers[0].shape[c->run->form];
    int head = c->session->options.head - 1;
    Mat Z = attn_head_value(&results_trace(c->run, 0)->Z, shape, head);
    const float *z = mat_row(&Z, query);
    char name[48], note[64], number[32];
    double square = 0;
    float most = 0;
    for (int m = 0; m < Z.cols; m++) {
        square += (double)z[m] * (double)z[m];
        most = isfinite(z[m]) ? fmaxf(most, fabsf(z[m])) : most;
    }
    number_format_fixed(number, sizeof number, sqrt(square), 3);
    snprintf(note, sizeof note, "length %s", number);
    snprintf(name, sizeof name, "What arrives");
    heading(c, rest, name, note);
    Rect chart = rect_cut_top(rest, 90);
    bars_draw(c->ui, chart, &(Bars){z, Z.cols, c->ui->theme->signed_palette, -most, most, -1});
    LabelStyle style = {FONT_SANS, BODY, c->ui->theme->text_2, LABEL_LEFT};
    snprintf(name, sizeof name, Z.cols == 1 ? "z_%d, %d number" : "z_%d, %d numbers", query + 1,
             Z.cols);
    prose_draw(c->ui, rect_cut_top(rest, ROW), &style, name);
}

static void walk_sections(const ViewContext *c, Rect *rest, int query, int step) {
    int head = c->session->options.head - 1, rows = step == STEP_SUM ? 6 : 14;
    HeadValues scores = {.of = results_scores(c->run, 0, head)};
    HeadValues weights = {.of = results_weights(c->run, 0, head)};
    if (step == STEP_MEET)
        token_list(c, rest, query, false, rows, &scores, "Scores");
    else
        token_list(c, rest, query, false, rows, &weights, "Weights");
    if (step == STEP_SOFTMAX) {
        double sum = 0;
        char text[64];
        for (int j = 0; j < c->run->T; j++)
            sum += (double)head_value(&weights, query, j);
        snprintf(text, sizeof text, "they sum to %s", FIXED(sum, 6));
        LabelStyle style = {FONT_SANS, BODY, c->ui->theme->text_2, LABEL_LEFT};
        label_draw(c->ui, rect_cut_top(rest, ROW), &style, text);
    }
    if (step == STEP_SUM)
        sum_section(c, rest, query);
}

/* Say that edges may show renormalised weights while the list shows the weights themselves. */
static void rescaling_words(const ViewContext *c, Rect *rest, int token) {
    double left = graph_left(c, c->session->options.head - 1, token);
    char text[96];
    LabelStyle style = {FONT_SANS, BODY, c->ui->theme->text_2, LABEL_LEFT};
    if (left == 1 || !(left > 0))
        return;
    snprintf(text, sizeof text, "The edges show a / %s: what is left sums to 1.", FIXED(left, 3));
    rect_cut_top(rest, prose_wrap(c->ui, *rest, &style, text));
}

static void token_sections(const ViewContext *c, Rect *rest, int token) {
    Arena scratch = *c->scratch;
    HeadValues values = graph_values(c, c->session->options.head - 1);
    token_list(c, rest, token, false, ROWS_MAX, &values, "reads");
    rescaling_words(c, rest, token);
    if (rest->h > 120)
        token_list(c, rest, token, true, 5, &values, "is read by");
    *c->scratch = scratch;
    AttnCell cell = view_rest(c);
    if (attn_cell_is_set(cell) && cell.query == token)
        provenance_chips(c, rest, cell);
}

void graph_inspector(const ViewContext *c, Rect area) {
    int token = graph_token(c), head = c->session->options.head - 1;
    Rect rest = rect_inset(area, 24, 20), clip = draw_clip(c->ui->list, area);
    bool walking = graph_walks(c);
    AttnCell focus = view_focus(c); /* a lit cell may belong to the previous text */
    if (attn_cell_is_set(c->hover->lit) && view_lit_token(c) < 0 && attn_cell_is_set(focus)) {
        inspector_cell(c, &rest, focus);
    } else if (provenance_piece(c, &rest, view_rest(c))) {
    } else if (token >= 0) {
        token_title(c, &rest, token);
        if (walking)
            walk_sections(c, &rest, token, graph_step(c));
        else
            token_sections(c, &rest, token);
    } else {
        LabelStyle style = {FONT_SANS, BODY, c->ui->theme->text_2, LABEL_LEFT};
        rect_cut_top(&rest, label_wrap(c->ui, rest, &style,
                                       "Hover a token to see what it reads. Click it to follow "
                                       "the message that reaches it, step by step."));
    }
    if (rest.h > 120)
        inspector_head(c, &rest, head);
    draw_clip_restore(c->ui->list, clip);
}
